// The tables of a data folder, and the variant that answers for given parameters.

import { openVariant } from "./answers.js";
import { oddsOf } from "./chance.js";
import { isBoard } from "./words.js";

export class Tables {
  constructor(data) {
    this.data = data;
    this.opened = new Map();
  }

  /** {tables: their entries, links: {text: address}}. */
  async list() {
    const { format, tables, links } = await this.data.json("tables.json");
    if (format !== 6) throw new Error("the page and its data are of different versions: build the explorer again");
    return { tables, links };
  }

  async open(name) {
    if (!this.opened.has(name)) {
      const contents = await this.data.json(`${name}/table.json`);
      this.opened.set(name, new Table(this.data, contents));
    }
    return this.opened.get(name);
  }
}

export class Table {
  constructor(data, contents) {
    Object.assign(this, contents);
    this.data = data;
    this.names = contents.parameters.map((p) => p.name);
  }

  /** The default parameters of the table. */
  get defaults() {
    const known = Object.fromEntries(this.parameters.map((p) => [p.name, p.default]));
    return { ...(this.find(known)?.variant ?? this.variants[0]).parameters };
  }

  /** The columns of a question, and the roll that may replace the dice. */
  get asked() {
    return this.roll ? [...this.columns, { name: "roll", kind: "string" }] : this.columns;
  }

  /** The unit of a column. */
  unitOf(name) {
    return this.columns.find((c) => c.name === name)?.unit ?? "";
  }

  /** The nearest variants, those with the smallest difference first. */
  near(wanted) {
    const far = ({ parameters }) => {
      const others = this.names.filter((name) => parameters[name] !== wanted[name]);
      return others.reduce((sum, name) => sum + (Math.abs(parameters[name] - wanted[name]) || 0), 1e9 * others.length);
    };
    const fewest = Math.min(...this.variants.map(far));
    const near = this.variants.filter((variant) => far(variant) < fewest + 1e9);
    return near.sort((a, b) => far(a) - far(b)).slice(0, 3).map((variant) => variant.parameters);
  }

  /** The variant that answers for these parameters: {variant, number, parameters}, or null. If it is not solved, the
   * least larger variant that contains the same positions answers (dicebase.another). */
  find(parameters) {
    const same = (variant, names) => names.every((name) => variant.parameters[name] === parameters[name]);
    const found = (number) => ({ variant: this.variants[number], number, parameters });
    const exact = this.variants.findIndex((variant) => same(variant, this.names));
    if (exact >= 0) return found(exact);
    const others = this.names.filter((name) => !this.sizes.includes(name));
    const sized = this.sizes.every((name) => Number.isInteger(parameters[name]) && parameters[name] >= 1);
    if (!this.sizes.length || !sized) return null;
    const larger = [...this.variants.keys()]
      .filter((number) => same(this.variants[number], others))
      .sort((a, b) => this.#compare(this.variants[a].parameters, this.variants[b].parameters))
      .find((number) => this.#answers(this.variants[number], parameters));
    return larger === undefined ? null : found(larger);
  }

  #compare(a, b) {
    for (const name of this.sizes) if (a[name] !== b[name]) return a[name] - b[name];
    return 0;
  }

  #answers(variant, parameters) {
    const totals = Math.ceil(parameters.target / variant.step);
    const rest = this.sizes.filter((name) => name !== "target");
    if (rest.some((name) => parameters[name] > variant.parameters[name])) return false;
    return totals === variant.totals || (!variant.falls && totals <= variant.totals);
  }

  /** Load the variant that `find` found. */
  async variant({ variant, number, parameters }) {
    const ask = (state) => this.data.asked(this.table, { ...parameters, ...state });
    const answers = await openVariant(this.data, `${this.table}/${number}`, ask);
    return new Position(this, answers, variant, parameters);
  }
}

/** A variant and the questions about it; totals are those of its own target. */
export class Position {
  constructor(table, answers, variant, parameters) {
    Object.assign(this, { table, answers, variant, parameters, known: {} });
    this.columns = answers.columns;
    this.board = isBoard(table);
    const smaller = table.sizes.length && parameters.target !== variant.parameters.target;
    this.more = smaller ? (variant.totals - Math.ceil(parameters.target / variant.step)) * variant.step : 0;
  }

  #there(state, by = this.more) {
    if (!by) return state;
    const moved = { ...state };
    for (const name of this.table.moved) if (name in moved) moved[name] += by;
    return moved;
  }

  /** Whether the totals of a position can occur on the way to the target. */
  #valid(state) {
    const { step } = this.variant;
    const { target } = this.parameters;
    return (
      !this.more ||
      this.table.moved.every((name) => state[name] >= 0 && state[name] < target && state[name] % step === 0)
    );
  }

  #limits(name) {
    if (!this.table.sizes.includes("throws") && !this.table.sizes.includes("turns")) return Infinity;
    return name === "throws_left" ? this.parameters.throws : name === "turns_left" ? this.parameters.turns : Infinity;
  }

  possible(name, state) {
    const values = this.answers.possible(name, this.#there(state));
    if (this.board || typeof values[0] === "string") return values;
    const by = this.table.moved.includes(name) ? this.more : 0;
    return values.map((value) => value - by).filter((value) => (value >= 0 || !by) && value <= this.#limits(name));
  }

  /** All values of a column in any position, found once. */
  anywhere = (name) => (this.known[name] ??= this.answers.anywhere?.(name) ?? []);

  /** Whether a total is beyond the stored ones but still has an answer. */
  past(name, state) {
    return name === this.columns[0] && Boolean(this.answers.past?.(state));
  }

  async answer(state) {
    return this.#is(state) ? this.answers.answer(this.#there(state)) : null;
  }

  /** The answer at a position that play does not reach, or null. */
  async supposed(state) {
    return this.#is(state) && this.answers.supposed ? this.answers.supposed(this.#there(state)) : null;
  }

  /** The nearest turn totals that play reaches. */
  around(state) {
    return this.answers.around(this.#there(state));
  }

  #is(state) {
    return this.#valid(state) && this.columns.every((name) => !(state[name] > this.#limits(name)));
  }

  /** {lost, gain} of the roll or throw after an action, or null (chance.js). */
  odds(action, state) {
    return oddsOf(this.answers.dice, action, state[this.answers.total ?? this.columns[0]], state.dice);
  }

  /** The stored position that answers for a position. */
  there(state) {
    return this.#there(state);
  }
}
