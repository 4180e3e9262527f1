// A score sheet in play: the dice to keep, and a row for each box.

import { render } from "preact";
import { useState } from "preact/hooks";
import { Die } from "./boards/parts.js";
import { boxName, sectionsOf } from "./boards/sheet.js";
import { h } from "./dom.js";

/** [an element] with the choices of a player with a roll: keep some dice and roll the others, or fill a box now. `resolve`
 * receives the action, `stop` a box that ends the turn. */
export function sheetChoices(answers, state, resolve, stop) {
  const element = h("div", { class: "board sheets" });
  render(<Choices {...{ answers, state, resolve, stop }} />, element);
  return [element];
}

function Choices({ answers, state, resolve, stop }) {
  const { dice } = answers;
  const { roll, open, upper, rerolls_left: left, scores, total } = state;
  const faces = [...roll];
  const [kept, keep] = useState(faces.map(() => false));
  const many = kept.filter((one) => !one).length;
  const rolled = many === faces.length ? "all dice" : many === 1 ? "1 die" : `${many} dice`;
  const again = () => resolve(`keep ${faces.filter((_, i) => kept[i]).join("") || "nothing"}`);
  const entry = (box) => {
    if (!((open >> box) & 1)) return scores[box];
    const filled = answers.fill(state, roll, box);
    if (!filled) return "–";
    const fill = () => (left ? stop(box) : resolve(dice.boxes[box]));
    return <button type="button" aria-label={`${boxName(dice.boxes[box])}: ${filled.points}`} onClick={fill}>{`+${filled.points}`}</button>;
  };
  const bonus = upper >= dice.upper_at ? `, bonus ${dice.upper_bonus}` : "";
  const sums = [...(dice.upper_at ? [`Upper section: ${upper} of ${dice.upper_at}${bonus}`] : []), `Points: ${total}`];
  return (
    <>
      <p>{left ? `Tap the dice you keep; ${left} ${left === 1 ? "reroll" : "rerolls"} left. Or fill a box.` : "Fill a box."}</p>
      <div class="row">
        <div class="dice chosen">
          {faces.map((face, i) =>
            left ? (
              <button
                type="button"
                class={`face ${kept[i] ? "lifted" : ""}`}
                aria-pressed={String(kept[i])}
                aria-label={`Keep the ${face}`}
                onClick={() => keep(kept.with(i, !kept[i]))}
              >
                <Die face={face} size={52} />
              </button>
            ) : (
              <span class="face">
                <Die face={face} size={52} />
              </span>
            ),
          )}
        </div>
        {left > 0 && (
          <button type="button" onClick={again}>
            {many ? `Roll ${rolled}` : "Keep all"}
          </button>
        )}
      </div>
      <div class="sheet">
        {sectionsOf(dice).map(([title, boxes]) => (
          <table>
            <caption>{title}</caption>
            <tbody>
              {boxes.map((box) => (
                <tr>
                  <th scope="row">{boxName(dice.boxes[box])}</th>
                  <td>{entry(box)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <p>{sums.join("; ")}</p>
    </>
  );
}
