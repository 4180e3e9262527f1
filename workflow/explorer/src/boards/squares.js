// Boards of squares, with pieces that move along a path, in a direction, or anywhere.

import { useMemo } from "preact/hooks";
import { Arrow, Picture, Piece, useMoves } from "./parts.js";

const CELL = 64;
const HOME = "home"; // the place of pieces that have left the path
const centred = ([x, y], top) => [(x + 0.5) * CELL, top + (y + 0.5) * CELL];

export const squares = {
  draws: (drawing) =>
    drawing.filter(({ kind }) => kind === "squares").map((drawn) => ({ ...drawn, columns: [drawn.column, ...drawn.waiting] })),
  View: Squares,
};

function Squares({ drawn, state, anywhere, change, pointed, label, position, actions = [], act }) {
  const { column, places, pieces, marked, marked_words: words, path, waiting, ways } = drawn;
  const now = state[column];
  const kinds = Object.keys(pieces);
  const sideOf = (kind) => Number(/opponent/.test(pieces[kind]));
  const lying = (i) => (now[i] in pieces ? now[i] : null);
  const [columns, rows] = [0, 1].map((i) => 1 + Math.max(...places.map((place) => place[i])));
  const top = waiting.length && position ? 0.9 * CELL : 0;
  const centre = (i) => centred(places[i], top);
  // A tray beside the first and the last square of the path, above the board for the opponent.
  const tray = (side, i) => [centre(path.at(i))[0], side ? 0.42 * CELL : top + (rows + 0.48) * CELL];
  const at = (name) => (name === HOME ? tray(0, -1) : name === waiting[0] ? tray(0, 0) : centre(name));

  // The sign of an empty square, from the first text that shows it.
  const empty = useMemo(() => places.map((_, i) => anywhere(column).find((text) => !(text[i] in pieces))?.[i] ?? " "), [drawn, anywhere]);
  const laid = (there) => [...now].map((kind, i) => (i in there ? (there[i] ?? empty[i]) : kind)).join("");
  const move = (from, to) => {
    const [off, on] = [from, to].map((name) => waiting.indexOf(name));
    if (off >= 0 && on >= 0) return;
    if (off >= 0) change({ [column]: laid({ [to]: kinds.find((kind) => sideOf(kind) === off) }), [from]: Math.max(0, state[from] - 1) });
    else if (on >= 0) change({ [column]: laid({ [from]: null }), [to]: state[to] + Number(lying(from) !== null) });
    else change({ [column]: laid({ [to]: lying(from), [from]: lying(to) }) });
  };
  // In play a piece moves as an action says; a click is enough if only one action begins there.
  const legal = actions.map((action) => ({ action, way: wayOf(action, drawn, state).map(String) }));
  const from = (name) => legal.filter(({ way }) => way[0] === String(name));
  const play = (name, to) => act(from(name).find(({ way }) => way.at(-1) === to)?.action);
  const alone = (name) => Boolean(act) && from(name).length === 1 && (act(from(name)[0].action), true);
  const live = change || act;
  const { chosen, choose, place } = useMoves(act ? play : change && move, alone);
  const put = (kind) => {
    choose(null);
    change({ [column]: laid({ [chosen]: kind }) });
  };

  const all = waiting.length && Math.max(...anywhere(waiting[0]));
  const tokens = (side) => [...now].filter((kind) => kind in pieces && sideOf(kind) === side).length;
  const square = (i) => `Square ${i + 1}${marked.includes(i) ? `, ${words}` : ""}: ${pieces[lying(i)] ?? "empty"}`;
  const many = (side) => kinds.filter((kind) => sideOf(kind) === side).length > 1 || Object.keys(ways).length;
  const text = (kind) => (many(sideOf(kind)) ? pieces[kind].split(" ").at(-1) : "");
  return (
    <div class="board squares">
      <Picture width={columns * CELL} height={rows * CELL + 2 * top} label={label(column)} live={live}>
        {places.map(([x, y], i) => (
          <g class={marked.includes(i) ? "square marked" : "square"}>
            <rect x={x * CELL + 2} y={top + y * CELL + 2} width={CELL - 4} height={CELL - 4} rx="6" />
            {marked.includes(i) && <Ornament at={centre(i)} rosette={/rosette/.test(words)} />}
            {path.length > i && (
              <text x={x * CELL + 8} y={top + y * CELL + 17}>
                {i + 1}
              </text>
            )}
          </g>
        ))}
        <polyline class="path" points={path.map(centre).join(" ")} />
        {position &&
          waiting.map((name, side) => (
            <g class="tray">
              {state[name] > 0 && <Piece at={tray(side, 0)} side={side} name={name} r={16} />}
              <text x={tray(side, 0)[0] + 24} y={tray(side, 0)[1] + 6}>{`${state[name]} to enter`}</text>
              <text x={tray(side, -1)[0]} y={tray(side, -1)[1] + 6} text-anchor="middle">{`${all - state[name] - tokens(side)} home`}</text>
            </g>
          ))}
        {places.map((_, i) => lying(i) && <Piece at={centre(i)} side={sideOf(now[i])} text={text(now[i])} name={i} />)}
        {[...pointed].reverse().map(({ action, best }) => (
          <Arrow points={wayOf(action, drawn, state).map(at)} best={best} />
        ))}
        {live &&
          places.map(([x, y], i) => <rect x={x * CELL} y={top + y * CELL} width={CELL} height={CELL} rx="8" {...place(i, square(i))} />)}
        {live &&
          waiting.map((name, side) => (
            <rect
              x={tray(side, 0)[0] - 24}
              y={tray(side, 0)[1] - 22}
              width="118"
              height="44"
              rx="8"
              {...place(name, `${label(name)}: ${state[name]}`)}
            />
          ))}
        {act && waiting.length > 0 && (
          <rect x={at(HOME)[0] - 44} y={at(HOME)[1] - 22} width="88" height="44" rx="8" {...place(HOME, "Home")} />
        )}
      </Picture>
      {change &&
        (chosen === null || waiting.includes(chosen) ? (
          <p class="hint">Drag a piece, or choose a square and then another one.</p>
        ) : (
          <div class="choices" role="group" aria-label="What lies on the square">
            {[...kinds, null].map((kind) => (
              <button type="button" onClick={() => put(kind)}>
                {kind ? pieces[kind] : "empty"}
              </button>
            ))}
          </div>
        ))}
    </div>
  );
}

