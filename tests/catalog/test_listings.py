"""Tables that list values without decisions are asked in the same ways as tables of decisions."""

import pyarrow as pa
import pytest

import dicebase
from dicebase.cli import main
from dicebase.vocabulary import ConfigurationError, MissingStateError
from support import grids

GAME = "ten_times_eighteen"
DICE = "distribution: 1d6, slots: 2"
CONFIG = f"""tables:
  {GAME}_score: [{{{DICE}}}]
  {GAME}_rank: [{{distribution: [1d6, 3d6], slots: 2, slice_by: []}}]
  {GAME}_distribution: [{{{DICE}}}]
  {GAME}_exceed: [{{{DICE}}}]
"""
RANK, DISTRIBUTION, EXCEED = f"{GAME}_rank", f"{GAME}_distribution", f"{GAME}_exceed"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "listings", lambda folder: grids.build(folder, CONFIG))


@pytest.fixture
def db(results):
    with dicebase.open(results) as catalog:
        yield catalog


def test_a_lookup_has_the_usual_shape_and_no_actions(db):
    assert db.lookup(RANK, distribution="1d6", slots=2, free_slots=1, rank=1) == {
        "version": 1,
        "table": RANK,
        "parameters": {"distribution": "1d6", "slots": 2},
        "state": {"free_slots": 1, "rank": 1},
        "position": "1 1",
        "value": 3.5,
        "unit": "points",
        "actions": [],
        "advice": "",
    }


def test_the_unit_of_a_lookup_is_that_of_the_value(db):
    # Only two sixes score 18: 6 * 1 + 6 * 2.
    answer = db.lookup(DISTRIBUTION, distribution="1d6", slots=2, strategy="random", score=18)
    assert answer["unit"] == "probability" and answer["value"] == pytest.approx(1 / 36, rel=1e-12)


def test_a_lookup_says_why_a_row_is_missing(db):
    for rank in (2, 10**40):
        with pytest.raises(MissingStateError, match=r"no row at free_slots=1 rank=.*rank from 1 to free_slots"):
            db.lookup(RANK, distribution="1d6", slots=2, free_slots=1, rank=rank)
    with pytest.raises(MissingStateError, match="strategy must be one of clairvoyant, optimal, random"):
        db.lookup(DISTRIBUTION, distribution="1d6", slots=2, strategy="best", score=18)
    assert db.get(DISTRIBUTION, default="none", distribution="1d6", slots=2, strategy="best", score=18) == "none"


def test_a_batch_names_the_value_as_the_table_does(db):
    frame = pa.table({"distribution": ["1d6"] * 3, "slots": [2] * 3, "free_slots": [1, 9, 2], "rank": [1, 1, 2]})
    found = db.lookup_many(RANK, frame)
    assert found.column_names[-2:] == ["value", "status"] and found["value"].to_pylist()[:2] == [3.5, None]
    frame = pa.table({"distribution": ["1d6"], "slots": [2], "strategy": ["random"], "score": [18]})
    assert db.lookup_many(DISTRIBUTION, frame)["probability"].to_pylist() == [pytest.approx(1 / 36, rel=1e-12)]
    with pytest.raises(ConfigurationError, match="'rank' is missing"):
        db.lookup_many(RANK, pa.table({"free_slots": [1]}))


def test_decisions_derived_from_values_are_ranked_like_stored_ones(db):
    position = {"distribution": "1d6", "slots": 2, "free": 3, "needed": 14, "roll_total": 6}
    answer = db.lookup(EXCEED, **position)
    # A six on slot 2 scores 12 of the 14 points, and slot 1 needs a 2; on slot 1 it scores 6, and slot 2 needs a 4.
    assert [(a["action"], a["optimal"]) for a in answer["actions"]] == [("2", True), ("1", False)]
    assert [a["value"] for a in answer["actions"]] == pytest.approx([5 / 6, 3 / 6])
    with pytest.raises(MissingStateError, match=r"no decision at .* the free slots score at most 18"):
        db.lookup(EXCEED, **position | {"needed": 19})


def test_the_command_answers_in_one_line(results, capsys):
    words = [RANK, "distribution=1d6", "slots=2", "free_slots=1", "rank=1", "--results", str(results)]
    assert main(["lookup", *words]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["free_slots=1 rank=1: 3.500000 points"]
