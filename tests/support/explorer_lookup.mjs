// node explorer_lookup.mjs DATA < questions > answers: what the page answers, one JSON object a line, {table, parameters, state}
// in and {value, actions}, or null, out; with the odds of each action, and the text of the position, read back as `state`.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Data } from "../../workflow/explorer/src/data.js";
import { packed, unpacked, values } from "../../workflow/explorer/src/place.js";
import { Tables } from "../../workflow/explorer/src/table.js";

const folder = process.argv[2];
const tables = new Tables(new Data((path) => readFile(`${folder}/${path}`)));

for await (const line of createInterface({ input: process.stdin })) {
  const { table: name, parameters, state } = JSON.parse(line);
  const table = await tables.open(name);
  const found = table.find({ ...table.defaults, ...parameters });
  const position = found && (await table.variant(found));
  const answer = position && (await position.answer(state));
  for (const action of answer?.actions ?? []) Object.assign(action, position.odds(action.action, state));
  if (answer) {
    answer.position = packed(table.asked, state);
    answer.state = values(table.asked, unpacked(table.asked, answer));
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
