// The page: table, variant, and whether to ask or play, all stated by the address.

import { Ask } from "./ask.js";
import { tableControls, variantControls } from "./choose.js";
import { Coach } from "./coach.js";
import { Data } from "./data.js";
import { h } from "./dom.js";
import { editorOf } from "./edit.js";
import { gamesOf } from "./games.js";
import { OWN, cardFor, ownPosition } from "./own_card.js";
import { gameOf } from "./play.js";
import { packed, read, unpacked, values, write } from "./place.js";
import { PuzzlePage } from "./puzzles_view.js";
import { ReviewPage } from "./review_view.js";
import { rulesOf } from "./rules.js";
import { Tables } from "./table.js";
import { capital, gameName, matchName, parameterName, valueName, valueText } from "./words.js";

const FIRST = "ten_thousand_duel";
const app = document.querySelector("main");

async function fetched(path) {
  const response = await fetch(`data/${path}`);
  if (!response.ok) throw new Error(`data/${path}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

async function asked(table, given) {
  try {
    return await (await fetch(`../v1/${table}?${new URLSearchParams(given)}`)).json();
  } catch {
    return null;
  }
}

class Page {
  constructor(tables, list) {
    this.tables = tables;
    this.list = list;
    this.games = h("div");
    this.problem = h("div", { role: "alert" });
    this.chosen = h("section", { class: "table", "aria-label": "Game and rules" });
    this.editor = h("div");
    this.summary = h("summary");
    this.view = h("div");
    this.about = h("footer");
    app.replaceChildren(this.games, this.problem, this.chosen, this.editor, this.view, this.about);
    window.addEventListener("hashchange", () => location.hash !== this.hash && this.open()); // also on Back
  }

  /** Show what the address states. */
  async open() {
    app.setAttribute("aria-busy", "true");
    const { table: name, play, given: said } = read(location.hash);
    if (await this.#other(name, said)) return;
    const known = this.list.map((t) => t.table);
    const problems = [];
    const tell = (text) => problems.push(text);
    if (name && !known.includes(name)) tell(`There is no table ${name}.`);
    const chosen = known.includes(name) ? name : known.includes(FIRST) ? FIRST : known[0];
    this.table = await this.tables.open(chosen);
    this.play = play;
    const columns = this.table.asked;
    const given = unpacked(columns, said, tell);
    const parameters = values(this.table.parameters, given, tell);
    this.state = values(columns, given, tell);
    const names = [...this.table.parameters, ...columns].map((c) => c.name);
    if (this.table.own) names.push("card");
    this.edited = this.table.own && "card" in given ? parsed(given.card, tell) : null;
    if (known.includes(name)) {
      for (const word of Object.keys(given)) if (!names.includes(word)) tell(`There is no ${word} in this table.`);
    }
    this.wanted = { ...this.table.defaults, ...parameters };
    this.games.replaceChildren(name ? "" : gamesOf(this.list));
    this.problem.replaceChildren(...problems.map((text) => h("p", { class: "none" }, text)));
    this.#edit();
    await this.show(true);
    app.setAttribute("aria-busy", "false");
  }

  /** Show the page of reviews or puzzles, if the address names one. */
  async #other(name, given) {
    const pages = {
      review: () => new ReviewPage(this.tables, this.list),
      puzzles: () => new PuzzlePage(this.tables, this.list, (said) => (location.hash = write({ table: "puzzles", given: said }))),
    };
    const parts = [this.games, this.problem, this.chosen, this.editor, this.about];
    for (const part of parts) part.hidden = name in pages;
    if (!(name in pages)) return false;
    const page = pages[name]();
    this.hash = null;
    this.view.replaceChildren(page.element);
    document.title = `${capital(name)} – dicebase explorer`;
    await page.show?.(given);
    app.setAttribute("aria-busy", "false");
    return true;
  }

  /** Show the wanted variant at the position; `quietly` adds no step to the history. */
  async show(quietly) {
    const card = cardFor(this.table, this.wanted, this.edited);
    let wrong = "";
    this.found = card ? null : this.table.find(this.wanted);
    this.position = this.found && (await this.table.variant(this.found));
    try {
      this.position = card ? ownPosition(this.table, this.wanted, card) : this.position;
      this.found ??= this.position;
    } catch (error) {
      wrong = error.message;
    }
    const worth = card && this.position ? `; a turn is worth ${valueText(this.position.variant.value, "points")}` : "";
    this.summary.textContent = `Edit a copy of this card, to be solved in the page${worth}`;
    if (this.position) this.play &&= Boolean(gameOf(this.position));
    this.#choose();
    this.#about();
    document.title = `${gameName(this.table)}, ${matchName(this.table)} – dicebase explorer`;
    if (!this.found) {
      this.view.replaceChildren(wrong ? h("div", { class: "say", role: "status" }, h("p", { class: "none" }, `${capital(wrong)}.`)) : this.#unsolved());
      this.moved(this.state, quietly);
    } else if (this.play) {
      const coach = new Coach(this.table);
      this.view.replaceChildren(coach.element);
      this.moved({}, quietly);
      coach.show(this.position);
    } else {
      const ask = new Ask(this.table, (state, quietly) => this.moved((this.state = state), quietly));
      this.view.replaceChildren(ask.element);
      await ask.show(this.position, this.state, quietly);
    }
  }

  /** Say that the wanted variant is not solved, and list the nearest ones that are. */
  #unsolved() {
    const { table, wanted } = this;
    const words = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
    const buttons = table.near(wanted).map((parameters) => {
      const others = table.names.filter((name) => parameters[name] !== wanted[name]);
      const text = others.map((name) => `${parameterName(name, table)}: ${valueName(table, name, parameters[name])}`);
      return h("button", { type: "button", onclick: () => this.#vary(parameters) }, text.join(", "));
    });
    const there = table.elsewhere.some((parameters) => table.names.every((name) => parameters[name] === wanted[name]));
    const why = there ? "Not on this page, but solved (dicebase lookup)" : "Not solved";
    const text = h("p", { class: "none" }, `${why}: ${words.join(" ")}.`);
    const group = { class: "choices near", role: "group", "aria-label": "Nearest" };
    return h("div", { class: "say", role: "status" }, text, h("div", group, "Nearest that are: ", buttons));
  }

  /** Update the address after a change of the position. */
  moved(state, quietly) {
    const card = this.edited ? { card: JSON.stringify(this.edited) } : {};
    const position = packed(this.table.asked, state);
    const given = { ...(Object.keys(state).length && { position }), ...this.wanted, ...card };
    this.hash = write({ table: this.table.table, play: this.play, given });
    if (this.hash !== location.hash) history[quietly ? "replaceState" : "pushState"](null, "", this.hash);
    const words = Object.entries(this.wanted).map(([name, value]) => `${name}=${typed(value)}`);
    this.command.textContent = ["dicebase lookup", this.table.table, ...(position ? [typed(position)] : []), ...words].join(" ");
  }

  #choose() {
    const { activeElement } = document;
    const focused = this.chosen.contains(activeElement) && activeElement.id.replace(/-\d+$/, "");
    const go = (table) => (location.hash = write({ table, play: this.play, given: {} }));
    this.chosen.replaceChildren(
      h("div", { class: "row" }, tableControls(this.list, this.table, go)),
      h(
        "div",
        { class: "row" },
        variantControls(this.table, this.wanted, (name, value) => this.#vary({ [name]: value })),
      ),
      h("div", { class: "row" }, this.position && gameOf(this.position) ? this.#tabs() : "", copyButton()),
    );
    if (focused) this.chosen.querySelector(`[id^="${focused}-"]`)?.focus();
  }

  #tabs() {
    const tab = (play, text) =>
      h(
        "button",
        { "aria-pressed": String(this.play === play), type: "button", onclick: () => this.#turnTo(play) },
        text,
      );
    const group = { class: "choices tabs", role: "group", "aria-label": "What to do" };
    return h("div", group, tab(false, "Ask"), tab(true, "Play with a coach"));
  }

  async #vary(parameters) {
    Object.assign(this.wanted, parameters);
    if (parameters[this.table.own?.parameter]) this.edited = null;
    this.problem.replaceChildren();
    this.#edit();
    await this.show();
  }

  /** Open the editor of a copy of the card, if the page can solve one. */
  #edit() {
    const { own } = this.table;
    const card = this.edited ?? own?.definitions[this.wanted[own.parameter]];
    if (!card) return this.editor.replaceChildren();
    const change = async (edited) => {
      this.edited = edited;
      this.wanted[own.parameter] = OWN;
      await this.show(true);
    };
    const open = Boolean(this.edited);
    this.editor.replaceChildren(h("details", { class: "edit", open }, this.summary, editorOf(card, own.switches, change)));
  }

  async #turnTo(play) {
    this.play = play;
    await this.show();
    this.chosen.querySelector(".tabs [aria-pressed=true]").focus();
  }

  #about() {
    const { table, found } = this;
    this.command = h("code", {});
    const start = found && `At the very start: ${startText(found.variant)}`;
    const rules = this.about.querySelector(".rules")?.open;
    this.about.replaceChildren(
      h("details", { class: "rules", open: rules }, h("summary", {}, "The rules"), rulesOf(table, this.wanted)),
      h(
        "details",
        {},
        h("summary", {}, "About this table"),
        h("p", {}, table.title),
        h("p", {}, start),
        h("p", {}, "On the command line: ", this.command),
        h("p", {}, table.citation),
      ),
    );
  }
}

/** Read a card from a link. */
function parsed(text, tell) {
  try {
    return JSON.parse(text);
  } catch {
    tell("The card of this link cannot be read.");
    return null;
  }
}

/** A value as you type it in a shell. */
const typed = (value) => (/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'"'"'`)}'`);

