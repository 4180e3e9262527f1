"""Policies against each other in duels, compared with plain iteration, rationals and other programs; planted faults."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from dicebase.pipeline.plan import make_slice
from dicebase.tables.layout import TABLES, VALUES
from dicebase.tables.names import find_table
from dicebase.vocabulary import ConfigurationError
from reference import duel_policies, hog, matches
from reference.duel_policies import BEST
from reference.matches_ten_thousand import ten_thousand
from support import grids
from support.faults import change, refused, rewrite
from support.leagues import DEFINITIONS, LEAGUES, both, solved
from support.papers_crocce_mordecki import TABLE, rolled

VARIANTS = [
    ("pig", {"sides": 6, "target": 8, "policies": "small"}, matches.pig()),
    ("pig", {"sides": 2, "target": 6, "policies": "small"}, matches.pig(2)),
    ("pig", {"sides": 4, "dice": 2, "target": 6, "policies": "small"}, matches.pig(4, 2)),
    ("ten_thousand", {"target": 300, "policies": "points"}, ten_thousand()),
]


def follows(decisions, choose, record):
    """The policy that follows decisions, {(*record, turn total, mode): (value of rolling, value of stopping)}."""

    def rolls(me, opponent, t, mode):
        rolled, stopped = decisions[(*record(me, opponent), t, mode)]
        return choose(1, -1) * (rolled - stopped) > 1e-12

    def score(me, opponent, t, mode):
        values = [value for value in decisions[(*record(me, opponent), t, mode)] if value is not None]
        return choose(1, -1) * choose(values)

    return rolls, score


@cache
def reference_policies(game, turn, target, names):
    """The policies of a variant by their definitions, from the solutions of the reference."""
    _, of_duel = matches.duel(turn, target, number=Fraction if game == "pig" else float)
    _, of_race = matches.race(turn, target, number=Fraction if game == "pig" else float)
    found = {}
    for name in names:
        if name == "optimal":
            found[name] = follows(of_duel, max, lambda me, opponent: (me, opponent))
        elif name == "minimise_turns":
            found[name] = follows(of_race, min, lambda me, _: (me,))
        elif name == "maximise_turn":
            found[name] = most_points(game, turn)
        else:
            hold = int(name.rpartition("_")[2])
            found[name] = (lambda me, opponent, t, mode, hold=hold: t < hold), (lambda me, opponent, t, mode: t)
    return found


def most_points(game, turn):
    if game == "ten_thousand":
        points = rolled()
        return (
            lambda me, opponent, t, mode: 50 * points[t // 50, mode] > t,
            lambda me, opponent, t, mode: max(Fraction(t), 50 * points[t // 50, mode]),
        )
    (rolls,) = turn.rolls.values()
    total = sum(weight for weight, _ in rolls)
    mean = Fraction(sum(weight * o[0][0] for weight, o in rolls if isinstance(o, tuple)), total)
    lost = Fraction(sum(weight for weight, o in rolls if isinstance(o, str)), total)
    # Rolling once more pays while the expected gain exceeds the expected loss.
    return (lambda me, opponent, t, mode: mean > lost * t), (lambda me, opponent, t, mode: t)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A function that returns the certified rows of a variant above by its number."""

    @cache
    def rows(number):
        game, given, _ = VARIANTS[number]
        return solved(f"{game}_duel_matchups", given, tmp_path_factory.mktemp(game))

    return rows


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_every_pair_and_every_best_response_equal_value_iteration(tables, number):
    game, given, turn = VARIANTS[number]
    _, found, certificate = tables(number)
    names = LEAGUES[given["policies"]]
    policies = reference_policies(game, turn, given["target"], tuple(names)) | {"best_response": BEST}
    assert len(found) == 2 * len(names) * (len(names) + 1)
    few = names if game == "pig" else names[:2]
    for row, column in product(("best_response", *few), few):
        again = duel_policies.matchup(turn, given["target"], policies[row], policies[column])
        assert both(found, row, column) == pytest.approx(again, abs=1e-11), (row, column)
    assert 0 < certificate.error_bound < 1e-10


