// Piles of pieces: checkers on points, with a tray for those that are off, and tracks to climb.

import { useState } from "preact/hooks";
import { Arrow, Picture, Piece, useMoves } from "./parts.js";

const digit = (character) => Number.parseInt(character, 36);
const written = (numbers) => numbers.map((n) => n.toString(36).toUpperCase()).join("");
const [POINT, TALL, R] = [62, 236, 23];

const ofKind = (drawing, tops) => drawing.filter((drawn) => drawn.kind === "piles" && Boolean(drawn.tops.length) === tops);
/** Columns with equal labels share a picture. */
const shared = (all) => (all.length ? [{ ...all[0], columns: all.map(({ column }) => column) }] : []);

export const piles = {
  draws(drawing) {
    const [first, second, ...rest] = ofKind(drawing, false);
    const two = first?.off && second?.off ? [shared([first, second])] : [first, second].filter(Boolean).map((one) => shared([one]));
    return [...two, ...rest.map((one) => shared([one]))].flat();
  },
  View: Points,
};

export const tracks = { draws: (drawing) => shared(ofKind(drawing, true)), View: Tracks };

/** One row of points, or two that face each other; the opponent's is above. */
function Points({ drawn, state, anywhere, change, pointed, label }) {
  const { columns, labels, off } = drawn;
  const sum = (text) => [...text].reduce((all, n) => all + digit(n), 0);
  const most = sum(anywhere(columns[0])[0] ?? "") && Math.max(...anywhere(columns[0]).map(sum));
  const trayed = (column) => most - sum(state[column]);
  const many = (column, i) => (i === off ? trayed(column) : digit(state[column][labels.indexOf(i)]));
  const move = (from, to) => {
    const [[column, a], [other, b]] = [from, to].map((name) => name.split(":"));
    if (column !== other || !many(column, a)) return;
    change({ [column]: written([...state[column]].map((n, i) => digit(n) - (labels[i] === a) + (labels[i] === b))) });
  };
  const { place } = useMoves(change && move);

  const [edge, gap] = [10, columns.length > 1 ? 26 : 0];
  const height = columns.length * TALL + gap + 2 * edge + 22;
  const left = (i) => edge + (off ? labels.length - 1 - i : i) * POINT;
  const tray = edge + labels.length * POINT + 12;
  const width = (off ? tray + 84 : tray) + edge - 12 * !off;
  const middle = (i) => (i === off ? tray + 40 : left(labels.indexOf(i)) + POINT / 2);
  /** The height of the nth checker from the base of a row. */
  const level = (row, n, of) => {
    const up = R + 4 + n * Math.min(2 * R - 1, (TALL - 2 * R - 8) / Math.max(1, of - 1));
    return row ? edge + up : height - edge - 22 - up;
  };
  const base = (row) => (row ? edge : height - edge - 22);
  const tip = (row) => base(row) + (row ? 0.86 : -0.86) * TALL;
  const sound = change
    ? (column, i) => place(`${column}:${i}`, `${label(column)}, ${i === off ? "off" : `point ${i}`}: ${many(column, i)}`)
    : () => ({});
  return (
    <div class="board piles">
      <Picture width={width} height={height} label={label(columns[0])} live={change}>
        <rect class="field" x="2" y="2" width={width - 4} height={height - 24} rx="8" />
        {columns.map((column, row) => [
          labels.map((i, at) => (
            <polygon
              class={at % 2 ? "point odd" : "point"}
              points={`${left(at) + 3},${base(row)} ${left(at) + POINT - 3},${base(row)} ${left(at) + POINT / 2},${tip(row)}`}
            />
          )),
          off && <rect class="tray" x={tray} y={row ? edge : height - edge - 22 - TALL} width="80" height={TALL} rx="6" />,
          off &&
            Array.from({ length: trayed(column) }, (_, n) => {
              const step = Math.min(17, (TALL - 12) / trayed(column));
              return (
                <rect
                  class={`bar side-${row}`}
                  x={tray + 10}
                  y={row ? edge + 6 + n * step : height - edge - 28 - (n + 1) * step}
                  width="60"
                  height={step - 3}
                  rx="3"
                />
              );
            }),
          labels.map((i) =>
            Array.from({ length: many(column, i) }, (_, n) => (
              <Piece
                at={[middle(i), level(row, n, many(column, i))]}
                side={row}
                text=" "
                name={n === many(column, i) - 1 ? `${column}:${i}` : null}
                r={R}
              />
            )),
          ),
        ])}
        {labels.map((i) => (
          <text class="label" x={middle(i)} y={height - 5}>
            {i}
          </text>
        ))}
        {off && (
          <text class="label" x={middle(off)} y={height - 5}>
            {off}
          </text>
        )}
        {[...pointed].reverse().flatMap(({ action, best }) => {
          const taken = {};
          const from = (i) => [
            middle(i),
            level(0, Math.max(0, many(columns[0], i) - 1 - (taken[i] = (taken[i] ?? -1) + 1)), many(columns[0], i)),
          ];
          const moves = [...action.matchAll(/(\w+)\/(\w+)/g)].filter(([, a, b]) => [a, b].every((i) => i === off || labels.includes(i)));
          return moves.map(([, a, b], n) => (
            <Arrow points={arc(from(a), [middle(b), level(0, b === off ? n : many(columns[0], b), 5)])} best={best} />
          ));
        })}
        {change &&
          columns.map((column, row) =>
            [...labels, ...(off ? [off] : [])].map((i) => (
              <rect
                x={middle(i) - (i === off ? 40 : POINT / 2)}
                y={row ? edge : height - edge - 22 - TALL}
                width={i === off ? 80 : POINT}
                height={TALL}
                rx="6"
                {...sound(column, i)}
              />
            )),
          )}
      </Picture>
      {change && <p class="hint">{`Drag a piece, or choose a ${off ? "point" : "pile"} and then another one.`}</p>}
    </div>
  );
}

