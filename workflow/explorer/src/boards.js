// Boards: how the page draws a position and lets people change it. A board is an object with
//
//   draws(drawing, position)  its pictures of a position, from the drawing in the rules (vocabulary/drawings.py). Each is an
//                             object with `columns`, the columns that it shows, and whatever else View needs; columns
//                             in `plain` keep their plain controls as well
//   View                      a Preact component with the properties
//     drawn                   one of these pictures
//     state                   the position, {column: value}
//     anywhere(column)        the values of a column in all positions
//     label(column), described(column)   its name, and what it is
//     change({column: value}) called when a person changes something; null if the board is only a picture
//     actions, act(action)    in play: the legal actions, and what to call if a person makes one on the board
//     pointed                 [{action, best}]: the actions to point out, that under the pointer or the focus first
//     theirs                  what the opponent sees, when all is shown at the end
//     position, answer        the table with its answers (table.js), and the answer here (answers.js), or null; both are
//                             null in the gallery
//
// To add a kind of board, add a file to boards/ and its object to BOARDS; nothing else changes. If several
// boards draw a column, the first one gets it.

import { render } from "preact";
import { cards } from "./boards/cards.js";
import { dice } from "./boards/dice.js";
import { hand } from "./boards/hand.js";
import { pieces, raceOf, race, scale } from "./boards/numbers.js";
import { piles, tracks } from "./boards/piles.js";
import { sheet } from "./boards/sheet.js";
import { squares } from "./boards/squares.js";
import { tiles } from "./boards/tiles.js";
import { columnName } from "./words.js";

const points = { ...race, draws: (_, position) => (position?.board === false ? raceOf(position.columns, position.parameters.target) : []) };
const BOARDS = [sheet, squares, piles, tracks, tiles, pieces, scale, dice, cards, hand, points];

/** [{View, drawn}] of a position. */
export function boardsOf(drawing, position) {
  return BOARDS.flatMap(({ View, draws }) => draws(drawing ?? [], position).map((drawn) => ({ View, drawn })));
}

/** The columns that need no control of their own, as a board changes them. */
export const changed = (boards) => boards.flatMap(({ drawn }) => drawn.columns.filter((name) => !drawn.plain?.includes(name)));

/** All boards of a position, without controls if `change` is null. */
export function Boards({ boards, position, state, change, pointed = [], answer = null, ...play }) {
  const { table } = position;
  const label = (name) => columnName(name, table);
  const described = (name) => table.columns.find((column) => column.name === name)?.description ?? "";
  const { anywhere } = position;
  return boards.map(({ View, drawn }) => (
    <View {...{ drawn, state, anywhere, label, described, change, pointed, position, answer, ...play }} />
  ));
}

/** A picture of a position as an element; `play` = {pointed, actions, act} as above. */
export function pictureOf(position, drawing, state, play = {}) {
  const element = document.createElement("div");
  const boards = boardsOf(drawing, position);
  render(<Boards boards={boards} position={position} state={state} change={null} {...play} />, element);
  return element;
}

/** The picture of a game in the gallery: of the first question of a table, or null if its rules draw nothing. */
export function Thumbnail({ drawing, start }) {
  const boards = boardsOf(drawing, null).filter(({ drawn }) => drawn.columns.every((name) => name in start));
  const empty = () => "";
  if (!boards.length) return null;
  const [{ View, drawn }] = boards;
  return (
    <View
      drawn={drawn}
      state={start}
      anywhere={(name) => [start[name]]}
      label={empty}
      described={empty}
      change={null}
      pointed={[]}
      position={null}
      answer={null}
    />
  );
}
