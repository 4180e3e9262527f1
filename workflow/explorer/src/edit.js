// The controls of a card: its dice, its combinations with their points, its options.

import { useState } from "preact/hooks";
import { useId } from "./boards/parts.js";
import { Select, Whole } from "./choose.js";
import { capital } from "./words.js";

const byLength = (a, b) => a.length - b.length || (a < b ? -1 : 1);

/** The editor of a card; `change(card)` is called after every change. */
export function Editor({ card, switches, change }) {
  const id = useId();
  const [more, type] = useState("");
  const { combinations } = card;
  const set = (name) => (value) => change({ ...card, [name]: value });
  const points = (text) => (value) => set("combinations")({ ...combinations, [text]: value });
  const remove = (text) => set("combinations")(Object.fromEntries(Object.entries(combinations).filter(([other]) => other !== text)));
  const add = (event) => {
    event.preventDefault();
    const text = more.trim();
    if (!text || text in combinations) return;
    type("");
    points(text)(100);
  };
  return (
    <form class="editor" onSubmit={add}>
      <Whole label="Dice" value={card.dice} min={1} max={6} change={set("dice")} />
      <div class="combinations">
        {Object.keys(combinations)
          .sort(byLength)
          .map((text) => (
            <div class="row" key={text}>
              <Whole label={text} value={combinations[text]} min={1} max={100_000} change={points(text)} />
              <button type="button" class="step" aria-label={`Remove ${text}`} onClick={() => remove(text)}>
                ×
              </button>
            </div>
          ))}
      </div>
      <div class="row">
        <div class="control">
          <label for={id}>Another combination</label>
          <input
            id={id}
            type="text"
            value={more}
            placeholder="222, aabbcc, straight, nothing, nothing_first"
            onInput={({ target }) => type(target.value)}
          />
        </div>
        <button>Add</button>
      </div>
      {Object.entries(switches).map(([name, choices]) =>
        typeof choices === "string" ? (
          <Whole label={capital(choices)} value={card[name] ?? 0} min={0} max={10_000} change={set(name)} />
        ) : (
          <Select
            label={capital(name.replaceAll("_", " "))}
            options={Object.entries(choices)}
            value={card[name] ?? Object.keys(choices)[0]}
            change={set(name)}
          />
        ),
      )}
    </form>
  );
}
