"""The chance to reach a score: both columns against fractions, and deliberate faults."""

from fractions import Fraction

import pyarrow.parquet as pq
import pytest

from reference.ten_times_eighteen_versus import best_and_score_optimal
from support import grids
from support.faults import change, plus, put, refused, rewrite
from support.scorecards import SMALL, variant

EXCEED = "ten_times_eighteen_exceed"
PAY = {name: card for name, card in SMALL.items() if min(map(min, card)) > 0}


@pytest.mark.parametrize("name", PAY)
def test_every_chance_is_the_references_within_the_bound(tmp_path, name):
    weights, multipliers = PAY[name]
    parameters, definitions = variant(weights, multipliers)
    files, (certificate,) = grids.certified(EXCEED, parameters, tmp_path, definitions)
    assert certificate.error_bound < 1e-12
    chance = best_and_score_optimal(weights, multipliers, lambda scored: scored >= 0)
    for row in pq.read_table(files.rows).to_pylist():
        free = [i + 1 for i in range(len(multipliers)) if row["free"] >> i & 1]
        said = row["value"], row["score_optimal"]
        for ours, exact in zip(said, chance(free, -row["needed"]), strict=True):
            assert abs(Fraction(ours) - exact) <= certificate.error_bound, row


def at(free, needed):
    return lambda rows, i: (rows[i]["free"], rows[i]["needed"]) == (free, needed)


FAULTS = {
    f"{what} of {where}": change(column, new, at(*place))
    for where, place in {"the start": (7, 20), "a card half filled": (5, 9), "the last slot": (4, 9)}.items()
    for column in ("value", "score_optimal")
    for what, new in {
        f"a {column} too high": plus(1e-9),
        f"a {column} too low": plus(-1e-9),
        f"a {column} that is no number": put(float("nan")),
    }.items()
} | {
    "a row missing": lambda rows: rows[:30] + rows[31:],
    "a row twice": lambda rows: [*rows[:30], *rows[29:]],
    "more points than a card can score": lambda rows: [*rows, {**rows[-1], "needed": rows[-1]["needed"] + 1}],
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return grids.certified(EXCEED, {"distribution": "1d6", "slots": 3}, tmp_path_factory.mktemp("exceed"), {})[0]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_refused(sound, tmp_path, fault):
    files = grids.copied(sound, tmp_path / "slice")
    rewrite(files.rows, FAULTS[fault])
    assert f"{EXCEED} distribution=1d6 slots=3" in refused(files)
