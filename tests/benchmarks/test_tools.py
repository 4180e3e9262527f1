"""benchmarks/tools: tables beyond a budget, the time of scheduled jobs, the count of turns of phrase, and readers."""

import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_the_budget_of_a_slower_machine_has_more_seconds_but_no_more_megabytes(budget):
    before, twice = {"a": (9.0, 1.0), "b": (3.0, 1.0), "c": (2.0, 1.0)}, {"a": (18.0, 1.0), "b": (6.0, 1.0)}
    assert budget.overruns(before, {**twice, "c": (4.0, 1.0)}) == []
    assert budget.overruns(before, {**twice, "c": (12.0, 1.0)}) == [
        "CPU seconds: 36, the budget is 28; more for c by 8"
    ]
    assert budget.overruns(before, {**twice, "c": (4.0, 9.0)}) == ["MB: 11, the budget is 3; more for c by 8"]


def test_the_makespan_of_a_small_schedule(script):
    Job = script("schedule").Job
    jobs = {"a": Job(3), "b": Job(2), "c": Job(2), "d": Job(1, frozenset("a"))}
    assert [script("schedule").makespan(jobs, cores) for cores in (1, 2, 3)] == [8, 4, 4]
    assert script("schedule").makespan({}, 2) == 0


@pytest.mark.parametrize(
    ("waits", "problem"), [({"a": "b"}, "a waits for b"), ({"a": "b", "b": "a"}, "a waits for itself")]
)
def test_a_schedule_with_a_missing_job_or_a_cycle_is_refused(script, waits, problem):
    tool = script("schedule")
    with pytest.raises(ValueError, match=problem):
        tool.makespan({name: tool.Job(1, frozenset(after)) for name, after in waits.items()}, 1)


@given(data=st.data(), cores=st.integers(1, 4))
def test_the_makespan_lies_between_the_bounds_of_graham(script, data, cores):
    tool = script("schedule")
    count = data.draw(st.integers(1, 8))
    jobs, longest = {}, {}
    for name in range(count):
        seconds = data.draw(st.integers(0, 9))
        after = data.draw(st.frozensets(st.integers(0, name - 1))) if name else frozenset()
        jobs[name] = tool.Job(seconds, after)
        longest[name] = seconds + max((longest[b] for b in after), default=0)
    path, work = max(longest.values()), sum(job.seconds for job in jobs.values())
    assert max(path, work / cores) <= tool.makespan(jobs, cores) <= work / cores + (1 - 1 / cores) * path + 1e-9
    assert tool.makespan(jobs, 1) == work


CLIPPED = "All but for one: in the mean what is paid."


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        (
            CLIPPED,
            ["'but for' instead of 'except'", "'in the mean' instead of 'on average'", "'paid' instead of 'earned'"],
        ),
        ("Who rolls first wins.", ["a person as a free 'who'"]),
        ("It is no table. Where it is none", ["'is no' instead of 'is not a'", "'where' instead of 'if'"]),
        ("so many turns; so many that it ends", ["'so many' without 'that'"]),
        ("The player who rolls a 1 knows what the dice show, where they lie.", []),
    ],
)
def test_the_kinds_of_a_line(script, line, kinds):
    assert sorted((+script("prose").found_in(line)).elements()) == sorted(kinds)


def test_only_prose_is_counted(script):
    python = '"""Title."""\nx = "but for"  # a comment\ndef f():\n    """Text.\n\n    More."""\n'
    assert sorted(filter(None, script("prose").prose("a.py", python))) == ["More.", "Text.", "Title.", "a comment"]
    assert [*script("prose").prose("a.md", "One\n```text\nbut for\n```\ntwo")] == ["One", "", "two"]
    assert [*script("prose").prose("a.yaml", "a: 1 # why\n")] == ["why"]


@pytest.mark.parametrize(("share", "code"), [(3, 1), (2, 0)])
def test_the_limit_of_turns_of_phrase(script, tmp_path, monkeypatch, capsys, share, code):
    """Of 1000 words, each "but for" is one turn of phrase and two words."""
    (tmp_path / "page.md").write_text("but for " * share + "word " * (1000 - 2 * share))
    for command in (["init", "-q"], ["add", "page.md"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    assert script("prose").main([]) == code
    assert capsys.readouterr().out.splitlines()[-1] == f"{share:.2f} of 2.5 per thousand of 1000 words"


@pytest.mark.slow
def test_readers_get_right_answers_while_tables_are_built_and_builds_are_killed(tmp_path, script):
    found = script("readers").soak(tmp_path, 100, 2, random.Random(1))
    assert found["failed"] == []
    assert [(reader["wrong"], reader["failed"]) for reader in found["readers"]] == [([], [])] * 2
    assert all(reader["lookups"] >= 50 for reader in found["readers"])
