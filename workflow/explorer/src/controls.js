// A control for each column of a position, by its kind: points, small numbers, dice, free slots, texts.

import { boardControl } from "./board.js";
import { thrown } from "./chance.js";
import { die, h, unique } from "./dom.js";
import { sheetControl } from "./sheet_view.js";
import { count } from "./words.js";

const FEW = 8; // most values shown as buttons

/** The three texts that differ least from a given one. */
export function alike(values, text) {
  const found = [];
  for (const value of values) {
    let far = Math.abs(value.length - text.length);
    for (let i = 0; i < value.length && i < text.length; i++) far += value[i] !== text[i];
    found.push([far, value]);
    if (found.length > 3) found.sort(([a], [b]) => a - b).pop();
  }
  return found.sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** The nearest of some increasing numbers, or of texts. */
export function nearest(values, value) {
  if (typeof values[0] === "string") return alike(values, value)[0];
  return values.reduce((best, v) => (Math.abs(v - value) < Math.abs(best - value) ? v : best), values[0]);
}

/** {element, set(value, values)} of a column; `change(value, quietly)` receives the chosen value, quietly while a
 * slider is being moved. */
export function control(column, values, change) {
  if (column.board) return boardControl(column, values, change);
  if (column.answers) return sheetControl(column, change);
  if (column.name === "free") return slots(column, values, change);
  if (column.name === "roll") return roll(column, change);
  if (typeof values[0] === "string") return texts(column, values, change);
  if (["dice", "rerolls_left"].includes(column.name) && values.length <= FEW) return hand(column, values, change);
  return points(column, values, change);
}

function labelled(column, ...inside) {
  return h("fieldset", { class: `control ${column.name}` }, h("legend", {}, column.label), ...inside);
}

export function points(column, values, change) {
  const id = unique("number");
  const name = column.label;
  let known = values;
  let moving = false;
  const slider = h("input", {
    type: "range",
    min: 0,
    "aria-label": name,
    oninput: () => {
      change(known[slider.valueAsNumber], moving);
      moving = true;
    },
    onchange: () => (moving = false),
  });
  const number = h("input", {
    id,
    type: "number",
    inputmode: "numeric",
    step: "any",
    onfocus: () => number.select(),
    // An incomplete number may be the beginning of a longer one.
    oninput: () => {
      if (!known.includes(number.valueAsNumber)) return;
      change(number.valueAsNumber, moving);
      moving = true;
    },
    onchange: () => {
      moving = false;
      if (!Number.isNaN(number.valueAsNumber)) change(number.valueAsNumber);
    },
  });
  const step = (by) => () => {
    const now = number.valueAsNumber || 0;
    const next = by > 0 ? known.find((v) => v > now) : known.findLast((v) => v < now);
    if (next !== undefined) change(next);
  };
  const button = (by, sign, word) =>
    h("button", { type: "button", class: "step", "aria-label": `${name}: ${word}`, onclick: step(by) }, sign);
  const range = h("small", {});
  const [less, more] = [button(-1, "−", "less"), button(1, "+", "more")];
  const element = h(
    "div",
    { class: `control points ${column.name}` },
    h("label", { for: id, title: column.description }, name, " ", range),
    h("div", { class: "row" }, less, number, more, slider),
  );
  const set = (value, now) => {
    known = now.length ? now : [value];
    if (number.valueAsNumber !== value) number.value = value;
    slider.max = known.length - 1;
    slider.value = known.indexOf(nearest(known, value));
    slider.setAttribute("aria-valuetext", count(value));
    // Hide the controls if only one value is possible.
    for (const part of [less, more, slider]) part.hidden = known.length === 1 && known[0] === value;
    range.textContent = less.hidden ? "" : `${count(known[0])} to ${count(known.at(-1))}`;
  };
  return { element, set };
}

function hand(column, values, change) {
  const group = unique("hand");
  const inputs = values.map((n) => h("input", { type: "radio", name: group, onchange: () => change(n) }));
  const labels = values.map((n, i) =>
    h(
      "label",
      { class: "choice" },
      inputs[i],
      h("span", {}, String(n), column.name === "dice" && h("span", { class: "unseen" }, n === 1 ? " die" : " dice")),
    ),
  );
  const set = (value, now) => {
    inputs.forEach((input, i) => {
      input.checked = values[i] === value;
      input.disabled = !now.includes(values[i]);
    });
  };
  return { element: labelled(column, h("div", { class: "choices" }, labels)), set };
}

function texts(column, values, change) {
  const id = unique("text");
  const select = h("select", { id, onchange: () => change(select.value) });
  const set = (value, now) => {
    select.replaceChildren(...now.map((text) => h("option", { value: text }, text)));
    select.value = value;
  };
  return { element: h("div", { class: "control" }, h("label", { for: id }, column.label), select), set };
}

function slots(column, values, change) {
  const number = Math.floor(Math.log2(Math.max(...values))) + 1;
  let now = 0;
  const boxes = Array.from({ length: number }, (_, i) =>
    h("input", {
      type: "checkbox",
      onchange: (event) => change(event.target.checked ? now | (1 << i) : now & ~(1 << i)),
    }),
  );
  const row = h(
    "div",
    { class: "choices" },
    boxes.map((box, i) =>
      h("label", { class: "choice" }, box, h("span", {}, h("span", { class: "unseen" }, "slot "), `${i + 1}`)),
    ),
  );
  const all = h("button", { type: "button", onclick: () => change(2 ** number - 1) }, "All free");
  const set = (value) => {
    now = value;
    boxes.forEach((box, i) => (box.checked = Boolean((value >> i) & 1)));
  };
  return { element: labelled(column, row, all), set };
}

/** Dice by their faces: click a face below to add it, a die above to remove it. */
function roll(column, change) {
  const chosen = h("div", { class: "dice chosen" });
  const most = { length: 0 };
  const sides = column.sides ?? 6;
  const all = Array.from({ length: sides }, (_, i) => String(i + 1));
  let now = "";
  let last = "";
  const without = (at) => now.slice(0, at) + now.slice(at + 1);
  const add = (face) => now.length < most.length && change([...now, (last = face)].sort().join(""));
  document.onkeydown = ({ key, target, ctrlKey, altKey, metaKey }) => {
    if (!chosen.isConnected || ctrlKey || altKey || metaKey || target.matches("input[type=number], select")) return;
    if (all.includes(key)) add(key);
    else if (key === "Backspace" && now) change(without(now.includes(last) ? now.indexOf(last) : now.length - 1));
  };
  const palette = h(
    "div",
    { class: "dice" },
    all.map((face) =>
      h(
        "button",
        { type: "button", class: "face", "aria-label": `Add a ${face}`, onclick: () => add(face) },
        die(face),
      ),
    ),
  );
  const clear = h("button", { type: "button", onclick: () => change("") }, "Clear");
  const throwDice = h("button", { type: "button", onclick: () => change(thrown(most.length, sides)) }, "Roll for me");
  const hint = h("small", { class: "hint" });
  const set = (value, lengths) => {
    now = value;
    most.length = Math.max(...lengths);
    const faces = [...value].map((face, i) =>
      h(
        "button",
        {
          type: "button",
          class: "face",
          "aria-label": `Take away the ${face}`,
          onclick: () => change(without(i)),
        },
        die(face),
      ),
    );
    const room = Math.max(0, most.length - value.length);
    const empty = Array.from({ length: room }, () => h("span", { class: "face empty" }));
    chosen.replaceChildren(...faces, ...empty);
    const need = lengths.length > 1 ? `${Math.min(...lengths)} to ${most.length} dice` : `${most.length} dice`;
    hint.textContent = lengths.includes(value.length)
      ? `Rolled: ${[...value].join(" ")}`
      : `Click or type the ${need} you rolled.`;
  };
  return { element: labelled(column, chosen, hint, palette, h("div", { class: "row" }, throwDice, clear)), set };
}
