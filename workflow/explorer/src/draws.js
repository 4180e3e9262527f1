// Draw games: the values of all holds of a hand, from the sums of coins over the final hands that contain some cards.
// tables/follow/draws.py computes the same; vocabulary/dice_and_cards/hand_classes.py says why.

import { readCards } from "./cards.js";
import { ranked } from "./ranking.js";
import { RowNumbers } from "./row_numbers.js";

const [RANKS, SUITS] = ["23456789TJQKA", "cdhs"];
const choose = (n, k) => (k ? (choose(n - 1, k - 1) * n) / k : 1);

export class Draws {
  kind = "draws";
  columns = ["hand"];

  constructor({ meta, columns }, chunks) {
    Object.assign(this, { meta, chunks, dice: meta.dice, rows: new RowNumbers(columns, meta.columns.length) });
    this.deal = meta.drawing[0];
  }

  /** The hands are too many to list. */
  possible(_, { hand = this.meta.first.hand }) {
    return [hand];
  }

  /** As for every variant; `why` explains why a text is not a hand. */
  async answer({ hand }) {
    const { ranks, cards: size } = this.deal;
    const { cards, wrong } = readCards(hand, this.deal);
    const more = size - cards.length;
    this.why = wrong || (more < 0 ? `These are ${cards.length} cards, not ${size}.` : more && `Add the cards that you were dealt: ${more} more.`);
    if (this.why) return null;
    const order = ordered(cards);
    const holds = Array.from({ length: 1 << size }, (_, hold) => order.filter((_, i) => (hold >> (size - 1 - i)) & 1));
    const sums = await Promise.all(holds.map((held) => this.#sum(held)));
    // The final hands without a card are all of them except those with it.
    for (let card = 1; card < holds.length; card *= 2) {
      for (let hold = 0; hold < holds.length; hold++) if (!(hold & card)) sums[hold] -= sums[hold | card];
    }
    const choices = holds.map((held, hold) => ({
      action: cards.filter((card) => held.includes(card)).join(" ") || "nothing",
      value: sums[hold] / choose(4 * ranks.length - size, size - held.length),
      certain: true,
    }));
    return ranked(choices, 1, 0);
  }

  /** The coins of all final hands that contain some cards. */
  async #sum(held) {
    const row = this.rows.number(masksOf(held).sort((a, b) => b - a));
    const { value } = await this.chunks(Math.floor(row / this.meta.chunk));
    return value[row % this.meta.chunk];
  }
}

/** The ranks of the cards in each suit, as bits. */
const masksOf = (cards) => [...SUITS].map((suit) => cards.reduce((sum, [rank, of]) => sum + (of === suit && 1 << RANKS.indexOf(rank)), 0));

/** The cards by rank, then by the ranks held in the suit: the order that settles ties. */
function ordered(cards) {
  const masks = masksOf(cards);
  const place = ([rank, suit]) => [RANKS.indexOf(rank), masks[SUITS.indexOf(suit)], SUITS.indexOf(suit)];
  return [...cards].sort((a, b) => place(b).reduce((by, at, i) => by || at - place(a)[i], 0));
}
