// The view that answers: controls of a position, every action with what it costs, the map around it.

import { control } from "./controls.js";
import { h } from "./dom.js";
import { maps } from "./maps.js";
import { asked, possible, repaired, whyNone } from "./state.js";
import { actionName, advice, capital, costText, count, headline, plainText, valueText } from "./words.js";

export class Ask {
  /** `moved(state)` is told of every change of the position. */
  constructor(table, moved) {
    this.table = table;
    this.moved = moved;
    this.controls = h("form", { class: "controls", onsubmit: (event) => event.preventDefault() });
    this.say = h("div", { role: "status", class: "say" });
    this.ranking = h("div", { class: "ranking" });
    this.map = h("section", { class: "maps", "aria-label": "Maps" });
    this.element = h(
      "div",
      { class: "ask" },
      h("section", { "aria-labelledby": "position" }, h("h2", { id: "position" }, "Position"), this.controls),
      this.say,
      h("section", { "aria-label": "Answer", class: "answer" }, this.ranking),
      this.map,
    );
  }

  /** Show a variant at a position, which may be incomplete; `exactly` as it is given, or the nearest one there is. */
  async show(position, state, exactly = false) {
    this.position = position;
    const { columns } = position;
    this.both = position.table.roll && columns.includes("dice"); // a roll may be given for the dice
    this.rolled = this.both && "roll" in state;
    const complete = asked(position, this.rolled).every((name) => name in state);
    this.state = exactly && complete ? state : repaired(position, this.rolled, state);
    this.#build();
    await this.#refresh();
  }

  #build() {
    const described = Object.fromEntries(this.table.columns.map((c) => [c.name, c]));
    this.set = {};
    const elements = asked(this.position, this.rolled).map((name) => {
      const values =
        name === "dice" ? [...this.position.answers.dice.modes].reverse() : possible(this.position, name, this.state);
      const made = control(described[name] ?? { name }, values, (value) => this.#change(name, value));
      this.set[name] = made.set;
      return made.element;
    });
    if (this.both) elements.splice(-1, 0, this.#manner());
    this.controls.replaceChildren(...elements);
  }

  /** Whether dice are in the hand, or lie on the table. */
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
    this.state = repaired(this.position, rolled, rest);
    this.#build();
    this.controls.querySelector(".manner input:checked").focus();
    await this.#refresh();
  }

  async #change(name, value) {
    this.state = repaired(this.position, this.rolled, { ...this.state, [name]: value });
    await this.#refresh();
  }

  async #refresh() {
    const { position, state } = this;
    for (const [name, set] of Object.entries(this.set)) set(state[name], possible(position, name, state));
    this.moved(state);
    const answer = await position.answer(state);
    const supposed = answer ? null : await position.supposed(state);
    if (this.state !== state || this.position !== position) return; // a later one is under way
    this.#answer(answer ?? supposed, Boolean(supposed));
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => this.#draw(), this.drawn ? 60 : 0);
  }

  async #draw() {
    this.drawn = true;
    const { position, state } = this;
    const go = (there) => {
      this.state = repaired(position, this.rolled, { ...this.state, ...there });
      this.#refresh();
    };
    const made = await maps(position, state, this.#width(), go);
    if (this.state === state) this.map.replaceChildren(...made);
  }

  /** Of a figure: two share a row where there is room. */
  #width() {
    const { clientWidth } = this.map;
    return clientWidth > 800 ? (clientWidth - 40) / 2 : clientWidth || 640;
  }

  #answer(answer, supposed) {
    const { table, position } = this;
    if (!answer) {
      const why = whyNone(position, this.state);
      this.say.replaceChildren(h("p", { class: why.none ? "none" : "waiting" }, Object.values(why)[0]));
      this.ranking.replaceChildren();
      return;
    }
    const { unit } = position.variant;
    const near = supposed ? position.around(this.state).map(count).join(" and ") : "";
    const note = `By these rules no turn comes to exactly this${near && ` (but to ${near})`}; the answer holds as if one did.`;
    this.say.replaceChildren(
      h("p", { class: "headline" }, headline(answer, table)),
      h("p", {}, advice(answer, unit, table)),
      supposed ? h("p", { class: "note" }, note) : "",
    );
    this.ranking.replaceChildren(rankingOf(answer, unit, table));
  }
}

/** Every action, best first. */
export function rankingOf({ actions }, unit, table) {
  const mixed = actions.some((a) => a.probability > 0 && a.probability < 1);
  const most = Math.max(...actions.map((a) => a.regret)) || 1;
  const value = { probability: "Chance", points: "Points" }[unit] ?? capital(unit);
  const row = (a) =>
    h(
      "tr",
      { class: a.optimal ? "best" : "", "data-action": a.action, "data-value": a.value, "data-regret": a.regret },
      h(
        "th",
        { scope: "row" },
        actionName(a.action, table),
        a.optimal ? h("span", { class: "tag" }, a.undecided ? "tie?" : "best") : null,
      ),
      h("td", {}, valueText(a.value, unit, true)),
      h("td", {}, costText(a.regret, unit), bar(a.regret / most)),
      mixed ? h("td", {}, a.probability ? `${(100 * a.probability).toFixed(1)} %` : "–") : null,
    );
  const heads = ["Action", value, "Cost", ...(mixed ? ["How often"] : [])];
  return h(
    "table",
    {},
    h("caption", {}, `Every action, best first: ${plainText(table.value_is)}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h("tbody", {}, actions.map(row)),
  );
}

function bar(share) {
  const element = h("span", { class: "bar" });
  element.style.width = `${Math.round(100 * share)}%`;
  return h("span", { class: "track", "aria-hidden": "true" }, element);
}
