"""Certify the rows of a turn whose only choice is to roll or to stop, by turn total.

The value of a roll is a sum over gains whose weights depend only on the total modulo the period. decisions.py states
the claims and their proof. Rationals are integers over a common denominator, which grows at totals where rolling is
optimal; the numerators of higher totals then grow with it.
"""

import math
from fractions import Fraction
from functools import partial

import numpy as np

from dicebase.certify.action_rows import Again, check_rows
from dicebase.certify.decisions import BY_RESIDUALS
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.chance import dice, throw
from dicebase.certify.play.simulation import LONGEST, Simulation, simulate
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.rationals import IN_RATIONALS, check_rationals, earns_modulo_prime, is_small, modulo
from dicebase.matches.turns.turn import BestTurn
from dicebase.vocabulary.kernels import kernel

FASTER = 5  # solving these games again in rationals is faster than solving others by this factor
GAMES = 8_000
"""Number of simulated games. The numbers are proved one by one, so games only test that the referee agrees."""


def check(game: BestTurn, published: Published, fail: Fail) -> Finding:
    """Certify the rows of a variant."""
    self, exact = Stopping(game), published.exact
    missing = "play reaches this state, but the table does not have it"
    expected = [(total,) for total in self.totals.tolist()]
    check_keys(published, expected, fail, missing, "the table has this state, but no play reaches it")
    of = published.check_actions(map(game.actions, expected), fail)
    value, rounded = published.values, exact is not None
    rolling, error = self.one_step(value)
    residual = np.abs(value - np.maximum(rolling, self.totals))
    explained = 2 * error + np.spacing(np.abs(value)) if rounded else error + 1e-9 * (1 + np.abs(value))
    what = "the value is {!r}, the best action is {:.3g} away"
    refuse(published.keys, fail, ~(residual <= explained), what, value, residual)
    bounds = _along_play(self.totals, self.phases, self.weights / self.sums[:, np.newaxis], residual + error)
    again = _by_action(self.totals, rolling)
    check_rows(published, of, 1, 2 * bounds, rounded, fail, Again(again, np.zeros(len(again))))
    bound, proof = float(bounds.max()), BY_RESIDUALS
    if rounded and is_small(len(of) * len(self.beyond) / FASTER, exact):
        if self.exactly(published, fail) != exact:
            fail(None, f"the exact value, {float(exact)!r}, is not the one the rules give in rationals")
        bound, proof = math.ulp(value.max()) / 2, IN_RATIONALS
    elif rounded and not earns_modulo_prime(exact, partial(self.earned, published.best == "roll")):
        fail(None, f"the exact value, {float(exact)!r}, is not what the published policy earns")
    return Finding(float(value[0]), float(bounds[0]), bound, float(residual.max()), proof)


def simulated(game: BestTurn, published: Published, seed: int) -> Simulation | None:
    """Play a published table that has passed its check."""
    self, rules = Stopping(game), game.rules
    rolls = [game.rules.rolls(total, rules.modes[0]) for total in range(rules.period)]
    gains = [[roll.options[0].gain if roll.options else 0 for roll in of_total] for of_total in rolls]
    first = np.cumsum([0, *map(len, gains)])
    rolls_on = np.zeros(self.last + 1, bool)
    rolls_on[self.totals] = published.best == "roll"
    thrown = dice([roll.weight for roll in of_total] for of_total in rolls)
    beyond = np.array([float(worth) for worth in self.beyond])

    def play(streams: np.ndarray) -> tuple[np.ndarray, int]:
        payoffs = np.zeros(len(streams))
        return payoffs, _play(thrown, first, np.concatenate(gains), rolls_on, beyond, payoffs, streams, LONGEST)

    return simulate(play, seed, game.value.unit, float(np.ptp(published.values)), most=GAMES)


