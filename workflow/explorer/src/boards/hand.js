// A hand of cards: a click on a card below adds it, one on a card of the hand takes it away, and the hand can be typed.
// Cards that an action in `pointed` holds are lifted.

import { useState } from "preact/hooks";
import { SUITS, cardName, readCards } from "../cards.js";
import { below } from "../chance.js";
import { Card } from "./cards.js";
import { useId } from "./parts.js";

/** A column that has other texts than hands keeps its plain control. */
export const hand = {
  draws: (drawing, position) =>
    drawing
      .filter((drawn) => drawn.kind === "hand" && !position?.anywhere(drawn.column).some((text) => readCards(text, drawn).wrong))
      .map((drawn) => ({ ...drawn, columns: [drawn.column] })),
  View: Hand,
};

function Hand({ drawn, state, label, change, pointed }) {
  const { column, ranks, suits, cards: size } = drawn;
  const id = useId();
  const [typed, type] = useState(null);
  const { cards } = readCards(state[column], drawn);
  const row = (one) => <div class="row dealt">{cards.map(one)}</div>;
  if (!change) return <div class="control board hand">{row((text) => <Card text={text} />)}</div>;
  const show = (text) => {
    const { cards: read, wrong } = readCards(text, drawn);
    type(null);
    change({ [column]: wrong ? text : read.join(" ") });
  };
  const deck = (suits ? Object.keys(SUITS) : [""]).flatMap((suit) => ranks.map((rank) => rank + suit));
  const deal = () => {
    const left = [...deck];
    show(Array.from({ length: size }, () => left.splice(below(left.length), 1)[0]).join(" "));
  };
  const held = pointed[0]?.action.split(" ") ?? [];
  const lifted = (card) => (held.includes(card) ? `lifted ${pointed[0].best ? "best" : "shown"}` : "");
  const full = size > 1 && cards.length >= size;
  return (
    <fieldset class="control board hand">
      <legend>{label(column)}</legend>
      {row((card, i) => (
        <button
          type="button"
          class={`held ${lifted(card)}`}
          aria-label={`Take away the ${cardName(card)}`}
          onClick={() => show(cards.filter((_, j) => j !== i).join(" "))}
        >
          <Card text={card} />
        </button>
      ))}
      {size !== 1 && (
        <>
          <label for={id}>Type it, or choose cards</label>
          <input
            id={id}
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={typed ?? state[column]}
            onInput={({ target }) => type(target.value)}
            onChange={({ target }) => show(target.value)}
          />
        </>
      )}
      <div class="deck" style={{ "--ranks": ranks.length }}>
        {deck.map((card) => (
          <button
            type="button"
            class={"dh".includes(card[1]) ? "red" : ""}
            aria-label={`Add the ${cardName(card)}`}
            disabled={full || (suits && cards.includes(card))}
            onClick={() => show(size === 1 ? card : [...cards, card].join(" "))}
          >
            {cardName(card).split(" ")[0]}
            {suits && <span>{SUITS[card[1]]}</span>}
          </button>
        ))}
      </div>
      <div class="row">
        {size > 1 && (
          <button type="button" onClick={deal}>
            Deal for me
          </button>
        )}
        {size !== 1 && (
          <button type="button" onClick={() => show("")}>
            Clear
          </button>
        )}
      </div>
    </fieldset>
  );
}
