// Games as positions that lead to each other. A position of a game is one of
//   a decision: {role, paid, state, act(action): the next position, or a promise of it}
//   a chance:   {role, paid, falls: [{weight, text, dice, role, to(): the next position}]}; the role of a fall is that of
//               the roller, if another player rolls
//   the end:    {role, paid, end: the last words}
// With hidden information a fall may be an action of the opponent (`acts`) and `record` is what a record calls it, without a player if it was `dealt`; the end
// has `last`, what you saw last, and `theirs`, what the opponent saw.
// `role` is 1 while the first player moves and -1 while the second does, `paid` is the payoff so far to the first player,
// `state` is a position of the table, seen by the mover, and `text` is a roll as `dicebase review` reads it. `points` are
// the totals of the first player and the second, if the game has them.

import { board } from "./play_board.js";
import { hidden } from "./play_hidden.js";
import { card, sheet } from "./play_sheets.js";
import { FORMATS } from "./turn.js";
import { count, isHidden, pointsText as points, wonText as won } from "./words.js";

/** The function that begins a game of a table, or null if the page cannot play it. If `open`, all of it is shown, also with
 * hidden information. */
export function gameOf(position, open = false) {
  const { table, answers } = position;
  const { dice } = answers;
  if (position.board) return answers.moves ? (isHidden(table) && !open ? hidden : board) : null;
  if (answers.kind === "turns") return turns;
  if (answers.kind === "sheets") return sheet;
  if (!dice) return null;
  if (dice.slots) return table.match === "versus" ? null : card;
  if (dice.throws)
    return { duel: throws, race: throws, reach: throws, turn: oneThrow, simultaneous: atOnce }[table.match] ?? null;
  return table.match === "turn" ? oneTurn : null;
}

/** Whether two players take part. */
export const isDuel = ({ table, answers }) => ["duel", "simultaneous"].includes(answers.meta.format ?? table.match);

/** One turn: decisions and rolls until `ended(what, points)` gives what follows a bank, a bust, a wipe or being out.
 * `more` are the properties of each position; `record` is the part of the state that does not change. */
function turn({ answers }, dice, { more, record, toGo, ended }) {
  const column = answers.total ?? answers.columns[0];
  const hand = answers.columns.includes("dice");
  const reached = (total, mode) => (mode === null || total >= toGo ? ended("bank", total) : decision(total, mode));
  const decision = (total, mode) => ({
    ...more,
    onTable: total,
    state: { ...record, [column]: total, ...(hand ? { dice: mode } : {}) },
    act: (action) => (action === dice.stop ? ended("bank", total) : roll(total, mode)),
  });
  const kept = (total, text, options) => ({
    ...more,
    onTable: total,
    state: { ...record, [column]: total, roll: text },
    act(action) {
      const [, keep, then] = action.match(/^keep (\d+), (.*)$/);
      const [gain, mode] = options.find(([, , named]) => named === keep);
      return then === dice.stop ? ended("bank", total + gain) : roll(total + gain, mode);
    },
  });
  const roll = (total, mode) => ({
    ...more,
    onTable: total,
    falls: dice.rolls[total % dice.period][dice.modes.indexOf(mode)].map(([weight, thrown, what]) => {
      const lost = typeof what === "string";
      return {
        weight,
        text: thrown || (lost ? what : String(what[0][0])),
        dice: thrown,
        lost: lost ? what : "",
        to: () =>
          lost ? ended(what, 0) : dice.keeps ? kept(total, thrown, what) : reached(total + what[0][0], what[0][1]),
      };
    }),
  });
  return { decision, roll };
}

/** A match of turns: a duel, a race, or turns that are counted. */
function turns(position) {
  const { match, meta } = position.answers;
  const { target } = position.parameters;
  const duel = meta.format === "duel";
  const names = meta.record.map((c) => c.name);
  const begin = (numbers, role, paid) => {
    const total = duel && role < 0 ? [numbers[1], numbers[0]] : duel ? numbers : [numbers[meta.mine]];
    return turn(position, meta.dice, {
      more: { role, paid, points: total },
      record: Object.fromEntries(names.map((name, i) => [name, numbers[i]])),
      toGo: match.toGo(numbers, target),
      ended(what, banked) {
        const [next, reward, sign] = match.after(what, numbers, banked, target);
        const now = paid + role * reward;
        if (next) return begin(next, role * sign, now);
        const last = total.map((sum, i) => (i === (role < 0 ? 1 : 0) ? sum + banked : sum));
        const there = what === "bank" && banked >= target - numbers[meta.mine];
        const alone =
          what === "out" ? "You are out." : there ? `You have reached ${count(target)}.` : "No turns are left.";
        return { role, paid: now, points: last, end: duel ? won(now > 0.5 ? 1 : -1) : alone };
      },
    }).decision(0, meta.dice.modes[0]);
  };
  return begin(
    names.map((name) => (name === "turns_left" ? position.parameters.turns : 0)),
    1,
    0,
  );
}

