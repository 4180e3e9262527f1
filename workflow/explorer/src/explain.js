// Why an action is the best, and where the decision would change: two sentences, computed from rules and stored values.

import { before, bluff } from "./play_hidden.js";
import { multisets } from "./play_sheets.js";
import { actionName, adding, columnName, count, fixed, isHidden, lower, ratio, sentence, valueText } from "./words.js";

const FURTHEST = { sheets: 8 }; // values of a column on each side of the position; those of a sheet take long
const PAUSE = 10; // answers after which the page may draw

/** {why, change}: sentences (with hidden information the second says what came before); each is empty if there is nothing to say. Stops when `current()` is false. */
export async function explain(answer, position, state, current = () => true) {
  const { table, answers } = position;
  if (answer.actions.length < 2) return { why: "", change: "" };
  const families = { turns: ofTurn, throws: ofThrow, sheets: ofSheet, "sheets.one_roll": ofSlot, boards: ofBoard, hidden: ofHidden };
  const why = (await families[table.family]?.(answer, position, state)) ?? "";
  const around = isHidden(table) ? before : async () => changes(answer, position, state, current);
  const change = answers.kind === "served" || !current() ? "" : await around(position, state);
  return { why: sentence(why), change: sentence(change) };
}

/** How often a roll busts, and what it adds otherwise: `busts 1 time in 6 and otherwise adds 4 on average`. */
function odds({ lost, gain }, many) {
  const s = many ? "" : "s";
  const adds = `add${s} ${adding(lost < 1 ? gain / (1 - lost) : 0)} on average`;
  return lost ? `bust${s} ${ratio(lost)} and otherwise ${adds}` : `never bust${s} and ${adds}`;
}

const diceText = (number) => (number === 1 ? "1 die" : `${number} dice`);

/** A turn: roll or stop, or which dice to keep. */
async function ofTurn(answer, position, state) {
  const { dice } = position.answers;
  const [best] = answer.actions;
  if (!("roll" in state)) {
    const rolled = "dice" in state && dice.keeps ? `a roll of ${diceText(state.dice || dice.modes[1])}` : "a roll";
    return `${rolled} ${odds(position.odds("roll", state))}; ${await threshold(position, state)}`;
  }
  const rolls = ({ action }) => action.match(/^keep (\d+), roll (\d+)$/);
  const [, kept, left] = rolls(best) ?? [];
  const other = answer.actions.find((a) => !a.optimal && rolls(a) && rolls(a)[1] !== kept);
  const leaves = (a) =>
    `${diceText(Number(rolls(a)[2]))}, which ${odds(position.odds(a.action, state), rolls(a)[2] !== "1")}`;
  if (!kept) return other ? `banking is safe; rolling on would leave ${leaves(other)}` : "";
  return `keeping ${spaced(kept)} leaves ${leaves(best)}${other && rolls(other)[2] !== left ? `; keeping ${spaced(rolls(other)[1])} would leave ${leaves(other)}` : ""}`;
}

const spaced = (dice) => [...dice].join(" ");

/** The turn total from which it is best to stop: `hold from 20 points`. */
async function threshold(position, state) {
  const { answers } = position;
  const { stop } = answers.dice;
  const column = answers.total ?? position.columns[0];
  const stops = [];
  for (const total of position.possible(column, state)) {
    const answer = total ? await position.answer({ ...state, [column]: total }) : null;
    const chosen = answer?.actions.find((a) => a.action === stop);
    if (chosen) stops.push([total, chosen.optimal]);
  }
  const first = stops.findIndex(([, optimal]) => optimal);
  if (first < 0) return `never ${stop} here`;
  const all = stops.slice(first).every(([, optimal]) => optimal);
  return `${stop} from ${count(stops[first][0])} points${all ? "" : ", but roll again at some higher totals"}`;
}

