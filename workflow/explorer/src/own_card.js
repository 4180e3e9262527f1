// A card that the page solves itself: a rule set without a table, or an edited copy of one.

import { BestTurn } from "./best_turn.js";
import { turnOf } from "./scoring.js";
import { Position } from "./table.js";

export const OWN = "mine";

/** The card to solve if no table answers: the edited one, or one defined by the configuration; otherwise null. */
export function cardFor(table, wanted, edited) {
  if (!table.own) return null;
  const { parameter, definitions } = table.own;
  return edited ?? (table.find(wanted) ? null : (definitions[wanted[parameter]] ?? null));
}

/** The position of a card, with the usual values for all other choices; throws an error that says what is wrong. */
export function ownPosition(table, wanted, card) {
  const usual = table.parameters.filter(({ name }) => name !== table.own.parameter);
  const other = usual.find(({ name, default: value }) => wanted[name] !== value);
  if (other) throw new Error(`${other.name}=${wanted[other.name]} is not solved in the page`);
  const answers = new BestTurn(turnOf(card, table.own.switches));
  const note = "Solved in this page from the card";
  const variant = { parameters: { ...wanted }, value: answers.worth, unit: "points", error_bound: 1e-9, note };
  return new Position(table, answers, variant, variant.parameters);
}
