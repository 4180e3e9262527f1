// One turn of a match, solved again from the values between turns. The match format gives what follows a bank, a bust
// and a wipe: [next record or null, reward, sign], with the value reward + sign * value of the next record.

/** How many dice a mode rolls, if dice are kept; 0 is the first roll of a turn, with the dice of the next mode. */
export const diceIn = ({ modes }, mode) => mode || modes[1];

/** The mode that rolls this many dice at a turn total, if dice are kept. */
export const modeAt = (dice, total, many) =>
  total === 0 && many === diceIn(dice, dice.modes[0]) ? dice.modes[0] : many;

export const FORMATS = {
  duel: {
    bank: ([me, opponent], points) => [[opponent, me + points], 1, -1],
    bust: ([me, opponent]) => [[opponent, me], 1, -1],
    wipe: ([, opponent]) => [[opponent, 0], 1, -1],
  },
  race: {
    bank: ([banked], points) => [[banked + points], 1, 1],
    bust: ([banked]) => [[banked], 1, 1],
    wipe: () => [[0], 1, 1],
  },
  reach: {
    bank: ([left, banked], points) => [left > 1 ? [left - 1, banked + points] : null, 0, 1],
    bust: ([left, banked]) => [left > 1 ? [left - 1, banked] : null, 0, 1],
    wipe: ([left]) => [left > 1 ? [left - 1, 0] : null, 0, 1],
  },
};

export class Match {
  constructor({ meta, columns }) {
    Object.assign(this, meta);
    this.values = columns.value;
    this.next = FORMATS[meta.format];
    this.turns = new Map();
    this.outcomes = this.dice.modes.map((_, mode) => merged(this.dice.rolls[0][mode], this));
  }

  /** The index of a record between turns; -1 if there is none. */
  place(record) {
    let place = 0;
    for (let i = 0; i < this.record.length; i++) {
      const { first, step, count } = this.record[i];
      const at = (record[i] - first) / step;
      if (!Number.isInteger(at) || at < 0 || at >= count) return -1;
      place = place * count + at;
    }
    return place;
  }

