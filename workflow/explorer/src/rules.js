// The rules of a table in words and tables: from the rules file, its parameters and what their names stand for.

import { h } from "./dom.js";
import { columnName, count, parameterName, plainText, valueName } from "./words.js";

/** Paragraphs and tables, for the wanted parameters. */
export function rulesOf(table, wanted) {
  const { rules, parameters, columns } = table;
  const chosen = parameters.map(({ name, description }) => [
    parameterName(name, table),
    valueName(table, name, wanted[name]),
    plainText(description),
  ]);
  const listed = columns.map(({ name, description, unit }) => [columnName(name, table), unit, plainText(description)]);
  return [
    rules.map((text) => h("p", {}, plainText(text))),
    parameters.map(({ name, definitions }) => {
      const what = definitions?.[wanted[name]];
      return what ? defined(wanted[name], what) : "";
    }),
    tableOf("What is chosen", ["", "Here", "Meaning"], chosen),
    tableOf("A position", ["", "Unit", "Meaning"], listed),
  ];
}

/** A definition of the configuration: what is listed in it as a table, the rest in words. */
function defined(name, what) {
  const lists = Object.entries(what).filter(([, value]) => typeof value === "object");
  const rest = Object.entries(what).filter(([, value]) => typeof value !== "object");
  const words = rest.map(([key, value]) => `${key}: ${value}`).join(", ");
  const rows = (list) =>
    Object.entries(list)
      .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
      .map(([key, value]) => [key, count(value), ""]);
  const title = (key) => `${plainText(name)}, ${key}${words && `; ${words}`}`;
  if (!lists.length) return h("p", {}, `${name}: ${words}`);
  return lists.map(([key, list]) => tableOf(title(key), [key, "", ""], rows(list)));
}

function tableOf(title, heads, rows) {
  if (!rows.length) return "";
  const head = heads.map((text) => (text ? h("th", { scope: "col" }, text) : h("td")));
  const cell = (text) => h("td", {}, text);
  const row = ([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map(cell));
  return h("table", {}, h("caption", {}, title), h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows.map(row)));
}
