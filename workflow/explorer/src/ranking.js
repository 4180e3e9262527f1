// Rank actions by q-values, like the catalogue (tables/follow/ranking.py).

export const TIE = 1e-12; // smaller differences of q-values count as ties

/** Rank [{action, value, leads, certain}] in the game's order: actions within `tolerance` of the best are optimal, and
 * undecided if several of them lead to different positions. */
export function ranked(choices, sense, tolerance) {
  const top = Math.max(...choices.map((c) => sense * c.value));
  const actions = choices.map(({ action, value, leads, certain }) => {
    const regret = top - sense * value;
    return { action, value, regret, probability: 0, optimal: regret <= tolerance, leads, certain };
  });
  const optimal = actions.filter((a) => a.optimal);
  const several = new Set(optimal.map((a) => a.leads ?? a.action)).size > 1;
  optimal[0].probability = 1;
  for (const a of actions) {
    if (a.optimal && several && !a.certain) a.undecided = true;
    delete a.leads;
    delete a.certain;
  }
  return { value: sense * top, actions: sorted(actions) };
}

/** Actions sorted best first. */
export function sorted(actions) {
  return actions.sort(
    (a, b) =>
      b.optimal - a.optimal || b.probability - a.probability || a.regret - b.regret || (a.action < b.action ? -1 : 1),
  );
}
