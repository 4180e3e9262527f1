"""Score tables too large for their decisions to be stored: values of sets of free slots in doubles.

What is small enough to be stored is made to be too large here, and compared with the reference.
"""

import json
import time
from fractions import Fraction

import pyarrow.parquet as pq
import pytest

import dicebase
from dicebase.certify.slices import certify_slice
from dicebase.matches import score
from dicebase.pipeline.solve_one import solve_one
from dicebase.solve.sheets.one_roll.rank import exact_expected_rolls
from dicebase.tables.names import find_table
from dicebase.vocabulary import DicebaseError
from reference import ten_times_eighteen as paper
from support import grids
from support.faults import change, plus, put, rewrite
from support.scorecards import SMALL, variant

SCORE = "ten_times_eighteen_score"


def solve(folder, parameters, definitions):
    table = find_table(SCORE)
    full = table.variant(parameters, definitions, "here")
    return grids.solved(table, [full], folder, definitions)


# --- the values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_every_value_is_the_references_within_the_bound(tmp_path, monkeypatch, name):
    monkeypatch.setattr(score, "MAX_SLOTS", 0)
    weights, multipliers = SMALL[name]
    folder = solve(tmp_path / "slice", *variant(weights, multipliers))
    (certificate,) = certify_slice(folder, None, None)
    M = paper.subset_table(weights, multipliers)
    rows = pq.read_table(folder.rows).to_pylist()
    assert [row["free"] for row in rows] == list(range(1, 1 << len(multipliers)))
    for row in rows:
        exact = M[frozenset(i for i in range(1, len(multipliers) + 1) if row["free"] >> i - 1 & 1)]
        assert abs(Fraction(row["value"]) - exact) <= certificate.error_bound < 1e-10
    assert Fraction(certificate.exact) == paper.rank_value(weights, multipliers)
    assert certificate.states == len(rows) * len(weights)
    assert certificate.actions == sum(row["free"].bit_count() for row in rows) * len(weights)


def test_twenty_slots_are_solved_and_a_position_is_found_without_a_look_at_all(tmp_path):
    solve_one(SCORE, {"slots": 20}, tmp_path)
    with dicebase.open(tmp_path) as catalog:
        (card,) = catalog.tables(SCORE)
        E = exact_expected_rolls(paper.distribution(3, 6), 20)
        assert Fraction(card["exact"]) == sum(i * e for i, e in enumerate(E[-1], 1))
        assert card["states"] == 16 * (2**20 - 1) and card["actions"] == 16 * 20 * 2**19
        assert card["error_bound"] < 1e-9 and (tmp_path / "dicebase.duckdb").stat().st_size < 12e6
        started = time.perf_counter()
        answer = catalog.lookup(SCORE, slots=20, free=2**20 - 1, roll_total=9)
        # Some 30 ms; all 16 million positions would take half a minute.
        assert time.perf_counter() - started < 3
    value = sum(i * e for i, e in zip((i for i in range(1, 21) if i != 7), E[-2], strict=True))
    assert answer["actions"][0]["action"] == "7" and answer["value"] == pytest.approx(float(7 * 9 + value), abs=1e-9)


FAULTS = {
    "a value 1e-9 too high": change("value", plus(1e-9), lambda rows, i: i == 20),
    "the value of one slot 1e-9 too low": change("value", plus(-1e-9), lambda rows, i: i == 3),
    "the value of all slots too high": change("value", plus(1e-10), lambda rows, i: i == 30),
    "no number": change("value", put(float("nan")), lambda rows, i: i == 7),
    "infinite": change("value", put(float("inf")), lambda rows, i: i == 7),
    "a set missing": lambda rows: rows[:9] + rows[10:],
    "the last set missing": lambda rows: rows[:-1],
    "no free slot": lambda rows: [{**rows[0], "free": 0}, *rows],
    "a set too many": lambda rows: [*rows, {**rows[-1], "free": 32}],
    "a set twice": lambda rows: [*rows[:9], *rows[8:]],
    "sets out of order": lambda rows: [rows[1], rows[0], *rows[2:]],
    "no rows": lambda rows: [],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_refused(tmp_path, monkeypatch, fault):
    monkeypatch.setattr(score, "MAX_SLOTS", 0)
    folder = solve(tmp_path / "slice", {"distribution": "2d6", "slots": 5}, {})
    rewrite(folder.rows, FAULTS[fault])
    with pytest.raises(DicebaseError, match="ten_times_eighteen_score distribution=2d6 slots=5") as error:
        certify_slice(folder, folder.certificate, {})
    assert "\n" not in str(error.value) and not (folder.certificate).exists()


@pytest.mark.parametrize("exact", ["null", "1/1"])
def test_an_exact_value_that_is_missing_or_wrong_is_refused(tmp_path, monkeypatch, exact):
    monkeypatch.setattr(score, "MAX_SLOTS", 0)
    folder = solve(tmp_path / "slice", {"distribution": "2d6", "slots": 3}, {})
    text = None if exact == "null" else exact

    def footer(kept):
        (claim,) = json.loads(kept["dicebase.variants"])
        return kept | {"dicebase.variants": json.dumps([claim | {"exact": text}])}

    rewrite(folder.rows, footer=footer)
    with pytest.raises(DicebaseError, match="exact value"):
        certify_slice(folder, None, None)
