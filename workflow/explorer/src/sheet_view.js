// A score sheet as printed: a row for each box, the upper total, the points; and the dice to keep.

import { die, h, unique } from "./dom.js";
import { capital, costText } from "./words.js";

export const boxName = (name) => capital(name.replaceAll("_", " "));

/** The sheet; `cells(box)` go beside the name of a box, `sums` [[name, number]] below the boxes. */
function sheetTable({ dice }, cells, sums) {
  const row = (name, ...inside) => h("tr", {}, h("th", { scope: "row" }, name), inside);
  const parts = [dice.boxes.map((_, box) => box)];
  if (dice.upper.length) parts.unshift(parts[0].splice(0, dice.upper.at(-1) + 1));
  return h(
    "table",
    { class: "sheet" },
    parts.map((of) => h("tbody", {}, of.map((box) => row(boxName(dice.boxes[box]), cells(box))))),
    h("tfoot", {}, sums.map(([name, number]) => row(name, h("td", { colspan: 2 }, number)))),
  );
}

function upperSum({ dice }, upper) {
  if (!dice.upper_at) return [];
  const bonus = upper >= dice.upper_at ? `, bonus ${dice.upper_bonus}` : "";
  return [["Upper section", `${upper} of ${dice.upper_at}${bonus}`]];
}

/** A control for the open boxes, the upper total and the bonus: you fill in boxes, and `change({open, upper, bonus})`
 * receives the result. */
export function sheetControl(column, change) {
  const { answers, label } = column;
  const { dice, fresh } = answers;
  const known = dice.boxes.map(() => null); // the entry of each box, if the page knows it
  const found = dice.boxes.map((_, box) => [
    ...new Set(dice.entries.flat().filter(([of]) => of === box).map(([, points]) => points)),
  ].sort((a, b) => a - b));
  const earns = new Set(dice.entries.flat().filter(([, , , , earning]) => earning).map(([box]) => box));
  let card = fresh;

  const fill = (box, text) => {
    const before = known[box];
    known[box] = /^\d+$/.test(text) ? Number(text) : null;
    const open = text === "open" ? card.open | (1 << box) : card.open & ~(1 << box);
    let { upper, bonus } = card;
    if (dice.upper.includes(box)) {
      const filled = dice.upper.filter((other) => !((open >> other) & 1));
      const sum = filled.every((other) => known[other] !== null)
        ? filled.reduce((all, other) => all + known[other], 0)
        : Math.max(0, upper - (before ?? 0) + (known[box] ?? 0));
      upper = Math.min(dice.upper_at, sum);
    }
    if (earns.has(box)) bonus = Number(known[box] > 0);
    change({ open, upper, bonus });
  };
  const selects = dice.boxes.map((name, box) => {
    const texts = ["open", "filled", ...found[box].map(String)];
    const options = texts.map((text) => h("option", { value: text }, text));
    return h("select", { id: unique("box"), "aria-label": boxName(name), onchange: (event) => fill(box, event.target.value) }, options);
  });
  const clear = h("button", { type: "button", onclick: () => (known.fill(null), change(fresh)) }, "New sheet");
  const costs = dice.boxes.map(() => h("td", {}));
  const points = h("span", {});
  const table = sheetTable(answers, (box) => [h("td", {}, selects[box]), costs[box]], [["Points", points]]);
  const element = h("fieldset", { class: "control" }, h("legend", {}, label), table, clear);

  const set = (open, _, state) => {
    card = { open, upper: state.upper, bonus: state.bonus };
    const told = (boxes) => boxes.every((box) => known[box] !== null);
    const sum = (boxes) => boxes.reduce((all, box) => all + known[box], 0);
    const filled = dice.boxes.map((_, box) => box).filter((box) => !((open >> box) & 1));
    const above = filled.filter((box) => dice.upper.includes(box));
    // Another upper total means other points in the boxes.
    if (told(above) && Math.min(sum(above), dice.upper_at) !== state.upper) for (const box of above) known[box] = null;
    for (const box of earns) if (known[box] === null && state.bonus) known[box] = found[box].at(-1);
    selects.forEach((select, box) => {
      if (!filled.includes(box)) known[box] = null;
      select.value = filled.includes(box) ? String(known[box] ?? "filled") : "open";
    });
    const bonus = dice.upper_at && state.upper >= dice.upper_at ? dice.upper_bonus : 0;
    points.textContent = told(filled) ? `${sum(filled) + bonus}${bonus ? `, with the bonus of ${bonus}` : ""}` : "?";
  };
  /** Beside each box, its score and the cost of filling it; a click fills it. */
  const answered = (answer, { roll, rerolls_left: left }, unit) => {
    costs.forEach((cell, box) => {
      const action = answer?.actions.find((a) => a.action === dice.boxes[box]);
      if (!action) return cell.replaceChildren();
      const { points, own, card: after } = answers.fill(card, roll, box);
      const fill = () => {
        known[box] = own;
        change({ ...after, roll: "", rerolls_left: dice.rolls - 1 });
      };
      const cost = action.optimal ? h("small", { class: "tag" }, "best") : h("small", {}, `costs ${costText(action, unit)}`);
      cell.replaceChildren(h("button", { type: "button", onclick: fill }, `+${points}`), " ", cost);
    });
  };
  return { element, set, answered };
}

/** The choices of a player with a roll: keep some dice and roll the others, or fill a box now. `resolve` receives the
 * action, `stop` an action that ends the turn. */
export function sheetChoices(answers, { scores, total, ...state }, resolve, stop) {
  const { dice } = answers;
  const faces = [...state.roll];
  const kept = faces.map(() => false);
  const say = h("span", {});
  const go = h("button", { type: "button", onclick: () => resolve(action()) }, say);
  const action = () => `keep ${faces.filter((_, i) => kept[i]).join("") || "nothing"}`;
  const told = () => {
    const many = kept.filter((keep) => !keep).length;
    say.textContent = many ? `Roll ${many === faces.length ? "all dice" : many === 1 ? "1 die" : `${many} dice`}` : "Keep all";
  };
  const toggle = (i) => (event) => {
    kept[i] = !kept[i];
    event.currentTarget.setAttribute("aria-pressed", String(kept[i]));
    told();
  };
  const buttons = faces.map((face, i) =>
    h(
      "button",
      { type: "button", class: "face", "aria-pressed": "false", "aria-label": `Keep the ${face}`, onclick: toggle(i) },
      die(face),
    ),
  );
  told();
  const again = state.rerolls_left
    ? [
        h("p", {}, `Tap the dice you keep; ${state.rerolls_left} ${state.rerolls_left === 1 ? "reroll" : "rerolls"} left. Or fill a box.`),
        h("div", { class: "row" }, h("div", { class: "dice keeps" }, buttons), go),
      ]
    : [h("p", {}, "Fill a box."), h("div", { class: "dice" }, faces.map((face) => die(face)))];
  const cells = (box) => {
    if (!((state.open >> box) & 1)) return h("td", { colspan: 2 }, String(scores[box]));
    const filled = answers.fill(state, state.roll, box);
    const fill = () => (state.rerolls_left ? stop(box) : resolve(dice.boxes[box]));
    const name = `${boxName(dice.boxes[box])}: ${filled?.points}`;
    return h(
      "td",
      { colspan: 2 },
      filled ? h("button", { type: "button", "aria-label": name, onclick: fill }, `+${filled.points}`) : "–",
    );
  };
  const sums = [...upperSum(answers, state.upper), ["Points", String(total)]];
  return [...again, sheetTable(answers, cells, sums)];
}
