"""SolvedGame: values and regrets are those of the tables, play has the stated odds, and reference returns are exact."""

from fractions import Fraction
from functools import cache
from hashlib import sha256

import numpy as np
import pytest

from dicebase.environments import solved_game
from dicebase.environments.game import POLICIES
from dicebase.environments.versions import VERSION, versions
from dicebase.policies.evaluation import evaluate
from dicebase.show.model import why_no_model
from dicebase.tables.names import is_table
from dicebase.vocabulary import ConfigurationError, MissingTableError
from support.every_table import every_table

GRID = every_table


@pytest.fixture
def game(results):
    return lambda table, **parameters: solved_game(table, str(results), **parameters)


@pytest.fixture(scope="module")
def games(db):
    """The smallest variant of every table that has a model, as (table, parameters)."""
    found = [(t, min(db.solved(t).variants, key=lambda v: v.row["states"])) for t in sorted(db.solved_tables)]
    return [(table, v.parameters) for table, v in found if not why_no_model(v) and v.row["states"] < 5000]


def test_every_versioned_table_is_a_small_game_here(games):
    large = {"ten_thousand_duel", "ten_thousand_race", "ten_thousand_reach"}
    assert {name.removesuffix(VERSION) for name in versions()} - {table for table, _ in games} <= large
    assert all(is_table(name.removesuffix(VERSION)) for name in versions())


def test_the_best_action_has_the_published_value(db, games, game):
    kinds = set()
    for table, parameters in games:
        of = game(table, **parameters)
        best = np.maximum.reduceat(of.q * of.sense[of.of], of.first[:-1]) * of.sense
        assert np.abs(best - of.value).max() <= 2 * of.error_bound + 1e-12, table
        assert of.optimal_value() == pytest.approx(db.solved(table).require(parameters).row["value"], abs=1e-12), table
        assert of.regrets.min() == 0 and (np.minimum.reduceat(of.regrets, of.first[:-1]) == 0).all()
        kinds.add((of.players, of.total, of.sense[0]))
    assert kinds == {(1, 0, 1), (1, 0, -1), (2, 1, 1)}  # players, sum of the payoffs, whether more is better


def test_regrets_are_those_of_lookups(db, games, game):
    compared = 0
    for table, parameters in games:
        of = game(table, **parameters)
        for position in of.sample(5):
            asked = of.described(of.state(position))
            if "roll" in asked:  # a lookup then ranks what to keep and whether to bank as one action
                continue
            for action in db.lookup(table, **asked, **parameters)["actions"]:
                found = of.regret(position, action["action"])
                assert found == pytest.approx(action["regret"], abs=4 * of.error_bound + 1e-12), (table, position)
                compared += 1
    assert compared > 200


def test_numbers_and_texts_name_states_and_actions_which_have_the_stated_odds(game):
    of = game("pig_turn", sides=6)
    assert of.actions == ["roll", "hold"] and of.names[of.start] == "0"
    state = of.state("20")
    assert of.mask(state).tolist() == [1, 1] and of.mask(of.start).tolist() == [1, 0] and of.mask(-1).tolist() == [0, 0]
    assert of.regret("20", "roll") == of.regret(state, of.actions.index("roll")) == 0
    assert of.regret("25", "roll") == pytest.approx(5 / 6, abs=1e-14) and of.optimal_value("20") == 20
    for wrong, said in (
        (lambda: of.index(of.start, "hold"), "pig_turn at 0: 'hold' is illegal; allowed are 0 (roll)"),
        (lambda: of.index(of.start, 1), "pig_turn at 0: 1 is illegal; allowed are 0 (roll)"),
        (lambda: of.regret(99, 0), "pig_turn: there is no state 99; there are 27"),
        (lambda: of.regret("-1", 0), "pig_turn: there is no position '-1'"),
        (lambda: of.policy("best"), "'best' is not a policy; the policies are first_listed, greedy, optimal, random"),
    ):
        with pytest.raises(ConfigurationError) as error:
            wrong()
        assert str(error.value).startswith(said)
    with pytest.raises(MissingTableError, match="pig_turn is not solved for sides=7 dice=1"):
        game("pig_turn", sides=7)
    several = [str(total) for total in range(2, 27)]
    assert of.sample() == sorted(several, key=lambda name: sha256(name.encode()).digest())
    assert of.sample(4) == ["9", "8", "13", "17"]
    # Outcomes come as often as their weights say.
    k, rng = of.index(of.start, "roll"), np.random.default_rng(3)
    assert [of.chance[o] for o in of.outcomes(k)] == [1 / 6] * 6
    met = np.bincount([of.roll(k, rng) for _ in range(6000)])[of.begin[k] :]
    assert len(met) == 6 and met.sum() == 6000 and met.min() > 850


def test_payoffs_of_both_players_sum_to_the_total(games, game):
    totals = set()
    for of in (game(table, **parameters) for table, parameters in games):
        rng, state, paid = np.random.default_rng(1), of.start, []
        while state >= 0:
            actions = of.legal(state)
            o = of.roll(of.index(state, actions[rng.integers(len(actions))]), rng)
            paid.append(of.payoffs(o))
            state = int(of.next[o])
        assert np.sum(paid) == of.total
        if of.total:
            assert all(x == (0, 0) for x in paid[:-1]) and {*paid[-1]} == {0, 1}
        totals.add(of.total)
    assert totals == {0, 1}


def test_optimal_play_earns_the_value_and_no_policy_earns_more(games, game):
    for table, parameters in games:
        of = game(table, **parameters)
        earned = of.references()
        assert [*earned] == [*POLICIES]
        assert earned["optimal"] == pytest.approx(of.optimal_value(), abs=1e-9), table
        better = of.sense[-1] if of.players == 1 else 1
        assert all(x is None or better * (x - earned["optimal"]) < 1e-9 for x in earned.values()), table


def test_random_and_first_listed_turns_of_pig(game):
    @cache
    def value(total, holds):
        if total > 26:
            return Fraction(total)
        rolled = sum(value(total + face, holds) for face in range(2, 7)) / 6
        return rolled if total == 0 else holds * total + (1 - holds) * rolled

    earned = game("pig_turn", sides=6).references()
    assert earned["first_listed"] == earned["greedy"] == pytest.approx(float(value(0, Fraction(1))), abs=1e-12)
    assert value(0, Fraction(1)) == Fraction(20, 6)
    assert earned["random"] == pytest.approx(float(value(0, Fraction(1, 2))), abs=1e-12)
    assert game("cards_up_turns", cards=3).references()["first_listed"] is None, "a game may never end"


@pytest.mark.parametrize("table", ["bear_off_duel", "royal_ur_duel", "einstein_duel"])
def test_returns_against_optimal_play_are_those_of_policies_on_boards(db, game, table):
    parameters = db.solved(table).variants[0].parameters
    of = game(table, **parameters)
    for name in ("random", "first_listed", "optimal"):
        expected = evaluate(db, table, name, "optimal", **parameters)["first"]
        assert of.expected_return(of.policy(name)) == pytest.approx(expected, abs=1e-12)
