"""Every table of Ten Times Eighteen: numbers within their bounds, and deliberate faults that are refused."""

from fractions import Fraction

import pyarrow.parquet as pq
import pytest

from dicebase.certify.slices import certify_slice
from dicebase.matches.sheets import score
from dicebase.tables.names import find_table
from dicebase.vocabulary import DicebaseError
from reference import ten_times_eighteen as paper
from reference.ten_times_eighteen_scores import score_distribution
from reference.ten_times_eighteen_versus import best_and_score_optimal, best_response
from support import grids
from support.faults import change, plus, rewrite
from support.scorecards import SMALL, variant

SOUND = {
    "score": {"distribution": "2d6", "slots": 4},
    "sets": {"distribution": "2d6", "slots": 5},
    "rank": {"distribution": "2d6", "slots": 4},
    "distribution": {"distribution": "2d6", "slots": 4},
    "exceed": {"distribution": "1d6", "slots": 3},
    "versus": {"distribution": "1d6", "slots": 3},
    "versus_matchups": {"distribution": "1d6", "slots": 3},
}
EXACT = ("score", "rank", "distribution")


def name_of(kind):
    return f"ten_times_eighteen_{'score' if kind == 'sets' else kind}"


def solve(kind, folder, parameters, definitions=()):
    """The slice of one variant of a table."""
    table, definitions = find_table(name_of(kind)), dict(definitions)
    given = {k: v for k, v in parameters.items() if k in {p.name for p in table.parameters}}
    return grids.solved(table, [table.variant(given, definitions, "here")], folder, definitions)


@pytest.fixture
def stored_by_sets(monkeypatch):
    """Store the values of sets of free slots for cards of any size, without decisions."""
    monkeypatch.setattr(score, "MAX_SLOTS", 0)


@pytest.fixture
def kind(request):
    if request.param == "sets":
        request.getfixturevalue("stored_by_sets")
    return request.param


@pytest.fixture(scope="module")
def solved_once(tmp_path_factory):
    """A function that returns a sound slice of a table, solved on first use."""
    made = {}

    def sound(kind):
        if kind not in made:
            made[kind] = solve(kind, tmp_path_factory.mktemp(kind) / "slice", SOUND[kind])
        return made[kind]

    return sound


@pytest.fixture
def damaged(kind, solved_once, tmp_path):
    """A copy of the sound slice, to be damaged."""
    return grids.copied(solved_once(kind), tmp_path / "slice")


# --- sound tables ----------------------------------------------------------------------------------------------------


def exact_numbers(kind, weights, multipliers):
    """Return a function that gives the exact numbers of a row's columns by the independent reference."""
    slots = range(1, len(multipliers) + 1)

    def free(row):
        return frozenset(i for i in slots if row["free"] >> i - 1 & 1)

    if kind == "rank":
        E = paper.rank_table(weights, len(multipliers))
        return lambda row: {"value": E[row["free_slots"], row["rank"]]}
    if kind == "distribution":
        chances = {s: score_distribution(weights, multipliers, s) for s in ("clairvoyant", "optimal", "random")}
        return lambda row: {"probability": chances[row["strategy"]][row["score"]]}
    if kind in ("exceed", "versus"):
        enough = kind == "exceed" and best_and_score_optimal(weights, multipliers, lambda scored: scored >= 0)
        chance = enough or best_response(weights, multipliers)
        points = (lambda row: -row["needed"]) if enough else (lambda row: row["scored"])
        return lambda row: dict(zip(("value", "score_optimal"), chance(sorted(free(row)), points(row)), strict=True))
    M = paper.subset_table(weights, multipliers)
    if kind == "sets":
        return lambda row: {"value": M[free(row)]}
    return lambda row: {"value": max(multipliers[i - 1] * row["roll_total"] + M[free(row) - {i}] for i in free(row))}


# Values before the roll, by sets or by rank, are solved in several ways; the other tables follow from them.
CARDS = [(kind, name) for kind in ("score", "sets", "rank") for name in SMALL]
CARDS += [(kind, name) for kind in ("distribution", "exceed", "versus") for name in [*SMALL][5::2]]


@pytest.mark.parametrize(("kind", "name"), CARDS, indirect=["kind"])
def test_no_number_is_wrong_by_more_than_the_bound(tmp_path, kind, name):
    weights, multipliers = SMALL[name]
    if kind == "exceed" and min(*weights, *multipliers) <= 0:
        pytest.skip("points could be lost, or none scored")
    files = solve(kind, tmp_path / "slice", *variant(weights, multipliers))
    (certificate,) = certify_slice(files, None, None)
    rows, exact = pq.read_table(files.rows).to_pylist(), exact_numbers(kind, weights, multipliers)
    assert certificate.error_bound < (1e-12 if kind in ("exceed", "versus") else 1e-10)
    for row in rows:
        for column, number in exact(row).items():
            assert abs(Fraction(row[column]) - number) <= certificate.error_bound, row
    if kind in (*EXACT, "sets"):
        value = paper.rank_value(weights, range(1, len(multipliers) + 1) if kind == "rank" else multipliers)
        assert Fraction(certificate.exact) == value and certificate.unit == "points"
        assert certificate.value == (pytest.approx(float(value)) if kind == "sets" else float(value))
    decisions = [row["free"].bit_count() for row in rows] if kind in ("sets", "exceed", "versus") else ()
    if decisions:
        assert certificate.states == len(weights) * sum(map(bool, decisions))
        assert certificate.actions == len(weights) * sum(decisions)


# --- planted faults --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [1e-9, 1e-10, 1e-12])
@pytest.mark.parametrize("row", [0, 4, 9])
@pytest.mark.parametrize("kind", ["rank"], indirect=True)
def test_a_small_shift_of_an_expected_roll_is_refused_or_within_the_bound(damaged, shift, row):
    rewrite(damaged.rows, change("value", plus(shift), lambda rows, i: i == row))
    try:
        (certificate,) = certify_slice(damaged, None, None)
    except DicebaseError:
        return
    assert certificate.error_bound >= 0.99 * shift
