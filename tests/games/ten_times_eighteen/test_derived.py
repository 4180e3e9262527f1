"""Decisions that follow from values of sets: the views and lookups of score tables that store no decisions.

The tests lower the limit of stored cards, so that small cards are derived and compared with the stored table.
"""

import pytest
import yaml

import dicebase
from dicebase.cli import main
from dicebase.matches.sheets import score
from dicebase.pipeline.plan import make_plan
from dicebase.vocabulary import ConfigurationError, MissingTableError
from support import grids

SCORE, RANK = "ten_times_eighteen_score", "ten_times_eighteen_rank"
CONFIG = {
    "definitions": {"ten_times_eighteen": {"multipliers": {"full": {"points": "min(slot * roll, 14)"}}}},
    "tables": {
        # Four slots store decisions, five derive them: three dice, two with ties at 7, and slots that can be full.
        SCORE: [{"distribution": ["3d6", "2d6"], "slots": [4, 5]}, {"distribution": "2d6", "slots": 5}],
        RANK: [{"distribution": "2d6", "slots": 30}],
    },
}
CONFIG["tables"][SCORE][1]["multipliers"] = "full"


def make(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score, "MAX_SLOTS", 4)
        grids.build(folder / "sets", yaml.safe_dump(CONFIG))
    grids.build(folder / "stored", yaml.safe_dump(CONFIG))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "by_sets", make)


@pytest.fixture(scope="module")
def db(results):
    with dicebase.open(results / "sets") as catalog:
        yield catalog


@pytest.fixture(scope="module")
def stored(results):
    with dicebase.open(results / "stored") as catalog:
        yield catalog


def test_derived_slots_with_a_formula_have_the_value_of_the_stored_table(db, stored):
    (found,), (exact,) = (
        [t for t in catalog.tables(SCORE) if t["parameters"]["multipliers"] == "full"] for catalog in (db, stored)
    )
    assert found["exact"] is None and abs(found["value"] - exact["value"]) <= found["error_bound"] < 1e-12


def decisions(catalog):
    names = "distribution, slots, multipliers, free, roll_total"
    rows = catalog.sql(f"SELECT {names}, action, q_value, regret, probability, optimal, undecided FROM {SCORE}_actions")
    return {row[:6]: row[6:] for row in rows.fetchall()}


def test_derived_decisions_equal_the_stored_ones_and_ties_are_undecided(db, stored):
    found, exact = decisions(db), decisions(stored)
    assert found.keys() == exact.keys()
    undecided = 0
    for place, (q, regret, probability, optimal, open_) in found.items():
        q_exact, regret_exact, *rest, _ = exact[place]
        assert q == pytest.approx(q_exact, abs=1e-11) and regret == pytest.approx(regret_exact, abs=1e-11)
        assert [probability, optimal] == rest
        tied = sum(e[3] for p, e in exact.items() if p[:5] == place[:5]) > 1 if optimal else False
        assert open_ == (tied and place[1] == 5)
        undecided += open_
    assert undecided > 20


def test_the_view_of_states_has_the_rows_of_the_stored_table(db, stored):
    query = (
        f"SELECT distribution, slots, multipliers, free, roll_total, action, value, margin FROM {SCORE} ORDER BY ALL"
    )
    found, exact = db.sql(query).fetchall(), stored.sql(query).fetchall()
    assert [row[:6] for row in found] == [row[:6] for row in exact]
    for one, other in zip(found, exact, strict=True):
        assert one[6] == pytest.approx(other[6], abs=1e-11)
        assert one[7] is None if other[7] is None else one[7] == pytest.approx(other[7], abs=1e-11)


def test_an_unproved_tie_is_flagged(db, results, capsys):
    # With two dice and two free slots, a roll of 7 equals the roll that the other slot expects.
    tie = {"distribution": "2d6", "free": 3, "roll_total": 7}
    words = [f"{k}={v}" for k, v in tie.items()]
    proved = db.lookup(SCORE, slots=4, **tie)["actions"]
    assert [a["optimal"] for a in proved] == [True, True] and "undecided" not in proved[0]
    open_ = db.lookup(SCORE, slots=5, **tie)["actions"]
    assert [(a["action"], a["optimal"], a["undecided"]) for a in open_] == [("1", True, True), ("2", True, True)]
    for slots, said in ((4, "A tie: 1 and 2 are equally good."), (5, "1 and 2 cannot be told apart within the error")):
        assert main(["lookup", SCORE, f"slots={slots}", *words, "--results", str(results / "sets")]) == 0
        assert said in capsys.readouterr().out


def test_ranks_answer_larger_cards_with_undecided_ties(db):
    answer = db.lookup(SCORE, distribution="2d6", slots=25, free=2**25 - 1, roll_total=5)
    assert len(answer["actions"]) == 25 and [a["optimal"] for a in answer["actions"]].count(True) == 1
    # Of an odd number of other free slots the middle one expects a 7, which makes a tie; of an even number none does.
    for free, tied in ((0b111, []), (0b1111, ["2", "3"])):
        actions = db.lookup(SCORE, distribution="2d6", slots=25, free=free, roll_total=7)["actions"]
        assert [a["action"] for a in actions if a.get("undecided")] == tied
        assert actions[0]["action"] == "2" and actions[0]["probability"] == 1
    with pytest.raises(MissingTableError, match="not solved for distribution=2d6 slots=40"):
        db.lookup(SCORE, distribution="2d6", slots=40, free=2**40 - 1, roll_total=5)


def test_a_slice_with_two_layouts_is_refused():
    entry = {"distribution": "3d6", "slots": [10, 14, 15, 16], "slice_by": ["distribution"]}
    with pytest.raises(ConfigurationError) as error:
        make_plan({"tables": {SCORE: [entry]}})
    message = str(error.value)
    assert message.startswith(f"tables.{SCORE}: slice 'distribution=3d6' mixes variants") and "\n" not in message
    assert "slots=10" in message and "slots=15" in message and "slice_by" in message
    for slots in ([10, 14], [15, 16]):
        assert make_plan({"tables": {SCORE: [entry | {"slots": slots}]}}).slices
