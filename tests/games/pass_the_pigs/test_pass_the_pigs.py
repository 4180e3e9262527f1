"""One turn of Pass the Pigs: published counts and values, and an independent solver by the gain of one throw."""

import json
from fractions import Fraction
from typing import ClassVar

import pytest

import dicebase
from dicebase.games.pass_the_pigs import check_pigs
from dicebase.solvers import reference
from dicebase.vocabulary import ConfigurationError, Definition
from reference import duel_policies
from reference import matches as plain
from reference.pass_the_pigs import PIGS, turn, turn_of
from support.commands import dicebase_here
from support.contract import Published, TurnRulesContract

FEW = {"side": 1, "dot": 2, "jowler": 1}
PILED = {"side": 3, "dot": 2, "trotter": 2, "touching": 1, "piggyback": 1}


class TestPassThePigs(TurnRulesContract):
    game = "pass_the_pigs"
    definitions: ClassVar = {"pigs": {"derepas": PIGS, "few": FEW, "sides": {"side": 1, "dot": 1}}}
    small = ({"pigs": "derepas"}, {"pigs": "few"})
    published = (
        # Half of the throws lose, so the player passes with 1 point at once: half a point on average.
        Published("two sides, by hand", {"pigs": "sides"}, Fraction(1, 2)),
        Published("another solver", {"pigs": "derepas"}, turn(PIGS)[0]),
        Published("another solver", {"pigs": "few"}, turn(FEW)[0]),
    )

    def test_passing_is_optimal_from_the_printed_total_on(self):
        solution = reference.solve(self.build({"pigs": "derepas"}))
        totals = {total: solution.q((total,), "roll") < total for (total,) in solution.value if total}
        assert [passes for _, passes in sorted(totals.items())] == [total > 24 for total in sorted(totals)]


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ({"side": 1, "dot": 1, "ear": 1}, "must count some of side, dot"),
        ({"side": 1, "dot": 0}, "dot: 0 is not a whole number"),
        ({"dot": 3, "jowler": 1}, "no throw loses the turn"),
        (None, "must count some of"),
    ],
)
def test_wrong_counts_of_pigs_are_refused(counts, why):
    with pytest.raises(ConfigurationError, match=why):
        check_pigs(Definition("few", counts))


@pytest.fixture(scope="module")
def matches(tmp_path_factory):
    """Matches in which a throw can put the player out, stored by rows and by starts of turns, and matchups."""
    folder = tmp_path_factory.mktemp("piggyback")
    one = {"side": 1, "dot": 1, "piggyback": 1}
    said = {"pass_the_pigs": {"pigs": {"piled": PILED, "one": one}, "policies": {"two": ["hold_at_1", "hold_at_3"]}}}
    (folder / "grid.yaml").write_text(json.dumps({"definitions": said, "tables": {}}))
    for table, given, store in [
        ("duel", ["pigs=one", "target=1"], "rows"),
        ("duel", ["pigs=piled", "target=7"], "rows"),
        ("duel", ["pigs=piled", "target=8"], "starts"),
        ("duel_matchups", ["pigs=piled", "target=7", "policies=two"], "rows"),
        ("reach", ["pigs=one", "target=1", "turns=2"], "rows"),
    ]:
        words = (f"pass_the_pigs_{table}", *given, "--store", store, "--config", "grid.yaml", "-o", "results")
        done = dicebase_here("solve", *words, cwd=folder)
        assert done.returncode == 0, done.stderr
    with dicebase.open(folder / "results") as db:
        yield db


def value(db, match, **given):
    return db.lookup(f"pass_the_pigs_{match}", turn_total=0, **given)["value"]


def test_a_player_who_is_put_out_loses(matches):
    # Of 8 throws 2 win, 2 lose the turn and 4 put the player out: V = 1/4 + (1 - V) / 4.
    assert value(matches, "duel", pigs="one", target=1, me=0, opponent=0) == pytest.approx(2 / 5, abs=1e-15)
    # The first turn wins, or it is lost and the second one wins.
    reach = value(matches, "reach", pigs="one", target=1, turns=2, turns_left=2, banked=0)
    assert reach == pytest.approx(1 / 4 + 1 / 16, abs=1e-15)


@pytest.mark.parametrize("target", [7, 8])
def test_a_match_with_piggybacks_equals_the_reference(matches, target):
    _, decisions = plain.duel(turn_of(PILED), target, float)
    for (me, opponent, total, _), (roll, bank) in decisions.items():
        if total in (4, 6):
            place = {"me": me, "opponent": opponent, "turn_total": total}
            found = matches.lookup("pass_the_pigs_duel", pigs="piled", target=target, **place)
            there = {a["action"]: a["value"] for a in found["actions"]}
            assert there == pytest.approx({"roll": roll, "pass": bank}, abs=1e-13)
            asked = f"pass_the_pigs_duel_at({me}, {opponent}, {total}, pigs := 'piled', target := {target})"
            said = dict(matches.sql(f"SELECT action, q_value FROM {asked}").fetchall())
            assert said == pytest.approx(there, abs=1e-13)


def test_matchups_with_piggybacks_have_the_values_of_value_iteration(matches):
    mine, theirs = ((lambda me, opponent, t, mode, n=n: t < n, lambda *_: 0) for n in (1, 3))
    first, second = duel_policies.matchup(turn_of(PILED), 7, mine, theirs)
    query = "FROM pass_the_pigs_duel_matchups WHERE row_policy = 'hold_at_1' AND column_policy = 'hold_at_3'"
    found = dict(matches.sql(f"SELECT first, probability {query}").fetchall())
    assert found == pytest.approx({"row": first, "column": second}, abs=1e-13)


@pytest.mark.parametrize(("match", "why"), [("race", "put the player out"), ("duel_scores", "has no score")])
def test_races_and_scores_with_piggybacks_are_refused(tmp_path, match, why):
    definitions = {"pigs": {"derepas": PIGS | {"piggyback": 1}}}
    (tmp_path / "grid.yaml").write_text(json.dumps({"definitions": {"pass_the_pigs": definitions}, "tables": {}}))
    done = dicebase_here("solve", f"pass_the_pigs_{match}", "--config", "grid.yaml", cwd=tmp_path)
    assert why in done.stderr