/** Points of an arc above two points. */
function arc([x, y], [u, v]) {
  const rise = 0.35 * Math.hypot(u - x, v - y);
  return Array.from({ length: 13 }, (_, i) => i / 12).map((t) => [x + (u - x) * t, y + (v - y) * t - 4 * rise * t * (1 - t)]);
}

const [WIDE, STEP] = [40, 30];

/** Tracks to climb: what was reached before, and markers that are still at risk. */
function Tracks({ drawn, state, change, pointed, label, described }) {
  const { columns, labels, tops } = drawn;
  const [row, setRow] = useState(columns.length - 1);
  const at = (column, i) => digit(state[column][i]);
  const set = (i, value) => {
    const to = Math.max(0, Math.min(tops[i], value));
    const [low, high] = columns.map((column) => at(column, i));
    // What was reached before is never above a marker; a track without a marker has equal heights.
    const now = row ? [Math.min(low, to), to] : [to, high === low ? to : Math.max(high, to)];
    change(
      Object.fromEntries(columns.map((column, r) => [column, written([...state[column]].map((n, j) => (j === i ? now[r] : digit(n))))])),
    );
  };
  const height = Math.max(...tops) * STEP + 34;
  const x = (i) => 6 + i * WIDE;
  const y = (n) => height - 28 - n * STEP;
  const pressed = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
  const key = (i) => (event) => event.key in pressed && (event.preventDefault(), set(i, at(columns[row], i) + pressed[event.key]));
  const click = (i) => (event) => {
    const box = event.currentTarget.ownerSVGElement.getBoundingClientRect();
    set(i, Math.ceil((y(0) - ((event.clientY - box.top) * height) / box.height) / STEP));
  };
  return (
    <div class="board tracks">
      <Picture width={labels.length * WIDE + 12} height={height} label={label(columns[row])} live={change}>
        {labels.map((i, c) => [
          Array.from({ length: tops[c] }, (_, n) => (
            <rect
              class={`rung ${n < at(columns[0], c) ? "reached" : columns[1] && n < at(columns[1], c) ? "risked" : ""} ${n === tops[c] - 1 ? "top" : ""}`}
              x={x(c) + 3}
              y={y(n + 1) + 2}
              width={WIDE - 6}
              height={STEP - 4}
              rx="6"
            />
          )),
          columns.map(
            (column, r) =>
              at(column, c) > (r ? at(columns[0], c) : 0) && (
                <circle class={`marker marker-${r}`} cx={x(c) + WIDE / 2} cy={y(at(column, c) - 0.5)} r="11" />
              ),
          ),
          <text class="label" x={x(c) + WIDE / 2} y={height - 8}>
            {i}
          </text>,
        ])}
        {[...pointed].reverse().flatMap(({ action, best }) =>
          labels.map((i, c) => {
            const steps = action.split(" ").filter((word) => word === i).length;
            const from = at(columns.at(-1), c);
            return steps ? (
              <Arrow
                points={[
                  [x(c) + WIDE / 2, y(from - 0.4)],
                  [x(c) + WIDE / 2, y(from + steps - 0.15)],
                ]}
                best={best}
              />
            ) : null;
          }),
        )}
        {change &&
          labels.map((i, c) => (
            <rect
              class="place"
              role="slider"
              tabindex={0}
              aria-label={`${label(columns[row])}, column ${i}`}
              aria-valuemin={0}
              aria-valuemax={tops[c]}
              aria-valuenow={at(columns[row], c)}
              x={x(c)}
              y="0"
              width={WIDE}
              height={height}
              rx="6"
              onClick={click(c)}
              onKeyDown={key(c)}
            />
          ))}
      </Picture>
      {change && columns.length > 1 && (
        <div class="choices" role="group" aria-label="What a click sets">
          {columns.map((column, r) => (
            <button type="button" aria-pressed={String(r === row)} onClick={() => setRow(r)} title={described(column)}>
              <span class={`dot marker-${r}`} />
              {label(column)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
