// The page: which table, which variant, asked or played; the address says it all.

import { Ask } from "./ask.js";
import { tableControls, variantControls } from "./choose.js";
import { Coach } from "./coach.js";
import { Data } from "./data.js";
import { h } from "./dom.js";
import { gameOf } from "./play.js";
import { read, sortedDice, values, write } from "./place.js";
import { Tables } from "./table.js";
import { gameName, matchName, plainText, valueText } from "./words.js";

const FIRST = "ten_thousand_duel";
const app = document.querySelector("main");

async function fetched(path) {
  const response = await fetch(`data/${path}`);
  if (!response.ok) throw new Error(`data/${path}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

class Page {
  constructor(tables, list) {
    this.tables = tables;
    this.list = list;
    this.problem = h("div", { role: "alert" });
    this.chosen = h("section", { class: "table", "aria-label": "Game and rules" });
    this.view = h("div");
    this.about = h("footer");
    app.replaceChildren(this.problem, this.chosen, this.view, this.about);
    window.addEventListener("hashchange", () => location.hash !== this.hash && this.open());
  }

  /** What the address says. */
  async open() {
    const { table: name, play, given } = read(location.hash);
    const known = this.list.map((t) => t.table);
    const problems = [];
    if (name && !known.includes(name)) problems.push(`There is no table ${name}.`);
    const chosen = known.includes(name) ? name : known.includes(FIRST) ? FIRST : known[0];
    this.table = await this.tables.open(chosen);
    this.play = play;
    let [parameters, state] = [{}, {}];
    try {
      const columns = [...this.table.columns, { name: "roll", kind: "string" }];
      parameters = values(this.table.parameters, given);
      state = values(columns, given);
      if (state.roll) state.roll = sortedDice(state.roll);
      if (!("roll" in given)) delete state.roll;
    } catch (error) {
      problems.push(error.message);
    }
    const wanted = { ...this.table.defaults, ...parameters };
    this.found = this.table.find(wanted) ?? this.#closest(wanted, problems);
    this.problem.replaceChildren(...problems.map((text) => h("p", { class: "none" }, text)));
    await this.show(state, true);
  }

  #closest(wanted, problems, fixed = []) {
    const same = ({ parameters }) =>
      this.table.names.reduce(
        (n, name) => n + (parameters[name] === wanted[name]) * (fixed.includes(name) ? 100 : 1),
        0,
      );
    const best = this.table.variants.reduce((a, b) => (same(b) > same(a) ? b : a));
    const words = Object.entries(wanted)
      .map(([name, value]) => `${name}=${value}`)
      .join(" ");
    problems.push(`Not solved: ${words}. This is the nearest variant that is.`);
    return this.table.find(best.parameters);
  }

  async show(state, exactly = false) {
    this.position = await this.table.variant(this.found);
    this.play &&= Boolean(gameOf(this.position));
    this.#choose();
    this.#about();
    if (this.play) {
      const coach = new Coach(this.table);
      this.view.replaceChildren(coach.element);
      this.moved({});
      coach.show(this.position);
    } else {
      const ask = new Ask(this.table, (now) => this.moved(now));
      this.view.replaceChildren(ask.element);
      await ask.show(this.position, state, exactly);
    }
    document.title = `${gameName(this.table)}, ${matchName(this.table.match)} – dicebase explorer`;
  }

  /** The address of a position. */
  moved(state) {
    this.state = state;
    const given = { ...this.found.parameters, ...state };
    this.hash = write({ table: this.table.table, play: this.play, given });
    history.replaceState(null, "", this.hash);
    const words = Object.entries(given)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}=${value}`);
    this.command.textContent = `dicebase lookup ${this.table.table} ${words.join(" ")}`;
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
        variantControls(this.table, this.found, (name, value) => this.#vary(name, value)),
      ),
      gameOf(this.position) ? this.#tabs() : "",
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

  async #vary(name, value) {
    const wanted = { ...this.found.parameters, [name]: value };
    const problems = [];
    this.found = this.table.find(wanted) ?? this.#closest(wanted, problems, [name]);
    this.problem.replaceChildren(...problems.map((text) => h("p", { class: "none" }, text)));
    await this.show(this.state);
  }

  async #turnTo(play) {
    this.play = play;
    await this.show(this.state);
    this.chosen.querySelector(".tabs [aria-pressed=true]").focus();
  }

  #about() {
    const { table } = this;
    const { variant } = this.found;
    this.command = h("code", {});
    const bound = variant.error_bound ? `error bound ${variant.error_bound.toExponential(1)}` : "exact";
    this.about.replaceChildren(
      h(
        "details",
        {},
        h("summary", {}, "About this table"),
        h("p", {}, table.title),
        h(
          "p",
          {},
          `At the very start: ${valueText(variant.value, variant.unit)} (${plainText(table.value_is)}); ${bound}. ${variant.note ?? ""}`,
        ),
        h("p", {}, "On the command line: ", this.command),
        h("p", {}, table.citation),
      ),
    );
  }
}

async function start() {
  const tables = new Tables(new Data(fetched));
  const page = new Page(tables, await tables.list());
  await page.open();
  app.setAttribute("aria-busy", "false");
}

const SERVER = "Open it from a file server: python -m http.server -d results, then http://localhost:8000/explorer/.";

/** A file could not be read, or is not what it should be. */
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
