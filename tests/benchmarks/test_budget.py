"""benchmarks/tools/budget.py: a build that has grown too much is named with what grew."""

import gc
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TOOK = "as the job said\ntook 1.00 s, {} s of CPU, 200 MB\n"


@pytest.fixture
def budget(monkeypatch, tmp_path):
    """The module, with a budget of its own."""
    for folder in (BENCHMARKS, BENCHMARKS / "tools"):
        monkeypatch.syspath_prepend(folder)
    import budget

    monkeypatch.setattr(budget, "BUDGET", tmp_path / "budget.json")
    yield budget
    gc.enable()  # the benchmarks switch it off


@pytest.fixture
def results(tmp_path):
    """What a build leaves: two tables, and the catalogue."""
    folder = tmp_path / "results"
    for name, took in {
        "solve/pig_duel/all": "10.0",
        "certify/pig_duel/all": "30.0",
        "solve/pig_turn/all": "4.0",
        "catalog": "0.00",
    }.items():
        write(folder / "logs" / f"{name}.log", TOOK.format(took))
    write(folder / "tables/pig_duel/all.parquet", "x" * 3_000_000)
    write(folder / "mapped/pig_duel/rows.npy", "x" * 1_000_000)
    write(folder / "dicebase.duckdb", "x" * 2_000_000)
    write(folder / "atlas/dicebase.duckdb", "x" * 9_000_000)  # of another configuration
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_build_is_added_up_by_table(budget, results):
    assert budget.figures(results) == {"pig_duel": (40.0, 4.0), "pig_turn": (4.0, 0.0), "dicebase.duckdb": (0.0, 2.0)}


def test_a_quarter_more_is_allowed_and_what_grew_beyond_is_named(budget, results, capsys):
    assert budget.main([str(results), "--write"]) == 0
    assert budget.main([str(results)]) == 0
    write(results / "logs/solve/pig_turn/all.log", TOOK.format("14.5"))
    assert budget.main([str(results)]) == 0
    write(results / "logs/solve/pig_turn/all.log", TOOK.format("15.5"))
    assert budget.main([str(results)]) == 1
    assert capsys.readouterr().err == "over budget: CPU seconds: 55.5, the budget is 44; more for pig_turn by 11.5\n"
    write(results / "logs/solve/pig_turn/all.log", TOOK.format("4.0"))
    write(results / "values/pig_race/all.parquet", "x" * 2_000_000)
    assert budget.main([str(results)]) == 1
    assert capsys.readouterr().err == "over budget: MB: 8, the budget is 6; more for pig_race by 2\n"
