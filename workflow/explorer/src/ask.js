// The view that answers questions: controls for a position, every action with its cost, and maps around the position.

import { render } from "preact";
import { Boards, boardsOf, changed } from "./boards.js";
import { Control } from "./controls.js";
import { h } from "./dom.js";
import { maps } from "./maps.js";
import { GamePicture } from "./pictures.js";
import { asked, completed, possible, whyNone } from "./state.js";
import { rankingOf, teach } from "./ranking_view.js";
import { advice, columnName, count, headline } from "./words.js";

export class Ask {
  /** `moved(state, quietly)` is called after every change of the position. */
  constructor(table, moved) {
    this.table = table;
    this.moved = moved;
    this.controls = h("form", { class: "controls", onsubmit: (event) => event.preventDefault() });
    this.say = h("div", { role: "status", class: "say" });
    this.lesson = h("div", { class: "lesson" });
    const heading = h("h2", { id: "position" }, "Position");
    this.asked = h("section", { "aria-labelledby": "position", class: "position" }, heading, this.controls);
    const point = ({ target }) => this.#point(target);
    const leave = () => this.#point(null);
    this.ranking = h("div", { class: "ranking", onpointerover: point, onfocusin: point, onpointerleave: leave, onfocusout: leave });
    this.costs = h("div", { class: "costs" });
    this.map = h("section", { class: "maps", "aria-label": "Map" });
    this.element = h(
      "div",
      { class: "ask" },
      this.say,
      this.lesson,
      h("div", { class: "left" }, this.asked, this.costs),
      h("section", { "aria-label": "Answer", class: "answer" }, this.ranking),
      this.map,
    );
  }

  /** Show a variant at a position, which may be incomplete. */
  async show(position, state, quietly) {
    this.position = position;
    const { columns } = position;
    this.both = position.table.roll && columns.includes("dice"); // you may give a roll instead of a number of dice
    this.rolled = (this.both && "roll" in state) || (columns.includes("roll") && !position.board);
    this.boards = boardsOf(position.answers.meta.drawing, position);
    this.#complete(state);
    await this.#refresh(quietly);
  }

