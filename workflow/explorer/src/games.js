// The list of games on which the page opens, above a usual question.

import { die, h } from "./dom.js";
import { write } from "./place.js";
import { gameName } from "./words.js";

/** Every game once, with a picture: a position as its rules draw it, or an example of a roll. */
export function gamesOf(list) {
  const games = [...new Set(list.map(gameName))];
  const cards = games.map((game) => {
    const tables = list.filter((t) => gameName(t) === game);
    const { table, drawn, roll } = tables.find((t) => t.drawn.length) ?? tables[0];
    // A picture has room for four lines, without the names of the pieces.
    const picture = drawn.length ? h("pre", { "aria-hidden": true }, drawn.filter((line) => !line.includes(", ")).slice(0, 4).join("\n")) : thrown(roll);
    return h("a", { class: "game", href: write({ table, play: false, given: {} }) }, h("strong", {}, game), picture);
  });
  return h("nav", { class: "games", "aria-label": "Games" }, cards);
}

const thrown = (roll) => h("span", {}, [...(roll || "25")].map((face) => die(face, 24)));
