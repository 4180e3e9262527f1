// Read the record of a game and replay it: the notation and the rules of `dicebase review` (catalog/review).

import { Line } from "./line.js";
import { gameOf } from "./play.js";
import { values } from "./place.js";

const [PLAYER, ROLL, KEEP] = ["player", "roll", "keep"];
const APART = /[ ,;\-[\](){}]+/g;

/** The reviewed game of a text: {line: Line, players: {1: name, -1: name}}; throws an error that names the line. */
export async function reviewed(text, open) {
  const { title, given, cells, first } = recorded(text);
  const wrong = (what) => new Error(`line ${first}: ${what}`);
  const table = await open(title).catch(() => null);
  if (!table) throw wrong(`there is no table '${title}' on this page`);
  const parameters = values(table.parameters, given, (said) => {
    throw wrong(said);
  });
  for (const name of Object.keys(given)) if (!table.names.includes(name)) throw wrong(`there is no parameter ${name}`);
  const found = table.find({ ...table.defaults, ...parameters });
  if (!found)
    throw wrong(
      `${title} is not solved for ${Object.entries(given)
        .map((pair) => pair.join("="))
        .join(" ")}`,
    );
  const position = await table.variant(found);
  if (!gameOf(position) || table.match === "simultaneous") throw wrong(`${title} cannot be reviewed on this page`);
  const replay = new Replay(await Line.open(position, true), cells);
  await replay.run();
  return { line: replay.line, players: { 1: replay.name(1), "-1": replay.name(-1) } };
}

/** {title, given, cells, first} of a text; cells are {line, player, column, text}. */
function recorded(text) {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const numbered = lines
    .map((content, i) => [i + 1, content])
    .filter(([, content]) => /[^ ,\t]/.test(content) && !content.startsWith("#"));
  if (numbered.length < 2)
    throw new Error("a record needs a line such as 'pig_duel target=100', and a line of columns");
  const [[first, head], [second, names], ...rest] = numbered;
  const [title, ...words] = head.replace(/^[ ,\t]+|[ ,\t]+$/g, "").split(/\s+/);
  const given = Object.fromEntries(
    words.map((word) => {
      if (!/^\w+=./.test(word)) throw new Error(`line ${first}: '${word}' is not of the form name=value`);
      return [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)];
    }),
  );
  const columns = row(names);
  if (!columns.includes(ROLL))
    throw new Error(
      `line ${second}: columns ${columns.join(", ")}: 'roll' is missing; others are 'player' and any name`,
    );
  const cells = rest.flatMap(([line, content]) => {
    const entries = row(content);
    if (entries.slice(columns.length).some(Boolean))
      throw new Error(`line ${line}: has ${entries.length} cells; there are ${columns.length} columns`);
    const named = columns.map((column, i) => [column, entries[i] ?? ""]).filter(([, entry]) => entry);
    const player = named.findLast(([column]) => column === PLAYER)?.[1] ?? "";
    return named
      .filter(([column]) => column !== PLAYER)
      .map(([column, entry]) => ({ line, player, column, text: entry }));
  });
  return { title, given, cells, first };
}

/** The cells of a line of CSV. */
function row(text) {
  const cells = [];
  for (const [, cell, more] of text.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)) {
    cells.push((cell.startsWith('"') ? cell.replace(/^"|"$/g, "").replaceAll('""', '"') : cell).trim());
    if (!more) break;
  }
  return cells;
}

/** Dice sorted, so that `3 1`, `31` and `1,3` compare equal. */
function dice(text) {
  const parts = text.replace(APART, " ").trim().split(" ");
  return (parts.length === 1 && /^\d+$/.test(parts[0]) ? [...parts[0]] : parts).sort().join(" ");
}

/** A recorded action, split at its commas; the dice that it keeps are sorted. */
function wordsOf({ column, text }) {
  const said = column !== KEEP || text.startsWith(KEEP) ? text : `${KEEP} ${text}`;
  const sorted = (word) => {
    const kept = word.slice(KEEP.length).replace(APART, "");
    return /^\d*$/.test(kept) ? `${KEEP} ${[...kept].sort().join("")}` : word;
  };
  return said
    .split(", ")
    .map((word) => word.trim())
    .map((word) => (word.startsWith(`${KEEP} `) ? sorted(word) : word));
}

