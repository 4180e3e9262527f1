// Tiles that are up or down: a click turns one, or in play chooses one of an action.

import { useState } from "preact/hooks";

export const tiles = {
  draws: (drawing) => drawing.filter(({ kind }) => kind === "tiles").map((drawn) => ({ ...drawn, columns: [drawn.column] })),
  View: Tiles,
};

function Tiles({ drawn, state, anywhere, change, pointed, label, actions = [], act }) {
  const [chosen, choose] = useState([]); // tiles of the action that is being clicked together
  const { column } = drawn;
  const labels = [...drawn.labels];
  const up = (text, tile) => text.includes(tile);
  const toggle = (tile) => {
    if (act) return play(labels.indexOf(tile));
    const now = labels.filter((other) => up(state[column], other) !== (other === tile)).join("");
    // A text may list its tiles in another order.
    change({ [column]: anywhere(column).find((text) => labels.filter((other) => up(text, other)).join("") === now) ?? now });
  };
  const play = (i) => {
    const now = chosen.includes(i) ? chosen.filter((other) => other !== i) : [...chosen, i];
    const all = labels.map((_, other) => other);
    const found = actions.find((action) => all.every((other) => named(action, other) === now.includes(other)));
    choose(found ? [] : now);
    if (found) act(found);
  };
  const named = (action, i) => action.split(/\W+/).includes(String(i + 1));
  const classOf = (i) =>
    [
      "tile",
      ...(chosen.includes(i) ? ["shown"] : []),
      ...pointed.filter(({ action }) => named(action, i)).map(({ best }) => (best ? "best" : "shown")),
    ].join(" ");
  return (
    <fieldset class="control board tiles">
      <legend>{label(column)}</legend>
      {labels.map((tile, i) => (
        <label class={classOf(i)}>
          {(change || act) && <input type="checkbox" checked={up(state[column], tile)} onChange={() => toggle(tile)} />}
          <span class={up(state[column], tile) ? "up" : "down"}>{i + 1}</span>
        </label>
      ))}
    </fieldset>
  );
}