  /** Whether this is the last turn, after the other player has reached the target. */
  #last(record) {
    return this.last_turn && record[1] >= this.target;
  }

  toGo(record, target = this.target) {
    return (this.#last(record) ? record[1] + this.unit : target) - record[this.mine];
  }

  after(what, record, points = 0, target = this.target) {
    if (what === "out") return [null, 0, 1]; // the match is lost
    const own = record[this.mine];
    if (this.#last(record)) return [null, what === "bank" && own + points > record[1] ? 1 : 0, 1];
    const over = what === "bank" ? own + points - target : -1;
    // Reaching the target usually ends the match: a win, or the turn that is counted.
    if (over >= 0 && !this.last_turn && (!over || this.beyond === "wins")) return [null, 1, 1];
    if (over > 0 && this.beyond === "bust") return this.next.bust(record);
    if (over > 0 && this.beyond === "bounce") return this.next.bank(record, Math.max(-own, points - 2 * over));
    return this.next[what](record, points);
  }

  worth([next, reward, sign]) {
    return reward + (next ? sign * this.values[this.place(next)] : 0);
  }

  /** The turn that begins with a record (Turn), or null. */
  turn(record) {
    const place = this.place(record);
    if (place < 0) return null;
    if (!this.turns.has(place)) {
      if (this.turns.size > 2000) this.turns.clear();
      this.turns.set(place, new Turn(this, record));
    }
    return this.turns.get(place);
  }
}

/** Every position of one turn: values of rolling and banking at (turn total, mode), with totals in units. */
class Turn {
  constructor(match, record) {
    const { modes } = match.dice;
    this.match = match;
    this.size = Math.ceil(match.toGo(record) / match.unit);
    this.bank = Float64Array.from({ length: this.size }, (_, total) =>
      match.worth(match.after("bank", record, total * match.unit)),
    );
    const ends = Array.from({ length: match.past / match.unit || 1 }, (_, past) =>
      match.worth(match.after("bank", record, (this.size + past) * match.unit)),
    );
    const losses = { bust: match.worth(match.after("bust", record)), wipe: match.worth(match.after("wipe", record)) };
    this.roll = new Float64Array(this.size * modes.length);
    const best = new Float64Array(this.roll.length);
    const { sense } = match;
    this.least = match.dice.least[record[match.mine] ? 0 : 1];
    for (let total = this.size - 1; total >= 0; total--) {
      for (let mode = 0; mode < modes.length; mode++) {
        const { sum, ways, lost } = match.outcomes[mode];
        let expected = lost.bust * losses.bust + lost.wipe * losses.wipe;
        for (const { weight, options } of ways) {
          let most = -Infinity;
          for (const [gain, next] of options) {
            const after = total + gain;
            const worth = after >= this.size ? (ends[after - this.size] ?? ends[0]) : next < 0 ? this.bank[after] : best[after * modes.length + next];
            most = Math.max(most, sense * worth);
          }
          expected += weight * sense * most;
        }
        const at = total * modes.length + mode;
        this.roll[at] = expected / sum;
        const bank = this.banks(total * match.unit, mode) ? this.bank[total] : -sense * Infinity;
        best[at] = sense * Math.max(sense * this.roll[at], sense * bank);
      }
    }
    this.reached = this.#reached();
  }

  /** Whether you may bank this many points; `mode` is an index. */
  banks(points, mode) {
    const { must, modes } = this.match.dice;
    return points >= this.least && !must.includes(modes[mode]);
  }

  /** The (total, mode) that a turn can reach. */
  #reached() {
    const { modes } = this.match.dice;
    const reached = new Uint8Array(this.roll.length);
    reached[0] = 1;
    for (let at = 0; at < reached.length; at++) {
      if (!reached[at]) continue;
      const total = Math.floor(at / modes.length);
      for (const { options } of this.match.outcomes[at % modes.length].ways) {
        for (const [gain, next] of options) {
          if (next >= 0 && total + gain < this.size) reached[(total + gain) * modes.length + next] = 1;
        }
      }
    }
    return reached;
  }

  /** {roll, bank} at a total in points with these dice in the hand, or null; at the start banking is not possible. With
   * `suppose`, also at positions that play does not reach. */
  at(points, dice, suppose = false) {
    const { unit, dice: hand } = this.match;
    const mode = hand.modes.length > 1 ? hand.modes.indexOf(dice) : 0;
    const at = (points / unit) * hand.modes.length + mode;
    const there = suppose && points > 0 && (dice || !hand.keeps) ? at < this.roll.length : this.reached[at];
    if (mode < 0 || points < 0 || points % unit || !there) return null;
    return { roll: this.roll[at], bank: this.banks(points, mode) ? this.bank[points / unit] : null };
  }

  /** The nearest totals below and above at which this many dice can be in the hand. */
  around(points, dice) {
    const there = this.totals.filter((total) => this.at(total, dice));
    return [there.findLast((total) => total < points), there.find((total) => total > points)].filter(
      (t) => t !== undefined,
    );
  }

  /** The totals in points that the turn can reach. */
  get totals() {
    return Array.from({ length: this.size }, (_, total) => total * this.match.unit);
  }
}

/** Rolls, merged if they leave the same choice; gains in units, modes as indices, -1 if the turn ends by force. */
function merged(rolls, { dice, unit }) {
  const ways = new Map();
  const lost = { bust: 0, wipe: 0, out: 0 };
  let sum = 0;
  for (const [weight, , what] of rolls) {
    sum += weight;
    if (typeof what === "string") {
      lost[what] += weight;
      continue;
    }
    const options = what.map(([gain, next]) => [gain / unit, next === null ? -1 : dice.modes.indexOf(next)]);
    const key = JSON.stringify([...options].sort());
    if (!ways.has(key)) ways.set(key, { weight: 0, options });
    ways.get(key).weight += weight;
  }
  return { sum, lost, ways: [...ways.values()] };
}
