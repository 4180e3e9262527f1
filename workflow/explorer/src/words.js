// The words for names and numbers on the page. A name that is not listed here stands for itself.

const COLUMNS = {
  me: "My points",
  opponent: "Opponent’s points",
  banked: "My points",
  score: "My points",
  turn_total: "Points on the table this turn",
  total: "Total so far",
  dice: "Dice left to roll",
  roll: "The roll",
  roll_total: "Roll",
  open: "The sheet",
  upper: "Upper section so far",
  rerolls_left: "Rerolls left",
  free: "Slots still free",
  needed: "Points still needed",
  scored: "Points scored so far",
  turns_left: "Turns left, this one included",
  throws_left: "Throws left, this one included",
  throw: "Number of this throw",
  lost: "Lost turns in a row",
  opponent_lost: "Opponent’s lost turns in a row",
};

const PARAMETERS = {
  sides: "Sides of a die",
  dice: "Dice thrown at once",
  target: "Play to",
  max_dice: "Most dice in a throw",
  on_one: "If a 1 falls",
  rules: "Scoring table",
  moves: "Dice that may be resigned",
  multiple: "Forbidden multiples of",
  turns: "Turns",
  throws: "Throws",
  horizon: "A draw after",
  distribution: "Dice",
  slots: "Slots",
  multipliers: "Multipliers",
};

const MATCHES = {
  turn: "One turn",
  race: "Race",
  reach: "Reach in time",
  duel: "Duel",
  simultaneous: "Duel at once",
  hidden: "Duel unseen",
  score: "Most points",
  exceed: "Reach a score",
  versus: "Beat an opponent",
};

export const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());
const plain = (name) => capital(name.replaceAll("_", " "));

/** Whether the rules of a table state its positions, and name their columns and parameters. */
export const isBoard = ({ family }) => family === "boards" || isHidden({ family });
/** Whether players do not see everything. */
export const isHidden = ({ family }) => family === "hidden";
export const columnName = (name, table) => (isBoard(table) ? null : COLUMNS[name]) ?? plain(name);
export const parameterName = (name, table) => (isBoard(table) ? null : PARAMETERS[name]) ?? plain(name);
/** The meaning of a parameter's value. */
export const valueName = ({ parameters, own }, name, value) => {
  const { words, definitions } = parameters.find((p) => p.name === name) ?? {};
  const defined = definitions?.[value] ?? (own?.parameter === name && own.definitions[value]);
  return words?.[value] ?? (defined?.label || value);
};
/** The aim of a match. */
export const matchName = ({ match, family, title, game_title: game }) =>
  family === "boards"
    ? capital(title.slice(game.length).replace(/^: The (best )?|\.$/g, ""))
    : (MATCHES[match] ?? plain(match));
export const gameName = ({ game_title: game }) => game;

/** A description without code marks. */
export const plainText = (text) => text.replaceAll("`", "");

export const count = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : String(value));

export const pointsText = (n) => `${count(n)} ${n === 1 ? "point" : "points"}`;
export const wonText = (role) => (role > 0 ? "You win." : "The opponent wins.");

/** An action in words; a plain number gets its unit. */
export function actionName(action, { action_unit: unit, family }) {
  if (unit) return action === "1" && unit === "dice" ? "1 die" : `${action} ${unit}`;
  return family === "sheets.one_roll" ? `slot ${action}` : family === "sheets" ? action.replaceAll("_", " ") : action;
}

/** Whether a unit is a difference of probabilities: P(win) - P(lose). */
export const isLead = (unit) => unit.startsWith("P(");
/** Whether values of a unit are shown in per cent or percentage points. */
export const isChance = (unit) => unit === "probability" || isLead(unit);

/** A value with its unit (omitted if `said`); probabilities are in per cent, their differences in percentage points. */
export function valueText(value, unit, said = false) {
  if (unit === "probability") return percent(value, 2);
  if (isLead(unit)) return `${fixed(100 * value, 2)}${said ? "" : " percentage points"}`;
  return `${fixed(value, 3)}${said ? "" : ` ${unit}`}`;
}

