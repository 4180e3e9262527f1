// The view that plays a game with comments, or records one by clicks.

import { h } from "./dom.js";
import { explain } from "./explain.js";
import { curveOf, movesOf, scoreboardOf, sumsOf } from "./game_views.js";
import { Line } from "./line.js";
import { isDuel } from "./play.js";
import { addressOf, choicesOf, facesOf, factsOf, picturesOf, rolled } from "./position_views.js";
import { actionName, lossText } from "./words.js";

const SHOWN = ["me", "opponent", "banked", "score", "turn_total"]; // columns that the scoreboard shows
const FEW = 24; // rolls that have a button each

export class Coach {
  /** With `records`, you enter the rolls, and the moves of both players; `changed(record)` receives the CSV. */
  constructor(table, { records = false, changed = () => {} } = {}) {
    Object.assign(this, { table, records, changed });
    const part = (name, attributes = {}) => (this[name] = h("div", { class: name, ...attributes }));
    const button = (text, click) => h("button", { type: "button", onclick: click }, text);
    this.undo = button("Undo", () => this.#undo());
    this.again = button("New game", () => this.show(this.position));
    this.save = button("Save as CSV", () => saved(this.line.csv(this.names), "game.csv"));
    this.sum = h("p", { class: "sum", role: "status" });
    this.element = h(
      "div",
      { class: "coach" },
      h(
        "section",
        { "aria-labelledby": "move" },
        h("h2", { id: "move", class: "unseen" }, "The game"),
        part("score"),
        part("board", { class: "controls" }),
        part("now", { class: "headline" }),
        part("choices", { class: "choices moves", role: "group", "aria-label": "Your choices" }),
        h("div", { class: "row" }, this.undo, this.again, this.save),
        this.sum,
      ),
      h(
        "section",
        { "aria-labelledby": "line", class: "line" },
        h("h2", { id: "line" }, "Moves"),
        part("log", { role: "log", tabindex: 0, "aria-labelledby": "line" }),
      ),
      h(
        "section",
        { "aria-labelledby": "luck" },
        h("h2", { id: "luck" }, "Luck and skill"),
        part("curve"),
        part("sums", { class: "sums-of" }),
      ),
    );
  }

  get names() {
    return this.records ? { 1: "First", "-1": "Second" } : { 1: "You", "-1": "Opponent" };
  }

  async show(position) {
    Object.assign(this, { position, stopped: null });
    const playing = (this.playing = {});
    const line = await Line.open(position, this.records);
    if (this.playing !== playing) return;
    this.line = line;
    this.comments = new Map();
    await this.#go();
  }

  /** Let the game go on to the next choice of the user. */
  async #go() {
    const { line, playing } = this;
    while (!line.now.end && !this.#waits()) {
      const forced = line.now.state && this.#forced();
      if (forced === this.stopped) this.stopped = null;
      await (line.now.falls || (line.now.role < 0 && !this.records) ? line.random() : line.act(forced));
      if (this.playing !== playing) return;
    }
    this.#draw();
  }

