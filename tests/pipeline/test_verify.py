"""`dicebase verify`: a results folder held against its rules, and against the plan."""

import shutil

import pytest

from dicebase.catalog.sql.build import build_catalog
from dicebase.cli import main
from dicebase.pipeline import processes
from dicebase.pipeline import verify as verify_module
from dicebase.tables.layout import SliceFiles
from support import grids
from support.faults import change, plus, rewrite

pytestmark = pytest.mark.usefixtures("catalogues")


@pytest.fixture
def verify(results_copy, capsys):
    """Run a verification; its exit code, what holds and what does not."""

    def verify(*words):
        code = main(["verify", str(results_copy), *map(str, words)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out.splitlines(), [line for line in err.splitlines() if "/" in line.split(":")[0]]

    return verify


def add_to(column, amount):
    return change(column, plus(amount), lambda rows, i: rows[i][column] is not None)


def test_untouched_tables_hold(verify):
    code, holds, fails = verify()
    assert code == 0 and fails == []
    assert holds == [
        "forbidden_multiple_turn/all: holds",
        "pig_turn/dice=1: holds",
        "pig_turn/dice=2: holds",
        "ten_thousand_turn/rules=pocket_moves=all: holds",
        "ten_thousand_turn/rules=pocket_moves=stop_roll: holds",
        "dicebase.duckdb: holds",
        "mapped: holds",
        "explorer: holds",
    ]


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        ("tables", add_to("value", 1e-6)),
        ("tables", add_to("margin", 1e-6)),
        ("tables", add_to("turn_total", 1)),
        ("actions", add_to("q_value", 1e-6)),
        ("actions", add_to("regret", 1e-6)),
        ("tables", lambda rows: rows[1:]),
        ("actions", lambda rows: rows[:-1]),
        ("tables", lambda rows: []),
    ],
)
def test_a_table_that_was_tampered_with_fails_by_name(verify, results_copy, file, fault):
    rewrite(SliceFiles(results_copy, "pig_turn", "dice=2").within(file), fault)
    code, holds, fails = verify()
    assert code == 1 and holds[-1] == "pig_turn/dice=1: holds"
    assert len(fails) == 1 and fails[0].startswith("pig_turn/dice=2: ")


