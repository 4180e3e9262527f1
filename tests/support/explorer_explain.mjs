// node explorer_explain.mjs DATA < questions > sentences: for each {table, parameters, state} of a line, {why, change} and
// the nearest changes as the page finds them.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Data } from "../../workflow/explorer/src/data.js";
import { explain, nearestChanges } from "../../workflow/explorer/src/explain.js";
import { Tables } from "../../workflow/explorer/src/table.js";

const tables = new Tables(new Data((path) => readFile(`${process.argv[2]}/${path}`)));

for await (const line of createInterface({ input: process.stdin })) {
  const { table: name, parameters, state } = JSON.parse(line);
  const table = await tables.open(name);
  const position = await table.variant(table.find({ ...table.defaults, ...parameters }));
  const answer = await position.answer(state);
  if (!answer) { console.log("null"); continue; }
  const changes = await nearestChanges(answer, position, state);
  console.log(JSON.stringify({ ...(await explain(answer, position, state)), changes }));
}
