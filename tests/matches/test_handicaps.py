"""Without wipes a table depends on the points missing alone: it holds every smaller target and every handicap."""

from itertools import product

import numpy as np
import pytest

from support.match_tables import at, columns, matrix

# (table, parameters, target, a smaller one)
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
    """The rows in which every player has that many points already, those points not counted."""
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


@pytest.mark.parametrize(
    ("name", "variant", "target", "unit"), [("pig_duel", {}, 30, 1), ("ten_thousand_duel", {}, 700, 50)], ids=str
)
def test_a_handicap_is_a_start_elsewhere_in_the_table(name, variant, target, unit):
    """To need 30 against 25 is to have 20 against 25 in a match to 50."""
    short, long = matrix(columns(name, **variant, target=target)), matrix(columns(name, **variant, target=2 * target))
    n = len(short)
    for mine, his in product((1, n // 2, n), repeat=2):
        assert short[n - mine, n - his] == long[2 * n - mine, 2 * n - his]


@pytest.mark.parametrize("name", ["pig_duel", "pig_race", "pig_reach"])
def test_with_wipes_it_is_not(name):
    short, long = (columns(name, dice=2, target=target) for target in (50, 100))
    ends = end_of(long, 50)
    assert len(ends["value"]) == len(short["value"])
    assert np.abs(ends["value"] - short["value"]).max() > 0.01
    assert (ends["action"] != short["action"]).any()


def test_who_has_more_to_lose_stands_worse():
    """One point is missing on each side: a double 1 costs 99 points or 49, the more the less one likes to roll."""
    position = {"turn_total": 0}
    short, long = (
        at(columns("pig_race", dice=2, target=target), banked=target - 1, **position)["value"] for target in (50, 100)
    )
    assert long > short + 0.1
