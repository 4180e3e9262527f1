// The rules of a table in text and tables: from the rules file, the parameters and the definitions of their names.

import { h } from "./dom.js";
import { columnName, parameterName, plainText, valueName } from "./words.js";

/** Paragraphs and tables for the wanted parameters. */
export function rulesOf(table, wanted) {
  const { rules, parameters, columns, own } = table;
  const chosen = parameters.map(({ name, description }) => [
    parameterName(name, table),
    valueName(table, name, wanted[name]),
    plainText(description),
  ]);
  const listed = columns.map(({ name, description, unit }) => [columnName(name, table), unit, plainText(description)]);
  return [
    rules.map((text) => h("p", {}, plainText(text))),
    parameters.map(({ name, cards }) => {
      const lines = { ...(own?.parameter === name ? own.cards : {}), ...cards }[wanted[name]];
      return lines && cardOf(wanted[name], lines);
    }),
    tableOf("What is chosen", ["", "Here", "Meaning"], chosen),
    tableOf("A position", ["", "Unit", "Meaning"], listed),
  ];
}

/** The definition of a name in the configuration. */
const cardOf = (name, lines) => [h("p", {}, plainText(name)), h("ul", {}, lines.map((line) => h("li", {}, line)))];

function tableOf(title, heads, rows) {
  if (!rows.length) return "";
  const head = heads.map((text) => (text ? h("th", { scope: "col" }, text) : h("td")));
  const cell = (text) => h("td", {}, text);
  const row = ([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map(cell));
  return h("table", {}, h("caption", {}, title), h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows.map(row)));
}
