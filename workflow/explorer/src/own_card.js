// A card that the page solves itself: a rule set that no table has, or a copy of one that somebody edits here.

import { BestTurn } from "./best_turn.js";
import { turnOf } from "./scoring.js";
import { Position } from "./table.js";

export const OWN = "mine";

/** The card that is asked for where no table answers: the edited one, or one that is defined elsewhere; or null. */
export function cardFor(table, wanted, edited) {
  if (!table.own) return null;
  const { parameter, definitions } = table.own;
  return edited ?? (table.find(wanted) ? null : (definitions[wanted[parameter]] ?? null));
}

/** The position of a card, all that is chosen beside it being what is usual; throws what is wrong with it. */
export function ownPosition(table, wanted, card) {
  const usual = table.parameters.filter(({ name }) => name !== table.own.parameter);
  const other = usual.find(({ name, default: value }) => wanted[name] !== value);
  if (other) throw new Error(`${other.name}=${wanted[other.name]} is not solved in the page`);
  const answers = new BestTurn(turnOf(card, table.own.switches));
  const note = "Solved in this page from the card";
  const variant = { parameters: { ...wanted }, value: answers.worth, unit: "points", error_bound: 1e-9, note };
  return new Position(table, answers, variant, variant.parameters);
}
