// A game against the dice, or the best opponent. `ask(state)` returns the player's action, `tell(text)` reports events,
// `draw(weighted)` draws from [[..., weight]] or [[weight, ...]]. Each game returns its last words.

import { count } from "./words.js";

/** The function that plays a table, or null if there is none. */
export function gameOf({ table, answers }) {
  const { dice } = answers;
  if (table.family === "boards") return answers.moves ? board : null;
  if (answers.kind === "turns") return turns;
  if (answers.kind === "sheets") return sheet;
  if (dice.slots) return table.match === "versus" ? null : card;
  if (dice.throws)
    return { duel: throws, race: throws, reach: throws, turn: oneThrow, simultaneous: atOnce }[table.match] ?? null;
  return table.match === "turn" ? oneTurn : null;
}

const total = (n) => `${count(n)} ${n === 1 ? "point" : "points"}`;
const shown = (dice) => [...dice].join(" ");

/** Draw an action of the published policy. */
async function policy(position, state, draw) {
  const { actions } = await position.answer(state);
  return draw(
    actions.map((a) => [a.action, a.probability]),
    1,
  )[0];
}

/** Play one turn from `record`: {what: bank, bust or wipe; points}. Reports of a roll begin with `name`. */
async function turn(position, { dice, record, toGo, decide, tell, name }) {
  let [points, hand] = [0, dice.modes[0]];
  const more = dice.modes.length > 1 ? { dice: hand } : {};
  const column = position.answers.total ?? position.columns[0];
  for (;;) {
    const mode = dice.modes.indexOf(hand);
    const [, thrown, what] = decide.draw(dice.rolls[points % dice.period][mode], 0);
    if (typeof what === "string") {
      const lost = { bust: "The turn is lost.", wipe: "All points are gone.", out: "That is out." }[what];
      tell(thrown ? `${name} ${shown(thrown)}: nothing scores. ${lost}` : `${name} what loses. ${lost}`);
      return { what, points: 0 };
    }
    if (dice.keeps) {
      tell(`${name} ${shown(thrown)}${points ? `, ${total(points)} on the table` : ""}.`);
      const action = await decide({ ...record, [column]: points, roll: thrown });
      const [, kept, then] = action.match(/^keep (\d+), (.*)$/);
      const [gain, left] = what.find(([, , keep]) => keep === kept);
      points += gain;
      hand = left;
      if (then === dice.stop) return { what: "bank", points };
      tell(`Kept ${shown(kept)}: ${total(points)}.`);
      continue;
    }
    points += what[0][0];
    tell(`${name} ${what[0][0]}: ${total(points)} this turn.`);
    if (points >= toGo || what[0][1] === null) return { what: "bank", points };
    if (dice.modes.length > 1) more.dice = hand = what[0][1];
    if ((await decide({ ...record, [column]: points, ...more })) === dice.stop) return { what: "bank", points };
  }
}

async function turns(position, ask, tell, draw) {
  const { match, meta } = position.answers;
  const { target } = position.parameters;
  const duel = meta.format === "duel";
  const names = meta.record.map((c) => c.name);
  let record = names.map((name) => (name === "turns_left" ? position.parameters.turns : 0));
  let [mine, played] = [true, 0];
  for (;;) {
    const decide = mine ? (state) => ask(state) : (state) => policy(position, state, draw);
    decide.draw = draw;
    if (mine) played += 1;
    tell(
      duel
        ? mine
          ? `Your turn at ${count(record[0])} to ${count(record[1])}.`
          : "The opponent’s turn."
        : `Turn ${played}: you have ${total(record[meta.mine])}.`,
      true,
    );
    const state = Object.fromEntries(names.map((name, i) => [name, record[i]]));
    const ended = await turn(position, {
      dice: meta.dice,
      record: state,
      toGo: match.toGo(record, target),
      decide,
      tell,
      name: mine ? "You roll" : "The opponent rolls",
    });
    if (ended.what === "bank") tell(`${mine ? "You bank" : "The opponent banks"} ${total(ended.points)}.`);
    const over = ended.what === "bank" && ended.points >= target - record[meta.mine];
    const [next, won] = match.after(ended.what, record, ended.points, target);
    if (duel && !next) return mine === Boolean(won) ? "You win." : "The opponent wins.";
    if (ended.what === "out") return "You are out.";
    if (!next) return over ? `You have ${count(target)} after ${played} turns.` : "No turns are left.";
    record = next;
    if (duel) mine = !mine;
  }
}

async function oneTurn(position, ask, tell, draw) {
  const decide = (state) => ask(state);
  decide.draw = draw;
  const { what, points } = await turn(position, {
    dice: position.answers.dice,
    record: {},
    toGo: Infinity,
    decide,
    tell,
    name: "You roll",
  });
  return what === "bank" ? `You bank ${total(points)}.` : "You have nothing.";
}

