"""Decisions of hand-made games, without files."""

from fractions import Fraction

import numpy as np
import pytest

from dicebase.certify import decisions
from dicebase.certify.published import CertificationError, Published
from dicebase.solvers import reference
from dicebase.vocabulary import TIE, Controller, rank
from support.drawn_games import Drawn, end, go
from support.faults import fail

# In both places the player can toss the same coin: heads lead to the later place, tails end the game. In the later
# place the player may take 10 points instead, and heads lead back to the same place.
TOSS = [go(1), end()]
SHARED = {0: {"toss": TOSS}, 1: {"toss": TOSS, "take": [end(10)]}}
COIN = Drawn(SHARED, shared=True)


def shared(first, exact):
    """The rows of the game, with `first` as the value of the first state; the value of the second is 10."""
    values, q = np.array([first, 10.0]), np.array([first, 5.0, 10.0])
    states = {"place": np.array([0, 1]), "value": values, "action": np.array(["toss", "take"])}
    states["margin"] = np.array([np.nan, 5.0])
    best = np.array([True, False, True])
    actions = {"place": np.array([0, 1, 1]), "action": np.array(["toss", "toss", "take"]), "q_value": q}
    actions |= {"regret": np.array([0.0, 5.0, 0.0]), "probability": best.astype(float)}
    actions |= {"optimal": best, "undecided": np.zeros(3, bool)}
    published = Published(COIN, states, actions)
    published.exact = exact
    return published


def laps(prize=2, sign=1):
    """Two players move a pawn round a track of three places; MIN moves from place 1.

    From place 0 MAX steps on and gains a third of a point, or throws: 1 throw in 4 ends the game with 8 points. From
    place 1 MIN steps on, or throws: 1 throw in 2 ends the game with `prize`. From place 2 the pawn goes to 0, where the
    players change roles if `sign` is -1, or the game ends.
    """
    from_0 = {"step": [go(1, reward=Fraction(1, 3))], "throw": [go(1, 3), end(8)]}
    from_1 = {"throw": [go(2), end(prize)], "step": [go(2)]}
    return Drawn({0: from_0, 1: from_1, 2: {"fall": [go(0, 3, sign=sign), end()]}}, {1: Controller.MIN})


def rows(game, off=0.0):
    """The rows of the reference solver, with `off` added to the values of all states except the first."""
    solution = reference.solve(game)
    states = sorted(solution.value)
    sense = {s: -1 if game.controller(s) is Controller.MIN else 1 for s in states}
    ranked = [rank([float(solution.q(s, a)) for a in game.actions(s)], sense=sense[s], tolerance=TIE) for s in states]
    keys = {"place": np.array([s[0] for s in states])}
    values = np.array([r.value for r in ranked]) + off * (np.arange(len(states)) > 0)
    best = np.array([game.actions(s)[r.best] for s, r in zip(states, ranked, strict=True)], object)
    margins = np.array([np.nan if r.margin is None else r.margin for r in ranked])
    columns = {
        "place": [s[0] for s in states for _ in game.actions(s)],
        "action": [a for s in states for a in game.actions(s)],
        "q_value": [q for r in ranked for q in r.q_values],
        "regret": [x for r in ranked for x in r.regrets],
        "probability": [x for r in ranked for x in r.probabilities],
        "optimal": [x for r in ranked for x in r.optimal],
        "undecided": [x for r in ranked for x in r.undecided],
    }
    actions = {name: np.array(column, object if name == "action" else None) for name, column in columns.items()}
    return Published(game, keys | {"value": values, "action": best, "margin": margins}, actions), solution


@pytest.mark.parametrize("exact", [None, 5])
def test_a_shared_afterstate_has_a_different_self_loop_in_each_state(exact):
    assert decisions.check(COIN, shared(5.0, exact), fail).value == 5
    # In the later state, a player who tosses until the coin leads elsewhere gets 0.0: the toss has a self-loop there.
    with pytest.raises(CertificationError, match=r"the value is 0\.0"):
        decisions.check(COIN, shared(0.0, exact), fail)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("prize", [-3, 0, 2, 5])
def test_values_in_a_cycle_are_enclosed(prize, sign):
    published, solution = rows(laps(prize, sign))
    finding = decisions.check(laps(prize, sign), published, fail)
    assert finding.proof == decisions.BY_ENCLOSURES
    assert abs(finding.value - float(solution.start)) <= finding.value_bound <= finding.bound < 1e-13
    games = decisions.simulated(laps(prize, sign), published, 1)
    assert games.low <= solution.start <= games.high


@pytest.mark.parametrize("off", [1e-10, -1e-10])
def test_the_bound_in_a_cycle_covers_the_error(off):
    finding = decisions.check(laps(), rows(laps(), off)[0], fail)
    assert abs(off) <= finding.bound < 100 * abs(off)


@pytest.mark.parametrize("off", [1e-6, -1e-6, 1.0])
def test_a_wrong_value_in_a_cycle_is_refused(off):
    with pytest.raises(CertificationError, match=r"the best action is \S+ away"):
        decisions.check(laps(), rows(laps(), off)[0], fail)


@pytest.mark.parametrize("weight", [1, 3**40])
def test_endless_waiting_is_refused(weight):
    """From the later place the player may also wait, by outcomes whose weights may be too large for doubles."""
    game = Drawn(SHARED | {1: SHARED[1] | {"wait": [go(1, weight)] * 3}}, shared=True)
    states = {"place": np.array([0, 1]), "value": np.array([5.0, 10.0]), "action": np.array(["toss", "take"], object)}
    actions = {"place": np.array([0, 1, 1, 1]), "action": np.array(["toss", "toss", "take", "wait"], object)}
    actions |= {"q_value": np.array([5.0, 5.0, 10.0, 10.0])}
    with pytest.raises(CertificationError, match="play may go on for ever"):
        decisions.check(game, Published(game, states, actions), fail)


def test_an_exact_value_in_a_cycle_is_refused():
    published, solution = rows(laps())
    published.exact = solution.start
    with pytest.raises(CertificationError, match="not checked"):
        decisions.check(laps(), published, fail)
