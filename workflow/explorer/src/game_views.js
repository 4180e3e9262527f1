// Views of a game's line (line.js): its moves with their costs, the curve of expectations, luck and skill, the score.

import * as Plot from "@observablehq/plot";
import { h } from "./dom.js";
import { isDuel } from "./play.js";
import { facesOf, rolled } from "./position_views.js";
import { actionName, capital, count, fixed, isChance, isLead, lossText, valueText } from "./words.js";

const LOST = { bust: "busts", wipe: "loses all points", out: "is out" };

/** The change of a step in words, with its sign. */
function signed(change, unit) {
  if (Math.abs(change) < 1e-11) return "0";
  const size = Math.abs(change);
  return `${change < 0 ? "−" : "+"}${isChance(unit) ? fixed(100 * size, 2) : lossText(size, unit)}`;
}

/** The role of the player beside whom a step is shown. */
const besideOf = ({ learns, role }) => learns ?? role;

/** The turns of a game: lists of {roll, move}, a roll with the decision after it. */
function turnsOf(line) {
  const { dice } = line.position.answers;
  // A forced move shows only if it says something: not the first roll of a turn.
  const shown = line.steps.filter(({ what, text }) => what !== "pass" && !(what === "forced" && text === "roll"));
  const [first] = shown;
  const begins = ({ what, from, next }) => {
    if (from.onTable !== undefined) return what === "roll" && !from.onTable;
    if (from.sheet || next.sheet) return what === "roll" && next.state?.rerolls_left === dice.rolls - 1;
    return (what === "roll") === (first.what === "roll");
  };
  const found = [];
  let role = 0;
  for (const step of shown) {
    if (besideOf(step) !== role || begins(step)) found.push([]);
    role = besideOf(step);
    const pairs = found.at(-1);
    const last = pairs.at(-1);
    if (step.what !== "roll" && last?.roll && !last.move) last.move = step;
    else pairs.push(step.what === "roll" ? { roll: step } : { move: step });
  }
  return found;
}

/** The moves of a game, a line for each turn: `comment(step)` returns an element to show beside a mistake, `go(step)` the
 * address of its position. */
export function movesOf(line, names, comment, go) {
  const { position } = line;
  const { table } = position;
  const { unit } = position.variant;
  const isWrong = ({ move }) => move?.what === "action" && move.best;
  const pairOf = (pair) => {
    const { roll, move } = pair;
    const { role } = roll ?? move;
    const wrong = isWrong(pair);
    const right = h("span", { class: "right" }, "✓", h("span", { class: "unseen" }, " right"));
    const mark = wrong
      ? h("strong", { class: "wrong" }, `costs ${lossText(-move.change, unit)}`)
      : move?.what === "forced"
        ? h("small", {}, "the only choice")
        : move && role > 0
          ? [right, move.next.remark && h("small", {}, move.next.remark)]
          : null;
    return h(
      "span",
      { class: "pair" },
      roll?.learns ? h("small", {}, roll.text) : roll ? rolled(line.now.end && roll.acts ? roll.record || roll.text : roll.text, facesOf(roll, position), 20) : null,
      roll?.lost ? h("span", {}, LOST[roll.lost]) : null,
      move ? h("a", { href: go(move), class: "move" }, actionName(move.text, table)) : null,
      mark,
    );
  };
  const two = line.steps.some(({ role }) => role < 0);
  const rows = turnsOf(line).map((pairs) => {
    const role = besideOf(pairs[0].roll ?? pairs[0].move);
    const beside = (pair) => (comment && isWrong(pair) ? h("div", { class: "comment" }, comment(pair.move)) : null);
    const turn = h(
      "div",
      { class: "turn" },
      pairs.map((pair) => [pairOf(pair), beside(pair)]),
    );
    return h(
      "li",
      { class: role > 0 ? "mine" : "theirs" },
      two ? h("span", { class: "who" }, names[role]) : null,
      turn,
    );
  });
  return h(
    "ol",
    { class: "line-of-play" },
    rows,
    line.now.end ? h("li", { class: "end" }, capital(line.now.end)) : null,
  );
}

