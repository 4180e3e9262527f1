// Parts of drawn boards: places that a person chooses by click, key or drag; pieces; arrows; dice.

import { useState } from "preact/hooks";
import { PIPS, unique } from "../dom.js";

/** An id that no other element of the page has; those of Preact are unique in one root only. */
export const useId = () => useState(() => unique("id"))[0];

const FAR = 6; // pixels that make a drag of a click

/** {chosen, choose, place}: choosing a place and then another one calls `move(from, to)`, as dragging a piece does;
 * `place(name, label)` are the properties of a place. Without `move` nothing can be chosen. If `first(name)` is true,
 * choosing a place as the first one has done all. */
export function useMoves(move, first = () => false) {
  const [chosen, choose] = useState(null);
  if (!move) return { chosen: null, choose, place: () => ({}) };
  const moved = (from, to) => {
    choose(null);
    move(from, to);
  };
  const act = (name) => {
    if (chosen !== null && chosen !== name) moved(chosen, name);
    else if (chosen === name || !first(name)) choose(chosen === name ? null : name);
  };
  const place = (name, label) => ({
    role: "button",
    tabindex: 0,
    class: "place",
    "data-place": name,
    "aria-label": label,
    "aria-pressed": String(chosen === name),
    onClick: () => act(name),
    onKeyDown: (event) => {
      if (["Enter", " "].includes(event.key)) act(name);
      else if (event.key in ARROWS) neighbour(event.currentTarget, ...ARROWS[event.key])?.focus();
      else return;
      event.preventDefault();
    },
    onPointerDown: (event) => drag(event, name, moved),
  });
  return { chosen, choose, place };
}

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** The nearest place in a direction. */
function neighbour(place, right, down) {
  const middle = (of) => {
    const { left, top, width, height } = of.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(place);
  const far = [...place.ownerSVGElement.querySelectorAll(".place")].map((other) => {
    const [dx, dy] = [middle(other)[0] - x, middle(other)[1] - y];
    const [ahead, aside] = [dx * right + dy * down, Math.abs(dx * down) + Math.abs(dy * right)];
    return [ahead > 1 && aside <= ahead ? ahead + 2 * aside : Infinity, other];
  });
  const [distance, other] = far.reduce((least, of) => (of[0] < least[0] ? of : least));
  return distance < Infinity ? other : null;
}

/** Let the piece of a place follow the pointer; `moved(from, to)` is called if it is dropped on another place. */
function drag({ currentTarget: place, clientX, clientY, button }, from, moved) {
  const svg = place.ownerSVGElement;
  const piece = svg?.querySelector(`[data-piece="${from}"]`);
  if (button || !piece) return;
  const zoom = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
  const follow = (event) => {
    const [x, y] = [event.clientX - clientX, event.clientY - clientY];
    if (Math.hypot(x, y) > FAR) piece.style.transform = `translate(${x * zoom}px, ${y * zoom}px)`;
  };
  const drop = (event) => {
    removeEventListener("pointermove", follow);
    for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, drop);
    if (!piece.style.transform) return;
    piece.style.transform = "";
    const to = event.type === "pointerup" && document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]");
    if (to && svg.contains(to) && to !== place) moved(from, to.dataset.place);
  };
  addEventListener("pointermove", follow);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, drop);
}

/** A drawing with places (a group of buttons), or a picture without. */
export function Picture({ width, height, label, live, children, ...more }) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      style={{ maxWidth: `${width * 1.5}px` }}
      {...(live ? { role: "group", "aria-label": label } : { "aria-hidden": true })}
      {...more}
    >
      {children}
    </svg>
  );
}

/** A round piece of the mover (side 0) or the opponent (side 1). */
export function Piece({ at: [x, y], side, text, name, r = 23 }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <g class={`disc side-${side}`} data-piece={name}>
        <circle r={r} />
        {text ? (
          <text dy=".35em" font-size={r}>
            {text}
          </text>
        ) : (
          [
            [0, 0],
            [-1, -1],
            [1, -1],
            [-1, 1],
            [1, 1],
          ].map(([a, b]) => <circle class="dot" cx={a * r * 0.38} cy={b * r * 0.38} r={r * 0.12} />)
        )}
      </g>
    </g>
  );
}

/** The arrow of an action along some points. */
export function Arrow({ points, best }) {
  if (points.length < 2) return null;
  const [[x0, y0], [x, y]] = points.slice(-2);
  const angle = Math.atan2(y - y0, x - x0);
  const at = (back, turn) => [x - back * Math.cos(angle + turn), y - back * Math.sin(angle + turn)];
  return (
    <g class={`arrow ${best ? "best" : ""}`}>
      <polyline points={[...points.slice(0, -1), at(14, 0)].join(" ")} />
      <polygon points={[[x, y], at(24, 0.5), at(24, -0.5)].join(" ")} />
    </g>
  );
}

/** A die; a face above 6 is a number. */
export function Die({ face, size = 34, ...more }) {
  return (
    <svg viewBox="0 0 36 36" width={size} height={size} class="die" aria-hidden="true" {...more}>
      <rect x="1.5" y="1.5" width="33" height="33" rx="7" />
      {PIPS[face]?.map((pip) => <circle cx={9 + 9 * (pip % 3)} cy={9 + 9 * Math.floor(pip / 3)} r="3.4" />) ?? (
        <text x="18" y="24">
          {face}
        </text>
      )}
    </svg>
  );
}

/** The opponent's pieces of a kind that the mover does not see: as many as `theirs` has if they are shown, otherwise
 * covered; `pieces(text)` lists those of a column, `draw(null)` is a covered one. */
export function Covered({ drawn: { column, covered }, state, position, theirs, pieces, draw }) {
  if (!covered) return null;
  const like = theirs?.[column] ?? position?.possible(column, { player: 3 - state.player })[0] ?? state[column];
  const all = pieces(like);
  const name = theirs ? all.join(" ") : `${all.length} covered`;
  return (
    <div class="covered">
      <span>Opponent’s</span>
      <div class="row" role="img" aria-label={`Opponent’s: ${name}`}>
        {all.map((piece) => draw(theirs ? piece : null))}
      </div>
    </div>
  );
}

/** For each of some dice, whether an action keeps it: `keep 115` keeps two ones and a five. */
export function keptBy(action, dice) {
  const kept = [...(action?.match(/^(?:keep|freeze) (\d+)/)?.[1] ?? "")];
  return [...dice].map((face) => kept.includes(face) && Boolean(kept.splice(kept.indexOf(face), 1)));
}
