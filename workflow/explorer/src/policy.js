// The map across two columns, by kind of variant: its columns, title, entries and colours, and a note on the place of
// the position.

import { diceIn } from "./turn.js";
import { actionName, count } from "./words.js";

const NEVER = 2 ** 16 - 1;
export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]; // Okabe and Ito

/** The policy around a position, or null if two columns do not determine it. */
export async function policyAround(position, state) {
  return { turns: thresholds, stored }[position.answers.kind]?.(position, state) ?? null;
}

export const numbers = (position, state) =>
  position.columns.filter((c) => typeof state[c] === "number" && (position.board || (c !== "free" && c !== "dice")));

async function thresholds(position, state) {
  const { answers } = position;
  const { record, unit, dice } = answers.meta;
  let mode = dice.keeps ? diceIn(dice, state.dice ?? dice.modes[0]) : (state.dice ?? dice.modes[0]);
  if ("roll" in state) {
    // For a roll, show the dice that its best action leaves.
    const best = (await position.answer(state))?.actions[0].action.match(/roll (\d+)$/);
    if (!best) return null;
    mode = Number(best[1]);
  }
  const hand = dice.modes.length > 1 ? ` with ${mode} ${mode === 1 ? "die" : "dice"} left` : "";
  const rolls = (there) => there && (there.bank === null || answers.meta.sense * (there.roll - there.bank) > 1e-12);
  if (record.length === 2) {
    const least = answers.slices[`bank_at_${mode}`];
    if (!least) return null;
    const columns = record.map((c) => c.name);
    return {
      columns,
      title: `Least total at which to ${dice.stop}${hand}`,
      at: (a, b) => {
        const place = answers.match.place(
          answers.record(position.there({ ...state, [columns[0]]: a, [columns[1]]: b })),
        );
        return place < 0 || least[place] === NEVER ? NaN : least[place] * unit;
      },
      color: {
        scheme: "cividis",
        domain: middle(least, unit),
        label: `${dice.stop} from`,
        clamp: true,
        tickFormat: count,
      },
      note: (here) => {
        if (Number.isNaN(here)) return `Here: never ${dice.stop}; blank is the same.`;
        const turn = answers.turn(position.there(state));
        const again = turn.totals.some((total) => total > here && rolls(turn.at(total, mode)));
        return `Here: ${count(here)}${again ? `, though with some more it is right to roll again` : ""}. Blank: never ${dice.stop}.`;
      },
    };
  }
  const columns = [record[0].name, answers.total];
  return {
    columns,
    title: `Where to roll${hand}`,
    at: (a, b) => {
      const there = answers.turn(position.there({ ...state, [columns[0]]: a }))?.at(b, state.dice ?? mode);
      if (!there) return undefined;
      return rolls(there) ? "roll" : dice.stop;
    },
    color: { domain: ["roll", dice.stop], range: COLOURS, unknown: paper() },
    note: (here) => (here ? `Here: ${here}.` : ""),
  };
}

/** Blank places have the colour of the page. */
const paper = () => getComputedStyle(document.body).backgroundColor;

/** The range of most values: a few extreme ones would use up the colours of all others. */
function middle(least, unit) {
  const known = Array.from(least)
    .filter((total) => total !== NEVER)
    .sort((a, b) => a - b);
  const at = (share) => unit * known[Math.round(share * (known.length - 1))];
  const [low, high] = [at(0), at(0.97)];
  return high > low ? [low, high] : [low, at(1) > low ? at(1) : low + unit];
}

function stored(position, state) {
  const { answers, table } = position;
  const columns = numbers(position, state).slice(-2);
  if (columns.length < 2) return null;
  const { policy, mixed } = answers.slices;
  if (!policy) return null;
  const words = answers.meta.actions;
  const number = (action) => (Number.isNaN(Number(action)) ? action : Number(action));
  const mixes = mixed.some(Boolean);
  const row = (a, b) => answers.row(position.there({ ...state, [columns[0]]: a, [columns[1]]: b }));
  const numeric = words.every((word) => !Number.isNaN(Number(word)));
  if (!numeric && words.length > COLOURS.length) return null;
  return {
    columns,
    title: mixes
      ? `The likeliest number of ${table.action_unit || "actions"}`
      : `The best ${table.action_unit ? `number of ${table.action_unit}` : "action"}`,
    at: (a, b) => {
      const at = row(a, b);
      return at < 0 ? (numeric ? NaN : undefined) : number(words[policy[at]]);
    },
    color: numeric ? { scheme: "cividis", label: table.action_unit } : { domain: words, range: COLOURS, unknown: paper() },
    note: () => {
      const at = row(state[columns[0]], state[columns[1]]);
      if (at < 0) return "";
      return `Here: ${mixed[at] ? "a mix, most often " : ""}${actionName(words[policy[at]], table)}.`;
    },
  };
}
