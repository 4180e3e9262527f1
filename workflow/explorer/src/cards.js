// Cards as people write them (vocabulary/dice_and_cards/cards.py): a rank, and a suit if the rules distinguish suits, such as `Th`.

export const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const CARD = /(10|[2-9TJQKA])([CDHS♣♦♥♠]?)\ufe0f?[\s,;]*/iy;

/** {cards: those of a text in one spelling, wrong: why it is no hand, or an empty text}. `deal` is a drawing of kind `hand`:
 * without suits, cards are sorted by its ranks and court cards are tens. */
export function readCards(text, { ranks, suits }) {
  const cards = [];
  const rest = text.trim();
  let place = 0;
  while (place < rest.length) {
    CARD.lastIndex = place;
    const [all, rank, suit] = CARD.exec(rest) ?? [];
    if (!all) return { cards, wrong: `“${rest.slice(place).split(/[\s,;]/)[0]}” is not a card; a card is such as ${suits ? "Th" : ranks[0]}.` };
    const known = Object.keys(SUITS).find((letter) => SUITS[letter] === suit || letter === suit.toLowerCase()) ?? "";
    const name = rank.toUpperCase().replace("10", "T");
    const card = suits ? name + known : name.replace(/[TJQK]/, "10");
    if (suits && !known) return { cards, wrong: `${card} has no suit; give ${Object.keys(SUITS).map((letter) => card + letter).join(", ")}.` };
    if (!ranks.includes(suits ? name : card)) return { cards, wrong: `The deck has no ${card}.` };
    if (suits && cards.includes(card)) return { cards, wrong: `${card} is in the hand twice.` };
    cards.push(card);
    place += all.length;
  }
  if (!suits) cards.sort((a, b) => ranks.indexOf(a) - ranks.indexOf(b));
  return { cards, wrong: "" };
}

/** The name of a card: `J of hearts`. */
export function cardName(card) {
  const [, rank, suit] = card.match(/^(10|.)(.?)$/);
  return `${rank.replace("T", "10")}${suit && ` of ${NAMES[suit]}`}`;
}
