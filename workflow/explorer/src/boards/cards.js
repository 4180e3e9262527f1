// Cards face up, and the opponent's with their backs.

import { SUITS } from "../cards.js";
import { Covered } from "./parts.js";

export const cards = {
  draws: (drawing) => drawing.filter(({ kind }) => kind === "cards").map((drawn) => ({ ...drawn, columns: [drawn.column], plain: [drawn.column] })),
  View: Cards,
};

const CARD = /^(\d+|[TJQKA])([cdhs]?)$/;

/** A card: its rank or number, and its suit if it has one; null shows its back. */
export function Card({ text }) {
  const [, rank, suit] = text?.match(CARD) ?? [];
  return (
    <svg viewBox="0 0 50 70" class={rank ? `card ${"dh".includes(suit || " ") ? "red" : ""}` : "card back"} aria-hidden="true">
      <rect x="1.5" y="1.5" width="47" height="67" rx="6" />
      {rank ? (
        <text x="25" y={suit ? 32 : 45}>
          {rank === "T" ? "10" : rank}
        </text>
      ) : (
        <path d="M8 8 h34 v54 h-34 z M8 35 l17 -27 l17 27 l-17 27 z" />
      )}
      {suit && (
        <text x="25" y="60">
          {SUITS[suit]}
        </text>
      )}
    </svg>
  );
}

const cardsOf = (text) => String(text).split(" ").filter((word) => CARD.test(word));

function Cards({ drawn, state, label, position, theirs }) {
  const { column } = drawn;
  const shown = cardsOf(state[column]);
  if (!shown.length) return null;
  return (
    <div class="control board cards">
      <div>
        <span>{label(column)}</span>
        <div class="row" role="img" aria-label={`${label(column)}: ${shown.join(" ")}`}>
          {shown.map((text) => (
            <Card text={text} />
          ))}
        </div>
      </div>
      <Covered {...{ drawn, state, position, theirs }} pieces={cardsOf} draw={(text) => <Card text={text} />} />
    </div>
  );
}
