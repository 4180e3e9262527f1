// node explorer_turn.mjs SOURCES: for each {card, switches} of a line, {turn, worth, last, answers: [...]} as the page
// solves it; of wrong cards {error}.

import { createInterface } from "node:readline";

const [, , sources] = process.argv;
const { turnOf } = await import(`${sources}/scoring.js`);
const { BestTurn } = await import(`${sources}/best_turn.js`);

for await (const line of createInterface({ input: process.stdin })) {
  const { card, switches, positions } = JSON.parse(line);
  try {
    const turn = turnOf(card, switches);
    const best = positions && new BestTurn(turn);
    const answers = positions && (await Promise.all(positions.map((position) => best.answer(position))));
    console.log(JSON.stringify({ turn, worth: best?.worth, answers }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
  }
}