/** The places over which an action moves a piece, as its words and the drawing say: indices of squares, the column of
 * the pieces that wait, or HOME. */
function wayOf(action, { column, places, path, steps, waiting, ways }, state) {
  const words = action.split(/\W+/);
  const square = state[column].indexOf(words[0]);
  if (square >= 0 && words[1] in ways) {
    return [square, places.findIndex((place) => place.every((x, i) => x === places[square][i] + ways[words[1]][i]))];
  }
  const numbers = words.map(Number).filter((number) => number >= 1 && number <= places.length);
  if (!path.length) return numbers.map((number) => number - 1);
  const [from] = words[0] === "enter" ? [0] : numbers;
  if (from === undefined) return [];
  const to = from + state[steps];
  return [...(from ? [] : [waiting[0]]), ...path.slice(from && from - 1, to), ...(to > path.length ? [HOME] : [])];
}

/** A rosette, or rings around another special square. */
function Ornament({ at: [x, y], rosette }) {
  const petals = Array.from({ length: rosette ? 8 : 0 }, (_, i) => 45 * i);
  return (
    <g class="ornament" transform={`translate(${x} ${y})`}>
      {petals.map((turn) => (
        <ellipse cx="14" rx="10" ry="5" transform={`rotate(${turn})`} />
      ))}
      {rosette ? <circle r="5" /> : [24, 16, 8].map((r) => <circle class="ring" r={r} />)}
    </g>
  );
}
