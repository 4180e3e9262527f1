// Controls for a board's position: each column as its drawing says (tiles, squares or dice), otherwise by its number of
// values. The result may be no position; then the page offers the nearest one (state.js).

import { points } from "./controls.js";
import { die, h, unique } from "./dom.js";
import { count } from "./words.js";

const CHIPS = 16; // most values shown as buttons
const CHIPS_OF_DICE = 36;
const CHOICES = 300; // most texts shown as a list
const SUGGESTED = 50;

/** {element, set(value, values)} of a column, with all its values in `anywhere`; `change` as for control. */
export function boardControl(column, values, change) {
  const { drawn, anywhere } = column;
  if (drawn && drawn.kind !== "dice") return { tiles, squares, piles }[drawn.kind](column, change);
  if (anywhere.length <= (drawn ? CHIPS_OF_DICE : CHIPS)) return chips(column, change);
  if (typeof anywhere[0] !== "string") return points(column, values, change);
  return anywhere.length <= CHOICES ? list(column, change) : written(column, change);
}

/** A picture of a column as it is drawn. */
export function pictureOf(column, value) {
  if (column.drawn.kind === "dice") return faces(value);
  const { element, set } = boardControl(column, [], () => {});
  set(value);
  element.inert = true;
  return element;
}

const described = ({ label, description }) => [label, h("small", {}, ` ${description}`)];
const group = (column, ...inside) =>
  h("fieldset", { class: "control" }, h("legend", {}, described(column)), ...inside);

/** Dice as they fell; a number is one die. */
const faces = (value) =>
  h("span", { class: "fallen" }, [...(typeof value === "string" ? value : [value])].map((face) =>
    face >= 1 && face <= 6 ? die(face, 22) : String(face)));

function chips(column, change) {
  const name = unique("chip");
  const shown = (value) => (column.drawn ? [faces(value), h("span", { class: "unseen" }, ` ${value}`)] : count(value));
  const inputs = new Map();
  const labels = column.anywhere.map((value) => {
    inputs.set(value, h("input", { type: "radio", name, onchange: () => change(value) }));
    return h("label", { class: column.drawn ? "choice fell" : "choice" }, inputs.get(value), h("span", {}, shown(value)));
  });
  const set = (value, now) => {
    const there = new Set(now);
    for (const [of, input] of inputs) {
      input.checked = of === value;
      input.disabled = !there.has(of);
    }
  };
  return { element: group(column, h("div", { class: "choices" }, labels)), set };
}

function list(column, change) {
  const id = unique("text");
  const select = h("select", { id, onchange: () => change(select.value) });
  const set = (value, now) => {
    const texts = now.includes(value) ? now : [value, ...now];
    select.replaceChildren(...texts.map((text) => h("option", { value: text }, text)));
    select.value = value;
  };
  return { element: h("div", { class: "control" }, h("label", { for: id }, described(column)), select), set };
}

/** A text field with suggestions, for a column of many texts. */
function written(column, change) {
  const [id, suggested] = [unique("text"), h("datalist", { id: unique("suggested") })];
  let known = new Set();
  const suggest = () => {
    const found = [];
    for (const text of known) if (text.startsWith(input.value) && found.push(text) >= SUGGESTED) break;
    suggested.replaceChildren(...found.map((text) => h("option", { value: text })));
  };
  const input = h("input", {
    id,
    type: "text",
    list: suggested.id,
    autocomplete: "off",
    spellcheck: "false",
    onfocus: () => suggest(),
    oninput: () => (known.has(input.value) ? change(input.value) : suggest()),
    onchange: () => input.value && change(input.value),
  });
  const set = (value, now) => {
    known = new Set(now);
    if (input.value !== value) input.value = value;
  };
  return { element: h("div", { class: "control" }, h("label", { for: id }, described(column)), input, suggested), set };
}

/** Tiles that are up or down; the value is the text with these tiles. */
function tiles(column, change) {
  const labels = [...column.drawn.labels];
  const tilesOf = (text) => labels.filter((label) => text.includes(label)).join("");
  const texts = new Map(column.anywhere.map((text) => [tilesOf(text), text]));
  let up = "";
  const toggle = (label, on) => {
    const now = labels.filter((other) => (other === label ? on : up.includes(other))).join("");
    change(texts.get(now) ?? now);
  };
  const boxes = labels.map((label) =>
    h("input", { type: "checkbox", onchange: ({ target }) => toggle(label, target.checked) }),
  );
  const row = labels.map((label, i) => h("label", { class: "choice tile" }, boxes[i], h("span", {}, label)));
  const set = (value) => {
    up = tilesOf(value);
    boxes.forEach((box, i) => (box.checked = up.includes(labels[i])));
  };
  return { element: group(column, h("div", { class: "choices" }, row)), set };
}