function startText({ value, unit, error_bound: bound, note }) {
  return `${valueText(value, unit)}; ${bound ? `error bound ${bound.toExponential(1)}` : "exact"}. ${note ?? ""}`;
}

/** A button that copies the address; without https, browsers support only the old method. */
function copyButton() {
  const button = h("button", { type: "button", class: "copy", onclick: () => copy() }, "Copy link");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      const box = h("textarea", { value: location.href });
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
    button.textContent = "Link copied";
    setTimeout(() => (button.textContent = "Copy link"), 2000);
  };
  return button;
}

async function start() {
  const tables = new Tables(new Data(fetched, asked));
  const page = new Page(tables, await tables.list());
  await page.open();
}

const SERVER = "Open it from a server: dicebase serve, then http://127.0.0.1:8000/explorer/.";

/** Report a file that could not be read or is damaged. */
function failed(error) {
  const hint = location.protocol === "file:" ? SERVER : "Load the page again.";
  const said = h(
    "p",
    { role: "alert", class: "none" },
    `The tables cannot be read: ${error?.message ?? error}. ${hint}`,
  );
  app.replaceChildren(said);
  app.setAttribute("aria-busy", "false");
}

window.addEventListener("unhandledrejection", ({ reason }) => failed(reason));
start().catch(failed);
