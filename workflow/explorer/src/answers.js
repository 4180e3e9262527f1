// From a position to ranked actions: one class per kind of variant (show/explorer/variants.py). Each has
//   columns               of a position, in order
//   possible(name, state) the possible values of a column, given the columns before it
//   answer(state)         {value, actions, best first}, or null if no player decides

import { Draws } from "./draws.js";
import { Moves } from "./moves.js";
import { TIE, ranked, sorted } from "./ranking.js";
import { RowNumbers } from "./row_numbers.js";
import { Served } from "./served.js";
import { Sheets } from "./sheet.js";
import { Match, modeAt } from "./turn.js";

/** Open a variant; `ask(state)` asks the server that the page came from. */
export async function openVariant(data, path, ask) {
  const block = await data.block(`${path}.bin`);
  const chunks = block.meta.whole
    ? async () => block.columns
    : async (number) => (await data.block(`${path}-${number}.bin`)).columns;
  if (block.meta.kind === "served") return new Served(block, ask);
  const made = { stored: Stored, placed: Placed, turns: Turns, sheets: Sheets, draws: Draws }[block.meta.kind];
  const answers = new made(block, chunks);
  if (block.meta.moves) answers.moves = () => data.block(`${path}-moves.bin`);
  return answers;
}

class Keyed {
  constructor({ meta, columns }, chunks) {
    this.meta = meta;
    this.dice = meta.dice;
    this.columns = meta.columns;
    this.chunks = chunks;
    this.slices = columns;
    this.rows = new RowNumbers(columns, meta.columns.length);
    this.codes = Object.fromEntries(
      Object.entries(meta.texts).map(([name, texts]) => [name, new Map(texts.map((text, code) => [text, code]))]),
    );
  }

  key(state, columns = this.meta.columns) {
    return columns.map((name) => (name in this.codes ? (this.codes[name].get(state[name]) ?? -1) : state[name]));
  }

  anywhere(name) {
    return this.meta.texts[name] ?? [...new Set(this.slices[`label_${this.columns.indexOf(name)}`])].sort((a, b) => a - b);
  }

  possible(name, state) {
    const before = this.meta.columns.slice(0, this.meta.columns.indexOf(name));
    const values = this.rows.following(this.key(state, before));
    return name in this.meta.texts ? values.map((code) => this.meta.texts[name][code]) : values;
  }

  row(state) {
    return this.rows.number(this.key(state));
  }
}

export class Stored extends Keyed {
  kind = "stored";

  async answer(state) {
    const row = this.row(state);
    if (row < 0) return this.#beyond(state);
    const chunk = await this.chunks(Math.floor(row / this.meta.chunk));
    const at = row % this.meta.chunk;
    // The index of each row's first action.
    chunk.begins ??= chunk.count.reduce((sums, n) => (sums.push(sums.at(-1) + n), sums), [0]);
    const [begin, end] = chunk.begins.slice(at, at + 2);
    // Without mixed policies the value is that of the best action.
    const best = this.meta.sense > 0 ? Math.max : Math.min;
    const value = chunk.value?.[at] ?? best(...chunk.q_value.slice(begin, end));
    const actions = [];
    for (let i = begin; i < end; i++) {
      const action = {
        action: this.meta.actions[chunk.action[i]],
        value: chunk.q_value[i],
        // Where regrets are rounded exact numbers, they differ from this in the last digits by `rest`.
        regret: chunk.regret?.[i] ?? Math.abs(value - chunk.q_value[i]) + (chunk.rest?.[i] ?? 0),
        probability: chunk.probability[i],
        optimal: Boolean(chunk.flags[i] & 1),
      };
      actions.push(chunk.flags[i] & 2 ? { ...action, undecided: true } : action);
    }
    const never = chunk.reached?.[at] === 0;
    return { value, actions: sorted(actions), ...(never && { never }) };
  }

  /** How play goes on from the positions of a game (moves.js). */
  async play() {
    return (this.played ??= new Moves(this, await this.moves()));
  }

  /** The actions of a row, in the game's order. */
  async legal(row) {
    const { count, action } = await this.chunks(Math.floor(row / this.meta.chunk));
    const before = count.slice(0, row % this.meta.chunk).reduce((sum, n) => sum + n, 0);
    return Array.from(action.slice(before, before + count[row % this.meta.chunk]), (n) => this.meta.actions[n]);
  }

  /** Beyond the stored totals: the lines proved by theorem, by the other columns (Listing.lines); otherwise null. */
  past(state) {
    const { beyond } = this.meta;
    const total = state[this.columns[0]];
    if (!beyond || total <= beyond.last || total % beyond.unit) return null;
    return beyond.lines[total % beyond.period] ?? {};
  }