/** The cost of an action; for probabilities and their differences in percentage points. */
export function costText({ regret, optimal }, unit) {
  if (optimal || regret < NOTHING) return "0";
  return isChance(unit) ? fixed(100 * regret, 2) : fixed(regret, 3);
}

/** The cost of an action, in a sentence. */
export function lossText(regret, unit) {
  const text = costText({ regret }, unit);
  return `${text} ${isChance(unit) ? "percentage points" : unit}`;
}

/** The odds of a roll in words; `gain` is the mean over all rolls, of which lost ones add 0. */
export function oddsText({ lost, gain }, family) {
  const busts = family === "throws" ? ["scores nothing", "always scores"] : ["busts", "never busts"];
  const adds = `+${adding(lost < 1 ? gain / (1 - lost) : 0)} on average`;
  return lost ? `${busts[0]} ${percent(lost, 1)}; otherwise ${adds}` : `${busts[1]}; ${adds}`;
}

/** Points that are added on average. */
export const adding = (gain) => String(Number(gain.toFixed(gain < 10 ? 2 : gain < 100 ? 1 : 0))).replace("-", "−");

/** How often something happens: `1 time in 6`, or per cent if that is no whole number. */
export function ratio(chance) {
  const times = Math.round(1 / chance);
  return Math.abs(1 / chance - times) < 1e-9 && times > 1 && times <= 1000 ? `1 time in ${times}` : `${percent(chance, 1)} of the time`;
}

/** A text as a sentence. */
export const sentence = (text) => (text ? `${capital(text)}.` : "");
export const lower = (text) => text.replace(/^./, (letter) => letter.toLowerCase());

const NOTHING = 1e-11; // rounding of a sum in doubles

/** Per cent; a positive probability is never shown as 0, and an uncertain event never as 100. */
function percent(value, digits) {
  const least = 10 ** -digits;
  if (value > NOTHING && 100 * value < least) return `< ${least} %`;
  if (value < 1 - NOTHING && 100 * value > 100 - least) return `> ${100 - least} %`;
  return `${fixed(100 * value, digits)} %`;
}

export function fixed(value, digits) {
  const size = Math.abs(value);
  const small = size > NOTHING && size < 0.5 * 10 ** -digits;
  if (small && size < 1e-4) return "less than 0.0001";
  const text = value.toFixed(small ? 4 : digits);
  return text.replace(/^-(?=[0.]*$)/, "").replace("-", "−");
}

/** The best action and its advantage, in a sentence (dicebase.show.advice). */
export function advice({ actions, never }, unit, table) {
  if (never) return "The opponent’s strategy never leads here: value and costs claim nothing.";
  const names = actions.map((a) => actionName(a.action, table));
  const best = names.filter((_, i) => actions[i].optimal);
  const lost = (i) => lossText(actions[i].regret, unit);
  if (actions.length === 1) return `The only choice: ${best[0]}.`;
  if (actions.some((a) => a.undecided)) return `${best.join(" and ")} cannot be told apart within the error bound.`;
  if (actions.some((a) => a.probability > 0 && a.probability < 1)) {
    const mix = best.map((name, i) => `${name} ${fixed(100 * actions[i].probability, 1)} %`).join(", ");
    if (best.length === actions.length) return `Mix: ${mix}.`;
    return `Mix: ${mix}. ${names[best.length]} would cost ${lost(best.length)}.`;
  }
  if (best.length > 1) return `A tie: ${best.join(" and ")} are equally good.`;
  if (!actions[1].regret)
    return `Best: ${best[0]}; ${names[1]} would be as good, if the opponent’s choice stayed the same.`;
  return `Best: ${best[0]}. Next: ${names[1]}, which costs ${lost(1)}.`;
}

/** The best actions only, for a headline. */
export function headline({ actions }, table) {
  const best = actions.filter((a) => a.optimal);
  if (best.length > 1 && best.some((a) => a.probability > 0 && a.probability < 1)) return "Mix";
  const names = best.slice(0, 3).map((a) => actionName(a.action, table));
  const text = names.join(" or ") + (best.length > 3 ? " …" : "");
  return capital(text);
}