class Stopping:
    """The rolls of a turn as arrays."""

    def __init__(self, game: BestTurn) -> None:
        rules, self.last = game.rules, game.last
        rolls = [game.rules.rolls(total, rules.modes[0]) for total in range(rules.period)]
        widest = max(o.gain for of_total in rolls for roll in of_total for o in roll.options)
        # By total modulo the period: the weights of gains, from 1 to the largest, and the sum over all rolls.
        self.weights = np.zeros((rules.period, widest), np.int64)
        for total, of_total in enumerate(rolls):
            for roll in of_total:
                for option in roll.options:
                    self.weights[total, option.gain - 1] += roll.weight
        self.sums = np.array([sum(roll.weight for roll in of_total) for of_total in rolls])
        reached = _reached(self.weights, self.last)
        self.totals = np.flatnonzero(reached[: self.last + 1])
        self.phases = self.totals % rules.period
        # The values of totals beyond the last one; 0 if no turn reaches them.
        past = range(self.last + 1, len(reached))
        self.beyond = [game.worth(t, rules.modes[0]) if reached[t] else Fraction(0) for t in past]

    def one_step(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the value of rolling and a bound on its rounding, each (rows,), from the `values` of all rows."""
        whole = np.zeros(self.last + 1 + len(self.beyond), np.longdouble)
        whole[self.totals] = values
        whole[self.last + 1 :] = [float(worth) for worth in self.beyond]
        later = np.lib.stride_tricks.sliding_window_view(whole[1:], len(self.beyond))[self.totals]
        rolling = np.einsum("ij,ij->i", self.weights.astype(np.longdouble)[self.phases], later) / self.sums[self.phases]
        # Values are nonnegative. Two more roundings are in doubles: the values beyond, and the result.
        roundings = (len(self.beyond) + 3) * float(np.finfo(np.longdouble).eps) + EPSILON
        return rolling.astype(float), roundings * rolling.astype(float)

    def earned(self, rolls: np.ndarray, prime: int) -> int:
        """Return the payoff of a turn modulo a prime if you roll at the rows that `rolls` marks and stop at the others;
        raises ValueError if the prime divides a denominator."""
        weights, inverse = self.weights.astype(object), [pow(total, -1, prime) for total in self.sums.tolist()]
        numbers = self._numbers([modulo(worth, prime) for worth in self.beyond])
        for total, phase, on in zip(*(x.tolist()[::-1] for x in (self.totals, self.phases, rolls)), strict=True):
            ahead = numbers[total + 1 :][: len(self.beyond)]
            numbers[total] = weights[phase] @ ahead * inverse[phase] % prime if on else total
        return numbers[0]

    def exactly(self, published: Published, fail: Fail) -> Fraction:
        """Solve the variant again in rationals, compare every published number, and return the value of the game."""
        weights, sums = self.weights.astype(object), self.sums.tolist()
        denominator, common = math.lcm(*(worth.denominator for worth in self.beyond)), math.lcm(*sums)
        numbers = self._numbers([int(worth * denominator) for worth in self.beyond])
        values, worths, gains, losses = np.empty((4, len(self.totals)))
        rolls, stops = np.empty((2, len(self.totals)), bool)
        for i in reversed(range(len(self.totals))):
            total, phase = int(self.totals[i]), int(self.phases[i])
            ahead = numbers[total + 1 :][: len(self.beyond)]
            rolling, over = weights[phase] @ ahead * (common // sums[phase]), denominator * common
            gain = rolling - total * over
            worths[i], gains[i], losses[i] = rolling / over, max(gain, 0) / over, max(-gain, 0) / over
            rolls[i], stops[i] = gain >= 0, gain <= 0
            if gain > 0 or total == 0:
                ahead *= common
                denominator, numbers[total], values[i] = over, rolling, worths[i]
            else:
                numbers[total], values[i] = total * denominator, total
        by_action = (_by_action(*pair) for pair in ((self.totals, worths), (gains, losses), (stops, rolls)))
        check_rationals(published, values, *by_action, fail)
        return Fraction(numbers[0], denominator)

    def _numbers(self, beyond: list[int]) -> np.ndarray:
        """Return integers of any size by total, with those beyond the last total filled in."""
        return np.array([0] * (self.last + 1) + beyond, object)


def _by_action(stops: np.ndarray, rolls: np.ndarray) -> np.ndarray:
    """Interleave numbers of stopping and rolling by state; the first state has only rolling, which is compulsory."""
    return np.column_stack([stops, rolls]).ravel()[1:]


@kernel(_nrt=True)
def _reached(weights, last):
    reached = np.zeros(last + 1 + weights.shape[1], np.bool_)
    reached[0] = True
    for total in range(last + 1):
        if reached[total]:
            for gain in range(weights.shape[1]):
                reached[total + 1 + gain] |= weights[total % len(weights), gain] > 0
    return reached


@kernel(_nrt=True)
def _along_play(totals, phases, chances, numbers):
    """Return the expected sums, (rows,), of `numbers` over a row and the rows that play reaches from it by rolling."""
    summed = np.zeros(totals[-1] + 1 + chances.shape[1])
    for i in range(len(totals) - 1, -1, -1):
        total = totals[i]
        summed[total] = numbers[i]
        for gain in range(chances.shape[1]):
            summed[total] += chances[phases[i], gain] * summed[total + 1 + gain]
    return summed[totals] * (1 + 1e-9)


@kernel
def _play(thrown, first, gains, rolls_on, beyond, payoffs, streams, longest):
    made, last = 0, len(rolls_on) - 1
    for game in range(len(streams)):
        total = 0
        while total == 0 or (total <= last and rolls_on[total]):
            made += 1
            if made > longest:
                return made
            die = total % (len(first) - 1)
            gain = gains[first[die] + throw(thrown, die, streams, game)]
            if gain == 0:
                break
            total += gain
        else:
            payoffs[game] = total if total <= last else beyond[total - last - 1]
    return made
