"""Boards with cycles are solved and certified; wrong tables and endless play are refused, with the reason."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pytest
from solvers.boards.test_values import published

from dicebase.certify import decisions
from dicebase.certify.published import CertificationError
from dicebase.matches.boards.board import for_objective
from dicebase.solvers.boards.positions import positions_of
from dicebase.solvers.boards.values import solve
from dicebase.tabulate import boards as tabulator
from dicebase.vocabulary import Board, Column, ConfigurationError, Objective, Outcome

LENGTH, FASTEST, OIL = 150, 7, (40, 90, 91)


def refused(row, what):
    raise CertificationError(what)


@dataclass(frozen=True)
class Race(Board):
    """A race on slippery ground: a move costs 1, the pedal fails in one of ten moves, and oil leads back to the start.
    At speed 0 the action "stay", the first in the list, never ends the race."""

    title, citation = "A race", "made up for a test"
    columns = (Column("place", int, "squares driven"), Column("speed", int, "squares a move"))
    objectives = {"moves": Objective("moves to the end", "moves", sense=-1)}  # noqa: RUF012

    def start(self):
        return (0, 0, 0)

    def actions(self, state):
        return ("stay", "faster", "slower")

    def afterstate(self, state, action):
        place, speed = state
        wanted = speed + {"stay": 0, "faster": 1, "slower": -1}[action]
        return (place, speed, min(FASTEST, max(0, wanted)))

    def outcomes(self, afterstate):
        place, slipped, wanted = afterstate
        return [self._moved(9, place, wanted), self._moved(1, place, slipped)]

    def _moved(self, weight, place, speed):
        ahead = place + speed
        if ahead >= LENGTH:
            return Outcome(weight, None, 1)
        return Outcome(weight, (0, 0) if ahead in OIL else (ahead, speed), 1)


def by_value_iteration(rules):
    """The expected moves from each position, by plain value iteration from below."""
    values = {(place, speed): 0.0 for place in range(LENGTH) for speed in range(FASTEST + 1)}
    after = cache(lambda b: tuple((o.weight / 10, o.state) for o in rules.outcomes(b)))
    while True:
        change = 0.0
        for state in values:
            new = min(
                1 + sum(p * values.get(ahead, 0.0) for p, ahead in after(rules.afterstate(state, action)))
                for action in rules.actions(state)
            )
            change, values[state] = max(change, abs(new - values[state])), new
        if change < 1e-13:
            return values


def test_a_race_whose_first_actions_never_end_is_solved():
    rules = Race(objective="moves")
    p, expected = positions_of(rules), by_value_iteration(rules)
    found = dict(zip(p.states, solve(p, -1).tolist(), strict=True))
    assert found == pytest.approx({state: expected[state] for state in p.states}, abs=1e-11)
    game = for_objective(Race.objectives["moves"])(rules)
    assert decisions.check(game, published(game)[0], pytest.fail).bound < 1e-11


@dataclass(frozen=True)
class Waits(Race):
    """The same race without costs, for the probability of arriving."""

    objectives = {"arrive": Objective("chance to arrive", "probability")}  # noqa: RUF012

    def _moved(self, weight, place, speed):
        outcome = super()._moved(weight, place, speed)
        return outcome._replace(reward=int(outcome.state is None))


def test_a_loop_that_costs_nothing_is_named():
    with pytest.raises(ConfigurationError, match=r"play need not end: \(\d+, \d+\) '(stay|slower)' -> .*\(\d+, \d+\)$"):
        solve(positions_of(Waits(objective="arrive")), 1)


@dataclass(frozen=True)
class ManyOutcomes(Board):
    """A ticket costs half a point, plus tiny amounts that a plain sum of doubles loses: they are all different, and
    each is less than half a unit in the last place of the sum. The player may stop instead."""

    title, citation = "Tickets", "made up for a test"
    columns = (Column("left", int, "tickets left"),)
    objectives = {"money": Objective("money won", "points")}  # noqa: RUF012

    def start(self):
        return 3

    def actions(self, state):
        return ("buy", "stop")

    def afterstate(self, state, action):
        return state[0] - 1 if action == "buy" else -1

    def outcomes(self, afterstate):
        if afterstate < 0:
            return [Outcome(1, None)]
        ahead = (afterstate,) if afterstate else None
        little = [Outcome(1, ahead, Fraction(-(2000 + i), 2**55)) for i in range(1364)]
        return [Outcome(1364, ahead, -1), *little]


def tickets():
    """An action with 1,365 outcomes: the game, its table in doubles, and the exact q-value."""
    game = for_objective(ManyOutcomes.objectives["money"])(ManyOutcomes(objective="money"))
    outcomes = game.rules.outcomes(0)
    exact = sum(o.weight * Fraction(o.reward) for o in outcomes) / sum(o.weight for o in outcomes)
    return game, published(game)[0], exact


def test_a_table_is_certified_whose_sums_have_1365_roundings(monkeypatch):
    monkeypatch.setattr(tabulator, "EXACT_OUTCOMES", 0)
    game, table, exact = tickets()
    (bought,) = {*table.actions["q_value"][table.actions["action"] == "buy"].tolist()}
    assert 2e-14 < abs(bought - exact) < 1e-13
    assert decisions.check(game, table, pytest.fail).bound < 1e-14


@pytest.mark.parametrize("off", [1e-12, -1e-12])
def test_a_wrong_q_value_over_1365_outcomes_is_refused(off, monkeypatch):
    monkeypatch.setattr(tabulator, "EXACT_OUTCOMES", 0)
    game, table, _ = tickets()
    row = int((table.actions["action"] == "buy").argmax())
    table.actions["q_value"][row] += off
    table.actions["regret"][row] = -table.actions["q_value"][row]
    table.margins = table.margins.copy()
    table.margins[row // 2] = table.actions["regret"][row]
    with pytest.raises(CertificationError, match="q_value of 'buy' is"):
        decisions.check(game, table, refused)


def test_a_value_that_is_wrong_is_still_refused():
    game = for_objective(Race.objectives["moves"])(Race(objective="moves"))
    table, _ = published(game)
    table.values = table.values.copy()
    table.values[100] += 1e-9

    with pytest.raises(CertificationError, match=r"the rules give|the best action is|no bounds"):
        decisions.check(game, table, refused)
