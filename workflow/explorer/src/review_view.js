// The page that reviews a game: from its CSV, or recorded by clicks.

import { Coach, commentOn, saved } from "./coach.js";
import { h, unique } from "./dom.js";
import { curveOf, movesOf, sumsOf } from "./game_views.js";
import { gameOf } from "./play.js";
import { addressOf } from "./position_views.js";
import { reviewed } from "./review.js";
import { actionName, capital, gameName, lossText, matchName, parameterName, valueName } from "./words.js";

const WORST = 5; // mistakes listed
const PLAYERS = ["Ann", "Bob"];
// A game of Pig to 20 for people who have no record at hand: the rolls of each turn, and h for hold.
const TURNS = "5h 64h 231 3h 42h 31 65";
const rowsOf = (turn, i) => {
  const rolls = [...turn.replace("h", "")];
  const last = turn.endsWith("h") ? "hold" : "";
  return rolls.map((roll, j) => `${PLAYERS[i % 2]},${roll},${j < rolls.length - 1 ? "roll" : last}`);
};
const EXAMPLE = ["pig_duel target=20", "player,roll,action", ...TURNS.split(" ").flatMap(rowsOf), ""].join("\n");
const SHOWN = [
  ["A curve of the winning chance", "after every roll and decision, with a dot at each mistake."],
  ["Luck and mistakes apart", "what the rolls gave to each player and what the decisions lost; they add up to the result."],
  ["The worst mistakes", "with the better action and the reason for it, and a link to the position."],
  ["The whole game", "move by move, with the cost beside every mistake."],
];
const UNRECORDED = ["hidden", "simultaneous", "versus", "long_run"]; // matches that cannot be reviewed

/** Tables as choices by game and aim, without some matches. */
export function tableChoices(list, chosen, change, without = []) {
  const options = list.filter(({ match }) => !without.includes(match));
  const text = (table) => `${gameName(table)}: ${matchName(table)}`;
  const sorted = options.map((table) => [text(table), table.table]).sort(([a], [b]) => (a < b ? -1 : 1));
  const id = unique("of");
  const select = h(
    "select",
    { id, onchange: () => change(select.value) },
    sorted.map(([label, name]) => h("option", { value: name }, label)),
  );
  if (chosen) select.value = chosen;
  return h("div", { class: "control" }, h("label", { for: id }, "Game and aim"), select);
}

export class ReviewPage {
  constructor(tables, list) {
    this.tables = tables;
    const [id, file] = [unique("record"), unique("file")];
    this.text = h("textarea", {
      id,
      spellcheck: "false",
      placeholder: "pig_duel target=100\nplayer,roll,action\nAnn,5,roll\nAnn,6,hold\n…",
    });
    this.problem = h("div", { role: "alert" });
    this.found = h("div", {}, preview());
    this.recorder = h("div");
    const upload = h("input", {
      type: "file",
      id: file,
      accept: ".csv,text/csv,text/plain",
      onchange: () => this.#read(upload.files[0]),
    });
    const button = (text, click) => h("button", { type: "button", onclick: click }, text);
    const first = list.find(({ table }) => table === "pig_duel") ?? list[0];
    const choice = tableChoices(list, first.table, (name) => this.#rules(name), UNRECORDED);
    const example = button("Try an example", () => this.#example());
    example.className = "first";
    const rules = unique("rules");
    this.variants = h("select", { id: rules });
    this.#rules(first.table);
    this.element = h(
      "div",
      { class: "review" },
      h("h1", {}, "Review a game"),
      h(
        "p",
        { class: "lead" },
        "Were you unlucky, or did you make mistakes? Paste the record of a game, or record it by clicks. Each roll gets its luck and each decision its cost; they add up to the result.",
      ),
      first.table === "pig_duel" ? h("p", {}, example) : "",
      h(
        "div",
        { class: "ways" },
        h(
          "section",
          { class: "way" },
          h("h2", {}, "Paste or open a record"),
          h("label", { for: id }, "Record as CSV"),
          this.text,
          h(
            "div",
            { class: "row" },
            button("Review", () => this.review()),
            h("label", { for: file }, "or open a file"),
            upload,
          ),
        ),
        h(
          "section",
          { class: "way" },
          h("h2", {}, "Record a game by clicks"),
          h("p", {}, "Click the rolls and decisions of a game as you play it, or from memory."),
          choice,
          h("div", { class: "control" }, h("label", { for: rules }, "Rules"), this.variants),
          h(
            "div",
            { class: "row" },
            button("Record by clicks", () => this.#record()),
          ),
        ),
      ),
      this.problem,
      this.found,
      this.recorder,
    );
  }

  async #example() {
    this.text.value = EXAMPLE;
    await this.review();
  }

  async #read(file) {
    this.text.value = await file.text();
    await this.review();
  }

  /** Offer the rules of a table. */
  async #rules(name) {
    this.table = this.tables.open(name);
    const table = await this.table;
    const text = (parameters) =>
      table.names.map((of) => `${parameterName(of, table)}: ${valueName(table, of, parameters[of])}`).join(", ");
    const usual = text(table.defaults);
    this.variants.replaceChildren(
      ...table.variants.map(({ parameters }, i) =>
        h("option", { value: i, selected: text(parameters) === usual }, text(parameters) || "the usual ones"),
      ),
    );
  }

