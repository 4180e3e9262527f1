"""Outcome distributions of boards: random boards played step by step, closed forms, and refusals of wrong rows."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dicebase.certify.boards import distribution as certifier
from dicebase.certify.published import CertificationError, Published
from dicebase.matches.boards.board_distribution import distribution_of
from dicebase.solvers.reference import solve
from dicebase.tables.names import find_table
from dicebase.tabulate.boards import distribution
from dicebase.vocabulary import ConfigurationError, rank
from support.faults import fail
from support.random_boards import RandomBoard

BOARDS = [
    (objective, returns, two, seed)
    for objective, returns, two in [("most", 0, 0), ("least", 1, 0), ("win", 1, 1), ("win", 0, 1), ("most", 0, 1)]
    for seed in range(4)
]


def listing(objective, **parameters):
    return distribution_of(RandomBoard.objectives[objective])(RandomBoard(objective=objective, **parameters))


def table(name, **variant):
    known = find_table(name)
    return known.build(known.variant(variant, {}, name), {})


def published(listing):
    """Return the rows of a listing as the certifier reads them."""
    (rows,) = distribution(listing)
    outcomes, chances = rows.states.values()
    found = Published(listing, {"outcome": np.array(outcomes), "probability": np.array(chances)}, {})
    found.exact = rows.exact
    return found


def played(game):
    """{outcome: probability} of the first best actions, step by step from the start, until hardly any play is left."""
    solution = solve(game)

    @cache
    def best(state):
        actions = game.actions(state)
        return actions[rank([solution.q(state, action) for action in actions], sense=game.sense).best]

    there, ended = {(game.start(), 1, 0): 1.0}, Counter()
    while there:
        after = Counter()
        for (afterstate, role, total), chance in there.items():
            outcomes = solution.outcomes(afterstate)
            for o in outcomes:
                p, earned = chance * o.weight / sum(x.weight for x in outcomes), total + role * o.reward
                if o.state is None:
                    ended[earned] += p
                elif p > 1e-25:
                    after[game.afterstate(o.state, best(o.state)), role * o.sign, earned] += p
        there = after
    return ended


@pytest.mark.parametrize(("objective", "returns", "two", "seed"), BOARDS)
def test_a_random_board_ends_as_it_does_step_by_step(objective, returns, two, seed):
    of = listing(objective, places=7, returns=returns, two=two, seed=seed)
    rows, again = published(of), played(of.game)
    assert rows.values.sum() == pytest.approx(1, abs=1e-14)
    for outcome, chance in rows.value_of.items():
        assert chance == pytest.approx(again[outcome[0]], rel=1e-9, abs=1e-16)
    assert certifier.check(of, rows, fail).bound < 1e-12
    rows.values = np.where(rows.values == rows.values.max(), rows.values * (1 + 1e-9), rows.values)
    with pytest.raises(CertificationError, match="the probability is"):
        certifier.check(of, rows, fail)


def test_outcomes_without_an_end_on_either_side_are_refused():
    with pytest.raises(ConfigurationError, match="unbounded both ways"):
        published(listing("most", returns=1, two=1, seed=3))


def test_rewards_that_are_no_whole_numbers_are_refused():
    @dataclass(frozen=True)
    class Halves(RandomBoard):
        def outcomes(self, afterstate):
            return [o._replace(reward=Fraction(o.reward, 2)) for o in super().outcomes(afterstate)]

    with pytest.raises(ConfigurationError, match="not whole numbers"):
        published(distribution_of(Halves.objectives["most"])(Halves(objective="most", returns=0)))


def test_one_checker_is_off_in_a_roll_or_two():
    # One roll is enough in 27 of 36 cases from the 6 point, 31 from 5, 34 from 4, and all from the other points.
    rows = published(table("bear_off_rolls_distribution", checkers=1))
    assert rows.value_of == {(1,): 200 / 216, (2,): 16 / 216} and rows.exact == 1 + Fraction(16, 216)


def test_turns_that_are_lost_again_and_again_are_geometric():
    rows = published(table("cant_stop_turns_distribution", shortest=1)).value_of
    ratio = [rows[n + 1,] / rows[n,] for n in range(1, 12)]
    assert ratio == pytest.approx([ratio[-1]] * 11, rel=2e-3) and abs(ratio[-1] - ratio[-2]) < 1e-9


@pytest.mark.parametrize("name", ["think_points_distribution", "cards_up_turns_distribution"])
def test_an_unlikely_outcome_is_neither_left_out_nor_another(name):
    """THINK has a last outcome, Cards Up has none; the last rows are too unlikely to show in the sum of doubles."""
    of = table(name, **({"cards": 4, "sides": 2} if "cards" in name else {"turns": 5}))
    for row in (-1, -2):
        rows = published(of)
        certifier.check(of, rows, fail)
        outcomes, chances = rows.keys[0], rows.values
        least = np.delete(outcomes, row), np.delete(chances, row)
        others = [(np.where(outcomes == outcomes[row], x, outcomes), chances) for x in (outcomes[-1] + 1, 2**31 - 1)]
        for outcome, probability in (least, *others):
            with pytest.raises(CertificationError, match="the probability is"):
                certifier.check(of, Published(of, {"outcome": outcome, "probability": probability}, {}), fail)
