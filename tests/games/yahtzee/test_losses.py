"""Losses of people's decisions on a sheet: they add up to the difference in score, and faults are refused."""

import math

import pyarrow.parquet as pq
import pytest

from dicebase.certify.slices import certify_slice
from dicebase.tables.names import find_table
from support import grids
from support.faults import change, plus, refused, rewrite

CARD = {
    "dice": 3,
    "sides": 4,
    "boxes": [{"fours": {"face": 4}}, {"alike": {"of": "aaa", "points": 30}}, {"chance": {"points": "all"}}],
    "upper_bonus": {"at": 8, "points": 10},
}


def solve(folder, kind):
    given, table = {"rules": {"t": CARD}}, find_table(f"yahtzee_{kind}")
    return grids.solved(table, [table.variant({"rules": "t"}, given, "")], folder / kind, given)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return solve(tmp_path_factory.mktemp("sound"), "losses")


def test_losses_add_up_to_the_difference_in_expected_score(sound, tmp_path):
    (certificate,) = certify_slice(sound, None, None)
    means, lost = {}, {}
    for row in pq.read_table(solve(tmp_path, "distribution").rows).to_pylist():
        means[row["strategy"]] = means.get(row["strategy"], 0) + row["score"] * row["probability"]
    rows = pq.read_table(sound.rows).to_pylist()
    for row in rows:
        lost[row["strategy"]] = lost.get(row["strategy"], 0) + row["value"]
        assert row["value"] >= 0 and math.isclose(row["times"], 3 if "keep" in row["decision"] else 1)
    for strategy, less in lost.items():
        assert less > 0.01 and math.isclose(less, means["optimal"] - means[strategy], rel_tol=1e-12)
    assert math.isclose(certificate.value, lost["greedy"], rel_tol=1e-12)


FAULTS = {
    "a loss too high": change("value", plus(1e-7), lambda rows, i: i == 1),
    "losses that still add up": lambda rows: [
        {**row, "value": row["value"] + {0: 1e-7, 2: -1e-7}.get(i, 0)} for i, row in enumerate(rows)
    ],
    "a decision too often": change("times", plus(1e-7), lambda rows, i: i == 2),
    "a decision missing": lambda rows: rows[:-1],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_refused(sound, tmp_path, fault):
    files = grids.copied(sound, tmp_path / "slice")
    rewrite(files.rows, FAULTS[fault])
    refused(files)
