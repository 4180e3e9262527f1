// The view that plays: each decision with its cost, and the sum of costs.

import { rankingOf } from "./ask.js";
import { pictureOf } from "./boards.js";
import { draw } from "./chance.js";
import { die, h } from "./dom.js";
import { gameOf } from "./play.js";
import { sheetChoices } from "./sheet_view.js";
import { actionName, advice, capital, columnName, count, lossText } from "./words.js";

export class Coach {
  constructor(table) {
    this.table = table;
    this.now = h("p", { class: "headline" });
    this.board = h("div", { class: "controls" });
    this.choices = h("div", { class: "choices moves", role: "group", "aria-label": "Your choices" });
    this.comment = h("div", { role: "status", class: "say" });
    this.sum = h("p", { class: "sum" });
    this.log = h("div", { class: "log", role: "log", tabindex: 0, "aria-label": "The game so far" });
    this.last = h("div", { class: "ranking" });
    this.behind = h(
      "section",
      { "aria-labelledby": "behind", hidden: true },
      h("h2", { id: "behind" }, "Your last decision"),
      this.last,
    );
    const again = h("button", { type: "button", onclick: () => this.show(this.position) }, "New game");
    this.element = h(
      "div",
      { class: "coach" },
      h(
        "section",
        { "aria-labelledby": "move" },
        h("h2", { id: "move" }, "The game"),
        this.log,
        this.board,
        this.now,
        this.choices,
        this.comment,
        this.sum,
        again,
      ),
      this.behind,
    );
  }

  async show(position) {
    this.position = position;
    const game = gameOf(position);
    for (const part of [this.choices, this.comment, this.log, this.board, this.last, this.sum]) part.replaceChildren();
    this.behind.hidden = true;
    // A sheet is long, so the comment goes above it.
    if (position.answers.kind === "sheets") this.choices.before(this.comment);
    Object.assign(this, { lost: 0, made: 0, right: 0, stopped: undefined, early: 0 });
    this.playing = {};
    const { playing } = this;
    const current = () => this.playing === playing;
    const end = await game(
      position,
      (state, more) => this.#ask(state, current, more),
      (text, heading) => current() && this.#tell(text, heading),
      draw,
    );
    if (!current()) return;
    this.#tell(end, true);
    this.now.textContent = end;
    this.choices.replaceChildren();
    const { unit } = position.variant;
    const sum = this.lost ? `gave up ${lossText(this.lost, unit)} in all` : "gave up nothing";
    this.sum.textContent = `Over: ${this.right} of ${this.made} decisions were the best; you ${sum}.`;
  }

  #tell(text, heading = false) {
    this.log.append(h("p", { class: heading ? "heading" : "" }, text));
    this.log.scrollTop = this.log.scrollHeight;
  }

  async #ask(state, current, more = {}) {
    const answer = await this.position.answer(state);
    // A game that a new one has replaced waits for ever.
    if (!current()) return new Promise(() => {});
    if (answer.actions.length === 1) {
      this.#stop();
      return answer.actions[0].action;
    }
    if (this.position.answers.kind === "sheets") {
      const action = await this.#fill(state, more);
      this.#judge(answer, action, state);
      const { regret, optimal } = answer.actions.find((a) => a.action === action);
      if (!state.rerolls_left) this.#stop();
      else if (this.stopped !== undefined) this.early += optimal ? 0 : regret;
      return action;
    }
    const rolled = this.position.board ? "" : (state.roll ?? "");
    const { drawing = [] } = this.position.answers.meta;
    const unsaid = this.position.board ? drawing.map(({ column }) => column) : ["free", "roll"];
    const facts = Object.entries(state).filter(([name]) => !unsaid.includes(name));
    this.now.replaceChildren(
      h("span", {}, facts.map(([name, value]) => `${columnName(name, this.table)}: ${count(value)}`).join(", ")),
      rolled
        ? h(
            "span",
            { class: "dice" },
            h("span", { class: "unseen" }, `You rolled ${[...rolled].join(" ")}`),
            [...rolled].map((face) => die(face)),
          )
        : "",
    );
    const action = await new Promise((resolve) => {
      // In the game's order, not by value.
      const actions = answer.actions.map((a) => a.action).sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
      this.board.replaceChildren(pictureOf(this.position, state, { actions, act: (text) => text && resolve(text) }));
      const focused = this.choices.contains(document.activeElement);
      this.choices.replaceChildren(
        ...actions.map((text) =>
          h("button", { type: "button", onclick: () => resolve(text) }, actionName(text, this.table)),
        ),
      );
      if (focused) this.choices.querySelector("button").focus();
    });
    this.#judge(answer, action, state);
    return action;
  }

  /** Use a roll of a score sheet; filling a box before the last roll means keeping all dice until then. */
  async #fill(state, more) {
    if (this.stopped !== undefined) return state.rerolls_left ? `keep ${state.roll}` : this.stopped;
    return new Promise((resolve) => {
      const stop = (box) => {
        this.stopped = this.position.answers.dice.boxes[box];
        resolve(`keep ${state.roll}`);
      };
      this.now.replaceChildren();
      this.choices.replaceChildren(...sheetChoices(this.position.answers, { ...state, ...more }, resolve, stop));
    });
  }

  /** After a box is filled: report the cost of not rolling again before. */
  #stop() {
    if (this.early) {
      const lost = lossText(this.early, this.position.variant.unit);
      this.comment.append(h("p", { class: "wrong" }, `Not to roll again before cost ${lost}.`));
    }
    Object.assign(this, { stopped: undefined, early: 0 });
  }

  #judge(answer, action, state) {
    const { unit } = this.position.variant;
    const { regret, optimal } = answer.actions.find((a) => a.action === action);
    this.made += 1;
    this.right += optimal;
    this.lost += optimal ? 0 : regret;
    const name = actionName(action, this.table);
    const said = optimal ? `${capital(name)}: right. ` : `${capital(name)} costs ${lossText(regret, unit)}. `;
    this.comment.replaceChildren(
      h("p", { class: optimal ? "right" : "wrong" }, said, advice(answer, unit, this.table)),
    );
    const sum = this.lost ? lossText(this.lost, unit) : "nothing";
    this.sum.textContent = `So far ${this.right} of ${this.made} decisions were the best; given up in all: ${sum}.`;
    this.behind.hidden = false;
    this.last.replaceChildren(rankingOf(answer, this.position, state));
    this.last.querySelector(`[data-action="${action}"]`)?.classList.add("chosen");
  }
}
