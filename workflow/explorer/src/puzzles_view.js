// The page of puzzles: five positions a day for each table, scored by regret.

import { saved } from "./coach.js";
import { h, unique } from "./dom.js";
import { explain } from "./explain.js";
import { packed } from "./place.js";
import { addressOf, choicesOf, drawnPosition, rolled } from "./position_views.js";
import { puzzlesOf } from "./puzzles.js";
import { tableChoices } from "./review_view.js";
import { actionName, capital, lossText } from "./words.js";

const WITHOUT = ["hidden", "versus", "long_run"];

/** The date of today as in 2026-11-26, at the user's place. */
const today = () => new Date(Date.now() - 60_000 * new Date().getTimezoneOffset()).toISOString().slice(0, 10);

/** A mark for each puzzle: right, wrong, now or still to come. */
const progress = (puzzles, answers) =>
  h(
    "div",
    { class: "progress", "aria-hidden": "true" },
    puzzles.map((_, i) =>
      h(
        "span",
        { class: i < answers.length ? (answers[i].regret ? "missed" : "solved") : i === answers.length ? "now" : "" },
        i < answers.length ? (answers[i].regret ? "✗" : "✓") : String(i + 1),
      ),
    ),
  );

export class PuzzlePage {
  /** `moved(given)` puts the table and the date into the address. */
  constructor(tables, list, moved) {
    Object.assign(this, { tables, list, moved });
    this.choice = h("div", { class: "row" });
    this.task = h("section", { "aria-label": "Puzzle" });
    this.score = h("div", { role: "status", class: "score" });
    this.element = h(
      "div",
      { class: "review puzzles" },
      h("h1", {}, "Puzzles"),
      h(
        "p",
        { class: "lead" },
        "Five positions a day; in most of them a common habit goes wrong. Your score is what your answers cost.",
      ),
      this.choice,
      this.task,
    );
  }

  /** Show the puzzles of a table on a day. */
  async show({ table, date = today() }) {
    const known = this.list.map((t) => t.table);
    const name = known.includes(table) ? table : known.includes("pig_duel") ? "pig_duel" : known[0];
    const id = unique("date");
    const day = h("input", {
      type: "date",
      id,
      value: date,
      onchange: () => day.value && this.moved({ table: name, date: day.value }),
    });
    this.choice.replaceChildren(
      tableChoices(this.list, name, (other) => this.moved({ table: other, date }), WITHOUT),
      h("div", { class: "control" }, h("label", { for: id }, "Day"), day),
    );
    const showing = (this.showing = {});
    this.task.replaceChildren(h("p", {}, "The positions are being chosen."));
    this.score.replaceChildren();
    const opened = await this.tables.open(name);
    const position = await opened.variant(opened.find(opened.defaults));
    const puzzles = await puzzlesOf(position, `${name} ${date}`);
    if (this.showing !== showing) return;
    Object.assign(this, { position, table: opened, date, puzzles, answers: [] });
    if (puzzles.length) this.#ask();
    else this.task.replaceChildren(h("p", { class: "none" }, "The page knows no habit that goes wrong in this table."));
  }

  #ask() {
    const { position, puzzles, answers } = this;
    const { node, answer } = puzzles[answers.length];
    const { state } = node;
    const dice = position.board || position.answers.kind === "sheets" ? "" : (state.roll ?? "");
    this.verdict = h("div", { class: "verdicts" });
    const choices = h("div", { class: "choices moves", role: "group", "aria-label": "Your choices" });
    const act = (action) => action && !choices.inert && this.#judge(action, choices);
    choices.replaceChildren(...choicesOf(position, node, answer, act));
    const bySheet = position.answers.kind === "sheets";
    this.task.replaceChildren(
      h(
        "div",
        { class: bySheet ? "desk sheets" : "desk" },
        h(
          "div",
          { class: "stage" },
          ...drawnPosition(position, state, { actions: answer.actions.map((a) => a.action), act }),
          dice ? h("p", { class: "thrown-now" }, "You rolled ", rolled(dice, dice, 56)) : "",
          bySheet ? choices : "",
        ),
        h(
          "div",
          { class: "aside" },
          h("h2", {}, `Position ${answers.length + 1} of ${puzzles.length}: what do you do?`),
          progress(puzzles, answers),
          bySheet ? "" : choices,
          this.verdict,
          this.score,
        ),
      ),
    );
  }

  async #judge(action, choices) {
    const { position, puzzles, answers, table } = this;
    const { node, answer, habit, chosen, cost } = puzzles[answers.length];
    const { unit } = position.variant;
    const { regret, optimal } = answer.actions.find((a) => a.action === action);
    answers.push({ action, regret: optimal ? 0 : regret });
    choices.inert = true;
    this.task.querySelector(".progress").replaceWith(progress(puzzles, answers));
    const best = answer.actions.filter((a) => a.optimal).map((a) => actionName(a.action, table));
    const said = optimal
      ? "Right."
      : `${capital(actionName(action, table))} costs ${lossText(regret, unit)}. Best: ${best.join(" or ")}.`;
    const habits = cost
      ? `would choose ${actionName(chosen, table)}, which costs ${lossText(cost, unit)}`
      : "is right here";
    const next = h("button", { type: "button", onclick: () => this.#ask() }, "Next position");
    const lesson = h("div");
    const end = answers.length === puzzles.length;
    this.verdict.append(
      h("p", { class: optimal ? "right verdict" : "wrong verdict" }, said),
      lesson,
      h("p", {}, `The habit “${habit.name}” ${habits}.`),
      h("p", {}, h("a", { href: addressOf(position, node.state) }, "Open the position")),
      end ? "" : next,
    );
    this.#total(end);
    if (!end) next.focus();
    const { why, change } = await explain(answer, position, node.state);
    lesson.replaceChildren(...[why, change].filter(Boolean).map((text) => h("p", {}, text)));
  }

  #total(end) {
    const { answers, puzzles, position } = this;
    const { unit } = position.variant;
    const sum = (of) => of.reduce((all, number) => all + number, 0);
    const text = (loss) => (loss > 1e-11 ? lossText(loss, unit) : "nothing");
    const mine = sum(answers.map(({ regret }) => regret));
    const habit = sum(puzzles.slice(0, answers.length).map(({ cost }) => cost));
    const right = answers.filter(({ regret }) => !regret).length;
    this.score.replaceChildren(
      h(
        "p",
        { "data-regret": mine },
        `${end ? "Done: " : ""}${right} of ${answers.length} right; your answers cost ${text(mine)}, the habits ${text(habit)}.`,
      ),
      end
        ? h("button", { type: "button", onclick: () => saved(this.csv(), `puzzles-${this.date}.csv`) }, "Save as CSV")
        : "",
    );
  }

  /** The puzzles with your answers. */
  csv() {
    const cell = (value) => (/[",\s]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
    const { position, table, date } = this;
    const parameters = Object.entries(position.parameters)
      .map(([name, value]) => `${name}=${value}`)
      .join(" ");
    const rows = this.puzzles.map(({ node, answer, habit, chosen, cost }, i) => {
      const { action, regret } = this.answers[i];
      return [
        date,
        table.table,
        parameters,
        packed(table.asked, node.state),
        action,
        regret,
        answer.actions[0].action,
        habit.name,
        chosen,
        cost,
      ];
    });
    const heads = "date,table,parameters,position,answer,cost,best,habit,habit_action,habit_cost".split(",");
    return [heads, ...rows].map((cells) => `${cells.map((value) => cell(value)).join(",")}\n`).join("");
  }
}
