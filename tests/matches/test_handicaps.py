"""Without wipes a table depends only on the missing points, so it contains every smaller target and every handicap."""

import numpy as np
import pytest

from support.match_tables import columns

# (table, parameters, target, smaller target)
LONGER = [
    ("pig_duel", {}, 100, 50),
    ("pig_duel", {"sides": 2}, 40, 12),
    ("pig_race", {}, 100, 50),
    ("pig_reach", {"turns": 4}, 100, 30),
    ("ten_thousand_duel", {}, 2000, 1000),
    ("ten_thousand_race", {}, 2000, 1000),
    ("ten_thousand_reach", {"turns": 4}, 2000, 1000),
]
TOTALS = ("me", "opponent", "banked")


def end_of(rows, points):
    """The rows in which every player has at least `points` points, with this number subtracted from the totals."""
    kept = np.logical_and.reduce([rows[name] >= points for name in TOTALS if name in rows])
    ends = {name: column[kept] for name, column in rows.items() if name != "reachable"}
    return ends | {name: ends[name] - points for name in TOTALS if name in ends}


@pytest.mark.parametrize(("name", "variant", "target", "smaller"), LONGER, ids=str)
def test_a_smaller_target_is_the_end_of_a_longer_match_to_the_last_bit(name, variant, target, smaller):
    short, long = (columns(name, **variant, target=points) for points in (smaller, target))
    ends = end_of(long, target - smaller)
    assert ends.keys() == short.keys() - {"reachable"}
    for column, entries in ends.items():
        numbers = column != "action"
        assert np.array_equal(entries, short[column], equal_nan=numbers and entries.dtype.kind == "f"), column


@pytest.mark.parametrize("name", ["pig_duel", "pig_race", "pig_reach"])
def test_with_wipes_a_smaller_target_is_another_table(name):
    short, long = (columns(name, dice=2, target=target) for target in (50, 100))
    ends = end_of(long, 50)
    assert len(ends["value"]) == len(short["value"])
    assert np.abs(ends["value"] - short["value"]).max() > 0.01
    assert (ends["action"] != short["action"]).any()
