// The page: table, variant, and whether to ask or play, all stated by the address.

import { render } from "preact";
import { Ask } from "./ask.js";
import { Coach } from "./coach.js";
import { Data } from "./data.js";
import { Element, Game } from "./game_page.js";
import { Home } from "./home.js";
import { OWN, cardFor, ownPosition } from "./own_card.js";
import { packed, read, unpacked, values, write } from "./place.js";
import { gameOf } from "./play.js";
import { PuzzlePage } from "./puzzles_view.js";
import { ReviewPage } from "./review_view.js";
import { Tables } from "./table.js";
import { capital, gameName, matchName } from "./words.js";

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
  constructor(tables, { tables: list, links }) {
    Object.assign(this, { tables, list, links, problems: [], cards: 0, asked: 0 });
    window.addEventListener("hashchange", () => location.hash !== this.hash && this.open()); // also on Back
  }

  /** Show what the address states. */
  async open() {
    app.setAttribute("aria-busy", "true");
    const asked = (this.asked += 1); // a later address replaces this one
    const { table: name, play, given: said } = read(location.hash);
    const known = this.list.some((t) => t.table === name);
    const other = this.#other(name);
    this.problems = name && !known && !other ? [`There is no table ${name} on this page. These games are:`] : [];
    if (known) {
      const table = await this.tables.open(name);
      if (asked === this.asked) await this.#openTable(table, play, said);
    } else {
      Object.assign(this, { hash: null, table: null, view: other });
      document.title = other ? `${capital(name)} – dicebase explorer` : "dicebase: games of chance, solved";
      this.draw();
      await other?.show?.(said);
    }
    if (asked === this.asked) app.setAttribute("aria-busy", "false");
  }

  async #openTable(table, play, said) {
    const tell = (text) => this.problems.push(text);
    this.table = table;
    this.play = play;
    const columns = this.table.asked;
    const given = unpacked(columns, said, tell);
    const parameters = values(this.table.parameters, given, tell);
    this.state = values(columns, given, tell);
    const names = [...this.table.parameters, ...columns].map((c) => c.name);
    if (this.table.own) names.push("card");
    this.cards += 1; // another card to edit
    this.edited = this.table.own && "card" in given ? parsed(given.card, tell) : null;
    for (const word of Object.keys(given)) if (!names.includes(word)) tell(`There is no ${word} in this table.`);
    this.wanted = { ...this.table.defaults, ...parameters };
    await this.show(true);
  }

  /** The page of reviews or puzzles, if the address names one. */
  #other(name) {
    const go = (said) => (location.hash = write({ table: "puzzles", given: said }));
    const pages = { review: () => new ReviewPage(this.tables, this.list), puzzles: () => new PuzzlePage(this.tables, this.list, go) };
    return name in pages ? pages[name]() : null;
  }

  /** Show the wanted variant at the position; `quietly` adds no step to the history. */
  async show(quietly) {
    const card = cardFor(this.table, this.wanted, this.edited);
    this.wrong = "";
    this.found = card ? null : this.table.find(this.wanted);
    const { asked } = this;
    const position = this.found && (await this.table.variant(this.found));
    if (asked !== this.asked) return;
    this.position = position;
    try {
      this.position = card ? ownPosition(this.table, this.wanted, card) : this.position;
      this.found ??= this.position;
    } catch (error) {
      this.wrong = error.message;
    }
    if (this.position) this.play &&= Boolean(gameOf(this.position));
    document.title = `${gameName(this.table)}, ${matchName(this.table)} – dicebase explorer`;
    this.view = null;
    this.text = "";
    if (!this.found) {
      this.moved(this.state, quietly);
    } else if (this.play) {
      this.view = new Coach(this.table);
      this.moved({}, quietly);
      this.view.show(this.position);
    } else {
      const view = new Ask(this.table, (state, quietly) => view === this.view && this.moved((this.state = state), quietly));
      this.view = view;
      this.draw();
      await view.show(this.position, this.state, quietly);
    }
  }

  /** Update the address after a change of the position. */
  moved(state, quietly) {
    const card = this.edited ? { card: JSON.stringify(this.edited) } : {};
    this.text = packed(this.table.asked, state);
    const given = { ...(Object.keys(state).length && { position: this.text }), ...this.wanted, ...card };
    this.hash = write({ table: this.table.table, play: this.play, given });
    if (this.hash !== location.hash) history[quietly ? "replaceState" : "pushState"](null, "", this.hash);
    this.draw();
  }

  vary = async (parameters) => {
    Object.assign(this.wanted, parameters);
    if (parameters[this.table.own?.parameter]) this.edited = null;
    this.cards += 1;
    this.problems = [];
    await this.show();
  };

  turnTo = async (play) => {
    this.play = play;
    await this.show();
  };

  /** Solve an edited card. */
  edit = async (card) => {
    this.edited = card;
    this.wanted[this.table.own.parameter] = OWN;
    await this.show(true);
  };

  draw() {
    const problems = (
      <div role="alert">
        {this.problems.map((text) => (
          <p class="none">{text}</p>
        ))}
      </div>
    );
    render(
      <>
        {problems}
        {this.table ? <Game page={this} /> : this.view ? <Element of={this.view.element} /> : <Home list={this.list} links={this.links} />}
      </>,
      app,
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

async function start() {
  const tables = new Tables(new Data(fetched, asked));
  const list = await tables.list();
  app.replaceChildren();
  const page = new Page(tables, list);
  await page.open();
}

const SERVER = "Open it from a server: dicebase serve, then http://127.0.0.1:8000/explorer/.";

/** Report a file that could not be read or is damaged. */
function failed(error) {
  const hint = location.protocol === "file:" ? SERVER : "Load the page again.";
  render(<p role="alert" class="none">{`The tables cannot be read: ${error?.message ?? error}. ${hint}`}</p>, app);
  app.setAttribute("aria-busy", "false");
}

window.addEventListener("unhandledrejection", ({ reason }) => failed(reason));
start().catch(failed);