@pytest.mark.parametrize("file", ["tables", "actions"])
@pytest.mark.parametrize("damage", ["missing", "empty", "text", "half", "zeros"])
def test_a_damaged_file_fails_by_name(verify, results_copy, file, damage):
    path = SliceFiles(results_copy, "pig_turn", "dice=2").within(file)
    content = path.read_bytes()
    damages = {
        "empty": b"",
        "text": b"no table at all\n" * 100,
        "half": content[: len(content) // 2],
        "zeros": content[:4] + bytes(500) + content[504:],
    }
    path.unlink()
    if damage != "missing":
        path.write_bytes(damages[damage])
    code, _, fails = verify()
    assert code == 1 and len(fails) == 1 and fails[0].startswith("pig_turn/dice=2: ")


@pytest.mark.parametrize("kind", ["rows.bin", "numbers.bin", "actions.bin", ".json"])
def test_mapped_rows_that_were_changed_fail_by_name(results_copy, capsys, kind):
    path = next((results_copy / "mapped/pig_turn").glob(f"*{kind}"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    for what in (path.name, "pig_turn"):  # changed, then missing
        assert main(["verify", str(results_copy)]) == 1
        out, err = capsys.readouterr()
        (line,) = [line for line in err.splitlines() if line.startswith("mapped: ")]
        assert what in line and "pig_turn/dice=1: holds" in out
        path.unlink(missing_ok=True)


def test_a_missing_and_a_damaged_certificate_fail_by_name(verify, results_copy):
    certificate = SliceFiles(results_copy, "pig_turn", "dice=2").certificate
    certificate.write_text("I hereby certify")
    code, _, fails = verify()
    assert code == 1 and fails[0].startswith("pig_turn/dice=2: ")
    certificate.unlink()
    code, _, fails = verify()
    assert code == 1 and fails[0].startswith("pig_turn/dice=2: ") and "missing" in fails[0]


@pytest.mark.parametrize("column", ["value", "error_bound", "simulated"])
def test_a_certificate_that_says_something_else_fails_by_name(verify, results_copy, column):
    rewrite(SliceFiles(results_copy, "pig_turn", "dice=2").certificate, add_to(column, 1e-3))
    code, _, fails = verify()
    assert code == 1 and fails[0].startswith("pig_turn/dice=2: ") and f"the certificate says {column}" in fails[0]


def test_a_certificate_of_other_variants_fails_by_name(verify, results_copy):
    rewrite(SliceFiles(results_copy, "pig_turn", "dice=2").certificate, lambda rows: rows[1:])
    code, _, fails = verify()
    assert code == 1 and "the certificate has 2 variants, the table 3" in fails[0]


def test_two_files_of_different_solves_fail_by_name(verify, results_copy, tmp_path):
    grids.build(tmp_path / "other", grids.CONFIG.replace("[2, 4, 6]", "[2, 4]"))
    one, other = (SliceFiles(folder, "pig_turn", "dice=2") for folder in (results_copy, tmp_path / "other"))
    shutil.copy(other.rows, one.rows)
    code, _, fails = verify()
    assert code == 1 and "do not come from the same solve" in fails[0]


# --- in several processes ---------------------------------------------------------------------------------------------


def test_several_processes_find_what_one_finds(results_copy, capfd, monkeypatch):
    """The first table that fails is the last one named, though a later one fails as well."""
    for table, name in (("pig_turn", "dice=2"), ("ten_thousand_turn", "rules=pocket_moves=all")):
        rewrite(SliceFiles(results_copy, table, name).rows, add_to("value", 1e-6))
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


# --- against the plan --------------------------------------------------------------------------------------------


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(grids.CONFIG)
    return path


def test_tables_of_the_plan_hold(verify, config):
    code, holds, fails = verify("--plan", "--config", config)
    assert code == 0 and fails == [] and len(holds) == 5 + 1 and holds[-1] == "dicebase.duckdb: holds"


def test_every_finding_is_named_and_not_only_the_first(verify, config, results_copy):
    SliceFiles(results_copy, "forbidden_multiple_turn", "all").rows.unlink()
    SliceFiles(results_copy, "ten_thousand_turn", "rules=pocket_moves=all").certificate.unlink()
    config.write_text(grids.CONFIG.replace("[2, 4, 6]", "[2, 4]").replace('"5": 50', '"5": 60'))
    code, holds, fails = verify("--plan", "--config", config)
    assert code == 1 and holds == []
    problems = dict(line.split(": ", 1) for line in fails)
    assert len(problems) == 5
    assert "missing" in problems["forbidden_multiple_turn/all"]
    assert problems["pig_turn/dice=1"].startswith("stale")
    assert problems["ten_thousand_turn/rules=pocket_moves=all"].startswith("stale")


def test_a_catalogue_of_another_plan_is_stale(verify, config, results_copy, capsys):
    build_catalog(results_copy, [("pig_turn", "dice=1")])
    assert main(["verify", str(results_copy), "--plan", "--config", str(config)]) == 1
    assert capsys.readouterr().err.startswith("dicebase.duckdb: stale")
    (results_copy / "dicebase.duckdb").unlink()
    assert main(["verify", str(results_copy), "--plan", "--config", str(config)]) == 1
    assert "has no dicebase.duckdb" in capsys.readouterr().err


def test_mapped_rows_of_another_plan_are_stale(verify, config, results_copy):
    (contents,) = results_copy.glob("mapped/pig_turn/table-*.json")
    contents.write_text(contents.read_text().replace('"certifier', '"certified by'))
    code, holds, fails = verify("--plan", "--config", config)
    assert code == 1 and fails == [] and holds[-1] == "dicebase.duckdb: holds"


def test_mapped_rows_that_are_missing_are_named(config, results_copy, capsys):
    shutil.rmtree(results_copy / "mapped")
    assert main(["verify", str(results_copy), "--plan", "--config", str(config)]) == 1
    out, err = capsys.readouterr()
    assert err.startswith("mapped: ") and "has no mapped/tables.json" in err
    assert out.splitlines()[-1] == "dicebase.duckdb: holds"


def test_what_nobody_asks_for_any_more_is_named(verify, config):
    config.write_text("tables: {pig_turn: [{sides: [2, 4, 6], dice: [1, 2], slice_by: [dice]}]}")
    code, holds, fails = verify("--plan", "--config", config)
    assert code == 1 and holds == ["pig_turn/dice=1: holds", "pig_turn/dice=2: holds"]
    assert len(fails) == 3 and all(line.endswith("the configuration does not ask for it") for line in fails)


def test_a_bad_configuration_is_wrong_input(results, config, capsys):
    config.write_text("tables: {pig_turn: [{side: 2}]}")
    assert main(["verify", str(results), "--plan", "--config", str(config)]) == 2
    assert capsys.readouterr().err.startswith("error: tables.pig_turn[0]: 'side'")


def test_the_folder_may_be_named_as_everywhere(results, config, capsys):
    for words in (["--results", results, "verify", "--plan"], ["verify", "--plan", "--results", results]):
        assert main([*map(str, words), "--config", str(config)]) == 0
        assert "dicebase.duckdb: holds" in capsys.readouterr().out
