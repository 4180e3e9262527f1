// A score sheet in play: a row for each box, the upper total, the points; and the dice to keep.

import { boxName } from "./boards/sheet.js";
import { die, h } from "./dom.js";

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
