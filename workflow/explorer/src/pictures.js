// A drawn picture of each game for the gallery. A game that is not listed has none here.

import { Die } from "./boards/parts.js";

const Scene = ({ children }) => (
  <svg viewBox="0 0 200 120" aria-hidden="true">
    {children}
  </svg>
);
const At = ({ x, y, turn = 0, children }) => <g transform={`translate(${x} ${y}) rotate(${turn})`}>{children}</g>;
const Thrown = ({ faces, size = 40, y = 40 }) =>
  [...faces].map((face, i) => (
    <At x={100 + (i - (faces.length - 1) / 2) * (size + 6)} y={y + (i % 2) * 8} turn={i % 2 ? 7 : -6}>
      <g transform={`translate(${-size / 2} ${-size / 2})`}>
        <Die face={face} size={size} />
      </g>
    </At>
  ));

const Pig = ({ x, y, size = 1, turn }) => (
  <g class="pig" transform={`translate(${x} ${y}) rotate(${turn ?? 0}) scale(${size})`}>
    <path class="ear" d="M-34 -26 l-4 -20 l22 10 z M34 -26 l4 -20 l-22 10 z" />
    <circle r="40" />
    <ellipse class="snout" cy="10" rx="19" ry="14" />
    <circle class="eye" cx="-7" cy="10" r="4" />
    <circle class="eye" cx="7" cy="10" r="4" />
    <circle class="eye" cx="-16" cy="-12" r="4" />
    <circle class="eye" cx="16" cy="-12" r="4" />
  </g>
);
const Runner = ({ children }) => <g class="figure">{children}</g>;

const PICTURES = {
  yahtzee: () => (
    <Scene>
      <g class="paper">
        <rect x="62" y="8" width="76" height="80" rx="4" />
        {[24, 40, 56, 72].map((y) => (
          <path d={`M62 ${y} h76`} />
        ))}
        <path d="M112 8 v80" />
      </g>
      <Thrown faces="66666" size={32} y={92} />
    </Scene>
  ),
  ten_thousand: () => (
    <Scene>
      <Thrown faces="115" size={44} y={34} />
      <g class="faded">
        <Thrown faces="236" size={34} y={88} />
      </g>
    </Scene>
  ),
  pig: () => (
    <Scene>
      <Pig x={66} y={66} />
      <At x={120} y={42} turn={10}>
        <Die face={1} size={54} />
      </At>
    </Scene>
  ),
  hog: () => (
    <Scene>
      <Pig x={50} y={62} size={0.9} />
      {[..."35264"].map((face, i) => (
        <At x={98 + (i % 3) * 34} y={20 + Math.floor(i / 3) * 40} turn={i % 2 ? 8 : -8}>
          <Die face={face} size={30} />
        </At>
      ))}
    </Scene>
  ),
  pass_the_pigs: () => (
    <Scene>
      <Pig x={58} y={68} size={0.9} turn={-96} />
      <Pig x={144} y={62} size={0.9} turn={18} />
    </Scene>
  ),
  forbidden_multiple: () => (
    <Scene>
      <text class="big" x="100" y="80" text-anchor="middle">
        10
      </text>
      <path class="forbidden" d="M52 60 a48 48 0 1 0 96 0 a48 48 0 1 0 -96 0 M66 94 L134 26" />
    </Scene>
  ),
  ten_times_eighteen: () => (
    <Scene>
      <g class="paper">
        {Array.from({ length: 10 }, (_, i) => (
          <g>
            <rect x={22 + (i % 5) * 32} y={12 + Math.floor(i / 5) * 30} width="28" height="26" rx="4" />
            <text x={36 + (i % 5) * 32} y={30 + Math.floor(i / 5) * 30} text-anchor="middle">{`×${i + 1}`}</text>
          </g>
        ))}
      </g>
      <Thrown faces="666" size={32} y={92} />
    </Scene>
  ),
  think: () => (
    <Scene>
      {[..."THINK"].map((letter, i) => (
        <g class="paper">
          <rect x={14 + i * 35} y="12" width="32" height="40" rx="4" />
          <text class="letter" x={30 + i * 35} y="41" text-anchor="middle">
            {letter}
          </text>
        </g>
      ))}
      <Thrown faces="14" y={86} />
    </Scene>
  ),
  decathlon_races: () => (
    <Scene>
      <g class="lanes">
        {[30, 60, 90].map((y) => (
          <path d={`M0 ${y} h200`} />
        ))}
        <path d="M176 16 v88" stroke-dasharray="6" />
      </g>
      <Runner>
        <circle cx="112" cy="28" r="9" />
        <path d="M106 40 L96 66 L112 78 L104 104 M96 66 L78 82 L62 80 M106 42 L126 52 L136 42 M104 44 L86 48 L80 60" />
      </Runner>
    </Scene>
  ),
  decathlon_heights: () => (
    <Scene>
      <g class="lanes">
        <path d="M44 108 V34 M156 108 V34" />
      </g>
      <path class="hurdle" d="M44 48 H156" />
      <Runner>
        <circle cx="76" cy="20" r="8" />
        <path d="M82 27 Q104 14 124 36 L146 30 M124 36 L140 54 M88 24 L72 40" />
      </Runner>
    </Scene>
  ),
  decathlon_shot_put: () => (
    <Scene>
      <g class="lanes">
        <path d="M10 108 L190 70 M10 108 H190" />
      </g>
      <path class="flight" d="M56 40 Q120 -12 176 76" />
      <circle class="shot" cx="176" cy="78" r="9" />
      <Runner>
        <circle cx="40" cy="38" r="9" />
        <path d="M40 50 L38 78 L28 104 M38 78 L52 104 M40 54 L56 44 M40 54 L26 66" />
      </Runner>
    </Scene>
  ),
  decathlon_attempts: () => (
    <Scene>
      <g class="lanes">
        <path d="M0 104 h90 M104 96 h90 v12 h-90 z" />
      </g>
      <path class="flight" d="M84 92 Q112 10 160 84" />
      <Runner>
        <circle cx="116" cy="26" r="9" />
        <path d="M112 38 L104 62 L126 68 L140 56 M104 62 L122 82 L138 80 M112 42 L130 44 M112 42 L98 52" />
      </Runner>
    </Scene>
  ),
};

/** The picture of a game, or null. */
export function GamePicture({ game }) {
  const Picture = PICTURES[game];
  return Picture ? (
    <span class="picture">
      <Picture />
    </span>
  ) : null;
}

export const TwoDice = () => (
  <Scene>
    <Thrown faces="25" size={48} y={56} />
  </Scene>
);
