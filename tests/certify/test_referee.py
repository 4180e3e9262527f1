"""The referee: its dice are fair, its intervals hold, its games earn what the rules say, and they repeat."""

from fractions import Fraction
from importlib import import_module
from math import comb, sqrt
from statistics import fmean, stdev

import numpy as np
import pytest

from dicebase.certify.play import chance, referee, simulation
from dicebase.certify.published import CertificationError, Published
from dicebase.certify.slices import check_simulation, published_in
from dicebase.solvers import reference
from dicebase.tables.names import find_table
from dicebase.vocabulary import Column, Controller, Game, Outcome
from support.refereed_tables import games_by, solve

GAMES = 20_000


def frequencies(weights, throws=GAMES, seed=5):
    """Count how often each side of each die falls; each throw belongs to another simulated game."""
    dice, streams = chance.dice(weights), chance.streams(seed, throws)
    found = [np.zeros(len(of_a_die), int) for of_a_die in weights]
    for die, count in enumerate(found):
        for game in range(throws):
            count[chance.throw(dice, die, streams, game)] += 1
    return found


# --- dice ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weights",
    [
        [(1, 1, 1, 1, 1, 1)],
        [(1, 2, 7), (5,), (30, 10)],
        # One die has a sum of more than 64 bits, the other a small one.
        [(6**30, 5 * 6**30, 3 * 6**30), (1, 3)],
        [(2**64 - 1, 1, 2**63), (10**300, 3 * 10**300)],
    ],
    ids=["a fair die", "loaded", "two words", "many words"],
)
def test_each_side_falls_in_proportion_to_its_weight(weights):
    for of_a_die, count in zip(weights, frequencies(weights), strict=True):
        expected = np.array([float(Fraction(w, sum(of_a_die)) * GAMES) for w in of_a_die])
        # A side with a probability of about 2**-64 does not fall.
        assert not count[expected < 1e-9].any()
        seen = expected > 1e-9
        chi_square = float(((count[seen] - expected[seen]) ** 2 / expected[seen]).sum())
        assert chi_square < 25  # with up to five degrees of freedom fair dice exceed it once in 7,000 tests


def test_dice_depend_on_the_seed_and_the_game_only():
    (one,), (same,), (other,) = (frequencies([(1, 2, 7)], seed=seed) for seed in (1, 1, 2))
    assert (one == same).all() and (one != other).any()
    assert (chance.streams(3, 10) == chance.streams(3, 99)[:10]).all()
    assert len(set(chance.streams(2**64 - 1, 10_000).tolist())) == 10_000


# --- intervals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.0, 1e-6, 0.003, 0.2, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("games", [1, 50, 400])
def test_an_interval_misses_a_probability_no_more_often_than_stated(p, games):
    missed = 0.0
    for wins in range(games + 1):
        low, high = simulation._limited(wins / games, games, 0.0, 1.0)
        assert low <= wins / games <= high
        if not low <= p <= high:
            missed += comb(games, wins) * p**wins * (1 - p) ** (games - wins)
    assert missed <= simulation.LEVEL


def test_intervals_are_not_much_wider_than_they_must_be():
    low, high = simulation._limited(0.0, 10_000, -1.0, 1.0)
    assert high == pytest.approx(-low) and 4.9 / sqrt(10_000) < high < 6 / sqrt(10_000)
    assert simulation._limited(0.0, 10_000, 0.0, 1.0)[1] < 0.002
    points = np.random.default_rng(1).exponential(10, 100_000)
    low, high = simulation._unlimited(points, points.mean(), 0.0)
    assert low < 10 < high and high - low < 0.5


# --- games -----------------------------------------------------------------------------------------------------------


class Loaded(Game):
    """Four tosses of a coin that shows heads 1 time in 4; heads give a point to the player who chose before the toss.

    Passing costs that player a third of a point, and the players change roles.
    """

    columns = Column("left", int, "tosses to come"), Column("heads", int, "heads of the last one")
    value = Column("value", float, "points of the one who begins", "points")

    def start(self):
        return 3, 0

    def controller(self, state):
        return Controller.MAX

    def actions(self, state):
        return "toss", "pass"

    def afterstate(self, state, action):
        return state[0] - 1, int(action == "pass")

    def outcomes(self, afterstate):
        left, passed = afterstate
        reward, sign = (Fraction(-1, 3), -1) if passed else (0, 1)
        for weight, heads in ((6, 0), (2, 1)):
            yield Outcome(weight, (left, heads) if left else None, reward + heads, sign)


