"""Policies against one another on boards: random policies equal step-by-step play, and wrong rows are refused."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from dicebase.certify.boards import matchups as certifier
from dicebase.certify.published import CertificationError, Published
from dicebase.matches.boards.board_matchups import (
    BEST_RESPONSE,
    FIRST_LISTED,
    OPTIMAL,
    PAIRS,
    POLICIES,
    RANDOM,
    matchups_of,
)
from dicebase.solvers.boards.matchups import earned, replies
from dicebase.solvers.boards.positions import positions_of
from dicebase.solvers.reference import solve
from dicebase.tabulate.boards import matchups
from dicebase.vocabulary import ConfigurationError, Objective, rank
from support.drawn_games import board, end, go
from support.faults import fail
from support.random_boards import RandomBoard

OF_TWO = {"win": RandomBoard.objectives["win"], "most": Objective("points", "points", players=2)}


def listing(objective="win", **parameters):
    return matchups_of(OF_TWO[objective])(RandomBoard(objective=objective, two=1, **parameters))


def published(listing):
    """The rows as the certifier reads them."""
    (rows,) = matchups(listing)
    states = {name: np.array(column, object) for name, column in rows.states.items()}
    return Published(listing, states, {name: np.array(column) for name, column in rows.beside.items()})


def won(game, row, column, first, total):
    """What the row policy wins, step by step from the start, until hardly any play is left."""
    solution = solve(game)

    @cache
    def mix(name, state):
        actions = list(game.actions(state))
        if name == RANDOM:
            return dict.fromkeys(actions, 1 / len(actions))
        q = [solution.q(state, action) for action in actions]
        return {actions[rank(q).best if name == OPTIMAL else 0]: 1.0}

    begins = 1 if first == "row" else -1
    there, chance = {(game.start(), begins): 1.0}, 0.0 if first == "row" else float(total)
    while sum(there.values()) > 1e-16:
        after = Counter()
        for (afterstate, role), p in there.items():
            outcomes = solution.outcomes(afterstate)
            for o in outcomes:
                falls = p * o.weight / sum(x.weight for x in outcomes)
                chance += falls * role * o.reward
                if o.state is not None:
                    mover = role * o.sign
                    for action, share in mix(row if mover > 0 else column, o.state).items():
                        after[game.afterstate(o.state, action), mover] += falls * share
        there = after
    return chance


@pytest.mark.parametrize(
    ("objective", "total", "returns", "seed"), [("win", 1, 0, 1), ("win", 1, 1, 2), ("win", 1, 1, 3), ("most", 0, 1, 4)]
)
def test_the_matchups_of_a_random_board_are_those_of_play_step_by_step(objective, total, returns, seed):
    of = listing(objective, places=8, returns=returns, seed=seed)
    rows, value = published(of), float(solve(of.game).start)
    chances = rows.value_of
    for (row, column, first), chance in chances.items():
        if row != BEST_RESPONSE:
            assert chance == pytest.approx(won(of.game, row, column, first, total), abs=1e-12)
            assert chance == pytest.approx(
                total - chances[column, row, {"row": "column", "column": "row"}[first]], abs=1e-12
            )
            assert chance <= chances[BEST_RESPONSE, column, first] + 1e-12
    assert chances[OPTIMAL, OPTIMAL, "row"] == pytest.approx(value, abs=1e-12)
    assert chances[BEST_RESPONSE, OPTIMAL, "row"] == pytest.approx(value, abs=1e-12)
    assert certifier.check(of, rows, fail).bound < 1e-12
    assert len(chances) == 2 * (len(POLICIES) + 1) * len(POLICIES)
    assert of.value.unit == ("probability" if total else "points")
    rows.value_of[RANDOM, FIRST_LISTED, "column"] += 1e-9
    with pytest.raises(CertificationError, match="recomputed it is"):
        certifier.check(of, rows, fail)


def test_the_values_of_another_policy_are_refused():
    of = listing(places=8, returns=1, seed=2)
    rows = published(of)
    values = rows.beside["value"].reshape(len(PAIRS), -1)
    values[PAIRS.index((RANDOM, OPTIMAL))] = values[PAIRS.index((OPTIMAL, OPTIMAL))]
    with pytest.raises(CertificationError, match="away from the value of some position"):
        certifier.check(of, rows, fail)


# The players wait for one another; a player who tries wins with probability 1 / 1,000,001.
WAIT = go(0, 10**6, 1, -1)
WAITING = board({0: {"wait": [WAIT], "try": [WAIT, end(1)]}}, objectives={"win": OF_TWO["win"]})


def test_long_play_of_two_policies_is_solved():
    p, tries = positions_of(WAITING), np.array([0.0, 1.0])
    first, second, values = earned(p, tries, tries)
    # The mover wins with probability v = p + (1 - p) (1 - v).
    assert first == pytest.approx(1 / (2 - 1 / 1_000_001), abs=1e-9)
    assert values.tolist() == [[first], [second]] and second == pytest.approx(-first, abs=1e-9)
    assert earned(p, tries, np.array([1.0, 0.0]))[0] == pytest.approx(1, abs=1e-9)
    assert replies(p, tries) == pytest.approx([1 + second, first], abs=1e-9)


def test_policies_that_never_end_are_refused_with_their_loop():
    p, waits = positions_of(WAITING), np.array([1.0, 0.0])
    with pytest.raises(ConfigurationError, match=r"play need not end: \(0,\) 'wait' -> \(0,\) 'wait' -> \(0,\)"):
        earned(p, waits, waits)
