// Score sheets: the turns of a variant that stores values at the starts of turns, and their decisions.
//
//   K0(roll) = best over boxes of points + V(card then)
//   Kr(roll) = best of K(r-1) over the dice kept; Kr(kept) = mean of Kr(kept with one more die) over its faces
//
// Sums have the order of tables/follow/sheets.py, so that answers are the same to the last bit.

import { ranked } from "./ranking.js";
import { RowNumbers } from "./row_numbers.js";

const CARD = ["open", "upper", "bonus"];

export class Sheets {
  kind = "sheets";

  constructor({ meta, columns }, chunks) {
    this.meta = meta;
    this.dice = meta.dice;
    this.columns = [...CARD, "roll", "rerolls_left"];
    this.chunks = chunks;
    this.rows = new RowNumbers(columns, CARD.length);
    this.turns = new Map();
    this.lattice = lattice(this.dice.sides, this.dice.dice);
    this.places = new Map(this.lattice.sets.slice(0, this.lattice.rolls).map((roll, place) => [roll, place]));
  }

  get fresh() {
    return { open: 2 ** this.dice.boxes.length - 1, upper: 0, bonus: 0 };
  }

  possible(name, state) {
    if (name === "roll") return [...this.places.keys()];
    if (name === "rerolls_left") return Array.from({ length: this.dice.rolls }, (_, left) => left);
    return this.rows.following(CARD.slice(0, CARD.indexOf(name)).map((column) => state[column]));
  }

  async answer(state) {
    const { open, upper, bonus, roll = "", rerolls_left: left } = state;
    const value = await this.#value({ open, upper, bonus });
    if (value === null) return null;
    if (!roll) return ranked([{ action: "roll", value }], 1, 0);
    if (!this.places.has(roll) || !(left >= 0 && left < this.dice.rolls)) return null;
    const place = this.places.get(roll);
    const turn = await this.#turn({ open, upper, bonus });
    const choices = left
      ? this.lattice.keeps[place].map((part) => ({
          action: `keep ${this.lattice.sets[part] || "nothing"}`,
          value: turn.kept[left - 1][part],
        }))
      : turn.boxes[place].map(([box, worth]) => ({ action: this.dice.boxes[box], value: worth }));
    return ranked(choices, 1, this.meta.tolerance);
  }

  /** The result of filling a box: {points, card: afterwards, upper: points in the upper section}, or null. */
  fill(card, roll, box) {
    const entry = this.#entries(card, this.places.get(roll)).find(([of]) => of === box);
    return entry ? this.#filled(card, entry) : null;
  }

  /** The ways to use a roll on a card, one per box. */
  #entries({ open }, place) {
    return this.dice.entries[place].filter(
      ([box, , , , , among, opened]) => (open >> box) & 1 && (open & among) === opened,
    );
  }

  #filled(card, [box, points, more, further, earns]) {
    const { upper_at: at, upper_bonus: reward } = this.dice;
    const upper = Math.min(card.upper + more, at);
    const crosses = card.upper < at && upper >= at;
    const after = { open: card.open & ~(1 << box), upper, bonus: card.bonus || earns };
    return { box, card: after, own: points, points: points + further * card.bonus + (crosses ? reward : 0) };
  }

  /** The value at the start of a turn; 0 if no box is open, null if play does not lead there. */
  async #value({ open, upper, bonus }) {
    if (!open) return 0;
    const row = this.rows.number([open, upper, bonus]);
    if (row < 0) return null;
    const { value } = await this.chunks(Math.floor(row / this.meta.chunk));
    return value[row % this.meta.chunk];
  }

  /** For each box, how many points an open one adds to a card on average; null if it is filled or play leads to no such
   * card without it. */
  async worths(card) {
    const value = await this.#value(card);
    const without = (box) => ((card.open >> box) & 1 ? this.#value({ ...card, open: card.open & ~(1 << box) }) : null);
    const values = await Promise.all(this.dice.boxes.map((_, box) => without(box)));
    return values.map((left) => (value === null || left === null ? null : value - left));
  }

  #turn(card) {
    const key = Object.values(card).join();
    if (!this.turns.has(key)) {
      if (this.turns.size > 100) this.turns.clear();
      this.turns.set(key, this.#played(card));
    }
    return this.turns.get(key);
  }

  /** {boxes: [[box, value]] by roll, kept: value of keeping each set of dice, by 1, 2, ... rerolls}. */
  async #played(card) {
    const { sets, rolls, more, keeps } = this.lattice;
    const ways = this.dice.entries.map((_, place) => this.#entries(card, place).map((entry) => this.#filled(card, entry)));
    const values = new Map();
    const name = (after) => Object.values(after).join();
    for (const { card: after } of ways.flat()) values.set(name(after), after);
    const known = await Promise.all([...values.values()].map((after) => this.#value(after)));
    [...values.keys()].forEach((key, i) => values.set(key, known[i]));
    const boxes = ways.map((of) => of.map(({ box, points, card: after }) => [box, points + values.get(name(after))]));
    const kept = [];
    let best = boxes.map((of) => Math.max(...of.map(([, worth]) => worth)));
    for (let left = 1; left < this.dice.rolls; left++) {
      const worth = new Float64Array(sets.length);
      worth.set(best);
      for (let place = rolls; place < sets.length; place++) {
        const [first, ...rest] = more[place - rolls];
        worth[place] = rest.reduce((sum, of) => sum + worth[of], worth[first]) * (1 / this.dice.sides);
      }
      kept.push(worth);
      best = keeps.map((parts) => parts.reduce((top, part) => Math.max(top, worth[part]), -Infinity));
    }
    return { boxes, kept };
  }
}

/** The sets of at most this many dice as sorted digits, most dice first, as in vocabulary/dice_and_cards/dice.py. */
function lattice(sides, dice) {
  const faces = Array.from({ length: sides }, (_, i) => String(i + 1));
  const sized = [[""]];
  for (let size = 1; size <= dice; size++) {
    sized.push(sized.at(-1).flatMap((set) => faces.filter((face) => face >= (set.at(-1) ?? "")).map((face) => set + face)));
  }
  const sets = sized.reverse().flat();
  const rolls = sized[0].length;
  const place = new Map(sets.map((set, i) => [set, i]));
  const more = sets.slice(rolls).map((set) => faces.map((face) => place.get([...set, face].sort().join(""))));
  const keeps = sets.slice(0, rolls).map((roll) => {
    const parts = [...roll].reduce((found, face) => [...found, ...found.map((part) => part + face)], [""]);
    return [...new Set(parts.map((part) => place.get(part)))].sort((a, b) => a - b);
  });
  return { sets, rolls, more, keeps };
}
