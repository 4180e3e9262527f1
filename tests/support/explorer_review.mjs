// node explorer_review.mjs DATA < records > reviews: for each {text} of a line, {steps, begun, expected, ended, players, csv} of
// the game as the page reviews it, or {error}.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Data } from "../../workflow/explorer/src/data.js";
import { reviewed } from "../../workflow/explorer/src/review.js";
import { Tables } from "../../workflow/explorer/src/table.js";

const tables = new Tables(new Data((path) => readFile(`${process.argv[2]}/${path}`)));

for await (const record of createInterface({ input: process.stdin })) {
  try {
    const { line, players } = await reviewed(JSON.parse(record).text, (name) => tables.open(name));
    const steps = line.steps.filter(({ what }) => ["roll", "action"].includes(what)).map(
      ({ line, role, what, text, change, best, expected }) => ({ line, player: players[role], what, text, change, best: best ?? "", expected }),
    );
    console.log(JSON.stringify({ steps, begun: line.begun, expected: line.expected, ended: Boolean(line.now.end), players, csv: line.csv(players) }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
  }
}
