"""Certificates of Ten Times Eighteen: sound tables hold, and every deliberate fault is refused."""

import json
import math
from fractions import Fraction

import pyarrow.parquet as pq
import pytest

from dicebase.certify.slices import certify_slice
from dicebase.solve import reference
from dicebase.tables.names import find_table
from dicebase.vocabulary import DicebaseError
from reference import ten_times_eighteen as paper
from reference.ten_times_eighteen_scores import score_distribution
from support import grids
from support.faults import change, plus, put, refused, rewrite
from support.faults_scorecards import DISTRIBUTION_FAULTS, RANK_FAULTS, SCORE_FAULTS
from support.scorecards import SMALL, variant

MATCHES = ("score", "rank", "distribution")


def solve(match, folder, parameters, definitions=()):
    """The slice of one variant of a table."""
    table = find_table(f"ten_times_eighteen_{match}")
    given = {k: v for k, v in parameters.items() if k in {p.name for p in table.parameters}}
    definitions = dict(definitions)
    full = table.variant(given, definitions, "here")
    return grids.solved(table, [full], folder, definitions)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A sound slice of each table: two dice, with ties."""
    root = tmp_path_factory.mktemp("sound")
    return {match: solve(match, root / match, {"distribution": "2d6", "slots": 4}) for match in MATCHES}


def damaged(sound, tmp_path, match):
    return grids.copied(sound[match], tmp_path / "slice")


# --- what holds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_sound_tables_hold_and_no_number_is_wrong_by_more_than_the_bound(tmp_path, name):
    weights, multipliers = SMALL[name]
    E = paper.rank_table(weights, len(multipliers))
    chances = {s: score_distribution(weights, multipliers, s) for s in ("clairvoyant", "optimal", "random")}
    for match in MATCHES:
        folder = solve(match, tmp_path / match, *variant(weights, multipliers))
        (certificate,) = certify_slice(folder, None, None)
        rows = pq.read_table(folder.rows).to_pylist()
        assert certificate.states == len(rows) and certificate.error_bound < 1e-11
        value = paper.rank_value(weights, range(1, len(multipliers) + 1) if match == "rank" else multipliers)
        assert certificate.exact == f"{value.numerator}/{value.denominator}" and certificate.value == float(value)
        if match == "score":
            solution = reference.solve(_game(certificate, *variant(weights, multipliers)))
            exact = [solution.value[r["free"], r["roll_total"]] for r in rows]
        elif match == "rank":
            exact = [E[r["free_slots"], r["rank"]] for r in rows]
        else:
            exact = [chances[r["strategy"]][r["score"]] for r in rows]
        published = [Fraction(r["probability" if match == "distribution" else "value"]) for r in rows]
        assert all(abs(a - b) <= certificate.error_bound for a, b in zip(published, exact, strict=True))


def _game(certificate, _, definitions):
    return find_table(certificate.table).build(certificate.parameters, definitions)


@pytest.mark.parametrize(("distribution", "slots"), [("2d6", 6), ("1d7", 6), ("3d6", 7), ("2d8", 5)])
@pytest.mark.parametrize("match", MATCHES)
def test_dice_hold(tmp_path, match, distribution, slots):
    (certificate,) = certify_slice(
        solve(match, tmp_path / "slice", {"distribution": distribution, "slots": slots}), None, None
    )
    assert certificate.error_bound < 1e-12 and certificate.exact


@pytest.mark.parametrize(("distribution", "slots"), [("4d6", 4), ("3d3", 4), ("1d11", 4), ("2d10", 6), ("5d3", 6)])
def test_dice_with_ties_hold(tmp_path, distribution, slots):
    certify_slice(solve("distribution", tmp_path / "slice", {"distribution": distribution, "slots": slots}), None, None)


# --- what does not -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", SCORE_FAULTS)
def test_a_fault_in_the_score_table_is_refused(sound, tmp_path, fault):
    folder = damaged(sound, tmp_path, "score")
    file, edit = SCORE_FAULTS[fault]
    rewrite(folder.within(file), edit)
    assert "ten_times_eighteen_score distribution=2d6 slots=4" in refused(folder)


@pytest.mark.parametrize("fault", RANK_FAULTS)
def test_a_fault_in_the_rank_table_is_refused(sound, tmp_path, fault):
    folder = damaged(sound, tmp_path, "rank")
    rewrite(folder.rows, RANK_FAULTS[fault])
    assert "ten_times_eighteen_rank distribution=2d6 slots=4" in refused(folder)


@pytest.mark.parametrize("fault", DISTRIBUTION_FAULTS)
def test_a_fault_in_the_distribution_is_refused(sound, tmp_path, fault):
    folder = damaged(sound, tmp_path, "distribution")
    rewrite(folder.rows, DISTRIBUTION_FAULTS[fault])
    assert "ten_times_eighteen_distribution distribution=2d6 slots=4" in refused(folder)


@pytest.mark.parametrize(
    ("match", "edit"),
    [
        ("rank", change("value", put(math.nan), lambda rows, i: i == len(rows) - 1)),
        ("distribution", lambda rows: [{**rows[0], "strategy": "cheat"}, *rows]),
        ("distribution", lambda rows: [{**rows[0], "score": 1, "probability": 0.0}, *rows]),
    ],
    ids=["no number in the last rank", "a strategy of another name", "a score that cannot be, with probability nought"],
)
def test_a_row_that_says_nothing_true_is_refused(sound, tmp_path, match, edit):
    folder = damaged(sound, tmp_path, match)
    rewrite(folder.rows, edit)
    refused(folder)


@pytest.mark.parametrize("shift", [1e-9, 1e-10, 1e-12])
@pytest.mark.parametrize("row", [0, 4, 9])
def test_a_small_shift_of_an_expected_roll_is_refused_or_within_the_bound(sound, tmp_path, shift, row):
    folder = damaged(sound, tmp_path, "rank")
    rewrite(folder.rows, change("value", plus(shift), lambda rows, i: i == row))
    try:
        (certificate,) = certify_slice(folder, None, None)
    except DicebaseError:
        return
    assert certificate.error_bound >= 0.99 * shift


# --- the exact value ---------------------------------------------------------------------------------------------


def with_exact(folder, new):
    def footer(kept):
        (claim,) = json.loads(kept["dicebase.variants"])
        return kept | {"dicebase.variants": json.dumps([{**claim, "exact": new(claim["exact"])}])}

    for path in grids.there(folder):
        rewrite(path, footer=footer)


@pytest.mark.parametrize(
    "new", [lambda x: f"-{x}", lambda x: "7/1", lambda x: f"{x}/2", lambda x: "70", lambda x: "1/0"]
)
@pytest.mark.parametrize("match", MATCHES)
def test_a_wrong_exact_value_is_refused(sound, tmp_path, match, new):
    folder = damaged(sound, tmp_path, match)
    with_exact(folder, new)
    assert "exact value" in refused(folder)


@pytest.mark.parametrize("match", MATCHES)
def test_an_exact_value_wrong_by_less_than_doubles_can_tell_is_refused(sound, tmp_path, match):
    folder = damaged(sound, tmp_path, match)
    # One more in a numerator over 36^4, to thirty more digits.
    with_exact(folder, lambda x: f"{int(x.split('/')[0]) * 10**30 + 1}/{int(x.split('/')[1]) * 10**30}")
    refused(folder)


def test_the_exact_values_are_the_references(sound):
    weights = paper.distribution(2, 6)
    value = paper.rank_value(weights, (1, 2, 3, 4))
    for match in MATCHES:
        (certificate,) = certify_slice(sound[match], None, None)
        assert Fraction(certificate.exact) == value
        assert certificate.unit == "points" and certificate.value == float(value)
