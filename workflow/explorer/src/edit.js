// The controls of a card: its dice, its combinations with their points, its options.

import { h, unique } from "./dom.js";
import { capital } from "./words.js";

/** The element of an editor; `change(card)` is called after every change. */
export function editorOf(card, switches, change) {
  const now = structuredClone(card);
  const changed = () => change(structuredClone(now));
  const rows = h("div", { class: "combinations" });
  const list = () => rows.replaceChildren(...Object.keys(now.combinations).sort(byLength).map(row));
  const row = (text) => {
    const points = number(text, now.combinations[text], 1, 100_000, (value) => {
      now.combinations[text] = value;
      changed();
    });
    const remove = h(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": `Remove ${text}`,
        onclick: () => {
          delete now.combinations[text];
          list();
          changed();
        },
      },
      "×",
    );
    return h("div", { class: "row" }, points, remove);
  };
  const more = h("input", { type: "text", id: unique("combination"), placeholder: "222, aabbcc, straight, nothing, nothing_first" });
  const add = () => {
    const text = more.value.trim();
    if (!text || text in now.combinations) return;
    now.combinations[text] = 100;
    more.value = "";
    list();
    changed();
  };
  const dice = number("Dice", now.dice, 1, 6, (value) => {
    now.dice = value;
    changed();
  });
  const chosen = Object.entries(switches).map(([name, choices]) => {
    const set = (value) => {
      now[name] = value;
      changed();
    };
    if (typeof choices === "string") return number(capital(choices), now[name] ?? 0, 0, 10_000, set);
    return select(capital(name.replaceAll("_", " ")), choices, now[name] ?? Object.keys(choices)[0], set);
  });
  list();
  const adding = h("div", { class: "control" }, h("label", { for: more.id }, "Another combination"), more);
  const button = h("button", { type: "button", onclick: add }, "Add");
  more.addEventListener("keydown", (event) => event.key === "Enter" && (event.preventDefault(), add()));
  return h("form", { class: "editor", onsubmit: (event) => event.preventDefault() }, dice, rows,
    h("div", { class: "row" }, adding, button), chosen);
}

const byLength = (a, b) => a.length - b.length || (a < b ? -1 : 1);

function number(label, value, min, max, change) {
  const id = unique("of");
  const input = h("input", { id, type: "number", inputmode: "numeric", min, max, value });
  input.addEventListener("change", () => Number.isInteger(input.valueAsNumber) && change(input.valueAsNumber));
  return h("div", { class: "control" }, h("label", { for: id }, label), input);
}

function select(label, choices, value, change) {
  const id = unique("switch");
  const options = Object.entries(choices).map(([name, words]) => h("option", { value: name }, words));
  const element = h("select", { id, onchange: () => change(element.value) }, options);
  element.value = value;
  return h("div", { class: "control" }, h("label", { for: id }, label), element);
}
