"""benchmarks/peers without the other solvers: its own statement of each problem agrees with our games."""

from argparse import Namespace

import numpy as np
import pytest


def values(script, adapter: str, problem: str, size: int) -> np.ndarray:
    module = script(f"adapters.{adapter}")
    return module.solve(problem, module.build(problem, size))


BY_TURNS = [("pig_duel", 5), ("ten_times_eighteen", 4), ("ten_thousand_turn", 2800)]


@pytest.mark.parametrize(("problem", "size"), [("pig_duel", 12), ("cards_up", 6)])
def test_boards_agree_with_numpy(script, problem, size):
    found = values(script, "as_a_board", problem, size)
    assert np.nanmax(np.abs(found - values(script, "with_numpy", problem, size))) <= 1e-11
    assert np.isfinite(found).mean() > 0.8


@pytest.mark.parametrize(("problem", "size"), BY_TURNS[:2])
def test_solvers_agree_with_rationals(script, problem, size):
    exact = values(script, "rationals", problem, size)
    for adapter, error in (("ours", 1e-13), ("with_numpy", 1e-11)):
        assert np.abs(values(script, adapter, problem, size) - exact).max() <= error


@pytest.mark.parametrize(("problem", "size"), [*BY_TURNS, ("cards_up", 6)])
def test_a_process_has_the_values_of_its_game(script, problem, size):
    process = script("problems").PROBLEMS[problem](size)
    first = process.first
    assert (np.diff(first) > 0).all() and (np.diff(process.state) >= 0).all()
    assert abs(process.P).sum(axis=1).max() <= 1 + 1e-12
    assert process.players == (2 if problem == "pig_duel" else 1)
    found = script("iterate").until_still(
        lambda V: np.maximum.reduceat(process.reward + process.P @ V, first), process.states
    )
    assert np.abs(found[process.shown] - values(script, "ours", problem, size)).max() <= 1e-11


def test_longer_turns_have_the_printed_value(script):
    longer = values(script, "with_numpy", "ten_thousand_turn", 5600)
    assert longer[0, 0] * 50 == pytest.approx(293.6009459, abs=1e-7)  # Table 4 of Crocce & Mordecki: 5.872 chips


@pytest.mark.slow
def test_simultaneous_games_agree(script):
    ours = values(script, "ours", "hog_simultaneous", 6)
    assert np.abs(values(script, "with_numpy", "hog_simultaneous", 6) - ours).max() <= 1e-11
    small = values(script, "ours", "hog_simultaneous", 3)
    assert np.abs(values(script, "with_scipy", "hog_simultaneous", 3) - small).max() <= 1e-6


def test_matrix_games_without_a_saddle_point_are_solved(script):
    games = np.array([[[1.0, -1.0], [-1.0, 1.0]], [[3.0, -1.0], [0.0, 1.0]]])
    assert script("adapters.with_numpy").matrix_games(games) == pytest.approx([0.0, 3 / 5])


@pytest.mark.slow
def test_a_measurement_ends_within_its_limits(script, tmp_path):
    run, ours = script("run"), script("catalogue").OURS
    limits = Namespace(seconds=20, megabytes=2000)
    file = tmp_path / "values.npy"
    row = run.measure(ours, "ten_times_eighteen", 6, str(file), limits)
    assert {"build_cpu", "solve_cpu", "peak", "warm", "load"} <= row.keys()
    assert np.load(file)[-1] == pytest.approx(values(script, "ours", "ten_times_eighteen", 6)[-1])
    limits.seconds = 0.02  # of CPU time
    assert run.measure(ours, "ten_times_eighteen", 22, str(file), limits) == {"stopped": "time"}


def test_the_cost_of_the_next_size_is_extrapolated(script):
    for sizes, seconds, following, expected in (((100, 200), (1, 8), 400, 64), ((10, 12), (1, 4), 14, 16)):
        rows = [{"size": size, "seconds": took} for size, took in zip(sizes, seconds, strict=True)]
        assert script("run").expected(rows, following, "seconds") == pytest.approx(expected)


def row(size: int, cpu: float) -> dict:
    return {"size": size, "build_cpu": cpu, "solve_cpu": cpu, "peak": 100 * cpu, "difference": 2e-13}


def test_the_page_has_a_row_per_solver_and_size(script, tmp_path):
    page, file = script("page"), tmp_path / "page.md"
    ours, numpy = [row(10, 1.0), row(20, 2.0)], [row(10, 3.0), {"size": 20, "stopped": "time"}]
    solvers = {"dicebase": ours, "NumPy": numpy, "Storm": [{"size": 10, "stopped": "ImportError"}]}
    found = {"date": "2026-11-21", "cores": 2, "python": "3.11.7", "seconds": 10, "megabytes": 4000}
    found |= {"versions": {"dicebase": "0.1.0", "NumPy": "2.4.6"}, "rows": {"pig_duel": solvers}}
    page.write_page(found, file)
    text = file.read_text()
    assert text.startswith("# Results of other solvers on the same problems\n")
    assert "| NumPy | 10 | 3000 | 3000 | 300 | 3 | 3 | 3 | 2e-13 | time |" in text
    assert "| Storm | none | | | | | | | | ImportError |" in text
    assert "| dicebase | 20 | 2000 | 2000 | 200 | | | | | largest tried |" in text
