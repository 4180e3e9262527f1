// How play goes on from every position (show/explorer/moves.py): positions and afterstates by number.

export class Moves {
  constructor({ columns, meta: { texts } }, { columns: c, meta }) {
    Object.assign(this, { columns, texts, c, labels: meta.labels });
  }

  outcomes(after) {
    const { c, labels } = this;
    return Array.from({ length: c.falls[after + 1] - c.falls[after] }, (_, i) => {
      const at = c.falls[after] + i;
      return { 0: c.weight[at], to: c.to[at], pays: c.pays[at], turns: c.turns[at], said: labels?.[c.label[at]] };
    });
  }

  state(at) {
    const text = (name, code) => this.texts[name]?.[code] ?? code;
    return Object.fromEntries(this.columns.map((name, i) => [name, text(name, this.c[`state_${i}`][at])]));
  }

  after(at, action) {
    return this.c.after[this.c.leads[at] + action];
  }

  /** The positions that look like a state: one, or with hidden information several. */
  like(state) {
    const key = this.columns.map((name, i) => [this.texts[name]?.indexOf(state[name]) ?? state[name], this.c[`state_${i}`]]);
    const same = (_, at) => key.every(([code, column]) => column[at] === code);
    const [, all] = key[0];
    const first = all.findIndex(same);
    return Array.from({ length: all.findLastIndex(same) + 1 - first }, (_, i) => first + i);
  }

  /** The steps of a play from the start to a position: {at, action} or {said} by a chance of several outcomes. */
  path(position) {
    const { c } = this;
    if (!this.from) {
      // The afterstate and the outcome before each position, and the position and the action before each afterstate.
      const [from, by] = [new Map(), new Map()];
      for (let after = 0; after + 1 < c.falls.length; after++)
        for (let i = c.falls[after]; i < c.falls[after + 1]; i++) from.set(c.to[i], [after, i]);
      for (let at = 0; at + 1 < c.leads.length; at++)
        for (let i = c.leads[at]; i < c.leads[at + 1]; i++) by.set(c.after[i], { at, action: i - c.leads[at] });
      Object.assign(this, { from, by });
    }
    const steps = [];
    for (let at = position; at !== undefined; at = steps[0].at) {
      const [after, i] = this.from.get(at);
      if (c.falls[after + 1] - c.falls[after] > 1) steps.unshift({ said: this.labels?.[c.label[i]] });
      const before = this.by.get(after);
      if (!before) break;
      steps.unshift(before);
    }
    return steps;
  }
}