def test_the_target_can_be_reached_with_too_few_points_to_bank(tmp_path):
    definitions = DEFINITIONS | {"rules": {"strict": TABLE | {"least_bank": 200}}}
    definitions |= {"policies": {"alone": ["maximise_turn", "minimise_turns"]}}
    given = {"rules": "strict", "target": 300, "policies": "alone"}
    _, (certificate,) = grids.certified("ten_thousand_duel_matchups", given, tmp_path, definitions)
    assert 0 < certificate.error_bound < 1e-12


# --- Hog -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("target", "dice", "on_one", "league"), [(12, 4, "nothing", "throws"), (7, 3, "all", "wiped")])
def test_matchups_of_hog_equal_value_iteration(tmp_path, target, dice, on_one, league):
    given = {"target": target, "max_dice": dice, "on_one": on_one, "policies": league}
    _, found, certificate = solved("hog_duel_matchups", given, tmp_path)
    nothing, number = (matches.WIPE, float) if on_one == "all" else (matches.BUST, Fraction)
    most, race, best = hog.turn(dice)[1], hog.race(target, dice)[1], hog.duel(target, dice, nothing, number)[1]
    policies = {
        "always_1": lambda me, opponent: 1,
        "always_2": lambda me, opponent: 2,
        "maximise_turn": lambda me, opponent: most[0],
        "minimise_turns": lambda me, opponent: race[me,][0],
        "optimal": lambda me, opponent: best[me, opponent][0],
    }
    for row, column in product(("best_response", *LEAGUES[league]), LEAGUES[league]):
        again = duel_policies.throws(target, dice, policies.get(row, BEST), policies[column], on_one=on_one)
        assert both(found, row, column) == pytest.approx(again, abs=1e-11), (row, column)
    assert sum(both(found, "best_response", "optimal")) == pytest.approx(1, abs=1e-12)
    assert certificate.error_bound < 1e-11


# --- names of policies -----------------------------------------------------------------------------------------------

WRONG = [
    ("pig", {}, ["optimal", "hold_at_0"], "there is no policy 'hold_at_0' here; did you mean 'hold_at_20'"),
    ("pig", {}, ["optimum"], "did you mean 'optimal'"),
    ("pig", {}, [{"hold_at_20": "25"}], "'hold_at_20' has a formula, but already has a meaning"),
    ("pig", {}, [{"mine": "20", "yours": "25"}], "must be a list of policies, each a name, `name: formula` or"),
    ("pig", {}, [{"mine": {"formula": "20"}}], "must be a list of policies"),
    ("hog", {"max_dice": 5}, [{"mine": "1 + me // 5"}], "'mine' throws 6 dice at me=25 opponent=0"),
    ("pig", {}, ["best_response"], "'best_response' is always included: leave it out"),
    ("pig", {}, ["hold_at_20", "optimal", "hold_at_20"], "'hold_at_20' occurs twice"),
    ("pig", {}, [], "must be a list of policies"),
    ("pig", {}, "optimal", "must be a list of policies"),
    ("pig", {}, [20], "must be a list of policies"),
    ("pig", {}, ["always_5"], "there is no policy 'always_5'"),
    ("pig", {}, [f"hold_at_{n}" for n in range(1, 40)], "has 39 policies; at most 30"),
    ("hog", {"max_dice": 5}, ["always_6"], "there is no policy 'always_6'"),
    ("hog", {}, ["hold_at_20"], "there is no policy 'hold_at_20'"),
    ("hog", {"on_one": "all"}, ["minimise_turns"], "under which a throw that scores nothing loses no banked points"),
]


@pytest.mark.parametrize(("game", "given", "league", "message"), WRONG)
def test_wrong_policies_are_refused_before_solving(game, given, league, message):
    table = find_table(f"{game}_duel_matchups")
    definitions = DEFINITIONS | {"policies": {"mine": league}}
    variant = table.variant(given | {"policies": "mine"}, definitions, "here")
    with pytest.raises(ConfigurationError, match=f"policies 'mine': .*{message}"):
        make_slice(table, "here", [variant], definitions)


