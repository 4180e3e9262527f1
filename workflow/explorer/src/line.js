// The line of a game: its rolls and decisions, with luck and losses as `dicebase review` defines them.
//
// The table gives the first player's expected payoff before and after every step. The luck of a roll and the loss of a
// decision are the difference, so the first expectation plus their sum is the result.

import { draw } from "./chance.js";
import { gameOf } from "./play.js";
import { isHidden } from "./words.js";

export class Line {
  /** Begin a game of a position's table (play.js); if `open`, with all hidden information shown. */
  static async open(position, open = false) {
    const line = new Line();
    const first = await gameOf(position, open)(position);
    const learns = open && isHidden(position.table);
    Object.assign(line, { position, learns, sense: position.table.sense, steps: [], first });
    line.firstAnswer = await line.#answer(line.first);
    line.begun = await line.#begun();
    return line;
  }

  /** The present position of the game (play.js), the answer to its decision, and the first player's expectation. */
  get now() {
    return this.steps.at(-1)?.next ?? this.first;
  }

  get answer() {
    return this.steps.length ? this.steps.at(-1).answered : this.firstAnswer;
  }

  get expected() {
    return this.steps.at(-1)?.expected ?? this.begun;
  }

  async #answer({ state }) {
    if (!state) return null;
    const answer = await this.position.answer(state);
    if (!answer) throw new Error(`no answer at ${JSON.stringify(state)}`);
    return answer;
  }

  async #begun() {
    const { first, position } = this;
    if (first.state) return this.firstAnswer.value;
    if (!position.answers.meta.points) return first.begun ?? position.variant.value;
    // The table has no row for the start: average over its rolls.
    const answers = await Promise.all(first.falls.map((fall) => this.#answer(fall.to())));
    const sum = (of) => first.falls.reduce((all, { weight }, i) => all + weight * of(i), 0);
    return sum((i) => answers[i].value) / sum(() => 1);
  }

  /** Let the roll with this index fall. */
  async fall(index, more = {}) {
    const { now, expected: before } = this;
    const { text, record = text, acts, dealt, dice, lost, role = now.role, to } = now.falls[index];
    const next = await to();
    const answered = await this.#answer(next);
    const { what = now.falls.length === 1 && !acts ? "pass" : "roll" } = more;
    const same = this.learns && what === "pass";
    const expected = same ? before : next.end ? next.paid : answered ? next.paid + next.role * answered.value : before;
    this.#add({ text, record, acts, dealt, dice, lost, ...more, what, role, next, answered, expected }, now, before);
    if (next.end) this.#learn("all is shown", next.paid);
  }

  /** Take an action of the present decision. */
  async act(action, more = {}) {
    const { now, answer } = this;
    const what = answer.actions.length === 1 ? "forced" : "action";
    if (what === "action") this.#learn("what this player knows", now.paid + now.role * answer.value);
    const { expected: before } = this;
    const chosen = answer.actions.find((a) => a.action === action);
    const next = await now.act(action);
    const answered = await this.#answer(next);
    // An optimal action costs nothing, even if its value differs in the last digit; nor does one that the opponent's mix
    // does not punish.
    const right = chosen.optimal || !chosen.regret;
    const value = right ? answer.value : chosen.value;
    const best = right ? "" : answer.actions[0].action;
    const expected = this.learns && what === "forced" ? before : now.paid + now.role * value;
    this.#add(
      { what, role: now.role, text: action, answer, chosen, best, next, answered, expected, ...more },
      now,
      before,
    );
  }

  /** Add what becomes known without a roll, when the player `learns` is to move: in an open game of hidden information the
   * expectation depends on who asks. */
  #learn(text, expected) {
    const { now, answer: answered, expected: before, steps } = this;
    if (!this.learns || Math.abs(expected - before) <= 1e-12) return;
    const { line } = steps.findLast((step) => step.line) ?? {};
    this.#add({ what: "roll", role: 1, text, line, learns: now.role, next: now, answered, expected }, now, before);
  }

  #add(step, now, before) {
    const change = step.role * this.sense * (step.expected - before);
    this.steps.push({ ...step, from: now, change });
  }

  /** Draw a roll, or an action of the published policy. */
  async random() {
    const { now, answer } = this;
    if (now.falls)
      return this.fall(
        now.falls.indexOf(
          draw(
            now.falls.map((f) => [f, f.weight]),
            1,
          )[0],
        ),
      );
    return this.act(
      draw(
        answer.actions.map((a) => [a.action, a.probability]),
        1,
      )[0],
    );
  }

  /** The step that `undo` takes back: the first player's last decision or, with `any`, the last roll or decision. */
  last(any) {
    return this.steps.findLastIndex(
      ({ what, role }) => (any && what === "roll") || (what === "action" && (any || role > 0)),
    );
  }

  undo(any) {
    this.steps.length = this.last(any);
  }

  /** The luck of a player's rolls (`roll`), or minus the losses of the decisions (`action`). */
  sum(role, what) {
    return this.steps.reduce((sum, step) => sum + (step.role === role && step.what === what ? step.change : 0), 0);
  }

  /** The players' last mistakes, the most costly first. */
  get mistakes() {
    return this.steps.filter(({ what, best }) => what === "action" && best).sort((a, b) => a.change - b.change);
  }

  /** The record of the game, as `dicebase review` reads it. */
  csv(names = { 1: "You", "-1": "Opponent" }) {
    const { table, parameters } = this.position;
    const given = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
    const cell = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = this.steps.map(({ what, role, text, record, acts, dealt }) =>
      what === "roll" && record ? `${dealt ? "" : names[role]},${acts ? "," : ""}${cell(record)}${acts ? "" : ","}` : what === "action" ? `${names[role]},,${cell(text)}` : "",
    );
    return [[table.table, ...given].join(" "), "player,roll,action", ...rows.filter(Boolean), ""].join("\n");
  }
}
