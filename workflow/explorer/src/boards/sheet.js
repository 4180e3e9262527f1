// A score sheet: five dice, and a row for each box with its entry and what it is worth.

import { useEffect, useRef, useState } from "preact/hooks";
import { Choice, Points, Roll } from "../controls.js";
import { capital, costText } from "../words.js";
import { useId } from "./parts.js";

const COLUMNS = ["open", "upper", "bonus", "roll", "rerolls_left"];

export const sheet = {
  draws: (_, position) => (position?.answers.kind === "sheets" ? [{ columns: COLUMNS }] : []),
  View: Sheet,
};

export const boxName = (name) => capital(name.replaceAll("_", " "));

/** [[title, boxes]] of the parts of a sheet. */
export function sectionsOf({ boxes, upper }) {
  const lower = boxes.map((_, box) => box).filter((box) => !upper.includes(box));
  return upper.length
    ? [
        ["Upper section", upper],
        ["Lower section", lower],
      ]
    : [["Sheet", lower]];
}

function Sheet({ position, state, change, pointed, label, answer }) {
  const { answers } = position;
  const { dice, fresh } = answers;
  const { open, upper, bonus, roll, rerolls_left: left } = state;
  const { current: entries } = useRef({ points: {} }); // of the boxes, as far as the page knows them
  const [worths, setWorths] = useState([]);
  useEffect(() => {
    let current = true;
    answers.worths({ open, upper, bonus }).then((found) => current && setWorths(found));
    return () => (current = false);
  }, [answers, open, upper, bonus]);

  const boxes = dice.boxes.map((_, box) => box);
  const isOpen = (box) => Boolean((open >> box) & 1);
  const filled = boxes.filter((box) => !isOpen(box));
  const earning = new Set(
    dice.entries
      .flat()
      .filter(([, , , , earns]) => earns)
      .map(([box]) => box),
  );
  const scores = (box) =>
    [
      ...new Set(
        dice.entries
          .flat()
          .filter(([of]) => of === box)
          .map(([, points]) => points),
      ),
    ].sort((a, b) => a - b);
  const known = entries.points;
  const sum = (of) => of.reduce((all, box) => all + (known[box] ?? NaN), 0);
  for (const box of boxes) if (isOpen(box)) delete known[box];
  const above = filled.filter((box) => dice.upper.includes(box));
  // Another upper total means other points in the boxes.
  if (Math.min(sum(above), dice.upper_at || Infinity) !== upper && !Number.isNaN(sum(above))) for (const box of above) delete known[box];
  for (const box of earning) if (!isOpen(box) && bonus && !(box in known)) known[box] = scores(box).at(-1);

  const enter = (box, text) => {
    const before = known[box] ?? 0;
    if (/^\d+$/.test(text)) known[box] = Number(text);
    else delete known[box];
    const to = text === "open" ? open | (1 << box) : open & ~(1 << box);
    const there = { open: to, upper, bonus };
    if (dice.upper.includes(box)) {
      const all = sum(dice.upper.filter((other) => !((to >> other) & 1)));
      there.upper = Math.min(dice.upper_at, Number.isNaN(all) ? Math.max(0, upper - before + (known[box] ?? 0)) : all);
    }
    if (earning.has(box)) there.bonus = Number(known[box] > 0);
    change(there);
  };
  const fill = (box) => {
    const { own, card } = answers.fill(state, roll, box);
    known[box] = own;
    change({ ...card, roll: "", rerolls_left: dice.rolls - 1 });
  };
  const most = Math.max(1, ...worths.filter((worth) => worth > 0));
  const unit = position.variant.unit;
  const row = (box) => {
    const name = boxName(dice.boxes[box]);
    const action = answer?.actions.find((a) => a.action === dice.boxes[box]);
    const shown = pointed.find((a) => a.action === dice.boxes[box]);
    const worth = isOpen(box) ? worths[box] : null;
    return (
      <tr class={shown ? (shown.best ? "best" : "shown") : ""}>
        <th scope="row">{name}</th>
        <td>
          <Entry
            name={name}
            value={isOpen(box) ? "open" : String(known[box] ?? "filled")}
            scores={scores(box)}
            change={(text) => enter(box, text)}
          />
        </td>
        <td class="worth">
          {action ? (
            <>
              <button type="button" onClick={() => fill(box)}>{`+${answers.fill(state, roll, box).points}`}</button>{" "}
              <small class={action.optimal ? "tag" : ""}>{action.optimal ? "best" : `costs ${costText(action, unit)}`}</small>
            </>
          ) : (
            worth >= 0 &&
            worth !== null && (
              <>
                <span class="amount" style={{ width: `${(62 * worth) / most}%` }} />
                {worth.toFixed(1)}
              </>
            )
          )}
        </td>
      </tr>
    );
  };
  const reward = dice.upper_at && upper >= dice.upper_at ? dice.upper_bonus : 0;
  const points = sum(filled) + reward;
  const column = (name) => ({ name, label: label(name) });
  return (
    <div class="board sheets">
      <div class="row">
        <Roll
          column={{ ...column("roll"), sides: dice.sides }}
          value={roll}
          values={[dice.dice]}
          pointed={pointed}
          change={(to, quietly) => change({ roll: to }, quietly)}
        />
        <Choice
          column={column("rerolls_left")}
          value={left}
          values={position.possible("rerolls_left", state)}
          change={(to) => change({ rerolls_left: to })}
        />
      </div>
      <div class="sheet">
        {sectionsOf(dice).map(([title, of]) => (
          <table>
            <caption class="unseen">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{title}</th>
                <th scope="col">Entry</th>
                <th scope="col">{answer && !left && roll ? "This roll" : "Worth on average"}</th>
              </tr>
            </thead>
            <tbody>{of.map(row)}</tbody>
          </table>
        ))}
      </div>
      <div class="row">
        {dice.upper_at > 0 && (
          <Points
            column={column("upper")}
            value={upper}
            values={position.possible("upper", state)}
            change={(to) => change({ upper: to })}
          />
        )}
        <p class="sum">{Number.isNaN(points) ? "" : `Points: ${points}${reward ? `, with the bonus of ${reward}` : ""}`}</p>
        <button type="button" onClick={() => ((entries.points = {}), change({ ...fresh, roll: "", rerolls_left: dice.rolls - 1 }))}>
          New sheet
        </button>
      </div>
    </div>
  );
}

function Entry({ name, value, scores, change }) {
  const id = useId();
  return (
    <select id={id} aria-label={name} value={value} onChange={({ target }) => change(target.value)}>
      {["open", "filled", ...scores.map(String)].map((text) => (
        <option value={text}>{text}</option>
      ))}
    </select>
  );
}
