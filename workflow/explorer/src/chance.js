// Random numbers, from the browser's generator of random bits.

/** An integer from 0 to n - 1, uniformly distributed. */
export function below(n) {
  const most = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const [value] = crypto.getRandomValues(new Uint32Array(1));
    if (value < most) return value % n;
  }
}

/** The odds of the roll or throw after an action at a turn total: {lost: probability of losing the turn, gain: mean of
 * the most points that it adds}, like dicebase.catalog.why; null if nothing is thrown. */
export function oddsOf({ rolls, throws, modes, period }, action, total, hand) {
  const kept = action.match(/, roll (\d+)$/);
  let ways = null; // [weight, points, lost]
  if (throws) ways = throws[action].map(([points, weight]) => [weight, points, !points]);
  else if (modes && (kept || action === "roll")) {
    const mode = modes.indexOf(kept ? Number(kept[1]) : modes.length > 1 ? hand : modes[0]);
    ways = rolls[total % period][mode].map(([weight, , what]) =>
      typeof what === "string" ? [weight, 0, true] : [weight, Math.max(...what.map(([gain]) => gain)), false],
    );
  }
  const mean = (of) => ways.reduce((sum, way) => sum + way[0] * of(way), 0) / ways.reduce((sum, [w]) => sum + w, 0);
  return ways && { lost: mean(([, , lost]) => (lost ? 1 : 0)), gain: mean(([, points]) => points) };
}

/** A random throw as sorted faces. */
export function thrown(dice, sides = 6) {
  return Array.from({ length: dice }, () => 1 + below(sides))
    .sort()
    .join("");
}

/** A random one of [[..., weight]], with the weight at index `at`; weights need not be integers. */
export function draw(weighted, at) {
  const sum = weighted.reduce((all, one) => all + one[at], 0);
  let place = ((below(2 ** 26) + below(2 ** 26) / 2 ** 26) / 2 ** 26) * sum;
  return weighted.find((one) => (place -= one[at]) < 0) ?? weighted.findLast((one) => one[at] > 0);
}