/** The first player's expectation after each step, with a dot at each mistake. */
export function curveOf(line, names, width) {
  const { unit } = line.position.variant;
  const scale = isChance(unit) ? 100 : 1;
  const steps = line.steps.filter(({ what }) => what !== "pass");
  const points = [
    { x: 0, y: scale * line.begun },
    ...steps.map((step, i) => ({ x: i + 1, y: scale * step.expected, step })),
  ];
  if (points.length < 3) return h("div");
  const lead = isLead(unit) && "win minus loss (percentage points)";
  const label = lead || (unit === "probability" ? "chance (%)" : `expected ${unit}`);
  const mistakes = points.filter(({ step }) => step?.what === "action" && step.best);
  const plot = Plot.plot({
    width,
    height: 200,
    marginLeft: 48,
    marginBottom: 42,
    style: { background: "none", fontSize: "13px" },
    x: {
      label: "roll or decision",
      ticks: Math.min(8, points.length),
      tickFormat: (n) => (Number.isInteger(n) ? String(n) : ""),
    },
    y: {
      label: `${names[1]}: ${label}`,
      grid: true,
      ...(unit === "probability" ? { domain: [0, 100] } : { nice: true }),
    },
    marks: [
      unit === "probability" && isDuel(line.position) ? Plot.ruleY([50], { strokeDasharray: "3,3" }) : null,
      Plot.lineY(points, { x: "x", y: "y", curve: "step-after", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(mistakes, { x: "x", y: "y", r: 5, fill: "var(--bad)", stroke: "var(--paper)" }),
      Plot.tip(
        points,
        Plot.pointerX({
          x: "x",
          y: "y",
          title: ({ step, y }) =>
            `${step ? `${names[step.role]}: ${step.text}` : "The start"}\n${fixed(y, 2)}${unit === "probability" ? " %" : ""}`,
        }),
      ),
    ],
  });
  for (const mark of plot.querySelectorAll("[aria-label], [aria-description]"))
    (mark.removeAttribute("aria-label"), mark.removeAttribute("aria-description"));
  plot.setAttribute("role", "img");
  const last = points.at(-1).y;
  const dots = mistakes.length
    ? ` ${mistakes.length} ${mistakes.length === 1 ? "dot marks a mistake" : "dots mark mistakes"}.`
    : "";
  plot.setAttribute(
    "aria-label",
    `${names[1]}: ${label} from ${fixed(points[0].y, 2)} at the start to ${fixed(last, 2)} now.${dots}`,
  );
  return h("figure", { class: "curve" }, plot);
}

/** Luck and losses of each player, with the sum that gives the result. */
export function sumsOf(line, names) {
  const { unit } = line.position.variant;
  const roles = isDuel(line.position) || line.steps.some(({ role }) => role < 0) ? [1, -1] : [1];
  const row = (role) =>
    h(
      "tr",
      { "data-role": role },
      h("th", { scope: "row" }, names[role]),
      h("td", { "data-luck": line.sum(role, "roll") }, signed(line.sum(role, "roll"), unit)),
      h("td", { "data-loss": -line.sum(role, "action") }, signed(line.sum(role, "action"), unit)),
    );
  const [begun, now] = [line.begun, line.expected].map((value) => valueText(value, unit));
  return h(
    "table",
    { class: "sums" },
    h(
      "caption",
      {},
      `${names[1]}: ${begun} at the start, ${now} ${line.now.end ? "at the end" : "now"}${isChance(unit) ? "; luck and mistakes are in percentage points" : ""}. ${roles.length > 1 ? "What one player gains, the other loses." : ""}`,
    ),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["", "Luck of the rolls", "Mistakes"].map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h("tbody", {}, roles.map(row)),
  );
}

/** The score of each player, and the chance or the expected result. */
export function scoreboardOf(line, names) {
  const { position, now } = line;
  const { unit } = position.variant;
  const duel = isDuel(position);
  const value = (role) => (unit === "probability" && role < 0 ? 1 - line.expected : role * line.expected);
  const label = unit === "probability" ? (duel ? "to win" : "chance") : isLead(unit) ? "ahead" : "expected";
  const side = (role, i) =>
    h(
      "div",
      { class: `side${!now.end && now.role === role ? " moving" : ""}` },
      h("span", { class: "who" }, names[role]),
      now.points ? h("strong", {}, count(now.points[i])) : null,
      now.onTable && now.role === role
        ? h("span", { class: "table-points" }, `+${count(now.onTable)} on the table`)
        : null,
      now.end ? null : h("span", {}, `${valueText(value(role), unit)} ${label}`),
    );
  const bar = h("span", { class: "chance", "aria-hidden": "true" });
  bar.style.setProperty("--share", `${(100 * line.expected).toFixed(1)}%`);
  return h(
    "div",
    { class: "scoreboard", role: "group", "aria-label": "Score" },
    (duel ? [1, -1] : [1]).map(side),
    unit === "probability" && duel ? bar : null,
  );
}