const plain = (text) => `${text.toLowerCase().replaceAll("_", " ")} `;

/** Whether an action begins with these parts: `keep 1, roll 4` begins with [`keep 1`, `roll`]. */
const begins = (action, words) => {
  const parts = action.split(", ");
  return words.length <= parts.length && words.every((word, i) => plain(parts[i]).startsWith(plain(word)));
};

class Replay {
  constructor(line, cells) {
    this.line = line;
    this.cells = [...cells].reverse();
    this.names = {};
  }

  name(role) {
    return this.names[role] ?? (role > 0 ? "first" : "second");
  }

  async run() {
    const { line } = this;
    while (line.now.falls ? await this.#falls() : line.now.state && (await this.#acts()));
    if (this.cells.length)
      throw this.#wrong(this.cells.at(-1), line.now.end ? "the game has ended before" : "a roll comes first");
  }

  #wrong({ line, column, text }, what) {
    return new Error(`line ${line}: ${column} '${text}': ${what}`);
  }

  get #next() {
    return this.cells.at(-1);
  }

  /** Take the next cell, unless it names another player than `role`. */
  #taken(role) {
    const cell = this.cells.pop();
    if (!cell.player) return cell;
    const player = { ...cell, column: PLAYER, text: cell.player };
    if (cell.player !== (this.names[role] ??= cell.player))
      throw this.#wrong(player, `it is ${this.name(role)}'s turn`);
    if (cell.player === this.names[-role]) throw this.#wrong(player, "it is the other player's turn");
    return cell;
  }

  /** Replay a roll; false if the record does not have it. */
  async #falls() {
    const { falls } = this.line.now;
    const written = this.#next?.column === ROLL;
    const same = ({ text }) => dice(text) === dice(this.#next.text);
    if (falls.length === 1 && !(written && same(falls[0]))) {
      await this.line.fall(0);
      return true;
    }
    if (!written) return false;
    const found = falls.filter(same);
    const next = new Set(found.map((fall) => JSON.stringify(fall.to())));
    if (next.size !== 1) {
      const texts = [...new Set(falls.map(({ text }) => text))].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
      const rolls = texts.length > 12 ? `${texts.slice(0, 10).join(" ")} … ${texts.at(-1)}` : texts.join(" ");
      throw this.#wrong(this.#next, `${found.length ? "is ambiguous" : "cannot be rolled"} here; rolls are ${rolls}`);
    }
    const { line } = this.#taken(found[0].role ?? this.line.now.role);
    await this.line.fall(falls.indexOf(found[0]), { what: "roll", line });
    return true;
  }

  /** Replay a decision; false if the record ends before it. */
  async #acts() {
    const { now, answer } = this.line;
    const names = answer.actions.map((a) => a.action);
    let [words, cell, found] = [[], null, []];
    while (this.cells.length && this.#next.column !== ROLL) {
      const more = [...words, ...wordsOf(this.#next)];
      const matching = names.filter((name) => begins(name, more));
      if (!matching.length) break;
      [cell, words, found] = [this.#taken(now.role), more, matching];
    }
    const left = this.cells.length && this.#next.column !== ROLL ? wordsOf(this.#next) : [KEEP];
    const stay = `${KEEP} ${now.state.roll}`;
    // A player who fills a box before the last roll keeps all dice until then.
    if (!found.length && !left[0].startsWith(KEEP) && names.includes(stay)) [cell, found] = [this.#next, [stay]];
    if (!found.length && names.length === 1) {
      await this.line.act(names[0]);
      return true;
    }
    if (!this.cells.length && !found.length) return false;
    if (found.length !== 1) {
      cell ??= this.#next;
      const what = found.length ? "is ambiguous" : cell.column === ROLL ? "is missing before it" : "is not allowed";
      throw this.#wrong(cell, `the action ${what}; allowed are ${(found.length ? found : names).join(", ")}`);
    }
    await this.line.act(found[0], { what: "action", line: cell.line });
    return true;
  }
}
