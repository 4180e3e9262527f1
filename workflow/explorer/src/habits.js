// Named habits of players, for puzzles: simple rules that the tables prove wrong at some positions.

import { ahead } from "./explain.js";

/** The habits of a table: [{name, choose(answer, state): an action or null}]. */
export function habitsOf(position) {
  const { table, answers } = position;
  const { dice } = answers;
  if (table.family === "boards") return answers.moves ? [hopes(position), fears(position)] : [];
  if (table.family === "sheets") return [mostPointsOnSheet(position)];
  if (table.family === "sheets.one_roll") return [mostPointsInSlot(position)];
  if (table.family === "throws") return [mostOnAverage(position)];
  return dice.keeps ? [keepsMost(position)] : dice.period === 1 ? [stopsAt(position)] : [];
}

/** Whether a roll adds more on average than it risks at this turn total. */
const pays = ({ lost, gain }, total) => gain > lost * total + 1e-12;

/** `hold at 20`: stop from the total at which another roll adds nothing on average. */
function stopsAt(position) {
  const { stop, modes } = position.answers.dice;
  const column = position.answers.total ?? position.columns[0];
  const least = (state) => {
    const odds = position.odds("roll", state);
    return odds.lost ? Math.ceil(odds.gain / odds.lost - 1e-9) : Infinity;
  };
  return {
    name: `${stop} at ${least({ [column]: 0, dice: modes[0] })}`,
    choose: ({ actions }, state) => {
      const action = state[column] >= least(state) ? stop : "roll";
      return actions.some((a) => a.action === action) ? action : null;
    },
  };
}

/** Keep the dice that score most, and roll on while that adds points on average. */
function keepsMost(position) {
  const { dice } = position.answers;
  const column = position.answers.total ?? position.columns[0];
  return {
    name: "keep the most points, and roll while a roll adds points on average",
    choose: ({ actions }, state) => {
      const total = state[column];
      if (!("roll" in state))
        return actions.some((a) => a.action === dice.stop) && !pays(position.odds("roll", state), total)
          ? dice.stop
          : "roll";
      const options = dice.rolls[0]
        .flatMap((rolls) => rolls.filter(([, text, what]) => text === state.roll && typeof what !== "string"))
        .at(0)[2];
      const [gain, , kept] = options.reduce((most, option) => (option[0] > most[0] ? option : most));
      const [bank, roll] = [`keep ${kept}, ${dice.stop}`, `keep ${kept}, roll `].map(
        (begin) => actions.find((a) => a.action.startsWith(begin))?.action,
      );
      return bank && roll ? (pays(position.odds(roll, state), total + gain) ? roll : bank) : (bank ?? roll ?? null);
    },
  };
}

const greatest = (actions, of) => actions.reduce((top, a) => (of(a) > of(top) + 1e-12 ? a : top)).action;

function mostOnAverage(position) {
  const gain = ({ action }) => position.odds(action, {}).gain;
  return {
    name: "throw the number of dice that scores most on average",
    choose: ({ actions }) =>
      greatest(
        [...actions].sort((a, b) => a.action - b.action),
        gain,
      ),
  };
}

function mostPointsOnSheet(position) {
  const { dice } = position.answers;
  const points =
    (state) =>
    ({ action }) =>
      position.answers.fill(state, state.roll, dice.boxes.indexOf(action)).points;
  const most = (roll) =>
    [...new Set(roll)]
      .map((face) => face.repeat([...roll].filter((f) => f === face).length))
      .sort()
      .reduce((a, b) => (b.length >= a.length ? b : a));
  return {
    name: "keep the most frequent face, then fill the box with the most points",
    choose: ({ actions }, state) =>
      state.rerolls_left ? `keep ${most(state.roll)}` : greatest(actions, points(state)),
  };
}

function mostPointsInSlot(position) {
  const { dice } = position.answers;
  const gain =
    (state) =>
    ({ action }) =>
      dice.gains[action - 1][dice.rolls.findIndex(([roll]) => roll === state.roll_total)];
  return { name: "take the most points now", choose: ({ actions }, state) => greatest(actions, gain(state)) };
}

/** The action with the greatest number that `of` finds in its outcomes; a board without it counts on one roll. */
function byOutcomes(position, name, of) {
  const choose = async ({ actions }, state) => {
    const found = await Promise.all(
      actions.map(async ({ action }) => ({ action, number: of(await ahead(position, state, action)) })),
    );
    return greatest(found, ({ number }) => number);
  };
  return { name, choose };
}

const hopes = (position) =>
  byOutcomes(position, "hope for the best roll", ({ low, high }) => (position.table.sense > 0 ? high : -low));
const fears = (position) =>
  byOutcomes(position, "guard against the worst roll", ({ low, high }) => (position.table.sense > 0 ? low : -high));
