"""`dicebase verify` compares a results folder with its rules, and with a plan; see also test_forgeries.py."""

import shutil

import pytest

from dicebase.catalog.sql.build import build_catalog
from dicebase.cli import main
from dicebase.pipeline import processes
from dicebase.pipeline.checks import verify as verify_module
from dicebase.tables.layout import SliceFiles
from support import grids
from support.faults import change, plus, rewrite

pytestmark = pytest.mark.usefixtures("catalogues")
HOLD = ["dicebase.duckdb: holds", "mapped: holds", "explorer: holds"]


def by_a_millionth(results, name):
    """Add 1e-6 to one value of a slice."""
    fault = change("value", plus(1e-6), lambda rows, i: rows[i]["value"] is not None)
    rewrite(SliceFiles(results, *name.split("/")).rows, fault)


def test_verify_accepts_unaltered_tables(verify):
    holds, fails = verify()
    slices = ["forbidden_multiple_turn/all", "pig_turn/dice=1", "pig_turn/dice=2"]
    slices += [f"ten_thousand_turn/rules=pocket_moves={moves}" for moves in ("all", "stop_roll")]
    assert (holds, fails) == ([*(f"{name}: holds" for name in slices), *HOLD], {})


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        *(("tables", damage) for damage in ("missing", "empty", "text", "half", "zeros")),
        *((file, damage) for file in ("actions", "certificates") for damage in ("missing", "text")),
    ],
)
def test_a_damaged_file_is_reported_under_its_slice(verify, results_copy, file, damage):
    path = SliceFiles(results_copy, "pig_turn", "dice=2").within(file)
    content = path.read_bytes()
    damages = {"empty": b"", "text": b"no table at all\n" * 100, "half": content[: len(content) // 2]}
    damages |= {"zeros": content[:4] + bytes(500) + content[504:]}
    path.unlink()
    if damage != "missing":
        path.write_bytes(damages[damage])
    holds, fails = verify()
    assert "pig_turn/dice=1: holds" in holds
    assert [place for place in fails if "/" in place] == ["pig_turn/dice=2"]


@pytest.mark.parametrize("kind", ["rows.bin", ".json"])
def test_changed_and_missing_mapped_rows_fail(verify, results_copy, kind):
    path = next((results_copy / "mapped/pig_turn").glob(f"*{kind}"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    for what in (path.name, "pig_turn"):  # changed, then missing
        holds, fails = verify()
        assert what in fails["mapped"] and "pig_turn/dice=1: holds" in holds
        path.unlink(missing_ok=True)


# --- in several processes -----------------------------------------------------------------------------------------


def test_several_processes_find_the_same_problems_as_one(results_copy, capfd, monkeypatch):
    """The last line names the first table that fails, although a later one fails as well."""
    for name in ("pig_turn/dice=2", "ten_thousand_turn/rules=pocket_moves=all"):
        by_a_millionth(results_copy, name)
    said = []
    for cores in ("1", "2"):
        monkeypatch.setattr(processes, "SHORT", 0.0)
        assert main(["verify", str(results_copy), "--cores", cores]) == 1
        said.append(capfd.readouterr())
    assert said[0].out == said[1].out and said[0].out.splitlines()[-1] == "pig_turn/dice=1: holds"
    assert len({err.splitlines()[-1] for _, err in said}) == 1
    assert said[0].err.splitlines()[-1].startswith("pig_turn/dice=2: ")


@pytest.mark.parametrize(("memory", "at_once"), [(1000, 1), (3999, 1), (4000, 2), (9000, 4), (99_000, 8)])
def test_no_more_processes_run_than_memory_allows(results, monkeypatch, memory, at_once):
    asked = []
    monkeypatch.setattr(verify_module, "memory_here", lambda: memory)
    monkeypatch.setattr(verify_module, "results_in_order", lambda tasks, n, progress: asked.append(n) or [])
    assert list(verify_module.verify_tables(results, 8)) == [] and asked == [at_once]


# --- compared with the plan ---------------------------------------------------------------------------------------


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(grids.CONFIG)
    return path


@pytest.fixture
def verify_plan(verify, config):
    return lambda: verify("--plan", "--config", config)


def test_verify_accepts_the_tables_of_the_plan(verify_plan):
    holds, fails = verify_plan()
    assert fails == {} and len(holds) == 5 + 1 and holds[-1] == HOLD[0]


def test_every_missing_or_stale_slice_is_named(verify_plan, config, results_copy):
    SliceFiles(results_copy, "forbidden_multiple_turn", "all").rows.unlink()
    SliceFiles(results_copy, "ten_thousand_turn", "rules=pocket_moves=all").certificate.unlink()
    config.write_text(grids.CONFIG.replace("[2, 4, 6]", "[2, 4]").replace('"5": 50', '"5": 60'))
    holds, problems = verify_plan()
    assert holds == [] and len([place for place in problems if "/" in place]) == 5
    assert "missing" in problems["forbidden_multiple_turn/all"]
    assert problems["pig_turn/dice=1"].startswith("stale")
    assert problems["ten_thousand_turn/rules=pocket_moves=all"].startswith("stale")


def test_a_certificate_of_another_table_and_a_catalogue_of_another_plan_are_stale(verify_plan, results_copy):
    one, other = (SliceFiles(results_copy, "pig_turn", f"dice={n}").certificate for n in (1, 2))
    shutil.copy(one, other)
    build_catalog(results_copy, [("pig_turn", "dice=1")])
    holds, problems = verify_plan()
    assert "pig_turn/dice=1: holds" in holds and "certificate is stale" in problems["pig_turn/dice=2"]
    assert problems["dicebase.duckdb"].startswith("stale")
    (results_copy / "dicebase.duckdb").unlink()
    assert "has no dicebase.duckdb" in str(verify_plan()[1])


def test_mapped_rows_of_another_plan_or_missing_ones_are_named(verify_plan, results_copy):
    (contents,) = results_copy.glob("mapped/pig_turn/table-*.json")
    contents.write_text(contents.read_text().replace('"certifier', '"certified by'))
    holds, problems = verify_plan()
    assert list(problems) == ["mapped"] and holds[-1] == HOLD[0]
    shutil.rmtree(results_copy / "mapped")
    holds, problems = verify_plan()
    assert "has no mapped/tables.json" in problems["mapped"] and holds[-1] == HOLD[0]


def test_slices_that_the_plan_does_not_have_are_named(verify_plan, config):
    config.write_text("tables: {pig_turn: [{sides: [2, 4, 6], dice: [1, 2], slice_by: [dice]}]}")
    holds, problems = verify_plan()
    assert holds == ["pig_turn/dice=1: holds", "pig_turn/dice=2: holds"]
    named = [place for place, said in problems.items() if said.endswith("the configuration does not ask for it")]
    assert len(named) == 3


def test_the_command_refuses_a_bad_configuration_and_finds_the_folder(results, config, capsys):
    for words in (["--results", results, "verify", "--plan"], ["verify", "--plan", "--results", results]):
        assert main([*map(str, words), "--config", str(config)]) == 0
        assert HOLD[0] in capsys.readouterr().out
    config.write_text("tables: {pig_turn: [{side: 2}]}")
    assert main(["verify", str(results), "--plan", "--config", str(config)]) == 2
    assert capsys.readouterr().err.startswith("error: tables.pig_turn[0]: 'side'")


def test_a_difference_inside_a_value_is_named_by_its_place():
    said, ours = ({"to": [1, 2, n], "weight": [1.0]} for n in (3, 4))
    assert verify_module._narrowed("transitions", said, ours) == ("transitions.to[2]", 3, 4)
    assert verify_module._narrowed("transitions", None, ours) == ("transitions", None, ours)
