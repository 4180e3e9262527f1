// node explorer_play.mjs DATA GAMES < questions > games: plays tables ({table, parameters} a line) with random choices;
// prints {table, parameters, played, over: last words, paid, expected, states, texts: of the steps}, or {played: false}.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Data } from "../../workflow/explorer/src/data.js";
import { Line } from "../../workflow/explorer/src/line.js";
import { gameOf } from "../../workflow/explorer/src/play.js";
import { Tables } from "../../workflow/explorer/src/table.js";

const [folder, games] = process.argv.slice(2);
const tables = new Tables(new Data((path) => readFile(`${folder}/${path}`)));

for await (const line of createInterface({ input: process.stdin })) {
  const { table: name, parameters } = JSON.parse(line);
  const table = await tables.open(name);
  const position = await table.variant(table.find({ ...table.defaults, ...parameters }));
  const played = Boolean(gameOf(position));
  for (let i = 0; i < (played ? Number(games) : 1); i++) {
    const game = played && (await Line.open(position));
    const states = [];
    while (played && !game.now.end) {
      const { actions } = game.answer ?? {};
      if (actions) states.push(game.now.state);
      await (actions ? game.act(actions[Math.floor(Math.random() * actions.length)].action) : game.random());
    }
    const { now: { end: over, paid } = {}, expected, steps = [] } = game;
    const texts = steps.map((step) => step.text);
    console.log(JSON.stringify({ table: name, parameters, played, over, paid, expected, states, texts }));
  }
}