  #waits() {
    const { now } = this.line;
    if (now.falls) return this.records && now.falls.length > 1;
    return (this.records || now.role > 0) && !this.#forced();
  }

  /** The only legal action. If a box was chosen before the last roll: keep all dice until then, and fill that box. */
  #forced() {
    const { answer, now } = this.line;
    if (answer.actions.length === 1) return answer.actions[0].action;
    if (this.stopped && now.state.rerolls_left) return `keep ${now.state.roll}`;
    return this.stopped;
  }

  /** Take a step and go on; a second click has no effect until then. */
  async #play(step) {
    if (this.busy) return;
    this.busy = true;
    try {
      await step();
      await this.#go();
    } finally {
      this.busy = false;
    }
  }

  #undo() {
    return this.#play(() => {
      this.stopped = null;
      this.line.undo(this.records);
    });
  }

  #draw() {
    const { line, names, records } = this;
    const { now } = line;
    const focused = this.choices.contains(document.activeElement);
    this.score.replaceChildren(now.end && !now.points ? "" : scoreboardOf(line, names));
    const act = (action) => action && this.#act(action);
    const play = now.state && !now.end && !now.falls ? { actions: line.answer.actions.map((a) => a.action), act } : {};
    const seen = now.state ?? now.last;
    const theirs = now.end && now.theirs;
    this.board.replaceChildren(...(seen ? picturesOf(this.position, seen, { ...play, theirs }) : []));
    this.now.replaceChildren(...this.#said());
    this.choices.replaceChildren(...(now.end ? [] : now.falls ? this.#rolls() : this.#actions()));
    if (focused) this.choices.querySelector("button")?.focus();
    this.log.replaceChildren(
      movesOf(
        line,
        names,
        (step) => this.#comment(step),
        (step) => addressOf(this.position, step.from.state),
      ),
    );
    this.log.scrollTop = this.log.scrollHeight;
    this.log.dataset.steps = line.steps.length;
    this.curve.replaceChildren(curveOf(line, names, this.curve.clientWidth || 480));
    this.sums.replaceChildren(sumsOf(line, names));
    this.undo.disabled = line.last(records) < 0;
    this.sum.textContent = this.#result();
    this.changed(line.csv(names));
  }

  #result() {
    const made = this.line.steps.filter(({ what, role }) => what === "action" && (role > 0 || this.records));
    const lost = made.reduce((sum, { change }) => sum - change, 0);
    const right = made.filter(({ best }) => !best).length;
    const cost = lost > 1e-11 ? lossText(lost, this.position.variant.unit) : "nothing";
    const over = this.line.now.end ? "Over: " : "";
    if (!made.length) return over && "Over: there was nothing to decide.";
    const decisions = made.length === 1 ? "decision was" : "decisions were";
    return `${over}${right} of ${made.length} ${decisions} the best; mistakes cost ${cost}.`;
  }

  #comment(step) {
    if (!this.comments.has(step)) this.comments.set(step, commentOn(step, this.position));
    return this.comments.get(step);
  }

  /** The last roll, and the facts of the position that the scoreboard does not show. */
  #said() {
    const { now, steps } = this.line;
    const last = steps.findLast(({ what }) => what === "roll");
    const duel = isDuel(this.position);
    const who = duel ? `${this.names[last?.role]} rolled ` : "Rolled ";
    const { board, columns, answers } = this.position;
    // A sheet shows its dice itself, and a board without rolls its position.
    const unsaid = board ? !columns.some((name) => name.startsWith("roll")) : answers.kind === "sheets" && now.state;
    const facts = now.state ? factsOf(this.position, now.state, now.points ? SHOWN : ["roll", "roll_total"]) : [];
    return [
      now.end ? h("p", {}, now.end) : null,
      last && !unsaid
        ? h("p", {}, who, rolled(last.text, facesOf(last, this.position)), last.lost ? ": the turn is lost" : "")
        : null,
      facts.length ? h("p", {}, facts.map((fact) => fact.join(": ")).join(", ")) : null,
      now.falls
        ? h("p", {}, `${duel ? `${this.names[now.falls[0].role ?? now.role]}: what` : "What"} was rolled?`)
        : null,
    ].filter(Boolean);
  }

  #actions() {
    const { line, position } = this;
    return choicesOf(position, line.now, line.answer, (action, box) => this.#act(action, box));
  }

  #act(action, box = null) {
    return this.#play(() => ((this.stopped = box), this.line.act(action)));
  }

  /** Buttons for the roll that fell: one for each roll, or one for each face if there are many. */
  #rolls() {
    const { line } = this;
    const { falls } = line.now;
    const choose = (index) => this.#play(() => line.fall(index));
    const random = h("button", { type: "button", onclick: () => this.#play(() => line.random()) }, "Roll for me");
    if (falls.length <= FEW) {
      return [
        ...falls.map((fall, i) =>
          h(
            "button",
            { type: "button", "aria-label": fall.text, onclick: () => choose(i) },
            rolled(fall.text, facesOf(fall, this.position), 24),
          ),
        ),
        random,
      ];
    }
    const digits = falls.every(({ text }) => /^\d+$/.test(text));
    const faces = digits ? [...new Set(falls.flatMap(({ text }) => [...text]))].sort() : [];
    const same = digits && new Set(falls.map(({ text }) => text.length)).size === 1;
    if (!same) {
      const options = falls.map(({ text }, i) => h("option", { value: i }, text));
      const select = h(
        "select",
        { "aria-label": "The roll", onchange: ({ target }) => choose(Number(target.value)) },
        h("option", { value: "" }, "Choose the roll"),
        options,
      );
      return [select, random];
    }
    let chosen = "";
    const shown = h("span", { class: "dice" });
    const add = (face) => {
      chosen = [...chosen, face].sort().join("");
      shown.replaceChildren(rolled(chosen, chosen, 30));
      const found = falls.findIndex(({ text }) => text === chosen);
      if (found >= 0) return choose(found);
      if (chosen.length >= falls[0].text.length) shown.replaceChildren((chosen = ""));
    };
    const buttons = faces.map((face) =>
      h(
        "button",
        { type: "button", class: "face", "aria-label": `Add a ${face}`, onclick: () => add(face) },
        rolled(face, face, 30),
      ),
    );
    return [h("p", {}, `Click the ${falls[0].text.length} dice.`), shown, h("div", { class: "dice" }, buttons), random];
  }
}

/** The comment on a mistake: the best action at once, the reason when it is computed. */
export function commentOn({ answer, best, from }, position) {
  const { table } = position;
  const element = h("p", {}, `Best: ${actionName(best, table)}. `);
  explain(answer, position, from.state, () => false).then(({ why }) => element.append(why));
  return element;
}

/** Offer a text as a file. */
export function saved(text, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
