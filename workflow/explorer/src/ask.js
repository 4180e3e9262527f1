// The view that answers questions: controls for a position, every action with its cost, and maps around the position.

import { control } from "./controls.js";
import { h } from "./dom.js";
import { maps } from "./maps.js";
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
    this.ranking = h("div", { class: "ranking" });
    this.costs = h("div");
    this.map = h("section", { class: "maps", "aria-label": "Map" });
    this.element = h(
      "div",
      { class: "ask" },
      this.say,
      h(
        "section",
        { "aria-labelledby": "position", class: "position" },
        h("h2", { id: "position" }, "Position"),
        this.controls,
      ),
      h("section", { "aria-label": "Answer", class: "answer" }, this.ranking, this.costs),
      this.map,
    );
  }

  /** Show a variant at a position, which may be incomplete. */
  async show(position, state, quietly) {
    this.position = position;
    const { columns } = position;
    this.both = position.table.roll && columns.includes("dice"); // you may give a roll instead of a number of dice
    this.rolled = (this.both && "roll" in state) || (columns.includes("roll") && !position.board);
    this.#complete(state);
    this.#build();
    await this.#refresh(quietly);
  }

  #complete(state) {
    Object.assign(this, completed(this.position, this.rolled, state));
  }

  #build() {
    const described = Object.fromEntries(this.table.columns.map((c) => [c.name, c]));
    this.set = {};
    const sheets = this.position.answers.kind === "sheets";
    // On a score sheet the dice come first; the filled boxes determine the bonus.
    const names = sheets ? ["roll", "rerolls_left", "open", "upper"] : asked(this.position, this.rolled);
    const elements = names.map((name) => {
      const values =
        name === "dice" && !this.position.board ? [...this.position.answers.dice.modes].reverse() : possible(this.position, name, this.near);
      const change = (value, quietly) => this.#change(value.open === undefined ? { [name]: value } : value, quietly);
      const drawn = this.position.answers.meta.drawing?.find((drawing) => drawing.column === name);
      const column = { ...described[name], name, label: columnName(name, this.table), board: this.position.board, drawn };
      if (sheets && name === "open") column.answers = this.position.answers;
      column.sides = this.position.answers.dice?.sides;
      if (column.board) column.anywhere = this.position.anywhere(name);
      const made = control(column, values, change);
      this.set[name] = made.set;
      if (made.answered) this.answered = made.answered;
      return made.element;
    });
    if (this.both) elements.splice(-1, 0, this.#manner());
    this.controls.replaceChildren(...elements);
  }

  /** The choice between dice to roll and dice that lie on the table. */
  #manner() {
    const choice = (rolled, text) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: "manner",
          checked: this.rolled === rolled,
          onchange: () => this.#turnTo(rolled),
        }),
        h("span", {}, text),
      );
    return h(
      "fieldset",
      { class: "control manner" },
      h("legend", {}, "What is to be decided?"),
      h("div", { class: "choices" }, choice(false, "Roll or bank?"), choice(true, "Which dice to keep?")),
    );
  }

  async #turnTo(rolled) {
    this.rolled = rolled;
    const { dice, roll, ...rest } = this.state;
    this.#complete(rest);
    this.#build();
    this.controls.querySelector(".manner input:checked").focus();
    await this.#refresh();
  }

  async #change(there, quietly) {
    this.#complete({ ...this.state, ...there });
    await this.#refresh(quietly);
  }

  async #refresh(quietly) {
    const { position, state } = this;
    for (const [name, set] of Object.entries(this.set)) set(state[name], possible(position, name, this.near), state);
    this.moved(state, quietly);
    const answer = await position.answer(state);
    const supposed = answer ? null : await position.supposed(state);
    if (this.state !== state || this.position !== position) return; // a later question replaced this one
    this.answered?.(answer, state, position.variant.unit);
    this.#answer(answer ?? supposed, Boolean(supposed));
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => this.#draw(), this.drawn ? 60 : 0);
  }

  async #draw() {
    this.drawn = true;
    const { position, state } = this;
    const [costs, map] = await maps(position, state, this.#width, (there) => this.#change(there));
    if (this.state !== state) return;
    this.costs.replaceChildren(...costs);
    this.map.replaceChildren(...map);
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
    const lesson = h("div", { class: "lesson" });
    this.ranking.replaceChildren(lesson, rankingOf(answer, position, state));
    teach(lesson, answer, position, state, () => this.state === state && this.position === position);
  }
}