/** A throw: how often it scores nothing, and how many points it adds. */
function ofThrow(answer, position, state) {
  const { table } = position;
  const best = answer.actions.filter((a) => a.probability > 0);
  const name = ({ action }) => actionName(action, table);
  const scores = (a) => {
    const { lost, gain } = position.odds(a.action, state);
    const s = a.action === "1" ? "s" : "";
    const loss = position.answers.dice.wipes ? `lose${s} all points` : `score${s} nothing`;
    return `${name(a)} ${loss} ${ratio(lost)} and otherwise add${s} ${adding(gain / (1 - lost))} on average`;
  };
  if (best.length > 1)
    return `against the opponent’s best mix, ${listed(best.map(name))} do equally well, and a fixed number could be exploited`;
  const gain = ({ action }) => position.odds(action, state).gain;
  const most = answer.actions.reduce((top, a) => (gain(a) > gain(top) + 1e-12 ? a : top));
  const mean = `${adding(gain(best[0]))} a throw`;
  if (most.optimal) return `${scores(best[0])}: ${mean}, the most of any number`;
  return `${scores(best[0])}: ${mean}; ${name(most)} would add the most, ${adding(gain(most))}`;
}

const listed = (names, word = "and") =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}` : names[0];

/** A sheet with rerolls: where the turn is likely to end, or what a box scores now and leaves for later. */
async function ofSheet(answer, position, state) {
  const { answers, table } = position;
  const name = (action) => actionName(action, table);
  if (state.rerolls_left) {
    const [{ action }] = answer.actions;
    const boxes = await filled(position, state, action);
    const often = [...boxes].sort(([, a], [, b]) => b - a).slice(0, 3);
    return `after ${action}, the turn most often ends in ${listed(often.map(([box, chance]) => `${name(box)} (${fixed(100 * chance, 0)} %)`))}`;
  }
  return placed(
    answer,
    name,
    (action) => answers.fill(state, state.roll, answers.dice.boxes.indexOf(action)).points,
    "points",
  );
}

/** {box: probability that it is filled this turn} after keeping dice, if play goes on by the best actions. */
export async function filled(position, state, action) {
  const { dice } = position.answers;
  let chances = new Map([[action.replace(/^keep (nothing)?/, ""), 1]]);
  for (let left = state.rerolls_left - 1; left >= 0; left--) {
    const next = new Map();
    for (const [kept, chance] of chances) {
      const rolls = multisets(dice.sides, dice.dice - kept.length);
      const all = rolls.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [faces, weight] of rolls) add(next, [...kept, ...faces].sort().join(""), (chance * weight) / all);
    }
    chances = new Map();
    for (const [roll, chance] of next) {
      const { actions } = await position.answer({ ...state, roll, rerolls_left: left });
      const then = actions[0].action;
      add(chances, left ? then.replace(/^keep (nothing)?/, "") : then, chance);
    }
  }
  return chances;
}

const add = (map, key, number) => map.set(key, (map.get(key) ?? 0) + number);

/** A sheet with one roll a turn. */
function ofSlot(answer, position, state) {
  const { dice, meta } = position.answers;
  const place = dice.rolls.findIndex(([roll]) => roll === state.roll_total);
  const gain = (action) => dice.gains[action - 1][place];
  const name = (action) => actionName(action, position.table);
  if (position.variant.unit === "points") return placed(answer, name, gain, "points");
  const [best, next] = answer.actions;
  const then = (a) =>
    `${name(a.action)} scores ${count(gain(a.action))}${meta.points === "needed" ? ` and leaves ${count(Math.max(0, state.needed - gain(a.action)))} to reach` : ""}, with a chance of ${valueText(a.value, "probability")}`;
  return `${then(best)}; ${then(next)}`;
}

/** What the best place scores now and leaves for later, and the place that scores most or comes next. */
function placed({ actions }, name, scores, unit) {
  const [best] = actions;
  const others = actions.filter((a) => !a.optimal);
  if (!others.length) return "";
  const more = others.reduce((top, a) => (scores(a.action) > scores(top.action) ? a : top));
  const other = scores(more.action) > scores(best.action) ? more : others[0];
  const said = (a) =>
    `${name(a.action)} scores ${count(scores(a.action))} now and leaves ${adding(a.value - scores(a.action))} ${unit} for later`;
  return `${said(best)}; ${said(other)}`;
}

/** A board: how often the next roll helps, the range of values that it leaves, and how often it ends the game. */
async function ofBoard(answer, position, state) {
  if (!position.answers.moves) return "";
  const [best, next] = [answer.actions[0], answer.actions.find((a) => !a.optimal)];
  const { unit } = position.variant;
  const parts = [];
  for (const { action } of [best, next].filter(Boolean)) {
    const { low, high, helps, ends } = await ahead(position, state, action, answer.value);
    const range =
      high - low > 1e-9
        ? `${helps ? `helps ${ratio(helps)}` : "never helps"} and leaves from ${valueText(low, unit, true)} to ${valueText(high, unit)}`
        : `leaves ${valueText(low, unit)}`;
    parts.push(
      `after “${action}” the next roll ${range}${ends && ends < 1 ? `; it ends the game ${ratio(ends)}` : ""}`,
    );
  }
  return parts.join(". ").replace(/\. a/, ". A");
}

/** Hidden information: which actions of the mix are bluffs. */
async function ofHidden({ actions }, position, state) {
  const said = await Promise.all(actions.map(async ({ action }) => [action, await bluff(position, state, action)]));
  return said.filter(([, text]) => text.startsWith("a bluff")).map(([action, text]) => `${action} is ${text}`).join("; ");
}

/** The outcomes that follow an action: `low` and `high`, the mover's least and greatest value; the probabilities `helps`
 * of a better value than `now`, and `ends` of the end of the game. */
export async function ahead({ table, answers }, state, action, now = 0) {
  const play = await answers.play();
  const row = answers.row(state);
  const outcomes = play.outcomes(play.after(row, (await answers.legal(row)).indexOf(action)));
  const valueOf = async ({ to, pays, turns }) =>
    pays + (to < 0 ? 0 : (turns ? -1 : 1) * (await answers.answer(play.state(to))).value);
  const values = await Promise.all(outcomes.map(valueOf));
  const all = outcomes.reduce((sum, { 0: weight }) => sum + weight, 0);
  const chance = (of) => outcomes.reduce((sum, outcome, i) => sum + (of(outcome, i) ? outcome[0] : 0), 0) / all;
  return {
    low: Math.min(...values),
    high: Math.max(...values),
    helps: chance((_, i) => table.sense * (values[i] - now) > 1e-12),
    ends: chance(({ to }) => to < 0),
  };
}

/** The nearest value of each number of the position at which another action is best, while the present one is legal. */
export async function nearestChanges(answer, position, state, current = () => true) {
  const best = answer.actions.filter((a) => a.optimal).map((a) => a.action);
  const names = position.columns.filter(
    (name) => typeof state[name] === "number" && !["free", "open", "bonus", "rerolls_left", "dice"].includes(name),
  );
  // Without a roll, the threshold of the turn total is already said.
  const asked =
    "roll" in state || !position.answers.dice?.stop
      ? names
      : names.filter((name) => name !== (position.answers.total ?? names[0]));
  const found = [];
  for (const name of asked) {
    const values = position.possible(name, state);
    const at = values.indexOf(state[name]);
    if (at < 0) continue;
    for (let far = 1, left = true; left && far <= (FURTHEST[position.answers.kind] ?? 60); far++) {
      if (far % PAUSE === 0) await new Promise((resume) => setTimeout(resume));
      if (!current()) return [];
      const near = [values[at - far], values[at + far]].filter((value) => value !== undefined);
      left = near.length > 0;
      for (const value of near) {
        const other = await position.answer({ ...state, [name]: value });
        const now = other?.actions.filter((a) => a.optimal).map((a) => a.action) ?? [];
        if (
          !now.length ||
          !other.actions.some((a) => best.includes(a.action)) ||
          now.some((action) => best.includes(action))
        )
          continue;
        found.push({ name, value, action: other.actions[0].action });
        left = false;
        break;
      }
    }
  }
  return found;
}

async function changes(answer, position, state, current) {
  const found = (await nearestChanges(answer, position, state, current)).slice(0, 3);
  const { table } = position;
  const place = ({ name, value }) => `${lower(columnName(name, table))} at ${count(value)}`;
  const then = ({ action }) => actionName(action, table);
  if (!found.length) return "";
  if (new Set(found.map(then)).size === 1)
    return `${then(found[0])} would be best with ${listed(found.map(place), "or")}`;
  return `the best action would change with ${listed(
    found.map((one) => `${place(one)} (then ${then(one)})`),
    "or",
  )}`;
}
