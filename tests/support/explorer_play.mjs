// node explorer_play.mjs DATA GAMES < questions > games: plays tables ({table, parameters} a line) with random choices;
// prints {table, parameters, played, over: last words, told: number of messages, first: one of them, states}, or {played: false}.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { draw } from "../../workflow/explorer/src/chance.js";
import { Data } from "../../workflow/explorer/src/data.js";
import { gameOf } from "../../workflow/explorer/src/play.js";
import { Tables } from "../../workflow/explorer/src/table.js";

const [folder, games] = process.argv.slice(2);
const tables = new Tables(new Data((path) => readFile(`${folder}/${path}`)));

for await (const line of createInterface({ input: process.stdin })) {
  const { table: name, parameters } = JSON.parse(line);
  const table = await tables.open(name);
  const position = await table.variant(table.find({ ...table.defaults, ...parameters }));
  const game = gameOf(position);
  for (let i = 0; i < (game ? Number(games) : 1); i++) {
    const states = [];
    const told = [];
    const ask = async (state) => {
      const answer = await position.answer(state);
      if (!answer) throw new Error(`${name}: no answer at ${JSON.stringify(state)}`);
      states.push(state);
      return answer.actions[Math.floor(Math.random() * answer.actions.length)].action;
    };
    const over = game && (await game(position, ask, (text) => told.push(text), draw));
    console.log(JSON.stringify({ table: name, parameters, played: Boolean(game), over, told: told.length, first: told[0], states }));
  }
}
