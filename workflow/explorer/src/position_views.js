// Views of one position of a game: its rolls, pictures and numbers, and the choices of the player.

import { render } from "preact";
import { boardsOf, pictureOf } from "./boards.js";
import { die, h } from "./dom.js";
import { GamePicture, TwoDice } from "./pictures.js";
import { packed, write } from "./place.js";
import { sheetChoices } from "./sheet_view.js";
import { actionName, columnName, count } from "./words.js";

/** The address of a position. */
export const addressOf = ({ table, parameters }, state) =>
  write({ table: table.table, play: false, given: { position: packed(table.asked, state), ...parameters } });

/** A roll as pictures of dice, or as a tile with its text. */
export function rolled(text, dice, size = 34) {
  const faces = dice || "";
  const pictures = /^[1-6]+$/.test(faces)
    ? [...faces].map((face) => die(face, size))
    : [h("span", { class: "thrown" }, text === "end" ? "no play" : text)];
  return h(
    "span",
    { class: "dice", role: "img", "aria-label": /^\d+$/.test(faces) ? [...faces].join(" ") : text },
    pictures,
  );
}

/** The dice of a roll on a board, if its faces are dice. */
export const facesOf = ({ text, dice }, { answers }) =>
  dice || (answers.meta.drawing?.some(({ kind }) => kind === "dice") || answers.dice?.keeps ? text : "");

/** [a picture of a board], without dice that were rolled; `play` lets a person make an action on it (boards.js). */
export function picturesOf(position, state, play) {
  const drawing = (position.answers.meta.drawing ?? []).filter(({ kind, covered }) => kind !== "dice" || covered);
  return position.board && drawing.length ? [pictureOf(position, drawing, state, play)] : [];
}

/** [elements] that show a whole position: its boards, and cards for the numbers that no board draws. A sheet draws itself
 * beside its choices. */
export function drawnPosition(position, state, play) {
  const { answers, table } = position;
  if (answers.kind === "sheets") return [];
  const { drawing = [] } = answers.meta;
  const drawn = boardsOf(drawing, position).flatMap(({ drawn }) => drawn.columns);
  const cards = factsOf(position, state, drawn).map(([name, value]) =>
    h("div", { class: "side" }, h("span", { class: "who" }, name), h("strong", {}, value)),
  );
  const picture = drawn.length ? pictureOf(position, drawing, state, play) : h("div", {});
  if (!drawn.length) render(GamePicture(table) ?? TwoDice(), picture);
  return [picture, cards.length ? h("div", { class: "scoreboard" }, cards) : ""];
}

/** [name, value] of the numbers of a position, without those that its pictures, its sheet or `unsaid` show. */
export function factsOf({ table, answers, board }, state, unsaid) {
  if (answers.kind === "sheets") return [];
  const hidden = [
    ...unsaid,
    ...(answers.meta.drawing ?? []).map(({ column }) => column),
    ...(board ? [] : ["roll", "free"]),
  ];
  const said = Object.entries(state).filter(([name]) => !hidden.includes(name));
  return said.map(([name, value]) => [columnName(name, table), count(value)]);
}

/** The actions in the game's order, not by value. */
const inOrder = ({ actions }) =>
  actions.map((a) => a.action).sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));

/** The choices of a player. `act(action, box)` receives one; with the box that is filled before the last roll, which means
 * keeping all dice. */
export function choicesOf(position, { state, sheet }, answer, act) {
  const { table, answers } = position;
  if (answers.kind === "sheets") {
    const fill = (box) => act(`keep ${state.roll}`, answers.dice.boxes[box]);
    return sheetChoices(answers, { ...state, ...sheet }, (action) => act(action), fill);
  }
  const button = (text) => h("button", { type: "button", onclick: () => act(text) }, actionName(text, table));
  return inOrder(answer).map(button);
}
