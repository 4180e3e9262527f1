// All actions of a position with a bar for the value of each, and the sentences that explain the best one.

import { h } from "./dom.js";
import { explain } from "./explain.js";
import { actionName, capital, costText, isChance, isLead, oddsText, plainText, valueText } from "./words.js";

/** Draw the sentences into an element, if the position is still current when they are computed. */
export async function teach(element, answer, position, state, current = () => true) {
  const { why, change } = await explain(answer, position, state, current);
  if (current()) element.replaceChildren(...[why, change].filter(Boolean).map((text) => h("p", {}, text)));
}

/** The share of a bar for a value: of certainty, of the greatest value, or of the way from losing to winning. */
function shareOf(unit, values) {
  if (unit === "probability") return (value) => value;
  if (isLead(unit)) return (value) => (value + 1) / 2;
  const most = Math.max(...values.map(Math.abs)) || 1;
  return (value) => Math.max(0, value) / most;
}

/** All actions, best first. */
export function rankingOf({ actions }, position, state) {
  const { table } = position;
  const { unit } = position.variant;
  const mixed = actions.some((a) => a.probability > 0 && a.probability < 1);
  const share = shareOf(
    unit,
    actions.map((a) => a.value),
  );
  const value = { probability: "Chance", points: "Points" }[unit] ?? (isLead(unit) ? "Win minus loss" : capital(unit));
  const odds = actions.map((a) => position.odds(a.action, state));
  const notes = [
    odds.some(Boolean) ? "Below an action: how often its roll scores nothing, and how much it adds otherwise." : "",
    actions.some((a) => a.undecided)
      ? `“tie?”: these actions differ by less than the error bound, so they may be equally good.`
      : "",
  ];
  const row = (a, i) =>
    h(
      "tr",
      { class: a.optimal ? "best" : "", "data-action": a.action, "data-value": a.value, "data-regret": a.regret },
      h(
        "th",
        { scope: "row" },
        actionName(a.action, table),
        a.optimal ? h("span", { class: "tag" }, a.undecided ? "tie?" : "best") : null,
        odds[i] && h("small", { class: "why" }, oddsText(odds[i], table.family)),
      ),
      h("td", { class: "value" }, valueText(a.value, unit, true), bar(share(a.value))),
      h("td", {}, costText(a, unit)),
      mixed ? h("td", {}, a.probability ? `${(100 * a.probability).toFixed(1)} %` : "–") : null,
    );
  const cost = isChance(unit) ? "Cost, percentage points" : "Cost";
  const heads = ["Action", value, cost, ...(mixed ? ["How often"] : [])];
  return h(
    "table",
    {},
    h("caption", {}, `Every action, best first: ${plainText(table.value_is)}. ${notes.filter(Boolean).join(" ")}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h("tbody", {}, actions.map(row)),
  );
}

function bar(share) {
  const element = h("span", { class: "bar" });
  element.style.width = `${(100 * share).toFixed(1)}%`;
  return h("span", { class: "track", "aria-hidden": "true" }, element);
}
