"""The notebooks run over the default grid and show their current output."""

import importlib.util
import json
import re

import pytest

from support import commands

NOTEBOOKS = {path.stem: path for path in (commands.ROOT / "docs/notebooks").glob("*.ipynb")}


@pytest.fixture(scope="module")
def committed():
    """The committed notebooks, by name."""
    import nbformat

    return {name: nbformat.read(path, as_version=4) for name, path in NOTEBOOKS.items()}


@pytest.fixture(scope="module")
def executed():
    """The function that runs a notebook, loaded once because that takes a second."""
    spec = importlib.util.spec_from_file_location("run_notebooks", commands.ROOT / "docs/notebooks/run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    return run.executed


def code(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def text(cell) -> str:
    """The output of a cell as text."""
    return "".join(output.get("text", output.get("data", {}).get("text/plain", "")) for output in cell.outputs)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_shows_its_current_output(name, executed, default_results, committed):
    pairs = list(zip(code(executed(NOTEBOOKS[name], default_results)), code(committed[name]), strict=True))
    assert len(pairs) >= 3
    for fresh, kept in pairs:
        assert text(fresh) == text(kept), kept.source


def test_the_conclusions_have_numbers_of_the_cells(committed):
    """The numbers in the last text of a notebook are outputs of its cells."""
    said = committed["first_move"].cells[-2].outputs[0].data["text/markdown"]
    shown = "".join(text(cell) for cell in code(committed["first_move"]))
    numbers = set(re.findall(r"\b0\.\d{4}\b", said))
    assert len(numbers) >= 8
    assert numbers <= {f"{float(number):.4f}" for number in re.findall(r"\b\d+\.\d+\b", shown)}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_keeps_no_trace_of_a_machine(name, committed):
    content = NOTEBOOKS[name].read_text(encoding="utf-8")
    assert len(content) < 400_000
    assert not re.search(r"/(home|root|tmp|work|Users|usr)/|0x[0-9a-f]{8}|\x1b|iopub|\d{4}-\d\d-\d\dT", content)
    counts = [cell.execution_count for cell in code(committed[name])]
    assert counts == list(range(1, len(counts) + 1))
    assert json.loads(content)["metadata"].keys() == {"kernelspec", "language_info"}
    assert not any(output.output_type == "error" for cell in code(committed[name]) for output in cell.outputs)