  #complete(state) {
    Object.assign(this, completed(this.position, this.rolled, state));
  }

  /** The boards of the position, and a control for each column that no board changes. */
  #controls() {
    const { position, table, state, near, boards } = this;
    const { answers, board } = position;
    const done = changed(boards);
    const control = (name) => {
      const known = table.columns.find((c) => c.name === name);
      const values = possible(position, name, near);
      const column = { ...known, name, label: columnName(name, table), board, sides: answers.dice?.sides };
      column.anywhere = board ? position.anywhere(name) : name === "dice" ? [...answers.dice.modes].reverse() : values;
      const change = (value, quietly) => this.#change({ [name]: value }, quietly);
      return <Control key={name} {...{ column, values, change }} value={state[name]} pointed={this.#pointed()} />;
    };
    const only = (name) => board && position.anywhere(name).length === 1; // nothing to choose
    const controls = asked(position, this.rolled).filter((name) => !done.includes(name) && !only(name)).map(control);
    if (this.both) controls.splice(-1, 0, this.#manner());
    render(
      <>
        <Boards {...{ boards, position, state }} change={this.#change} pointed={this.#pointed()} answer={this.answer} />
        {controls}
        {!boards.length && !controls.length && <GamePicture {...table} />}
      </>,
      this.controls,
    );
    this.element.classList.toggle("pictured", position.board && done.length > 0);
  }

  /** The actions that boards point out: that under the pointer or the focus, and the best one. */
  #pointed() {
    const actions = this.answer?.actions ?? [];
    const best = actions.filter((a) => a.optimal).slice(0, TIED);
    const [under] = actions.filter((a) => a.action === this.under && !best.includes(a));
    return [under, ...best].filter(Boolean).map(({ action, optimal }) => ({ action, best: optimal }));
  }

  #point(target) {
    const under = target?.closest?.("tr[data-action]")?.dataset.action;
    if (under === this.under) return;
    this.under = under;
    this.#controls();
  }

  /** The choice between dice to roll and dice that lie on the table. */
  #manner() {
    const choice = (rolled, text) => (
      <label class="choice">
        <input type="radio" name="manner" checked={this.rolled === rolled} onChange={() => this.#turnTo(rolled)} />
        <span>{text}</span>
      </label>
    );
    return (
      <fieldset key="manner" class="control manner">
        <legend>What is to be decided?</legend>
        <div class="choices">{choice(false, "Roll or bank?")}{choice(true, "Which dice to keep?")}</div>
      </fieldset>
    );
  }

  async #turnTo(rolled) {
    this.rolled = rolled;
    const { dice, roll, ...rest } = this.state;
    this.#complete(rest);
    await this.#refresh();
  }

  #change = async (there, quietly) => {
    this.#complete({ ...this.state, ...there });
    await this.#refresh(quietly);
  };

  async #refresh(quietly) {
    const { position, state } = this;
    this.answer = null;
    this.#controls();
    this.moved(state, quietly);
    const answer = await position.answer(state);
    const supposed = answer ? null : await position.supposed(state);
    if (this.state !== state || this.position !== position) return; // a later question replaced this one
    this.answer = answer ?? supposed;
    this.#controls();
    this.#answer(this.answer, Boolean(supposed));
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => this.#draw(), this.drawn ? 60 : 0);
  }

  async #draw() {
    this.drawn = true;
    const { position, state } = this;
    this.element.classList.add("mapped"); // the maps are as wide as their place then
    const end = (part) => part.getBoundingClientRect().bottom;
    const free = end(this.asked) < end(this.ranking) ? "costs" : "map";
    const [costs, map] = await maps(position, state, this.#width, (there) => this.#change(there), free);
    if (this.state !== state) return;
    this.costs.replaceChildren(...costs);
    this.map.replaceChildren(...map);
    this.element.classList.toggle("mapped", map.length > 0);
  }

  /** The width of the figures in a part of the page. */
  #width = (part) => this[part].clientWidth || 640;

  #answer(answer, supposed) {
    const { table, position } = this;
    if (!answer) {
      const { near = [], ...why } = whyNone(position, this.state, this.rolled);
      const [[kind, text]] = Object.entries(why);
      const buttons = near.map(([name, value]) =>
        h("button", { type: "button", onclick: () => this.#change({ [name]: value }) }, count(value)),
      );
      const name = `Nearest: ${columnName(near[0]?.[0] ?? "", table)}`;
      const group = h("div", { class: "choices near", role: "group", "aria-label": name }, "Nearest: ", buttons);
      this.say.replaceChildren(h("p", { class: kind }, text), near.length ? group : "");
      this.ranking.replaceChildren();
      this.lesson.replaceChildren();
      return;
    }
    const { unit } = position.variant;
    const near = supposed ? position.around(this.state).map(count).join(" and ") : "";
    const but = near && ` (but to ${near})`;
    const note = `By these rules no turn comes to exactly this${but}; the answer holds as if one did.`;
    this.say.replaceChildren(
      h("p", { class: "headline" }, headline(answer, table)),
      h("p", {}, advice(answer, unit, table)),
      supposed ? h("p", { class: "note" }, note) : "",
      answer.beyond ? h("p", { class: "note" }, `Past the stored totals, by a theorem: ${position.variant.note}.`) : "",
    );
    const { state } = this;
    this.ranking.replaceChildren(...folded(rankingOf(answer, position, state), this.boards.length > 0));
    teach(this.lesson, answer, position, state, () => this.state === state && this.position === position);
  }
}

const TIED = 3; // most equally good actions that a board points out
const SHOWN = 5; // actions that are listed without asking

/** A ranking of which a button shows the actions after the first ones; `pointing` if boards point out an action. */
function folded(table, pointing) {
  const rows = [...table.querySelectorAll("tbody tr")];
  if (pointing) for (const row of rows) row.tabIndex = 0;
  if (rows.length <= SHOWN + 1) return [table];
  for (const row of rows.slice(SHOWN)) row.hidden = true;
  const all = () => {
    for (const row of rows) row.hidden = false;
    button.remove();
    rows[SHOWN].focus();
  };
  const button = h("button", { type: "button", onclick: all }, `All ${rows.length} actions`);
  return [table, button];
}
