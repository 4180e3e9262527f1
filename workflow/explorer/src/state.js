// Which positions there are: defaults, repairs, and where dice are kept a roll in the place of the dice in the hand.

import { nearest } from "./controls.js";
import { columnName, count } from "./words.js";

/** The columns of a question. */
export function asked(position, rolled) {
  if (!rolled) return position.columns;
  return position.columns.map((name) => (name === "dice" ? "roll" : name));
}

/** What a column can be, given those before it; of a roll, how many dice it can have. */
export function possible(position, name, state) {
  if (name !== "roll") return position.possible(name, state);
  const of = position.columns.includes("roll") ? "roll" : "dice";
  return [...new Set(position.possible(of, state).map((v) => (of === "roll" ? v.length : v)))].sort();
}

/** The nearest position there is, or a first one where nothing is given; a roll may be unfinished. */
export function repaired(position, rolled, state) {
  const found = {};
  for (const name of asked(position, rolled)) {
    const values = possible(position, name, found);
    const value = state[name];
    if (name === "roll") found[name] = (value ?? "").slice(0, Math.max(0, ...values));
    else if (values.includes(value)) found[name] = value;
    else if (typeof values[0] === "string") found[name] = values[0];
    else found[name] = value === undefined ? first(name, values) : nearest(values, value);
  }
  return found;
}

function first(name, values) {
  if (name === "free") return values.at(-1);
  if (name === "dice") return values[0];
  if (name === "roll_total" || name === "needed") return values[Math.floor(values.length / 2)];
  if (name.endsWith("left")) return values.at(-1);
  if (name.endsWith("total")) return values[Math.min(18, Math.floor(values.length / 5))];
  return values[0];
}

/** Why nobody decides anything at a position. */
export function whyNone(position, state) {
  const { roll } = state;
  if (typeof roll === "string") {
    const lengths = possible(position, "roll", state);
    if (!lengths.includes(roll.length)) return { waiting: `Add the dice you rolled: ${lengths.join(" or ")}.` };
    const there = position.answers.dice.rolls[0].flat().find(([, dice]) => dice === roll);
    if (there && typeof there[2] === "string") {
      return { lost: `${[...roll].join(" ")} scores nothing: the turn is lost, there is nothing to decide.` };
    }
  }
  for (const name of position.columns) {
    const values = typeof state[name] === "number" ? possible(position, name, state) : [];
    if (values.length && !values.includes(state[name])) {
      const near = count(nearest(values, state[name]));
      return {
        none: `There is no such position. ${columnName(name)}: ${count(state[name])} is not possible, ${near} is.`,
      };
    }
  }
  return { none: "No play leads to this position: there is nothing to decide." };
}