/** Play throws at the player's own totals, alternating or alone. */
async function throws(position, ask, tell, draw) {
  const { dice } = position.answers;
  const { target } = position.parameters;
  const duel = position.table.match === "duel";
  const limit = position.parameters.throws ?? Infinity;
  const points = [0, 0];
  for (let played = 1; ; played++) {
    for (const player of duel ? [0, 1] : [0]) {
      const state = duel
        ? { me: points[player], opponent: points[1 - player] }
        : { ...(limit < Infinity ? { throws_left: limit - played + 1 } : {}), score: points[0] };
      if (!player)
        tell(
          duel
            ? `Your throw at ${count(points[0])} to ${count(points[1])}.`
            : `Throw ${played}: you have ${total(points[0])}.`,
          true,
        );
      const choice = player ? await policy(position, state, draw) : await ask(state);
      const gain = draw(dice.throws[choice], 1)[0];
      points[player] = gain || !dice.wipes ? points[player] + gain : 0;
      tell(
        `${player ? "The opponent throws" : "You throw"} ${choice} ${choice === "1" ? "die" : "dice"}: ${gain ? total(gain) : `a 1, ${dice.wipes ? "all points are gone" : "nothing"}`}.`,
      );
      if (points[player] >= target) {
        return duel
          ? player
            ? "The opponent wins."
            : "You win."
          : `You have ${count(target)} after ${played} throws.`;
      }
    }
    if (played >= limit) return "No throws are left.";
  }
}

async function oneThrow(position, ask, tell, draw) {
  const choice = await ask({});
  return `You score ${total(draw(position.answers.dice.throws[choice], 1)[0])}.`;
}

async function atOnce(position, ask, tell, draw) {
  const { dice } = position.answers;
  let [me, opponent] = [0, 0];
  for (;;) {
    tell(`Both throw at ${count(me)} to ${count(opponent)}.`, true);
    const theirs = await policy(position, { me: opponent, opponent: me }, draw);
    const mine = await ask({ me, opponent });
    const [gain, other] = [mine, theirs].map((choice) => draw(dice.throws[choice], 1)[0]);
    tell(`You throw ${mine} dice: ${total(gain)}. The opponent throws ${theirs}: ${total(other)}.`);
    me = gain || !dice.wipes ? me + gain : 0;
    opponent = other || !dice.wipes ? opponent + other : 0;
    if (Math.max(me, opponent) >= position.parameters.target) {
      return me > opponent ? "You win." : me < opponent ? "The opponent wins." : "A draw.";
    }
  }
}

/** Play a board alone, or against its own policy, which sees it as the mover does. */
async function board(position, ask, tell, draw) {
  const { answers, variant } = position;
  const play = await answers.play();
  let [mine, paid, after, other] = [true, 0, 0, false];
  for (;;) {
    const fell = draw(play.outcomes(after), 0);
    if (fell.said) tell(`${mine ? "You roll" : "The opponent rolls"} ${fell.said}.`);
    paid += (mine ? 1 : -1) * fell.pays;
    if (fell.turns) [mine, other] = [!mine, true];
    if (fell.to < 0) break;
    const state = play.state(fell.to);
    const action = mine ? await ask(state) : await policy(position, state, draw);
    tell(`${mine ? "You" : "The opponent"}: ${action}.`);
    after = play.after(fell.to, (await answers.legal(fell.to)).indexOf(action));
  }
  if (variant.unit !== "probability") return `It is over: ${count(paid)} ${variant.unit}.`;
  if (!other) return paid ? "You have made it." : "You have not made it.";
  return paid > 0.5 ? "You win." : paid < 0.5 ? "The opponent wins." : "A draw.";
}

/** Play a score sheet alone; beside the position, the player sees the filled boxes and the points. */
async function sheet(position, ask, tell, draw) {
  const { answers } = position;
  const { dice } = answers;
  const faces = Array.from({ length: dice.sides }, (_, i) => [String(i + 1), 1]);
  const scores = {};
  let [card, scored] = [answers.fresh, 0];
  while (card.open) {
    let [roll, action] = ["", "keep nothing"];
    for (let left = dice.rolls - 1; action.startsWith("keep "); left--) {
      const kept = action.replace(/^keep (nothing)?/, "");
      const fell = Array.from({ length: dice.dice - kept.length }, () => draw(faces, 1)[0]);
      roll = [...kept, ...fell].sort().join("");
      tell(kept ? `Kept ${shown(kept)}${fell.length ? `, rolled ${shown(fell)}` : ""}.` : `You roll ${shown(roll)}.`, !kept);
      action = await ask({ ...card, roll, rerolls_left: left }, { scores, total: scored });
    }
    const box = dice.boxes.indexOf(action);
    const filled = answers.fill(card, roll, box);
    card = filled.card;
    scored += filled.points;
    scores[box] = filled.points;
    tell(`${shown(roll)} in ${action.replaceAll("_", " ")}: ${total(filled.points)}.`);
  }
  return `The sheet is full: ${total(scored)}.`;
}

async function card(position, ask, tell, draw) {
  const { dice, meta } = position.answers;
  const points = meta.points;
  let [free, scored] = [2 ** dice.slots - 1, 0];
  const goal = points ? position.possible("needed", { free }).at(-1) : 0;
  let needed = points ? Math.ceil(goal / 2) : 0;
  if (points) tell(`Reach ${total(needed)}.`, true);
  while (free) {
    const roll = draw(dice.rolls, 1)[0];
    tell(`You roll ${roll}. Your score so far is ${count(scored)}.`, true);
    const slot = Number(await ask({ free, ...(points ? { needed } : {}), roll_total: roll }));
    const gain = dice.gains[slot - 1][dice.rolls.findIndex(([r]) => r === roll)];
    scored += gain;
    free &= ~(1 << (slot - 1));
    needed -= gain;
    tell(`${roll} in slot ${slot}: ${total(gain)}.`);
    if (points && needed <= 0) return `You have reached it with ${total(scored)}.`;
    if (points && free && !position.possible("needed", { free }).includes(needed)) return "It is out of reach.";
  }
  return `The card is full: ${total(scored)}.`;
}
