// Puzzles: positions of a table at which a named habit goes wrong (habits.js).
//
// Optimal play from a seed visits positions as often as they occur. A position is drawn in proportion to what the habit
// costs there each time, so that frequent and costly mistakes come first. Between them are positions at which the
// habit is right, so that the opposite of the habit is no answer.

import { habitsOf } from "./habits.js";
import { gameOf } from "./play.js";

const DECISIONS = 600; // positions visited
const GAMES = 60; // most games played
const PAUSE = 50; // decisions after which the page may draw
const LEAST = 1e-6; // a smaller cost is no mistake

/** Numbers from 0 to 1 from a text (xmur3 and mulberry32, public domain). */
function randomOf(text) {
  let seed = 1779033703 ^ text.length;
  for (const letter of text) {
    seed = Math.imul(seed ^ letter.charCodeAt(0), 3432918353);
    seed = (seed << 13) | (seed >>> 19);
  }
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of some items, with probabilities in proportion to `weight(item)`. */
function drawn(items, weight, random) {
  let place = random() * items.reduce((sum, item) => sum + weight(item), 0);
  return items.find((item) => (place -= weight(item)) < 0) ?? items.findLast((item) => weight(item) > 0);
}

/** The decisions of games between optimal players: {node, answer}. */
async function* visited(position, random) {
  for (let games = 0, seen = 0; games < GAMES && seen < DECISIONS; games++) {
    let node = await gameOf(position)(position);
    while (!node.end) {
      if (node.falls) {
        node = drawn(node.falls, ({ weight }) => weight, random).to();
        continue;
      }
      const answer = await position.answer(node.state);
      if (!answer) break; // beyond the stored positions
      if (answer.actions.length > 1) {
        yield { node, answer };
        if (++seen % PAUSE === 0) await new Promise((resume) => setTimeout(resume));
      }
      node = await node.act(drawn(answer.actions, ({ probability }) => probability, random).action);
    }
  }
}

/** Up to `count` puzzles of a position's table: {node, answer, habit, chosen: its action, cost}, for a seed. */
export async function puzzlesOf(position, seed, count = 5) {
  const habits = gameOf(position) ? habitsOf(position) : [];
  const random = randomOf(seed);
  const wrong = new Map(); // by position and habit, with the sum of the costs of all visits
  const right = new Map();
  for await (const { node, answer } of habits.length ? visited(position, random) : []) {
    for (const habit of habits) {
      const chosen = await habit.choose(answer, node.state);
      const action = answer.actions.find((a) => a.action === chosen);
      if (!action) continue;
      const cost = action.optimal ? 0 : action.regret;
      const next = answer.actions.find((a) => !a.optimal)?.regret ?? 0;
      const [found, weight] = cost > LEAST ? [wrong, cost] : [right, next];
      const state = JSON.stringify(node.state);
      const key = `${habit.name} ${state}`;
      const known = found.get(key) ?? { node, answer, habit, chosen, cost, state, weight: 0 };
      found.set(key, { ...known, weight: known.weight + weight });
    }
  }
  const puzzles = [];
  const pools = [wrong, right].map((found) => [...found.values()]);
  while (puzzles.length < count && pools[0].length) {
    const free = pools[1].some(({ weight }) => weight > LEAST) && random() < 0.3;
    const pool = pools[free ? 1 : 0];
    const puzzle = drawn(pool, ({ weight }) => weight, random);
    puzzles.push(puzzle);
    for (const of of pools) of.splice(0, of.length, ...of.filter(({ state }) => state !== puzzle.state));
  }
  return puzzles;
}
