"""Hypergammon: the printed number of positions, and plays and values against another program's. The certifier compares
compiled moves with the plain rules."""

import json
import shutil
from math import comb

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dicebase
from dicebase.games.hypergammon import Rules, plays
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import layers_of
from dicebase.vocabulary import MissingStateError
from reference import hypergammon as other
from support import grids
from support.contract import Contract, Published
from support.faults import change, refused, rewrite

ONE = {"tables": {"hypergammon_points": [{"checkers": 1}]}}


def side(text):
    """A side as the other program writes it."""
    return tuple(sorted(map(int, text.split("-"))))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return grids.build_shared(tmp_path_factory.mktemp("hypergammon") / "results", json.dumps(ONE))


class TestHypergammon(Contract):
    game, match = "hypergammon", "points"
    published = (Published("tests/reference/hypergammon.py", {"checkers": 1}, other.opening(other.values(1), 1)),)

    @pytest.fixture(autouse=True)
    def use(self, built):
        self.built = built

    def value(self, variant):
        with dicebase.open(self.built) as db:
            (row,) = (row for row in db.tables() if row["parameters"] == variant)
            return row["value"], row["error_bound"]


def rows_of(built):
    return pq.read_table(next((built / "tables/hypergammon_points").iterdir())).to_pylist()


@pytest.fixture(scope="module")
def theirs():
    return other.values(1)


def test_the_number_of_positions_is_the_published_one():
    ended = {n: 2 * comb(25 + n, n) - 1 for n in (1, 2, 3)}
    assert {n: Rules(objective="points", checkers=n).size("all") + ended[n] for n in ended}[3] == 7_959_904
    assert Rules(objective="points", checkers=2).size("all") == len(other.pairs(2))


@pytest.mark.slow
def test_values_equal_another_programs(built, theirs):
    rows = rows_of(built)
    assert len(rows) == len(theirs) == 601
    for row in rows:
        assert row["value"] == pytest.approx(theirs[side(row["mine"]), side(row["theirs"])], abs=1e-13)


def test_lookups_rank_the_plays_of_a_throw(built):
    with dicebase.open(built) as db:
        answer = db.lookup("hypergammon_points", checkers=1, mine="7", theirs="5", roll="61")
        assert [(a["action"], a["value"]) for a in answer["actions"]] == [("7/1 1/off", 2.0)]
        assert answer["value"] == 2.0 and answer["unit"] == "points"
        frame = pa.Table.from_pylist([{"checkers": 1, "mine": "7", "theirs": "5", "roll": "16"}])
        assert db.lookup_many("hypergammon_points", frame)["value"].to_pylist() == [2.0]
        with pytest.raises(MissingStateError, match="no play leads there"):
            db.lookup("hypergammon_points", checkers=1, mine="20", theirs="5", roll="34")


@pytest.mark.slow
def test_lookups_of_contact_equal_another_programs(built, theirs):
    with dicebase.open(built) as db:
        for dice in other_throws():
            answer = db.lookup("hypergammon_points", checkers=1, mine="20", theirs="12", roll=f"{dice[0]}{dice[1]}")
            best = max(other.after(theirs, end) for end in other.turns((20,), (12,), dice))
            assert answer["value"] == pytest.approx(best, abs=1e-13)


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "expected"),
    [
        ("10-0", "18-18", "12", ["10/8"]),  # only one die can be used: the larger one
        ("25-7", "6-6", "66", ["pass"]),  # the point of entry is closed
        ("25-7", "25-6", "66", ["bar/19* 19/13 13/7 7/1"]),
        ("5-2", "25-25", "46", ["5/off 2/off", "5/1 2/off"]),  # a 6 bears off from the highest point, a 4 cannot
    ],
)
def test_plays(mine, theirs, roll, expected):
    assert list(plays(mine, theirs, roll)) == expected


def test_plays_of_three_checkers_are_those_of_another_program():
    random = np.random.default_rng(3)
    layers = layers_of(Rules(objective="points", checkers=3))
    for number in random.choice(layers.rules.size("all"), 60).tolist():
        mine, theirs = layers.afterstate("all", number)
        for dice in other_throws():
            ours = {(side(m), side(o)) for o, m in plays(mine, theirs, "".join(map(str, dice))).values()}
            assert ours == other.turns(side(mine), side(theirs), dice), (mine, theirs, dice)


def other_throws():
    return [(a, b) for a in range(1, 7) for b in range(a, 7)]


@pytest.mark.parametrize(("column", "new"), [("value", lambda x: x + 1e-8), ("mine", lambda x: "1")])
def test_a_wrong_row_is_refused(built, tmp_path, column, new):
    shutil.copytree(built, tmp_path / "results")
    path = next((tmp_path / "results/tables/hypergammon_points").iterdir())
    files = SliceFiles(tmp_path / "results", "hypergammon_points", path.stem)
    rewrite(files.rows, change(column, new, lambda rows, i: i == 300))
    files.certificate.unlink()
    refused(files)
