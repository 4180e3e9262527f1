"""The most expected points of a turn whose rolls do not depend on its total, in rationals.

Far totals are known by the theorem of turn.py, whose classes are then the hands alone: a worth w of each hand, and the
total from which on no hand that can be lost wins more by its roll than it risks. All nearer totals follow.
"""

from collections import Counter
from fractions import Fraction

import numpy as np

from dicebase.certify.turns.turn import rolls_by_class
from dicebase.vocabulary import RepeatedTurn, solve_sparse

Hands = dict[int | None, dict[frozenset, Fraction]]
"""By mode: the chance of each set of options (gain, next mode), none of them where the roll is lost."""


def most_points(rules: RepeatedTurn, unit: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """(score of rolling by (turn total below `size`, mode), of stopping by total) for the most expected points."""
    hands: Hands = {}
    for (_, mode), rolls in rolls_by_class(rules).items():
        weights = Counter()
        for roll in rolls:
            weights[frozenset((o.gain // unit, o.mode) for o in roll.options)] += roll.weight
        hands[mode] = {options: Fraction(weight, weights.total()) for options, weight in weights.items()}
    far, least = _far_worth(hands), -(-rules.least_stop // unit)
    risks = {mode: chances.get(frozenset(), 0) for mode, chances in hands.items()}
    last = max(size, least, *(-(-_mean(hands[mode], far) // risk) for mode, risk in risks.items() if risk))
    best: dict[tuple[int, int], Fraction] = {}
    rolled: dict[tuple[int, int], Fraction] = {}
    for total in range(last - 1, -1, -1):
        for mode, chances in hands.items():
            rolled[total, mode] = sum(
                p * max(total + g if n is None else best.get((total + g, n), total + g + far[n]) for g, n in options)
                for options, p in chances.items()
                if options
            )
            best[total, mode] = max(Fraction(total if total >= least else 0), rolled[total, mode])
    order = sorted({*map(Fraction, range(size)), *(worth for (total, _), worth in rolled.items() if total < size)})
    score = {worth: float(number) for number, worth in enumerate(order)}
    roll = [[score.get(rolled.get((total, mode)), 0.0) for mode in rules.modes] for total in range(size)]
    stop = np.array([score[Fraction(total)] if total >= least else -np.inf for total in range(size)])
    return np.array(roll), stop


def _far_worth(hands: Hands) -> dict[int | None, Fraction]:
    """w by mode: a way to use each roll, then a better one as long as there is one."""
    far: dict[int | None, Fraction] = dict.fromkeys([*hands, None], Fraction(0))
    safe = [mode for mode, chances in hands.items() if frozenset() not in chances]
    chosen = None
    while True:
        better = {
            (mode, options): max(options, key=lambda o: (o[0] + far[o[1]], o[0], -(o[1] or 0)))
            for mode in safe
            for options in hands[mode]
        }
        if better == chosen:
            return far
        chosen, equations = better, {mode: (Counter(), Fraction(0)) for mode in safe}
        for (mode, options), (gain, after) in chosen.items():
            chance = hands[mode][options]
            coefficients, constant = equations[mode]
            equations[mode] = coefficients, constant + chance * gain
            if after in equations:
                coefficients[after] += chance
        far |= solve_sparse(equations)


def _mean(chances: dict[frozenset, Fraction], far: dict[int | None, Fraction]) -> Fraction:
    """What a roll wins, if it is not lost."""
    return sum(p * max(gain + far[mode] for gain, mode in options) for options, p in chances.items() if options)
