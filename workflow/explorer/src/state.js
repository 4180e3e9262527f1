// Possible positions: given values are kept, missing ones are filled in, impossible ones are reported.

import { diceIn } from "./turn.js";
import { columnName, count } from "./words.js";

/** The three texts that differ least from a given one. */
function alike(values, text) {
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

/** The columns of a question; if dice are kept, a roll can replace the number of dice in the hand. */
export function asked(position, rolled) {
  if (!rolled || position.board) return position.columns;
  return position.columns.map((name) => (name === "dice" ? "roll" : name));
}

/** The possible values of a column, given those before it; for a roll, the possible numbers of dice. */
export function possible(position, name, state) {
  if (name !== "roll" || position.board) return position.possible(name, state);
  const of = position.columns.includes("roll") ? "roll" : "dice";
  return [...new Set(position.possible(of, state).map((v) => (of === "roll" ? v.length : diceIn(position.answers.dice, v))))].sort();
}

/** {state: as given and filled in, near: the nearest position}. */
export function completed(position, rolled, given) {
  const [state, near] = [{}, {}];
  const fresh = !Object.keys(given).length;
  for (const name of asked(position, rolled)) {
    const values = possible(position, name, near);
    const dice = name === "roll" && !position.board; // the player adds dice one by one
    state[name] = given[name] ?? (dice ? (fresh ? usualRoll(position, near) : "") : usual(position, name, values));
    near[name] = dice || values.includes(state[name]) ? state[name] : nearest(values, state[name]);
  }
  return { state, near };
}

/** A usual roll where one must lie on the table. */
function usualRoll(position, state) {
  if (!position.columns.includes("roll")) return "";
  const rolls = position.possible("roll", state);
  return rolls[Math.floor(0.15 * rolls.length)];
}

/** The value of a usual question. */
function usual(position, name, values) {
  // A player in the last turn may be beyond the target.
  const before = values.filter((value) => !(value >= position.parameters.target));
  const of = before.length ? before : values;
  const at = (share) => of[Math.floor(share * of.length)];
  const { start } = position.answers.meta;
  if (position.board) return values.includes(start[name]) ? start[name] : at(0.5);
  if (name === "free" || name === "open" || name.endsWith("left")) return values.at(-1);
  if (name === "upper" || name === "bonus") return values[0];
  if (name === "dice") return values.includes(2) ? 2 : values[0];
  if (name === "roll_total" || name === "needed") return at(0.5);
  const most = position.answers.dice.keeps ? 6 : 18;
  const share = position.parameters.target ? 0.2 : 0.7;
  if (name.endsWith("total")) return values[Math.min(most, Math.floor(share * values.length))];
  return at(name === "opponent" ? 0.41 : name === "throw" ? 0 : 0.345);
}

/** Why a position has no decision: {none, waiting or lost: a sentence, near: [[column, nearest possible value]]}. */
export function whyNone(position, state, rolled) {
  if (position.answers.why) return { none: position.answers.why };
  for (const name of asked(position, rolled)) {
    const value = state[name];
    const values = possible(position, name, state);
    if (name === "roll" && !position.board) return whyNoRoll(position, value, values);
    if (values.includes(value) || position.past(name, state)) continue;
    const called = columnName(name, position.table);
    if (value === "") return { waiting: `${called}: nothing is chosen yet.` };
    if (typeof values[0] === "string") {
      return { none: `${called}: no play leads to ${value} here.`, near: alike(values, value).map((v) => [name, v]) };
    }
    if (name === "free" && !position.board) return { none: "No such slots are free: there is nothing to place." };
    const near = [values.findLast((v) => v < value), values.find((v) => v > value)].filter((v) => v !== undefined);
    const none = `${called}: ${count(value)} is not possible; ${why(position, name, value, values, state)}.`;
    return { none, near: near.map((v) => [name, v]) };
  }
  return { none: "No play leads to this position: there is nothing to decide." };
}

function whyNoRoll(position, roll, lengths) {
  const { sides = 6 } = position.answers.dice;
  if ([...roll].some((face) => !(face >= 1 && face <= sides))) {
    return { none: `${roll} is no roll: dice have faces from 1 to ${sides}.` };
  }
  if (roll.length < Math.max(...lengths) && !lengths.includes(roll.length)) {
    return { waiting: `Add the dice you rolled: ${lengths.join(" or ")}.` };
  }
  const dice = roll.length === 1 ? "1 die" : `${roll.length} dice`;
  if (!lengths.includes(roll.length)) return { none: `${dice} cannot be rolled here, ${lengths.join(" or ")} can.` };
  const { modes, rolls } = position.answers.dice;
  const there = rolls[0][modes.indexOf(roll.length)].find(([, faces]) => faces === roll);
  if (typeof there[2] !== "string") return { none: `No play leads to a roll of ${dice} here.` };
  return { lost: `${[...roll].join(" ")} scores nothing: the turn is lost, there is nothing to decide.` };
}

function why(position, name, value, values, state) {
  const { meta, total } = position.answers;
  const target = position.board ? 0 : position.parameters.target;
  const [low, high] = [values[0], values.at(-1)];
  const more = name === total ? target - state[meta.record[meta.mine].name] : target;
  if (value < low) return `the least is ${count(low)}`;
  if (value > high && target && /points/.test(position.table.unitOf(name)) && value >= more) {
    return name === total ? `${count(more)} points end the match` : `the match ends at ${count(target)}`;
  }
  if (value > high) return position.variant.note || `the most is ${count(high)}`;
  const steps = values.length > 1 ? values[1] - values[0] : 1;
  const even = steps > 1 && values.every((v) => v % steps === low % steps);
  return even && (value - low) % steps ? `it goes in steps of ${steps}` : "no play leads there";
}