  async #record() {
    const table = await this.table;
    const position = await table.variant(table.find(table.variants[this.variants.value].parameters));
    this.found.replaceChildren();
    this.recorder.replaceChildren();
    const none = gameOf(position) ? "" : "This page cannot record games of this table; dicebase review reads them.";
    this.problem.replaceChildren(none && h("p", { class: "none" }, none));
    if (none) return;
    const coach = new Coach(table, { records: true, changed: (csv) => (this.text.value = csv) });
    this.recorder.replaceChildren(coach.element);
    await coach.show(position);
  }

  async review() {
    this.problem.replaceChildren();
    this.found.replaceChildren();
    try {
      const { line, players } = await reviewed(this.text.value, (name) => this.tables.open(name));
      this.recorder.replaceChildren();
      this.#show(line, players);
      this.found.scrollIntoView();
    } catch (error) {
      this.problem.replaceChildren(h("p", { class: "none" }, capital(`${error.message}.`)));
    }
  }

  #show(line, players) {
    const { position } = line;
    const { table } = position;
    const link = ({ from }) => addressOf(position, from.state);
    const worst = line.mistakes
      .slice(0, WORST)
      .map((step) =>
        h(
          "li",
          {},
          h("strong", { class: "wrong" }, `${players[step.role]}: ${actionName(step.text, table)}`),
          ` costs ${lossText(-step.change, position.variant.unit)}. `,
          commentOn(step, position),
          h("a", { href: link(step) }, "Open the position"),
        ),
      );
    const width = Math.min(620, this.element.clientWidth || 360);
    const save = h(
      "button",
      { type: "button", onclick: () => saved(reviewCsv(line, players), "review.csv") },
      "Save the review as CSV",
    );
    this.found.replaceChildren(
      h("h2", {}, `${gameName(table)}, ${matchName(table)}`),
      h(
        "div",
        { class: "two" },
        h(
          "section",
          { "aria-label": "Luck and skill" },
          curveOf(line, players, width),
          sumsOf(line, players),
          h("h2", {}, "The worst mistakes"),
          worst.length
            ? h("ol", { class: "worst" }, worst)
            : h("p", { class: "right" }, "None: every decision was the best."),
          save,
        ),
        h("section", { "aria-label": "Moves" }, h("h2", {}, "Moves"), movesOf(line, players, null, link)),
      ),
    );
  }
}

/** What a review shows. */
const preview = () =>
  h(
    "section",
    { class: "preview", "aria-label": "What you will see" },
    h("h2", {}, "What you will see"),
    h(
      "dl",
      {},
      SHOWN.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text))),
    ),
  );

/** Rolls and decisions as `dicebase review --csv` prints them. */
function reviewCsv(line, players) {
  const cell = (value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const rows = line.steps
    .filter(({ what }) => what === "roll" || what === "action")
    .map(({ line: at = "", role, what, text, change, best = "", expected }) =>
      [
        at,
        players[role],
        what,
        text,
        what === "roll" ? String(change) : "",
        what === "roll" ? "" : String(Math.abs(change)),
        best,
        String(expected),
      ]
        .map((value) => cell(String(value)))
        .join(","),
    );
  return ["line,player,what,text,luck,loss,best,expected", ...rows, ""].join("\n");
}