def test_a_league_that_is_not_defined_is_refused():
    with pytest.raises(ConfigurationError, match=r"'legue' is not defined.*did you mean 'league'"):
        find_table("pig_duel_matchups").variant({"policies": "legue"}, DEFINITIONS, "here")


def test_a_target_too_far_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="251 has 251 totals; at most 250"):
        solved("pig_duel_matchups", {"target": 251, "policies": "small"}, tmp_path)


def test_a_wrong_formula_is_refused():
    with pytest.raises(ConfigurationError, match=r"policies\.mine: '20 points' is not a formula"):
        make_slice(*_league([{"mine": "20 points"}]))


def _league(policies):
    table, definitions = find_table("pig_duel_matchups"), DEFINITIONS | {"policies": {"mine": policies}}
    return table, "here", [table.variant({"policies": "mine"}, definitions, "here")], definitions


# --- planted faults --------------------------------------------------------------------------------------------------


def exchanged(rows):
    for row in rows:
        row["first"] = {"row": "column", "column": "row"}[row["first"]]
    return sorted(rows, key=lambda row: [row[name] for name in ("row_policy", "column_policy", "first")])


def forged(mover, other, up):
    """Add `up` to the value of a pair of policies at 2 points each."""
    of = {"policy": mover, "against": other, "me": 2, "opponent": 2}
    return change("value", lambda x: x + up, lambda rows, i: all(rows[i][name] == said for name, said in of.items()))


def exchanged_values(one, other):
    """Exchange all values of two policies, including the values of their best responses."""
    names = {one: other, other: one}

    def exchange(rows):
        for row in rows:
            row |= {name: names.get(row[name], row[name]) for name in ("policy", "against")}
        return sorted(rows, key=lambda row: [row[name] for name in ("policy", "against", "me", "opponent")])

    return exchange


FAULTS = {
    "policies exchanged": (VALUES, exchanged_values("hold_at_3", "hold_at_5")),
    "best play exchanged": (VALUES, exchanged_values("optimal", "hold_at_5")),
    "most points exchanged": (VALUES, exchanged_values("maximise_turn", "hold_at_3")),
    "fewest turns exchanged": (VALUES, exchanged_values("minimise_turns", "hold_at_3")),
    "who begins exchanged": (TABLES, exchanged),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_values_of_other_policies_are_refused(tables, tmp_path, fault):
    folder, wrong = FAULTS[fault]
    files = grids.copied(tables(0)[0], tmp_path / "results")
    rewrite(files.within(folder), wrong)
    refused(files, r"pig_duel_matchups sides=6 dice=1 target=8.*recomputed")


def test_a_response_that_wins_almost_certainly_is_certified_and_an_error_in_it_refused(tmp_path):
    """Near 50 heads the chance of an opponent far behind is less than the error bound. The bound below this chance is
    clipped at 0: otherwise a slower win would look better than a certain one."""
    place, _, certificate = solved("pig_duel_matchups", {"sides": 2, "target": 100, "policies": "racers"}, tmp_path)
    assert certificate.error_bound < 1e-11
    rewrite(place.within("values"), forged("minimise_turns", "best_response", 1e-10))
    refused(place, r"me=2 opponent=2: .*recomputed")


@pytest.mark.slow
def test_the_best_response_in_a_long_match_equals_value_iteration(tmp_path):
    turn = matches.pig(2)
    racer = follows(matches.race(turn, 100, number=float)[1], min, lambda me, _: (me,))
    again = duel_policies.matchup(turn, 100, BEST, racer)
    _, found, _ = solved("pig_duel_matchups", {"sides": 2, "target": 100, "policies": "racers"}, tmp_path)
    assert both(found, "best_response", "minimise_turns") == pytest.approx(again, abs=1e-11)
