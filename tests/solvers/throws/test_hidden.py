"""The hidden game: equilibrium plans against best replies in pure Python, and an opponent who sees both scores."""

import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from dicebase.solvers.throws import hidden
from dicebase.solvers.throws.hidden import Hidden, solve_hidden
from reference import hog_hidden
from reference.hog import gains
from support.hidden_plans import against_seer, exploitability

# (target, dice, horizon).
SMALL = [(1, 1, 1), (2, 2, 2), (3, 2, 3), (4, 3, 2), (5, 2, 3), (6, 3, 4), (10, 4, 3), (12, 3, 6), (9, 6, 5)]


def gain_of(dice, sides=6):
    """(dice, largest gain + 1) probabilities of Hog."""
    table = np.zeros((dice, dice * sides + 1))
    for d in range(1, dice + 1):
        table[d - 1, : d * sides + 1] = [float(p) for p in gains(d, sides)]
    return table


def made_up(seed):
    """Throws with random gains: ties, gains of 1, a repeated throw, a throw that never scores, one that always does."""
    rng = np.random.default_rng(seed)
    table = rng.multinomial(6, [0.3, 0.2, 0.2, 0.2, 0.1], size=3) / 6
    return np.vstack([table, table[0], np.eye(5)[0], np.eye(5)[1]])[rng.permutation(6)[: rng.integers(1, 7)]]


def as_plan(solution, target, horizon):
    """The published plan in the form of the reference; 1 die in rows that are never reached."""
    return {
        (t, a): {1: 1.0} if np.isnan(row).any() else {d + 1: float(p) for d, p in enumerate(row) if p}
        for t, a in product(range(horizon), range(target))
        for row in [solution.probability[t, a]]
    }


@pytest.mark.parametrize(("target", "dice", "horizon"), SMALL)
def test_best_reply_and_q_values_in_pure_python(target, dice, horizon):
    solution = solve_hidden(gain_of(dice), target, horizon)
    q = [gains(d) for d in range(1, dice + 1)]
    others, reached = hog_hidden.ends_of(q, as_plan(solution, target, horizon), target, horizon)
    gained, Q = hog_hidden.best_answer(q, others, target, horizon)
    assert 0 <= solution.exploitability <= 1e-13
    assert float(gained) == pytest.approx(solution.exploitability, abs=1e-13)
    for t, a in product(range(horizon), range(target)):
        on = float(sum(p for (made, _), p in reached.items() if made == t))
        if np.isnan(solution.value[t, a]):
            assert np.isnan(solution.probability[t, a]).all() and np.isnan(solution.q_values[t, a]).all()
            continue
        # The reference counts a game as lost if the opponent has already reached the target.
        expected = [(float(Q[t, a][d + 1]) + 1 - on) / on for d in range(dice)]
        assert solution.q_values[t, a] == pytest.approx(expected, abs=1e-11 / on)
        assert solution.value[t, a] == solution.q_values[t, a].max()
        assert np.isnan(solution.probability[t, a]).all() == (not reached.get((t, a)))


@pytest.mark.parametrize("seed", range(25))
def test_made_up_throws(seed):
    gain, target, horizon = made_up(seed), 2 + seed % 5, 1 + seed % 4
    solution = solve_hidden(gain, target, horizon)
    ends, _ = hog_hidden.ends_of(gain, as_plan(solution, target, horizon), target, horizon)
    gained, _ = hog_hidden.best_answer(gain, ends, target, horizon)
    assert gained == pytest.approx(solution.exploitability, abs=1e-14) and solution.exploitability <= 1e-13
    rows = ~np.isnan(solution.probability).any(axis=2)
    assert np.allclose(solution.probability[rows].sum(axis=1), 1, rtol=0, atol=1e-15)
    worth = (np.nan_to_num(solution.probability) * np.nan_to_num(solution.q_values)).sum(axis=2)
    assert np.all(solution.value[rows] - worth[rows] >= -1e-15)


