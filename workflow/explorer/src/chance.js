// Chance, from the browser's generator of random bits.

/** A whole number from 0 to below n, each equally likely. */
export function below(n) {
  const most = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const [value] = crypto.getRandomValues(new Uint32Array(1));
    if (value < most) return value % n;
  }
}

/** Sorted faces of a throw, each equally likely. */
export function thrown(dice, sides = 6) {
  return Array.from({ length: dice }, () => 1 + below(sides))
    .sort()
    .join("");
}

/** One of [[..., weight]], the weights being at `at`; they need not be whole. */
export function draw(weighted, at) {
  const sum = weighted.reduce((all, one) => all + one[at], 0);
  let place = ((below(2 ** 26) + below(2 ** 26) / 2 ** 26) / 2 ** 26) * sum;
  return weighted.find((one) => (place -= one[at]) < 0) ?? weighted.findLast((one) => one[at] > 0);
}