function oneTurn(position) {
  const { dice } = position.answers;
  const ended = (what, total) => ({
    role: 1,
    paid: total,
    end: what === "bank" ? `You bank ${points(total)}.` : "You have nothing.",
  });
  const { decision, roll } = turn(position, dice, { more: { role: 1, paid: 0 }, record: {}, toGo: Infinity, ended });
  // If dice are kept, a table begins with the first roll, otherwise with the choice to roll.
  return (dice.keeps ? roll : decision)(0, dice.modes[0]);
}

const thrownBy = (throws, to) => throws.map(([gain, weight]) => ({ weight, text: String(gain), to: () => to(gain) }));

/** Throws at the player's own total, alternating or alone. */
function throws(position) {
  const { dice, columns } = position.answers;
  const { target } = position.parameters;
  const { match } = position.table;
  const begin = (numbers, role, paid) => {
    const own = match === "reach" ? 1 : 0;
    const total = match === "duel" ? (role > 0 ? numbers : [numbers[1], numbers[0]]) : [numbers[own]];
    const ended = (gain) => {
      const format = FORMATS[match];
      const wins = gain && numbers[own] + gain >= target;
      const [next, reward, sign] = wins
        ? [null, 1, 1]
        : gain
          ? format.bank(numbers, gain)
          : format[dice.wipes ? "wipe" : "bust"](numbers);
      const now = paid + role * reward;
      if (next) return begin(next, role * sign, now);
      const end =
        match === "duel"
          ? won(now > 0.5 ? 1 : -1)
          : wins
            ? `You have reached ${count(target)}.`
            : "No throws are left.";
      return { role, paid: now, points: total.map((sum, i) => (i === (role < 0 ? 1 : 0) ? sum + gain : sum)), end };
    };
    const more = { role, paid, points: total };
    const state = Object.fromEntries(columns.map((name, i) => [name, numbers[i]]));
    return { ...more, state, act: (choice) => ({ ...more, falls: thrownBy(dice.throws[choice], ended) }) };
  };
  return begin(
    columns.map((name) => (name === "throws_left" ? position.parameters.throws : 0)),
    1,
    0,
  );
}

function oneThrow({ answers: { dice } }) {
  const end = (gain) => ({ role: 1, paid: gain, end: `You score ${points(gain)}.` });
  return {
    role: 1,
    paid: 0,
    state: {},
    act: (choice) => ({ role: 1, paid: 0, falls: thrownBy(dice.throws[choice], end) }),
  };
}

/** Throws of both players at once; the opponent draws from the published mix. */
function atOnce(position) {
  const { dice } = position.answers;
  const begin = (me, opponent) => {
    const more = { role: 1, paid: 0, points: [me, opponent] };
    const after = (total, gain) => (gain || !dice.wipes ? total + gain : 0);
    const next = (mine, theirs) => {
      if (Math.max(mine, theirs) < position.parameters.target) return begin(mine, theirs);
      const paid = Math.sign(mine - theirs);
      return { role: 1, paid, points: [mine, theirs], end: paid ? won(paid) : "A draw." };
    };
    return {
      ...more,
      state: { me, opponent },
      async act(choice) {
        const { actions } = await position.answer({ me: opponent, opponent: me });
        const reply = (mine) => ({
          ...more,
          role: -1,
          falls: actions.map(({ action, probability }) => ({
            weight: probability,
            text: `${action} dice`,
            to: () => ({
              ...more,
              role: -1,
              falls: thrownBy(dice.throws[action], (gain) => next(mine, after(opponent, gain))),
            }),
          })),
        });
        return { ...more, falls: thrownBy(dice.throws[choice], (gain) => reply(after(me, gain))) };
      },
    };
  };
  return begin(0, 0);
}
