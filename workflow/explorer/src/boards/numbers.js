// Numbers as pictures: pieces in camps, places on a scale, and points on the way to a target.

import { Picture } from "./parts.js";
import { count } from "../words.js";

/** Pieces that stand in rows, a camp for each column; `attack with 3 dice` points out three of the first camp. */
export const pieces = {
  draws(drawing) {
    const columns = drawing.filter(({ kind }) => kind === "pieces").map(({ column }) => column);
    return columns.length ? [{ columns, plain: columns }] : [];
  },
  View: Camps,
};

const [ACROSS, SIZE] = [5, 36];

function Camps({ drawn: { columns }, state, anywhere, pointed, label }) {
  const rows = Math.ceil(Math.max(10, ...columns.map((column) => state[column])) / ACROSS);
  const wide = ACROSS * SIZE;
  const dice = (action) => Number(action?.match(/(\d+) (?:dice|die)/)?.[1] ?? 0);
  return (
    <div class="board camps">
      <Picture width={columns.length * (wide + 70) - 40} height={rows * SIZE + 34} label="">
        {columns.map((column, c) => {
          const left = c * (wide + 70);
          // The first pieces stand beside the other camp.
          const at = (i) => [left + (c ? Math.floor(i / rows) : ACROSS - 1 - Math.floor(i / rows)) * SIZE, 30 + (i % rows) * SIZE];
          return (
            <g class={`side-${c}`}>
              <text x={left + wide / 2} y="18" text-anchor="middle">
                {label(column) && `${label(column)}: ${count(state[column])}`}
              </text>
              {Array.from({ length: Math.min(state[column], rows * ACROSS) }, (_, i) => {
                const shown = c === 0 && pointed.find(({ action }) => i < dice(action));
                return (
                  <g class={`soldier ${shown ? (shown.best ? "best" : "shown") : ""}`} transform={`translate(${at(i)})`}>
                    <circle cx="18" cy="9" r="7" />
                    <path d="M7 32 q0 -15 11 -15 t11 15 z" />
                  </g>
                );
              })}
            </g>
          );
        })}
        {columns.length > 1 && (
          <g class="swords" transform={`translate(${wide + 15} ${30 + (rows * SIZE) / 2 - 15})`}>
            <path d="M0 0 L30 30 M30 0 L0 30 M2 22 L8 28 M22 28 L28 22" />
          </g>
        )}
      </Picture>
    </div>
  );
}

/** A place on a scale, with a flag at another number. */
export const scale = {
  draws: (drawing) =>
    drawing
      .filter(({ kind }) => kind === "scale")
      .map((drawn) => ({
        ...drawn,
        columns: [drawn.column, drawn.mark].filter(Boolean),
        plain: [drawn.column, drawn.mark].filter(Boolean),
      })),
  View: Scale,
};

function Scale({ drawn: { column, mark }, state, anywhere, label }) {
  const most = Math.max(
    10,
    state[column],
    ...(mark ? [state[mark]] : []),
    anywhere(column).reduce((a, b) => Math.max(a, b), 0),
  );
  const every = [1, 2, 5, 10, 20, 50].find((step) => most / step <= 10) ?? 100;
  const x = (n) => 24 + (n / most) * 432;
  return (
    <div class="board scale">
      <Picture width={480} height={96} label="">
        <rect class="field" x="2" y="40" width="476" height="30" rx="4" />
        <rect class="reached" x={x(0)} y="46" width={x(state[column]) - x(0)} height="18" rx="4" />
        {Array.from({ length: Math.floor(most / every) + 1 }, (_, i) => (
          <text class="label" x={x(i * every)} y="88">
            {i * every}
          </text>
        ))}
        {mark && (
          <g class="flag" transform={`translate(${x(state[mark])} 0)`}>
            <path d="M0 70 V26 h22 l-6 6 6 6 H0" />
            <text x="4" y="20">{`${label(mark)} ${state[mark]}`}</text>
          </g>
        )}
        <circle class="marker marker-1" cx={x(state[column])} cy="55" r="11" />
      </Picture>
    </div>
  );
}

/** The points of a match on their way to its target: banked ones, those on the table, and the opponent's. */
export const race = { View: Race };

const RISKED = "turn_total";

export function raceOf(columns, target) {
  const own = ["me", "banked", "score"].find((name) => columns.includes(name));
  return own && target
    ? [{ columns: [own, ...["opponent", RISKED].filter((name) => columns.includes(name))], own, target, plain: columns }]
    : [];
}

function Race({ drawn: { columns, own, target }, state, label }) {
  const x = (points) => 6 + (Math.min(points, target) / target) * 468;
  const risked = columns.includes(RISKED) ? state[RISKED] : 0;
  const rows = [[own, 0], ...(columns.includes("opponent") ? [["opponent", 1]] : [])];
  return (
    <div class="board race">
      <Picture width={480} height={rows.length * 46} label="">
        {rows.map(([name, side]) => (
          <g class={`side-${side}`} transform={`translate(0 ${46 * side})`}>
            <text x="6" y="15">{`${label(name)}: ${count(state[name])}${side || !risked ? "" : ` + ${count(risked)}`}`}</text>
            <text x="474" y="15" text-anchor="end">
              {side ? "" : `to ${count(target)}`}
            </text>
            <rect class="field" x="4" y="21" width="472" height="20" rx="10" />
            {!side && risked > 0 && (
              <rect class="risked" x={x(0)} y="23" width={Math.max(0, x(state[name] + risked) - x(0))} height="16" rx="8" />
            )}
            <rect class="banked" x={x(0)} y="23" width={Math.max(0, x(state[name]) - x(0))} height="16" rx="8" />
          </g>
        ))}
      </Picture>
    </div>
  );
}
