"""The notebooks run, and show what they compute.

Cells whose output is that of the default grid have the tag `whole grid`; the outputs of all others are those of the
tables here, to the letter.
"""

import importlib.util
import json
import re

import duckdb
import nbformat
import pytest
import yaml

from support import commands, grids

SPEC = importlib.util.spec_from_file_location("run_notebooks", commands.ROOT / "docs/notebooks/run.py")
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)

NOTEBOOKS = {path.stem: path for path in (commands.ROOT / "docs/notebooks").glob("*.ipynb")}

# What the notebooks cannot do without, and no more, as it is solved for this test.
TABLES = """
pig_turn: [{sides: [2, 4, 6, 8, 10, 12, 20], dice: [1, 2], slice_by: []}]
pig_duel:
  - {target: [10, 100]}
  - {sides: 2, target: 40}
  - {dice: 2, target: 20}
pig_duel_matchups: [{}]
ten_thousand_duel: [{target: [500, 1000]}]
ten_thousand_duel_scores: [{target: 1000}]
"""


def build(folder):
    config = yaml.safe_load((commands.ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    grids.build_shared(folder / "results", yaml.safe_dump(config | {"tables": yaml.safe_load(TABLES)}))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "notebooks", build) / "results"


@pytest.fixture(scope="module")
def committed():
    """The notebooks as they lie here, by name."""
    return {name: nbformat.read(path, as_version=4) for name, path in NOTEBOOKS.items()}


def code(notebook, whole_grid: bool) -> list:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell for cell in cells if ("whole grid" in cell.metadata.get("tags", [])) == whole_grid]


def text(cell) -> str:
    """What a cell shows, as text."""
    return "".join(output.get("text", output.get("data", {}).get("text/plain", "")) for output in cell.outputs)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_shows_what_it_computes(name, results, committed):
    executed = run.executed(NOTEBOOKS[name], results)
    pairs = list(zip(code(executed, False), code(committed[name], False), strict=True))
    assert len(pairs) >= 3
    for fresh, kept in pairs:
        assert text(fresh) == text(kept), kept.source
    assert [bool(cell.outputs) for cell in code(executed, True)] == [
        bool(cell.outputs) for cell in code(committed[name], True)
    ]


def test_the_advantages_shown_are_those_of_the_tables(results, committed):
    shown = next(text(cell) for cell in code(committed["first_move"], True) if cell.source.startswith("certified"))
    found = dict(re.findall(r"^ *(?:Pig, 6 sides|Ten Thousand) +(\d+) +(0\.\d{9}) ", shown, re.M))
    assert found.keys() >= {"10", "100", "200", "500", "1000", "2000", "5000", "10000"}
    with duckdb.connect(results / "dicebase.duckdb", read_only=True) as db:
        solved = db.execute(
            "SELECT parameters->>'target', format('{:.9f}', 2 * value - 1) FROM tables WHERE name LIKE '%_duel' "
            "AND coalesce(parameters->>'sides', '6') = '6' AND coalesce(parameters->>'dice', '1') = '1'"
        ).fetchall()
    assert len(solved) == 4
    assert [found[target] for target, _ in solved] == [advantage for _, advantage in solved]


def test_the_conclusions_are_of_numbers_that_are_shown(committed):
    """What is said at its end is what the cells before it show."""
    said = committed["first_move"].cells[-2].outputs[0].data["text/markdown"]
    shown = "".join(text(cell) for cell in committed["first_move"].cells if cell.cell_type == "code")
    numbers = set(re.findall(r"\b0\.\d{4}\b", said))
    assert len(numbers) >= 8
    assert numbers <= {f"{float(number):.4f}" for number in re.findall(r"\b\d+\.\d+\b", shown)}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_keeps_no_trace_of_a_machine(name, committed):
    content = NOTEBOOKS[name].read_text(encoding="utf-8")
    assert len(content) < 400_000
    assert not re.search(r"/(home|root|tmp|work|Users|usr)/|0x[0-9a-f]{8}|\x1b|iopub|\d{4}-\d\d-\d\dT", content)
    counts = [cell.execution_count for cell in committed[name].cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert json.loads(content)["metadata"].keys() == {"kernelspec", "language_info"}
    assert not any(output.output_type == "error" for cell in code(committed[name], True) for output in cell.outputs)