  #beyond(state) {
    const [first, rest = ""] = this.columns;
    const lines = this.past(state)?.[state[rest] ?? ""];
    if (!lines) return null;
    const total = state[first];
    const choices = lines.map(([action, slope, at]) => ({ action, value: slope * total + at, certain: true }));
    return { ...ranked(choices, 1, TIE * Math.max(1, total)), beyond: true };
  }

  possible(name, state) {
    const past = name === this.columns[0] ? null : this.past(state);
    return past ? Object.keys(past) : super.possible(name, state);
  }
}

export class Placed extends Keyed {
  kind = "placed";

  constructor(block, chunks) {
    super(block, chunks);
    this.columns = [...this.columns, "roll_total"];
  }

  possible(name, state) {
    return name === "roll_total" ? this.dice.rolls.map(([roll]) => roll) : super.possible(name, state);
  }

  async answer(state) {
    const { points, step, enough, gains, certain, tolerance } = this.meta;
    const roll = this.dice.rolls.findIndex(([total]) => total === state.roll_total);
    if (roll < 0 || !state.free || this.row(state) < 0) return null;
    const choices = [];
    for (let slot = 0; slot < this.dice.slots; slot++) {
      if (!((state.free >> slot) & 1)) continue;
      const gain = this.dice.gains[slot][roll];
      const after = { ...state, free: state.free & ~(1 << slot) };
      if (points) after[points] += step * gain;
      // A state that is not stored has the value 0.
      const row = this.row(after);
      let value = row < 0 ? 0 : await this.#value(row);
      if (gains) value += gain;
      if (enough && state[points] <= gain) value = 1;
      choices.push({ action: String(slot + 1), value, certain: certain && (value <= 0 || value >= 1) });
    }
    return ranked(choices, 1, tolerance);
  }

  async #value(row) {
    const chunk = await this.chunks(Math.floor(row / this.meta.chunk));
    return chunk.value[row % this.meta.chunk];
  }
}

export class Turns {
  kind = "turns";

  constructor({ meta, columns }) {
    this.meta = meta;
    this.dice = meta.dice;
    this.columns = meta.columns;
    this.slices = columns;
    this.match = new Match({ meta, columns });
    this.total = meta.columns[meta.record.length];
    this.keeps = meta.dice.keeps;
  }

  record(state) {
    return this.meta.record.map(({ name }) => state[name]);
  }

  turn(state) {
    return this.match.turn(this.record(state));
  }

  possible(name, state) {
    const column = this.meta.record.find((c) => c.name === name);
    if (column) return Array.from({ length: column.count }, (_, i) => column.first + i * column.step);
    const turn = this.turn(state);
    if (!turn) return [];
    // Include positions that play does not reach: they have answers too (supposed).
    if (name === this.total) return turn.totals;
    return [...this.dice.modes].reverse().filter((dice) => turn.at(state[this.total], dice, true));
  }

  async answer(state, suppose = false) {
    const turn = this.turn(state);
    if (!turn) return null;
    return "roll" in state ? this.#kept(turn, state, suppose) : this.#rolledOn(turn, state, suppose);
  }

  /** The answer at a position that play does not reach, as if it did. */
  supposed(state) {
    return this.answer(state, true);
  }

  /** The nearest turn totals that play reaches with the same number of dice. */
  around(state) {
    return this.turn(state).around(state[this.total], state.roll?.length ?? state.dice);
  }

  #rolledOn(turn, state, suppose) {
    const there = turn.at(state[this.total], state.dice, suppose);
    if (!there) return null;
    const choices = [{ action: "roll", value: there.roll }];
    if (there.bank !== null) choices.unshift({ action: this.dice.stop, value: there.bank });
    return ranked(choices, this.meta.sense, TIE);
  }

  #kept(turn, state, suppose) {
    const total = state[this.total];
    const mode = modeAt(this.dice, total, state.roll.length);
    const roll = this.roll(mode, state.roll);
    if (!roll || typeof roll[2] === "string" || !turn.at(total, mode, suppose)) return null;
    const { stop } = this.dice;
    const choices = [];
    for (const [gain, dice, keep] of roll[2]) {
      const record = this.record(state);
      const ends = dice === null || total + gain >= this.match.toGo(record);
      const after = ends ? this.match.after("bank", record, total + gain) : [record];
      const there = ends ? { bank: this.match.worth(after) } : turn.at(total + gain, dice, suppose);
      if (there.bank !== null) {
        choices.push({ action: `keep ${keep}, ${stop}`, value: there.bank, leads: after[0] ? `bank ${gain}` : "end" });
      }
      if (!ends) choices.push({ action: `keep ${keep}, roll ${dice}`, value: there.roll, leads: `${dice} at ${gain}` });
    }
    return ranked(choices, this.meta.sense, TIE);
  }

  /** [weight, dice, options or loss] for these sorted dice in a mode. */
  roll(mode, dice) {
    return this.dice.rolls[0][this.dice.modes.indexOf(mode)]?.find(([, text]) => text === dice);
  }
}
