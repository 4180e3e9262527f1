"""Chances by points, responses, matchups and losses on sheets: closed forms, and planted faults."""

import math
from fractions import Fraction

import pyarrow.parquet as pq
import pytest

from dicebase.certify.slices import certify_slice
from dicebase.tables.names import find_table
from support import grids
from support.faults import change, plus, refused, rewrite

YAHTZEE = Fraction(347897, 7558272)
"""The probability of a yahtzee in a turn that aims for one."""
SIXES = Fraction(91, 216) ** 5
"""The probability of five sixes in a turn that keeps sixes only: each die has three throws."""
KINDS = ("exceed", "versus", "versus_matchups")
LONE = {"boxes": [{"yahtzee": {"of": "aaaaa", "points": 50}}]}
FEW = {
    "boxes": [{"sixes": {"face": 6}}, {"yahtzee": {"of": "aaaaa", "points": 50}}],
    "upper_bonus": {"at": 18, "points": 35},
    "further": {"box": "yahtzee", "points": 100, "joker": "forced"},
}


def solve(folder, kind, card):
    given, table = {"rules": {"t": card}}, find_table(f"yahtzee_{kind}")
    return grids.solved(table, [table.variant({"rules": "t"}, given, "")], folder, given)


def certified(folder, kind, card):
    (certificate,) = certify_slice(files := solve(folder, kind, card), None, None)
    return certificate, pq.read_table(files.rows).to_pylist()


def test_the_chance_of_a_yahtzee_and_of_thirty_points_is_known(tmp_path):
    certificate, rows = certified(tmp_path / "yahtzee", "exceed", LONE)
    assert [row["needed"] for row in rows] == [*range(1, 51)]
    assert all(
        abs(row[c] - YAHTZEE) <= certificate.error_bound < 1e-11 for row in rows for c in ("value", "score_optimal")
    )
    certificate, rows = certified(tmp_path / "chance", "exceed", {"boxes": [{"chance": {"points": "all"}}]})
    assert rows[-1]["needed"] == 30 and abs(rows[-1]["value"] - SIXES) <= certificate.error_bound
    assert rows[-1]["score_optimal"] < rows[-1]["value"] and rows[4]["value"] == 1


def test_a_card_with_one_strategy_is_an_even_match(tmp_path):
    certificate, rows = certified(tmp_path / "versus", "versus", LONE)
    final = {row["scored"]: row["value"] for row in rows if not row["open"]}
    assert final.keys() == {0, 50} and abs(final[0] - (1 - YAHTZEE) / 2) < 1e-15 > abs(final[50] - 1 + YAHTZEE / 2)
    assert abs(certificate.value - Fraction(1, 2)) <= certificate.error_bound
    certificate, rows = certified(tmp_path / "matchups", "versus_matchups", LONE)
    assert all(abs(row["probability"] - Fraction(1, 2)) < 1e-15 for row in rows)
    assert all(abs(row["tie"] - YAHTZEE**2 - (1 - YAHTZEE) ** 2) < 1e-15 for row in rows)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_a_large_sheet_lists_only_the_new_card_with_the_same_values(sound, tmp_path, monkeypatch, kind):
    of_new = pq.read_table(sound[kind].rows, filters=[("open", "=", 3)]).to_pylist()
    (whole,) = certify_slice(sound[kind], None, None)
    monkeypatch.setattr("dicebase.matches.sheets.sheets.MOST_POINTS", 0)
    certificate, rows = certified(tmp_path, kind, FEW)
    assert [row["value"] for row in rows] == [row["value"] for row in of_new] and certificate.value == whole.value
    assert all(
        math.isclose(x["score_optimal"], y["score_optimal"], rel_tol=1e-12) for x, y in zip(rows, of_new, strict=True)
    )
    files = solve(tmp_path / "spoilt", kind, FEW)
    rewrite(files.rows, change("score_optimal", plus(1e-9), lambda rows, i: i == 0))
    assert "score_optimal is" in refused(files)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    root = tmp_path_factory.mktemp("sound")
    return {kind: solve(root / kind, kind, FEW) for kind in KINDS}


def test_sound_tables_hold(sound):
    versus, matchups = ({c.value for c in certify_slice(sound[kind], None, None)} for kind in KINDS[1:])
    assert math.isclose(*versus, *matchups, abs_tol=1e-12) and 0.5 < max(versus) < 0.6


CARD = {
    "dice": 3,
    "sides": 4,
    "boxes": [{"fours": {"face": 4}}, {"alike": {"of": "aaa", "points": 30}}, {"chance": {"points": "all"}}],
    "upper_bonus": {"at": 8, "points": 10},
}


@pytest.fixture(scope="module")
def losses(tmp_path_factory):
    return solve(tmp_path_factory.mktemp("losses"), "losses", CARD)


def test_losses_add_up_to_the_difference_in_expected_score(losses, tmp_path):
    (certificate,) = certify_slice(losses, None, None)
    means, lost = {}, {}
    for row in pq.read_table(solve(tmp_path, "distribution", CARD).rows).to_pylist():
        means[row["strategy"]] = means.get(row["strategy"], 0) + row["score"] * row["probability"]
    rows = pq.read_table(losses.rows).to_pylist()
    for row in rows:
        lost[row["strategy"]] = lost.get(row["strategy"], 0) + row["value"]
        assert row["value"] >= 0 and math.isclose(row["times"], 3 if "keep" in row["decision"] else 1)
    for strategy, less in lost.items():
        assert less > 0.01 and math.isclose(less, means["optimal"] - means[strategy], rel_tol=1e-12)
    assert math.isclose(certificate.value, lost["greedy"], rel_tol=1e-12)


def test_losses_that_still_add_up_are_refused(losses, tmp_path):
    files, shift = grids.copied(losses, tmp_path / "slice"), {0: 1e-7, 2: -1e-7}
    rewrite(files.rows, lambda rows: [row | {"value": row["value"] + shift.get(i, 0)} for i, row in enumerate(rows)])
    refused(files)
