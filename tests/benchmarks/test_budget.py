"""benchmarks/tools/budget.py names the tables that make a build grow beyond its budget."""

from pathlib import Path

import pytest

TOOK = "as the job said\ntook 1.00 s, {} s of CPU, 200 MB\n"
CPU = {"solve/pig_duel/all": 10.0, "certify/pig_duel/all": 30.0, "solve/pig_turn/all": 4.0, "catalog": 0.0}
MEGABYTES = {"tables/pig_duel/all.parquet": 3, "mapped/pig_duel/rows.npy": 1, "dicebase.duckdb": 2}
MEGABYTES |= {"atlas/dicebase.duckdb": 9}  # belongs to another configuration


@pytest.fixture
def budget(monkeypatch, tmp_path, script):
    """The module, with a budget of its own."""
    monkeypatch.setattr(script("budget"), "BUDGET", tmp_path / "budget.json")
    return script("budget")


@pytest.fixture
def results(tmp_path):
    """The results folder of a build: logs, two tables and a catalogue."""
    for name, took in CPU.items():
        write(tmp_path / "results/logs" / f"{name}.log", TOOK.format(took))
    for name, size in MEGABYTES.items():
        write(tmp_path / "results" / name, "x" * size * 1_000_000)
    return tmp_path / "results"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_budget_adds_up_a_build_by_table(budget, results):
    assert budget.figures(results) == {"pig_duel": (40.0, 4.0), "pig_turn": (4.0, 0.0), "dicebase.duckdb": (0.0, 2.0)}


def test_the_budget_allows_a_quarter_more_and_names_the_growth(budget, results, capsys):
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
