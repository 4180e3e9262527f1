// Games of score sheets, as positions that lead to each other (play.js).

import { pointsText as points } from "./words.js";

/** A score sheet; `sheet` has the points in the filled boxes. */
export function sheet({ answers }) {
  const { dice } = answers;
  const rolled = (card, kept, left, paid, scores) => ({
    role: 1,
    paid,
    points: [paid],
    falls: multisets(dice.sides, dice.dice - kept.length).map(([faces, weight]) => {
      const roll = [...kept, ...faces].sort().join("");
      return { weight, text: roll, dice: roll, to: () => decision(card, roll, left, paid, scores) };
    }),
  });
  const decision = (card, roll, left, paid, scores) => ({
    role: 1,
    paid,
    points: [paid],
    sheet: { scores, total: paid },
    state: { ...card, roll, rerolls_left: left },
    act(action) {
      if (left) return rolled(card, action.replace(/^keep (nothing)?/, ""), left - 1, paid, scores);
      const box = dice.boxes.indexOf(action);
      const filled = answers.fill(card, roll, box);
      const now = paid + filled.points;
      if (!filled.card.open) return { role: 1, paid: now, points: [now], end: `The sheet is full: ${points(now)}.` };
      return rolled(filled.card, "", dice.rolls - 1, now, { ...scores, [box]: filled.points });
    },
  });
  return rolled(answers.fresh, "", dice.rolls - 1, 0, {});
}

/** [sorted faces, number of orders] of every roll. */
export function multisets(sides, dice, least = 1) {
  if (!dice) return [["", 1]];
  const found = [];
  for (let face = least; face <= sides; face++) {
    for (let many = 1, ways = 1; many <= dice; many++) {
      ways = (ways * (dice - many + 1)) / many;
      const rest = many === dice ? [["", 1]] : face < sides ? multisets(sides, dice - many, face + 1) : [];
      for (const [faces, orders] of rest) found.push([String(face).repeat(many) + faces, ways * orders]);
    }
  }
  return found;
}

/** A card with one roll per slot, for the most points or to reach a score: half of the highest that is possible. */
export function card(position) {
  const { dice, meta } = position.answers;
  const goal = meta.points;
  const rolled = (free, needed, scored) => ({
    role: 1,
    paid: goal ? 0 : scored,
    points: [scored],
    falls: dice.rolls.map(([roll, weight], i) => ({
      weight,
      text: String(roll),
      to: () => ({
        role: 1,
        paid: goal ? 0 : scored,
        points: [scored],
        state: { free, ...(goal ? { needed } : {}), roll_total: roll },
        act(slot) {
          const gain = dice.gains[slot - 1][i];
          const [left, more, now] = [free & ~(1 << (slot - 1)), needed - gain, scored + gain];
          const end = (paid, text) => ({ role: 1, paid, points: [now], end: text });
          if (goal && more <= 0) return end(1, `You have reached it with ${points(now)}.`);
          if (goal && (!left || !position.possible("needed", { free: left }).includes(more)))
            return end(0, "It is out of reach.");
          return left ? rolled(left, more, now) : end(now, `The card is full: ${points(now)}.`);
        },
      }),
    })),
  });
  const free = 2 ** dice.slots - 1;
  return rolled(free, goal ? Math.ceil(position.possible("needed", { free }).at(-1) / 2) : 0, 0);
}
