// The choice of a table and variant: one control for each parameter with several values.

import { h, unique } from "./dom.js";
import { gameName, matchName, parameterName, valueName } from "./words.js";

/** Controls for the game and its aim; `go(table)` opens a table. */
export function tableControls(list, table, go) {
  const games = [...new Set(list.map(gameName))];
  const of = (game) => list.filter((t) => gameName(t) === game);
  const goTo = (game) => go((of(game).find((t) => t.match === table.match) ?? of(game)[0]).table);
  const aims = of(gameName(table)).map((t) => [t.table, matchName(t)]);
  return [select("Game", "game", pairs(games), gameName(table), goTo), select("Aim", "aim", aims, table.table, go)];
}

/** Controls for the parameters of a table; `vary(name, value)` receives a choice. */
export function variantControls(table, wanted, vary) {
  const { variant } = table.find(wanted) ?? table.find(table.near(wanted)[0]);
  return table.parameters.map((parameter) => {
    const { name, kind } = parameter;
    const here = table.own?.parameter === name ? Object.keys(table.own.definitions) : []; // the page solves these
    const values = [...new Set([...table.variants.map((v) => v.parameters[name]), ...here])];
    const solved = values.sort((a, b) => a - b || (a < b ? -1 : 1));
    const label = parameterName(name, table);
    // If larger variants answer for smaller ones, any smaller number is allowed.
    if (table.sizes.includes(name) && !variant.falls) {
      return number(label, name, wanted[name], parameter.description, (value) => vary(name, value));
    }
    const said = table.own?.parameter === name ? "your own card" : `${wanted[name]}: not solved`;
    const other = solved.includes(wanted[name]) ? [] : [[wanted[name], said]];
    if (solved.length + other.length < 2) return null;
    const chosen = (text) => vary(name, kind === "integer" ? Number(text) : text);
    const texts = solved.map((value) => [value, valueName(table, name, value)]);
    return select(label, name, [...texts, ...other], wanted[name], chosen);
  });
}

const pairs = (values) => values.map((value) => [value, value]);

function select(label, name, options, value, change) {
  const id = unique(name);
  const texts = options.map(([v, text]) => h("option", { value: v }, text));
  const element = h("select", { id, onchange: () => change(element.value) }, texts);
  element.value = value;
  return h("div", { class: "control" }, h("label", { for: id }, label), element);
}

function number(label, name, value, title, change) {
  const id = unique(name);
  const input = h("input", {
    id,
    type: "number",
    inputmode: "numeric",
    value,
    onchange: () => Number.isInteger(input.valueAsNumber) && change(input.valueAsNumber),
  });
  return h("div", { class: "control" }, h("label", { for: id, title }, label), input);
}
