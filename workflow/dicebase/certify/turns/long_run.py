"""Certify the long run: the claimed points per turn g must satisfy the equations of docs/why/solvers.md, in rationals.

Given g, the value of losing a turn follows by backward induction from the last loss in a row to the first; each turn is
played from its last total down, roll by roll. Beyond that total the claimed continuation is checked as for one turn. It
is proved for a loss of value 0 and holds all the more for a value b < 0, which makes rolling on worse: if s is the
probability of banking at all, a line s total + w changes by (1 - s) b. If the first turn of a row then has the value g,
no policy earns more: the expected points of a row of turns are at most g times their expected number, with equality
under the published actions. No other g satisfies this, because the value of a turn does not rise with g.

Every published number must be the rational, rounded once.
"""

import math
from collections import Counter
from fractions import Fraction

import numpy as np

from dicebase.certify.action_rows import check_rows
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.certify.rationals import IN_RATIONALS, check_rationals
from dicebase.certify.turns.kernel import Turns
from dicebase.certify.turns.turn import check_continuation, rolls_by_class
from dicebase.matches.turns.long_run import LongRun


def check(game: LongRun, published: Published, fail: Fail) -> Finding:
    """Certify the rows by replaying the turns after every number of losses in a row."""
    check_continuation(game.turn, fail)
    gain = published.exact
    if gain is None:
        fail(None, "the points per turn are not given as a rational")
    turns, later, found = _Turns(game), Fraction(0), {}
    for lost, cost in reversed([*enumerate(game.costs)]):
        bust = later - cost
        if bust > 0:
            fail(None, f"a lost turn has the value {float(bust)!r}, for which no continuation is claimed")
        worth, found[lost] = turns.play(bust)
        later = worth - gain
    if later:
        fail(None, f"the points per turn are claimed to be {float(gain)!r}, which is {float(later):+.3g} off")
    places = [(lost, *place) for lost in sorted(found) for place in sorted(found[lost])]
    check_keys(published, [place[: len(game.columns)] for place in places], fail)
    of = published.check_actions(map(game.actions, published.states), fail)
    values, again, regrets, best = [], [], [], []
    for lost, total, mode in places:
        roll, over = found[lost][total, mode]
        worths = [total * over, roll] if game.rules.may_stop(total, mode) else [roll]
        values.append(max(worths) / over)
        again += [worth / over for worth in worths]
        regrets += [(max(worths) - worth) / over for worth in worths]
        best += [worth == max(worths) for worth in worths]
    check_rationals(published, *map(np.array, (values, again, regrets, best)), fail)
    bound = math.ulp(max(map(abs, values))) / 2
    check_rows(published, of, 1, np.full(published.count, 4 * bound), decided=True, fail=fail)
    return Finding(float(gain), bound, bound, 0.0, IN_RATIONALS)


class _Turns:
    """The rolls of a turn; rolls with the same options are merged."""

    def __init__(self, game: LongRun) -> None:
        self.game, self.rules, self.unit, self.claim = game, game.rules, game.turn.unit, game.continuation
        self.modes = [mode for _, mode in rolls_by_class(self.rules)]
        self.rolls, self.sums, self.lost = {}, {}, {}
        place = {mode: m for m, mode in enumerate([*self.modes, None])}
        for (_, mode), rolls in rolls_by_class(self.rules).items():
            alike = Counter()
            for roll in rolls:
                alike[frozenset((o.gain // self.unit - 1, place[o.mode]) for o in roll.options)] += roll.weight
            self.sums[mode], self.lost[mode] = alike.total(), alike.pop(frozenset(), 0)
            self.rolls[mode] = [(weight, tuple(zip(*options, strict=True))) for options, weight in alike.items()]
        self.most = 1 + max(max(gains) for rolls in self.rolls.values() for _, (gains, _) in rolls)

    def play(self, bust: Fraction) -> tuple[Fraction, dict[tuple[int, int | None], tuple[int, int]]]:
        """Return the value of a turn in points, and {(turn total, mode): numerator, denominator of rolling's value}."""
        last = self.game.turn.last // self.unit
        claimed = [self.claim.line((0, mode)) for mode in self.modes]
        over = math.lcm(bust.denominator, *(number.denominator for line in claimed for number in line))
        # Numerators over `over`, by totals beyond the current one and by mode; the last column is for ended turns.
        ahead = np.zeros((self.most, len(self.modes) + 1), object)
        for i in range(self.most):
            total = (last + 1 + i) * self.unit
            worths = [slope * total + at_nought + (1 - slope) * bust for slope, at_nought in claimed]
            ahead[i] = [int(worth * over) for worth in (*worths, Fraction(total))]
        lost, times, found = int(bust * over), math.lcm(*self.sums.values()), {}
        for total in range(last * self.unit, -1, -self.unit):
            here = []
            for mode in self.modes:
                rolled = lost * self.lost[mode]
                for weight, options in self.rolls[mode]:
                    rolled += weight * max(ahead[options])
                here.append(rolled * (times // self.sums[mode]))
            over, lost = over * times, lost * times
            ahead = np.roll(ahead, 1, axis=0) * times
            ahead[0, -1] = total * over
            for m, (mode, rolled) in enumerate(zip(self.modes, here, strict=True)):
                found[total, mode] = rolled, over
                ahead[0, m] = max(rolled, total * over) if self.rules.may_stop(total, mode) else rolled
        total, _, mode = Turns(self.rules, self.unit).positions(last + 1)
        reached = zip((total * self.unit).tolist(), mode.tolist(), strict=True)
        return Fraction(*found[0, self.rules.modes[0]]), {place: found[place] for place in reached}
