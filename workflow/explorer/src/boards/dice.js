// Dice as they fell: a click turns one to its next face.

import { useState } from "preact/hooks";
import { below } from "../chance.js";
import { Covered, Die, keptBy } from "./parts.js";

export const dice = {
  draws: (drawing) => drawing.filter(({ kind }) => kind === "dice").map((drawn) => ({ ...drawn, columns: [drawn.column] })),
  View: Dice,
};

const sorted = (faces) => [...faces].sort().join("");

function Dice({ drawn, state, anywhere, change, pointed, label, position, theirs }) {
  const { column } = drawn;
  const value = String(state[column]);
  const fallen = anywhere(column).filter((of) => /^\d+$/.test(of));
  const others = anywhere(column).filter((of) => !/^\d+$/.test(of)); // not yet thrown
  // The dice keep their places while their faces change, although the text is sorted.
  const [places, keep] = useState(value);
  const faces = !/^\d/.test(value) ? "" : sorted(places) === sorted(value) ? places : value;
  const show = (text) => {
    const found = fallen.find((of) => sorted(String(of)) === sorted(text));
    if (found === undefined) return false;
    keep(text);
    change({ [column]: found });
    return true;
  };
  const all = [...new Set(fallen.flatMap((of) => [...String(of)]))].sort();
  const turned = (i, face) => faces.slice(0, i) + face + faces.slice(i + 1);
  const turn = (i, by) => {
    for (let n = 1; n <= all.length; n++) {
      if (show(turned(i, all[(all.indexOf(faces[i]) + by * n + n * all.length) % all.length]))) return;
    }
  };
  const key =
    (i) =>
    ({ key }) =>
      all.includes(key) ? show(turned(i, key)) : key in STEPS && turn(i, STEPS[key]);
  const roll = () => {
    const here = new Set(position.possible(column, state).map((of) => sorted(String(of))));
    const most = faces.length || String(fallen.at(-1)).length;
    for (let i = 0; i < TRIALS; i++) {
      const thrown = Array.from({ length: most }, () => all[below(all.length)]).join("");
      if (here.has(sorted(thrown)) && show(thrown)) return;
    }
  };
  const kept = keptBy(pointed.at(0)?.action, faces);
  const lifted = (i) => (kept[i] ? `lifted ${pointed[0].best ? "best" : "shown"}` : "");
  return (
    <fieldset class="control board dice">
      <legend>{label(column)}</legend>
      <div class="row">
        {[...faces].map((face, i) =>
          change ? (
            <button
              type="button"
              class={`face ${lifted(i)}`}
              aria-label={`Die ${i + 1}: ${face}`}
              onClick={() => turn(i, 1)}
              onKeyDown={key(i)}
            >
              <Die face={face} size={56} />
            </button>
          ) : (
            <span class="face">
              <Die face={face} size={56} />
            </span>
          ),
        )}
        {!faces && <span class="hint">not yet thrown</span>}
        {change && (
          <button type="button" onClick={roll}>
            Roll for me
          </button>
        )}
        {change &&
          faces &&
          others.map((of) => (
            <button type="button" onClick={() => change({ [column]: of })}>
              Not yet thrown
            </button>
          ))}
      </div>
      <Covered
        {...{ drawn, state, position, theirs }}
        pieces={(text) => [...text]}
        draw={(face) => (
          <span class="face">
            <Die face={face ?? "?"} size={56} />
          </span>
        )}
      />
    </fieldset>
  );
}

const TRIALS = 1000; // throws until one is possible here
const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