def test_a_perturbed_plan_can_be_exploited():
    gain = gain_of(5)
    solution = solve_hidden(gain, 20, 12)
    others = np.nan_to_num(solution.probability, nan=0.2)
    found = []
    for share in (0.0, 0.01, 0.1, 0.5, 1.0):
        found.append(exploitability(gain, (1 - share) * others + share / 5))
    assert found[0] <= 1e-13 and found == sorted(found) and found[1] > 1e-7 and found[-1] > 1e-2
    t, a = np.argwhere((solution.probability > 0.2).sum(axis=2) > 1)[0]
    pure = others.copy()
    pure[t, a] = np.eye(5)[pure[t, a].argmax()]
    assert exploitability(gain, pure) > 1e-7


def worst(gain, probability, t, a, b, known):
    """The value of a plan from (t, a, b) against an opponent who sees everything."""
    horizon, target, D = probability.shape
    if max(a, b) >= target or t == horizon:
        return float((a > b) - (a < b)) if max(a, b) >= target else 0.0
    if (t, a, b) not in known:
        known[t, a, b] = min(
            sum(
                probability[t, a, d] * p * q * worst(gain, probability, t + 1, a + g, b + h, known)
                for d in range(D)
                if probability[t, a, d]
                for g, p in enumerate(gain[d])
                if p
                for h, q in enumerate(gain[e])
                if q
            )
            for e in range(D)
        )
    return known[t, a, b]


@pytest.mark.parametrize(("target", "dice", "horizon"), [(1, 1, 1), (4, 2, 3), (9, 3, 3), (7, 4, 4)])
def test_the_gain_of_an_opponent_who_sees_both_scores(target, dice, horizon):
    gain = gain_of(dice)
    solution = solve_hidden(gain, target, horizon)
    value = against_seer(gain, solution.probability)
    known = {}
    assert value[0, 0, 0] == pytest.approx(worst(gain, solution.probability, 0, 0, 0, known), abs=1e-14)
    for place, expected in known.items():
        assert value[place] == pytest.approx(expected, abs=1e-14)
    assert value[0, 0, 0] <= -solution.exploitability + 1e-14
    assert np.array_equal(np.isnan(value).all(axis=2), np.isnan(solution.probability).all(axis=2))


def test_nobody_can_score():
    solution = solve_hidden(np.ones((2, 1)), 3, 4)
    assert solution.exploitability == 0
    assert solution.value[:, 0] == pytest.approx(0) and np.isnan(solution.value[:, 1:]).all()


def test_progress(monkeypatch):
    seen = []
    monkeypatch.setattr(hidden, "reporter", lambda what: lambda done, of: seen.append((done, of)))
    solution = solve_hidden(gain_of(3), 12, 6)
    assert isinstance(solution, Hidden)
    assert seen == sorted(seen) and all(done <= of for done, of in seen) and len({of for _, of in seen}) == 1


@pytest.mark.slow
def test_the_game_of_the_paper():
    target, dice, horizon = 40, 5, 40
    gain = gain_of(dice)
    solution = solve_hidden(gain, target, horizon)
    assert solution.exploitability < 1e-10
    assert against_seer(gain, solution.probability)[0, 0, 0] == pytest.approx(-0.0163801, abs=1e-6)
    others, _ = hog_hidden.ends_of(gain, as_plan(solution, target, horizon), target, horizon)
    assert hog_hidden.best_answer(gain, others, target, horizon)[0] < 1e-12


@pytest.mark.slow
def test_the_number_of_threads_changes_nothing():
    code = (
        "import numpy, sys; from dicebase.solvers.throws.hidden import solve_hidden;"
        "gain = numpy.frombuffer(sys.stdin.buffer.read()).reshape(5, -1);"
        "found = solve_hidden(gain, 40, 20);"
        "sys.stdout.buffer.write(b''.join(numpy.ascontiguousarray(part).tobytes() for part in found))"
    )
    one, two = (
        subprocess.run(
            [sys.executable, "-c", code],
            input=gain_of(5).tobytes(),
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    )
    assert len(one) > 8 * 20 * 40 * 5 and one == two
