"""Boards on which play may go on for ever, if the rules state what that pays: solved and certified, against the best of
all policies on random boards; wrong tables are refused."""

import math
import os
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from random import Random

import numpy as np
import pytest
from solvers.boards.test_drawn_boards import Drawn
from solvers.boards.test_values import published

from dicebase.certify import decisions
from dicebase.certify.graph import waiting
from dicebase.certify.published import CertificationError
from dicebase.matches.boards.board import for_objective
from dicebase.tabulate import boards as tabulator
from dicebase.vocabulary import ConfigurationError
from reference import endless_boards, exact_boards
from support.drawn_games import board, end, go
from support.faults import fail

PAYS = {"alone": (0, 1, -1, Fraction(1, 2)), "points": (0, 1), "chance": (Fraction(1, 2), 0)}
UNPROVED = "no bounds were found|the best action is"
SEEDS = range(400 if "DICEBASE_ALL" in os.environ else 12)
DRAWN = [(kind, pays, sense) for kind, some in PAYS.items() for pays in some for sense in (1, -1)]


@dataclass(frozen=True)
class Waits(Drawn):
    """Up to four places: most actions lead around at no cost, others end play. In the kind "chance", values are
    probabilities and each change of roles has reward 1."""

    unending: int | Fraction | None = None

    @cached_property
    def plays(self):
        random = Random(f"{self.kind} {self.unending} {self.objective} {self.seed}")
        places = [(i,) for i in range(random.choice((1, 2, 3, 4) if self.kind == "alone" else (1, 2, 3)))]
        plays = {place: [self._outcomes(random, places)] for place in places}
        for place in random.choices(places, k=4):
            plays[place].append(self._outcomes(random, places))
        return plays

    def _outcomes(self, random, places):
        """The outcomes of a random action."""
        ends = random.choice((0, 0, 0, 1, 2))
        found = []
        for i in range(random.choice((1, 2, 2))):
            to = None if ends > i else random.choice(places)
            change = self.kind != "alone" and to is not None and random.random() < 0.6
            if self.kind == "chance":
                pays = 1 if change else random.choice((0, 1)) if to is None else 0
            else:
                pays = random.choice((-2, -1, 0, 1, 3)) if to is None else random.choice((0, 0, 0, 0, 0, 0, -1, 1))
            found.append((random.randrange(1, 4), to, pays, -1 if change else 1))
        return found


def game_of(kind, pays, sense, seed):
    objective = "most" if sense > 0 else "least"
    rules = Waits(kind=kind, seed=seed, objective=objective, unending=pays)
    return rules, for_objective(Drawn.objectives[objective])(rules)


def undefined(rules, sense, exact):
    """Whether optimal play may go on for ever with a payoff that is unbounded or not stated."""
    if any(least != most or abs(least) == math.inf for least, most in exact.values()):
        return True
    plays, u = rules.plays, rules.unending

    def is_best(s, outcomes):
        earned = sum(w * (r if t is None else r + sign * exact[t][0]) for w, t, r, sign in outcomes)
        return earned == exact[s][0] * sum(w for w, *_ in outcomes)

    best = {s: [k for k, outcomes in enumerate(some) if is_best(s, outcomes)] for s, some in plays.items()}
    stay = exact_boards.loop(plays, best)
    return any(
        all(t in stay for _, t, *_ in plays[s][k]) and any(r + sign * u != u for _, _, r, sign in plays[s][k])
        for s in stay
        for k in best[s]
    )


def result(kind, pays, sense, seed):
    """How a random board is answered: "refused", which is checked, or how play goes if it is solved and certified."""
    rules, game = game_of(kind, pays, sense, seed)
    exact = endless_boards.solved(rules.plays, sense, pays)
    try:
        table, _ = published(game)
        finding = decisions.check(game, table, fail)
    except (ConfigurationError, CertificationError) as error:
        assert re.search("play (need not end|may go on for ever|is too long)", str(error))
        assert undefined(rules, sense, exact)
        return "refused"
    assert finding.bound < 1e-12 * max(1, np.abs(table.values).max())
    for state, value in zip(table.states, table.values.tolist(), strict=True):
        assert max(abs(value - x) for x in exact[state]) <= finding.bound
    return "waits" if "endless play pays" in finding.proof else "ends"


@pytest.mark.parametrize(("kind", "pays", "sense"), DRAWN)
def test_random_boards_have_the_best_value_of_all_policies_or_are_refused(kind, pays, sense):
    found = Counter(result(kind, pays, sense, seed) for seed in SEEDS)
    assert found["waits"] >= len(SEEDS) / 12 and found["refused"] < len(SEEDS)


def fixed_point(rules, sense, start):
    """Return a fixed point of one step of the rules, by value iteration from `start`; None if it does not converge."""
    values = dict.fromkeys(rules.plays, float(start))
    for _ in range(3_000):
        before = values
        values = {
            s: sense
            * max(
                sense * exact_boards.mean([(w / sum(o[0] for o in x), *more) for w, *more in x], before) for x in some
            )
            for s, some in rules.plays.items()
        }
        if values == before:
            return values
    return None


