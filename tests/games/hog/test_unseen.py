"""Hog with hidden throws, and one-player policies in the game of two: numbers against references, planted faults."""

from fractions import Fraction

import pyarrow.parquet as pq
import pytest

from dicebase.solvers.throws import hidden as solver
from dicebase.vocabulary import DicebaseError
from reference import hog as paper
from reference.hog_hidden import best_answer, ends_of
from support import grids

HIDDEN = {"target": 7, "max_dice": 3, "horizon": 6}
MATCHUPS = {"target": 12, "max_dice": 4, "throws": 2}


def solve(match, folder, parameters):
    """(files of one variant, its certificate)."""
    files, (certificate,) = grids.certified(f"hog_{match}", parameters, folder, {})
    return files, certificate


@pytest.fixture
def hidden(tmp_path):
    return solve("hidden", tmp_path / "hidden", HIDDEN)


@pytest.fixture
def matchups(tmp_path):
    return solve("simultaneous_matchups", tmp_path / "matchups", MATCHUPS)


def test_no_plan_gains_against_the_published_mix(hidden):
    """Compute the reference's best response, in rationals, to the published probabilities."""
    folder, certificate = hidden
    plan = {}
    for row in pq.read_table(folder.actions).to_pylist():
        place = plan.setdefault((row["throw"] - 1, row["score"]), {})
        if row["probability"]:
            place[int(row["action"])] = Fraction(row["probability"])
    # The doubles of a mix need not sum to one exactly; the plan of rationals must.
    plan = {place: {d: p / sum(mix.values()) for d, p in mix.items()} for place, mix in plan.items()}
    q = [paper.gains(d) for d in range(1, HIDDEN["max_dice"] + 1)]
    ends, _ = ends_of(q, plan, HIDDEN["target"], HIDDEN["horizon"])
    gain, _ = best_answer(q, ends, HIDDEN["target"], HIDDEN["horizon"])
    assert float(gain) <= certificate.error_bound + 1e-15 <= 1e-9


def test_a_mix_with_exploitability_above_1e_9_is_refused(tmp_path, monkeypatch):
    """The rows state the best reply to the mix correctly, so only the exploitability is too large."""
    refine = solver._refine
    monkeypatch.setattr(solver, "_refine", lambda *given: (1 - 1e-7) * refine(*given) + 1e-7 / HIDDEN["max_dice"])
    with pytest.raises(DicebaseError, match=r"throw=1 score=0: a plan gains \d\S*e-0[78] against the mix"):
        solve("hidden", tmp_path / "hidden", HIDDEN)


def policies(target, dice, throws):
    """{name: function from (throws made, score) to dice} by the reference, with the fewest dice of a tie."""
    race = {i: best[0] for (i,), best in paper.race(target, dice)[1].items()}
    reach = {place: best[0] for place, best in paper.reach(target, throws, dice)[1].items()}
    turn = paper.turn(dice)[1][0]
    return {
        "race": lambda made, i: race[i],
        "reach": lambda made, i: reach[throws - made, i] if made < throws else race[i],
        "turn": lambda made, i: turn,
    }


def played(row, column, target, dice, limit):
    """P(row wins) - P(row loses) by plain recursion over up to `limit` throws; if `row` is None, it responds best."""
    q = {d: paper.gains(d) for d in range(1, dice + 1)}
    V = dict.fromkeys(((a, b) for a in range(target) for b in range(target)), 0.0)

    def worth(a, b):
        return V[a, b] if max(a, b) < target else (a > b) - (a < b)

    for made in reversed(range(limit)):
        after = {}
        for a, b in V:
            theirs = q[column(made, b)]
            mine = range(1, dice + 1) if row is None else [row(made, a)]
            ahead = [
                sum(float(p) * worth(a + i, b + j) for j, p in enumerate(theirs) if p) for i in range(6 * dice + 1)
            ]
            after[a, b] = max(sum(float(p) * ahead[i] for i, p in enumerate(q[d]) if p) for d in mine)
        V = after
    return V[0, 0]


def test_matchups_equal_plain_recursion(matchups):
    folder, certificate = matchups
    assert certificate.error_bound <= 1e-11
    given = {"target": 6, "max_dice": 2, "throws": 2}
    small, _ = solve("simultaneous_matchups", folder.results.parent / "small", given)
    plans = policies(given["target"], given["max_dice"], given["throws"]) | {"best_response": None}
    for row in pq.read_table(small.rows).to_pylist():
        again = played(plans[row["row_policy"]], plans[row["column_policy"]], given["target"], given["max_dice"], 60)
        assert row["value"] == pytest.approx(again, abs=1e-9), row