def table_of(game, choose):
    """The solution of a game, and its rows with the action `choose(state, actions)` in the place of the best one."""
    solution = reference.solve(game)
    states = sorted(solution.value)
    best = [choose(state, game.actions(state)) for state in states]
    rows = [(s, a, float(a == b)) for s, b in zip(states, best, strict=True) for a in game.actions(s)]
    keys = dict(zip(("left", "heads"), np.array(states).T, strict=True))
    values = np.array([float(solution.value[state]) for state in states])
    of_actions = dict(zip(("left", "heads"), np.array([state for state, _, _ in rows]).T, strict=True))
    of_actions |= {"action": np.array([a for _, a, _ in rows]), "probability": np.array([p for *_, p in rows])}
    return solution, Published(game, keys | {"value": values, "action": np.array(best)}, of_actions)


def earned(game, choose, afterstate):
    """The expected points of the first mover if `choose` picks every action, as a rational."""
    outcomes, found = list(game.outcomes(afterstate)), Fraction(0)
    for o in outcomes:
        later = 0
        if o.state is not None:
            later = earned(game, choose, game.afterstate(o.state, choose(o.state, game.actions(o.state))))
        found += Fraction(o.weight, sum(x.weight for x in outcomes)) * (o.reward + o.sign * later)
    return found


POLICIES = {
    "toss": lambda state, actions: "toss",
    "pass": lambda state, actions: "pass",
    "by what fell": lambda state, actions: actions[state[1]],
}


@pytest.mark.parametrize("policy", POLICIES)
def test_games_earn_the_policys_rational_value(policy):
    game = Loaded()
    _, published = table_of(game, POLICIES[policy])
    exact = earned(game, POLICIES[policy], game.start())
    games = referee.play(game, published, 7)
    assert games.low <= exact <= games.high and games.high - games.low < 0.05 * sqrt(100_000 / games.games)
    assert abs(games.mean - exact) < 5 * 1.5 / sqrt(games.games)


@pytest.mark.parametrize("name", ["pig_duel", "hog_race", "ten_times_eighteen_exceed"])
def test_means_scatter_around_the_value_as_expected(tmp_path, monkeypatch, name):
    monkeypatch.setattr(simulation, "MOST", simulation.FEWEST)
    folder = solve(name, tmp_path / "slice")
    ((claim, game, published, _),) = published_in(folder)
    checks = import_module(find_table(name).certifier(game))
    published.exact = claim["exact"] and Fraction(claim["exact"])
    value = checks.check(game, published, None).value
    means = [games_by(folder, seed).mean for seed in range(40)]
    assert len(set(means)) > 20
    assert abs(fmean(means) - value) < 5 * stdev(means) / sqrt(len(means))
    if game.value.unit == "probability":
        # The chi-square of 40 frequencies lies outside 12 to 85 once in 30,000 tests.
        chi_square = sum((x - value) ** 2 for x in means) * simulation.FEWEST / (value * (1 - value))
        assert 12 < chi_square < 85


def test_games_repeat_with_the_seed(tmp_path):
    folder = solve("hog_duel", tmp_path / "slice")
    assert games_by(folder, 1) == games_by(folder, 1) != games_by(folder, 2)


def test_the_seed_depends_on_the_variant():
    seeds = {
        simulation.seed_of("pig_turn", {"sides": 6}, {}),
        simulation.seed_of("pig_turn", {"sides": 8}, {}),
        simulation.seed_of("pig_race", {"sides": 6}, {}),
        simulation.seed_of("pig_turn", {"sides": 6}, {"sides": {"6": 7}}),
    }
    assert len(seeds) == 4 and all(0 <= seed < 2**64 for seed in seeds)
    assert simulation.seed_of("pig_turn", {"sides": 6}, {}) in seeds


def test_games_that_take_too_long_are_given_up(monkeypatch):
    game = Loaded()
    _, published = table_of(game, POLICIES["toss"])
    for module in (referee, simulation):
        monkeypatch.setattr(module, "LONGEST", 100)
    assert referee.play(game, published, 1) is None


def test_a_value_that_games_do_not_agree_with_is_refused():
    def fail(row, what):
        raise CertificationError(what)

    games = simulation.Simulation(0.5, 0.49, 0.51, 2000, against_chance=0.6)
    check_simulation(0.5, games, fail)
    check_simulation(0.5, None, fail)
    with pytest.raises(
        CertificationError, match=r"the value is 0\.52, but 2000 games by the table earn 0\.5 on average"
    ):
        check_simulation(0.52, games, fail)
    with pytest.raises(CertificationError, match=r"against chance the table earns 0\.4 at most"):
        check_simulation(0.5, games._replace(against_chance=0.4), fail)