def test_wrong_values_are_refused_although_one_step_leaves_them_unchanged(monkeypatch):
    refused = Counter()
    for (kind, pays, sense), seed, start in product(DRAWN, range(6), (-3, 3)):
        rules, game = game_of(kind, pays, sense, seed)
        exact = endless_boards.solved(rules.plays, sense, pays)
        values = fixed_point(rules, sense, start)
        if values and max(max(abs(values[s] - x) for x in exact[s]) for s in values) > 1e-9:
            monkeypatch.setattr(
                tabulator, "solve", lambda p, *_, values=values: np.array([values[s] for s in p.states])
            )
            table, _ = published(game)
            with pytest.raises(CertificationError, match=UNPROVED):
                decisions.check(game, table, fail)
            refused[kind] += 1
    assert min(refused[kind] for kind in PAYS) >= 10


WAIT, LEAVE, LOSE = [go(0)], [end(2)], [end()]
PASS, TO_0, TO_1 = [go(0, reward=1, sign=-1)], [go(0)], [go(1)]


def given(places, unending):
    """The game of a board with these outcomes, by place and action."""
    drawing = {place: {f"action {k}": some for k, some in enumerate(actions)} for place, actions in enumerate(places)}
    rules = board(drawing, unending=unending)
    return for_objective(rules.objectives["points"])(rules)


def played(game, action):
    """The table of a game, changed to play this action in every position."""
    table, _ = published(game)
    table.actions["probability"] = 1.0 * (table.actions["action"] == action)
    table.best = table.best.copy()
    table.best[:] = action
    return table


@pytest.mark.parametrize(("pays", "value", "action"), [(1, 2, "action 1"), (2, 2, "action 1"), (3, 3, "action 0")])
def test_the_published_action_leaves_unless_waiting_is_worth_more(pays, value, action):
    table, _ = published(game := given(((WAIT, LEAVE),), pays))
    assert table.values.tolist() == [value] and table.best.tolist() == [action]
    assert table.actions["optimal"].tolist() == [True, value == 2]
    decisions.check(game, table, fail)


@pytest.mark.parametrize("moves", [((WAIT, LEAVE),), ((TO_1, LEAVE), (TO_0,))])
@pytest.mark.parametrize(("pays", "why"), [(1, "leaving is worth more"), (2, "an optimal action does not")])
def test_a_published_action_that_waits_without_need_is_refused(moves, pays, why):
    game = given(moves, pays)
    decisions.check(game, published(game)[0], fail)
    with pytest.raises(CertificationError, match=f"the published actions .*wait for ever, but {why}"):
        decisions.check(game, played(game, "action 0"), fail)


@pytest.mark.parametrize("off", [5e-10, -5e-10])
def test_bounds_that_are_too_small_are_not_believed(off, monkeypatch):
    table, _ = published(game := given(((TO_1, LEAVE), (TO_0,)), 1))
    table.values = table.values + off
    assert 5e-10 < decisions.check(game, table, fail).bound < 6e-10
    monkeypatch.setattr(waiting, "longest_play", lambda p, *_: np.full(len(p.states), 1e-12))
    with pytest.raises(CertificationError, match=UNPROVED):
        decisions.check(game, table, fail)


def test_the_bound_includes_how_far_values_of_a_component_differ():
    table, _ = published(game := given(((TO_1, LEAVE), (TO_0,)), 1))
    table.values = table.values.copy()
    table.values[1] += 3e-14
    assert 3e-14 <= decisions.check(game, table, fail).bound < 4e-13


def test_players_who_may_both_pass_need_a_payoff_that_is_fair_to_both():
    moves = ((PASS, LOSE),)
    table, _ = published(game := given(moves, Fraction(1, 2)))
    assert table.values.tolist() == [0.5]
    finding = decisions.check(game, table, fail)
    assert finding.proof.endswith("endless play pays 1/2; components in which play can wait: (0,) of 1")
    with pytest.raises(ConfigurationError, match=r"play need not end: .* reward \+ sign \* unending is not unending"):
        published(given(moves, 0))


def test_a_payoff_other_than_the_stated_one_is_refused():
    table, _ = published(given(((WAIT, LOSE),), 1))
    with pytest.raises(CertificationError, match=UNPROVED):
        decisions.check(given(((WAIT, LOSE),), 2), table, fail)


def test_waiting_that_costs_too_little_for_doubles_is_refused():
    costs = [go(0, reward=Fraction(-1, 10**9 * 10**9))]
    table, _ = published(given(((WAIT, LOSE),), 1))
    with pytest.raises(CertificationError, match=UNPROVED):
        decisions.check(given(((costs, LOSE),), 1), table, fail)
