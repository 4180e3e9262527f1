"""Only one run at a time writes a results folder, and the remains of a killed run do not disturb the next one."""

import os
import time

import pytest

import dicebase
from dicebase.catalog.rows.row_arrays_writer import write_mapped
from dicebase.cli import main
from dicebase.pipeline import lock, steps
from dicebase.tables.layout import SliceFiles, slices_in
from support import commands


def solving(folder, *words, **more):
    """A `dicebase solve` that runs in another process."""
    return commands.Fork(commands.COMMAND, folder, "solve", *words, **more)


def tables(folder):
    with dicebase.open(folder) as catalog:
        return [row["parameters"]["sides"] for row in catalog.tables("pig_turn")]


def test_a_run_that_waits_for_another_names_it(tmp_path):
    with lock.hold(tmp_path / "results", "somebody"):
        waiting = solving(tmp_path, "pig_turn", "sides=2", said=str(tmp_path / "said"))
        while not (said := (tmp_path / "said").read_text()).endswith("\n") and not waiting.ended():
            time.sleep(0.002)
        assert said == f"results: waits for somebody (process {os.getpid()}), which is writing there\n"
        assert not (tmp_path / "results/tables").exists()
    assert waiting.wait() == 0


def test_the_tables_of_two_concurrent_runs_are_both_written(tmp_path):
    other = solving(tmp_path, "pig_turn", "sides=2")
    assert main(["solve", "pig_turn", "sides=4", "-o", str(tmp_path / "results")]) == 0
    assert other.wait() == 0
    assert tables(tmp_path / "results") == [2, 4]
    assert main(["verify", str(tmp_path / "results")]) == 0


STEPS = [
    "steps.catalog",
    *(pytest.param(s, marks=pytest.mark.slow) for s in ("solve_one.certify_in_new_process", "steps.map_rows")),
]


@pytest.mark.parametrize("step", STEPS)
def test_a_failed_run_does_not_disturb_the_next_one(tmp_path, monkeypatch, capsys, step):
    def full(*_):
        raise OSError(28, "No space left on device")

    assert main(["solve", "pig_turn", "sides=4", "-o", str(tmp_path)]) == 0
    with monkeypatch.context() as patch:
        patch.setattr(f"dicebase.pipeline.{step}", full)
        assert main(["solve", "pig_turn", "sides=2", "-o", str(tmp_path)]) == 2
    assert tables(tmp_path) == [4]
    capsys.readouterr()
    assert main(["solve", "pig_turn", "sides=6", "-o", str(tmp_path)]) == 0
    left_out = "pig_turn/sides=2_dice=1: left out: " if "certify" in step else ""
    assert left_out in capsys.readouterr().err
    assert tables(tmp_path) == ([4, 6] if left_out else [2, 4, 6])
    assert main(["solve", "pig_turn", "sides=2", "-o", str(tmp_path)]) == 0
    assert tables(tmp_path) == [2, 4, 6]


def test_only_the_remains_of_killed_runs_are_removed(tmp_path):
    left = (
        *("tables/pig_turn/.a.parquet.12.part", ".dicebase.duckdb.3.part", ".dicebase.duckdb.3.part.wal"),
        *(".datapackage.json.7.part", "schemas/.pig_turn.json.7.part"),
        ".dicebase.duckdb.3.spill/temporary",
    )
    kept = ("tables/pig_turn/a.parquet", "tables/.hidden", ".other.9.part", "mine/.a.parquet.12.part", ".a.part")
    for name in (*left, *kept):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    with lock.hold(tmp_path, "somebody"):
        found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {".lock", *kept}
    assert not (tmp_path / ".lock").exists()


def test_readers_see_the_old_tables_until_the_new_ones_are_whole(results_copy, monkeypatch):
    seen, pig_turn = [], [place for place in slices_in(results_copy) if place[0] == "pig_turn"]

    def look():
        with dicebase.open(results_copy) as catalog:
            seen.append((len(catalog.tables()), catalog.lookup("pig_turn", turn_total=5)))

    with dicebase.open(results_copy) as opened:
        before, gone = opened.lookup("pig_turn", turn_total=5), opened.lookup("forbidden_multiple_turn", total=1)
        real = SliceFiles.rows.fget
        with monkeypatch.context() as patch:
            patch.setattr(SliceFiles, "rows", property(lambda files: look() or real(files)))
            write_mapped(results_copy, pig_turn)
        look()
        assert seen == [(11, before)] * (len(seen) - 1) + [(6, before)] and len(seen) > 2
        assert opened.lookup("forbidden_multiple_turn", total=1) == gone, "whoever has opened a table keeps it"


def test_an_interrupted_run_says_so_in_one_line(tmp_path, monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(steps, "solve", interrupt)
    assert main(["solve", "pig_turn", "-o", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "error: interrupted\n"