/** Numbers of pieces, each with buttons for one less and one more. */
function piles(column, change) {
  const most = Math.max(...column.anywhere.flatMap((text) => [...text].map(digit)));
  let now = "";
  const put = (i, by) => () => {
    const there = digit(now[i]) + by;
    if (there >= 0 && there <= most) change([...now].map((c, j) => (j === i ? there.toString(36).toUpperCase() : c)).join(""));
  };
  const parts = column.drawn.labels.map((label, i) => {
    const [number, pieces] = [h("strong", {}), h("span", { class: "pieces", "aria-hidden": true })];
    const step = (by, sign, word) =>
      h("button", { type: "button", class: "step", "aria-label": `${column.label} ${label}: ${word}`, onclick: put(i, by) }, sign);
    const row = h("div", { class: "count" }, h("span", {}, label), step(-1, "−", "less"), number, step(1, "+", "more"), pieces);
    return { row, number, pieces };
  });
  const set = (value) => {
    now = value;
    parts.forEach(({ number, pieces }, i) => {
      number.textContent = digit(value[i]);
      pieces.textContent = "●".repeat(digit(value[i]));
    });
  };
  return { element: group(column, h("div", { class: "piles" }, parts.map(({ row }) => row))), set };
}

const digit = (character) => Number.parseInt(character, 36);

/** Squares: choose one, then another to swap with it, or a piece to put there. */
function squares(column, change) {
  const { places, pieces, marked, marked_words: words } = column.drawn;
  const kinds = Object.keys(pieces);
  // The sign of an empty square, from the first text that shows it.
  const empty = places.map((_, i) => column.anywhere.find((text) => !(text[i] in pieces))?.[i] ?? " ");
  let [now, chosen] = ["", -1];
  const lying = (i) => (now[i] in pieces ? now[i] : null);
  const put = (there) => {
    chosen = -1;
    change([...now].map((piece, i) => (i in there ? (there[i] ?? empty[i]) : piece)).join(""));
  };
  const choose = (i) => {
    if (chosen >= 0 && chosen !== i) return put({ [i]: lying(chosen), [chosen]: lying(i) });
    chosen = chosen === i ? -1 : i;
    draw();
  };
  const buttons = places.map(([x, y], i) => {
    const button = h("button", { type: "button", class: `square${marked.includes(i) ? " marked" : ""}`, onclick: () => choose(i) });
    button.dataset.number = i + 1;
    button.style.gridArea = `${y + 1} / ${x + 1}`;
    return button;
  });
  const piece = (kind) => h("span", { class: `piece piece-${kinds.indexOf(kind)}` }, kind);
  const palette = [...kinds, null].map((kind) =>
    h("button", { type: "button", onclick: () => put({ [chosen]: kind }) }, kind ? [piece(kind), " ", pieces[kind]] : "empty"),
  );
  const legend = h("p", { class: "legend" });
  const laid = h("div", { class: "choices", role: "group", "aria-label": "What lies on the square" }, palette);
  const draw = () => {
    buttons.forEach((button, i) => {
      const what = lying(i);
      button.setAttribute("aria-pressed", String(i === chosen));
      button.setAttribute("aria-label", `Square ${i + 1}${marked.includes(i) ? `, ${words}` : ""}: ${pieces[what] ?? "empty"}`);
      button.replaceChildren(...(what ? [piece(what)] : []));
    });
    laid.hidden = chosen < 0;
    legend.hidden = chosen >= 0;
  };
  const said = kinds.flatMap((kind) => [h("span", {}, piece(kind), ` ${pieces[kind]}`)]);
  if (marked.length) said.push(h("span", {}, h("span", { class: "square marked" }), ` ${words}`));
  legend.append(...said, h("span", { class: "hint" }, "Choose a square to change it."));
  const board = h("div", { class: "squares" }, buttons);
  board.style.gridTemplateColumns = `repeat(${1 + Math.max(...places.map(([x]) => x))}, minmax(0, 2.75rem))`;
  const set = (value) => {
    now = value;
    draw();
  };
  return { element: group(column, board, legend, laid), set };
}
