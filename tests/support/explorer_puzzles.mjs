// node explorer_puzzles.mjs DATA < tables > puzzles: for each {table, parameters, seed} of a line, {habits: their names,
// puzzles: [{state, action of the habit, cost, habit}]}.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Data } from "../../workflow/explorer/src/data.js";
import { habitsOf } from "../../workflow/explorer/src/habits.js";
import { puzzlesOf } from "../../workflow/explorer/src/puzzles.js";
import { Tables } from "../../workflow/explorer/src/table.js";

const tables = new Tables(new Data((path) => readFile(`${process.argv[2]}/${path}`)));

for await (const line of createInterface({ input: process.stdin })) {
  const { table: name, parameters, seed } = JSON.parse(line);
  const table = await tables.open(name);
  const position = await table.variant(table.find({ ...table.defaults, ...parameters }));
  const puzzles = await puzzlesOf(position, seed);
  const found = puzzles.map(({ node, chosen, cost, habit }) => ({ state: node.state, action: chosen, cost, habit: habit.name }));
  console.log(JSON.stringify({ habits: habitsOf(position).map(({ name }) => name), puzzles: found }));
}
