// The most expected points of one turn, solved in the page and answered like questions about tables (answers.js).
//
//   W(t, m) = sum of p * (0 | max over (gain, m') of V(t + gain, m')),   V(t, m) = max(t, W(t, m)) if you may stop
//
// by backward induction from a last total, beyond which a total counts as its points. The last total is doubled until
// this makes no difference.

import { TIE, ranked } from "./ranking.js";
import { modeAt } from "./turn.js";

const MOST = 2 ** 16; // totals
const SAME = 1e-11; // difference of values that does not count

export class BestTurn {
  kind = "solved";
  columns = ["turn_total", "roll"];
  meta = { columns: this.columns, texts: {} };

  /** Solve a turn (scoring.js); throws if turns can be too long. */
  constructor(dice) {
    this.dice = dice;
    const gains = dice.rolls[0].flatMap((rolls) => rolls.flatMap(([, , what]) => (what === "bust" ? [] : what.map(([gain]) => gain))));
    if (!gains.length) throw new Error("no roll scores");
    this.unit = gains.reduce(divisor);
    this.most = Math.max(...gains) / this.unit;
    this.hands = dice.modes.map((_, mode) => this.#hand(mode));
    let before = null;
    for (let size = 256; size <= MOST; size *= 2) {
      if (size < 4 * this.most) continue;
      this.roll = this.#solved(size);
      this.last = this.#last(size / 2);
      const here = this.last < size / 2 - this.most ? [this.worth, ...this.#at(this.last)] : null;
      if (here && before && here.every((value, i) => Math.abs(value - before[i]) <= SAME * Math.max(1, value))) {
        this.reached = this.#reached();
        return;
      }
      before = here;
    }
    throw new Error("a turn may go on for too long, or never be lost: it is not solved in the page");
  }

  /** The value of the whole turn. */
  get worth() {
    return this.roll[0] * this.unit;
  }

  possible(name, state) {
    const { modes, rolls } = this.dice;
    const totals = Array.from({ length: this.last + 1 }, (_, t) => t * this.unit);
    const there = (total) => modes.map((_, m) => m).filter((m) => this.reached[(total / this.unit) * modes.length + m]);
    if (name === "turn_total") return totals.filter((total) => there(total).length);
    return there(state.turn_total).flatMap((m) => rolls[0][m].filter(([, , what]) => what !== "bust").map(([, dice]) => dice));
  }

  async answer({ turn_total: total, roll }) {
    const { modes, rolls, stop } = this.dice;
    const mode = modes.indexOf(modeAt(this.dice, total, roll.length));
    const known = rolls[0][mode]?.find(([, dice]) => dice === roll);
    const at = total / this.unit;
    if (!known || known[2] === "bust" || !(at <= this.last) || !this.reached[at * modes.length + mode]) return null;
    const choices = known[2].flatMap(([gain, next, kept]) => {
      const after = total + gain;
      const banked = { action: `keep ${kept}, ${stop}`, value: after, certain: true };
      if (next === null) return [banked];
      const value = this.roll[(after / this.unit) * modes.length + modes.indexOf(next)] * this.unit;
      const rolled = { action: `keep ${kept}, roll ${next}`, value, certain: true };
      return this.#mayStop(after / this.unit, modes.indexOf(next)) ? [banked, rolled] : [rolled];
    });
    return ranked(choices, 1, TIE * Math.max(1, total));
  }

  #mayStop(total, mode) {
    return total * this.unit >= this.dice.least[0] && !this.dice.must.includes(this.dice.modes[mode]);
  }

  /** The rolls of a mode, merged if they leave the same choice. */
  #hand(mode) {
    const { modes, rolls } = this.dice;
    const ways = new Map();
    let sum = 0;
    for (const [weight, , what] of rolls[0][mode]) {
      sum += weight;
      if (what === "bust") continue;
      const options = what.map(([gain, next]) => [gain / this.unit, next === null ? -1 : modes.indexOf(next)]);
      const key = JSON.stringify([...options].sort());
      if (!ways.has(key)) ways.set(key, { weight: 0, options });
      ways.get(key).weight += weight;
    }
    return { sum, ways: [...ways.values()] };
  }

  #solved(size) {
    const modes = this.hands.length;
    const best = new Float64Array((size + this.most) * (modes + 1));
    const roll = new Float64Array(size * modes);
    for (let t = size; t < size + this.most; t++) best.fill(t, t * (modes + 1), (t + 1) * (modes + 1));
    const hands = this.hands.map(({ sum, ways }) => ({
      sum,
      ways: ways.map(({ weight, options }) => [weight, Int32Array.from(options, ([gain, m]) => gain * (modes + 1) + m + 1)]),
    }));
    for (let t = size - 1; t >= 0; t--) {
      const here = t * (modes + 1);
      best[here] = t;
      for (let m = 0; m < modes; m++) {
        let expected = 0;
        for (const [weight, places] of hands[m].ways) {
          let most = 0;
          for (let i = 0; i < places.length; i++) most = Math.max(most, best[here + places[i]]);
          expected += weight * most;
        }
        const worth = expected / hands[m].sum;
        roll[t * modes + m] = worth;
        best[here + m + 1] = this.#mayStop(t, m) ? Math.max(t, worth) : worth;
      }
    }
    return roll;
  }

  /** The last relevant total below a limit: beyond the last one at which you roll at the risk of losing the turn. */
  #last(limit) {
    const lost = this.hands.map(({ sum, ways }) => ways.reduce((all, { weight }) => all + weight, 0) < sum);
    for (let t = limit - 1; t > 0; t--) {
      const rolls = (loses, m) => loses && this.#mayStop(t, m) && this.roll[t * lost.length + m] > t * (1 + TIE);
      if (lost.some(rolls)) return t + 1 + this.most;
    }
    return 1 + this.most;
  }

  #at(total) {
    return this.hands.map((_, m) => this.roll[total * this.hands.length + m] * this.unit);
  }

  #reached() {
    const modes = this.hands.length;
    const reached = new Uint8Array((this.last + 1 + this.most) * modes);
    reached[0] = 1;
    for (let at = 0; at <= this.last * modes + modes - 1; at++) {
      if (!reached[at]) continue;
      for (const { options } of this.hands[at % modes].ways) {
        for (const [gain, next] of options) if (next >= 0) reached[(Math.floor(at / modes) + gain) * modes + next] = 1;
      }
    }
    return reached;
  }
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a);
