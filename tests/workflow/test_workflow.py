"""The workflow as people run it: a build from nothing, a second run, bad input, lost bookkeeping."""

import re
import shutil

import pytest
import yaml

from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import ACTIONS, CERTIFICATES, TABLES
from support import commands, grids
from support.small_build import CONFIG, RESULTS, configure, small_build

RULES = sorted((commands.ROOT / "workflow" / "rules").glob("*.smk"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return small_build(tmp_path_factory)


def run(folder, *words):
    return commands.snakemake(folder, *words, "--configfile", folder / "mine.yaml")


def verify_plan(folder):
    return commands.dicebase_here("verify", RESULTS, "--plan", "--config", CONFIG, cwd=folder)


MAPPED = ("rows.bin", "numbers.bin", "actions.bin", "lists.bin")


def test_a_build_leaves_the_planned_files_and_no_others(built):
    assert not (built / "results").exists()
    found = {str(path.relative_to(built / RESULTS)) for path in (built / RESULTS).rglob("*") if path.is_file()}
    found = {re.sub("table-[0-9a-f]{16}", "table-0", path) for path in found}
    explorer = {path for path in found if path.startswith("explorer/")}
    assert {
        f"explorer/data/{table}/table.json" for table, _ in make_plan(yaml.safe_load(grids.SMALLER)).slices
    } < explorer
    slices = list(make_plan(yaml.safe_load(grids.SMALLER)).slices)
    jobs = [f"{rule}/{table}/{name}" for rule in ("solve", "certify") for table, name in slices]
    jobs += list(commands.AFTER)
    assert found - explorer == {
        "dicebase.duckdb",
        "datapackage.json",
        "schemas/.snakemake_timestamp",
        *(f"schemas/{t}-{kind}.json" for t, _ in slices for kind in ("states", "actions", "certificates")),
        "mapped/tables.json",
        "pictures/.snakemake_timestamp",
        *(f"pages/{page}" for page in ("games.md", "dictionary.md", "values.html", "audit.html")),
        *(f"mapped/{table}/table-0.json" for table, _ in slices),
        *(f"mapped/{table}/decisions-1-{file}" for table, _ in slices for file in MAPPED),
        *(f"audit/{file}" for file in ("index.md", "audit.parquet", "audit.csv")),
        *(f"{kind}/{table}/{name}.parquet" for table, name in slices for kind in (TABLES, ACTIONS, CERTIFICATES)),
        *(f"logs/{job}.log" for job in jobs),
    }


def test_a_second_run_does_nothing_with_the_profile_and_the_other_snakefile_as_well(built):
    """That of the Snakemake workflow catalogue is the same workflow."""
    workflow = commands.ROOT / "workflow"
    words = ("--snakefile", workflow / "Snakefile", "--workflow-profile", workflow / "profiles/default")
    done = commands.snakemake(built, *words)
    assert commands.jobs(done) == {} and "Nothing to be done" in done.stdout


def test_the_build_equals_one_without_snakemake(built, tmp_path):
    rows = grids.rows(built / RESULTS)
    assert rows.pop("audit/audit.parquet") == []
    assert rows == grids.rows(grids.build(tmp_path / "results", grids.SMALLER))


def test_a_configfile_and_the_command_line_replace_the_default(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text("tables: {pig_turn: [{sides: [2, 3, 4, 5]}]}")
    (tmp_path / "mine.yaml").write_text("tables: {forbidden_multiple_turn: [{multiple: 2, sides: 2}]}")
    assert commands.jobs(commands.snakemake(tmp_path, "-n")) == {"solve": 4, "certify": 4} | commands.AFTER
    done = run(tmp_path, "-n", "--config", "results=on the/line")
    assert commands.jobs(done) == {"solve": 1, "certify": 1} | commands.AFTER
    assert "output: on the/line/dicebase.duckdb" in done.stdout


def test_a_configfile_without_tables_is_not_filled_up_from_the_default(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text(grids.SMALLER)
    (tmp_path / "mine.yaml").write_text("results: elsewhere")
    done = run(tmp_path, "-n")
    assert done.returncode == 1 and "configuration: 'tables' is a required property" in done.stdout


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("tables: {pig_turn: [{side: 4}]}", "tables.pig_turn[0]: 'side' is not a parameter of pig_turn; did you mean"),
        ("tables: {pig_turn: [{}], pig_turn: [{}]}", "mine.yaml: line 1: 'pig_turn' is there twice"),
    ],
)
def test_a_bad_configuration_is_one_clear_line_and_nothing_is_written(tmp_path, config, message):
    (tmp_path / "mine.yaml").write_text(config)
    done = run(tmp_path)
    assert done.returncode == 1
    assert len([line for line in done.stdout.splitlines() if message in line]) == 1, done.stdout
    assert "Traceback" not in done.stdout
    assert not (tmp_path / "results").exists()


def test_a_file_that_nobody_asked_for_is_refused_by_name(built):
    done = commands.snakemake(built, f"{RESULTS}/tables/chess/all.parquet", "-n")
    assert done.returncode == 1 and f"No rule to produce {RESULTS}/tables/chess/all.parquet" in done.stdout
    done = commands.snakemake(built, f"{RESULTS}/tables/pig_turn/x.parquet", "-n")
    assert done.returncode == 1 and "the configuration does not ask for pig_turn/x" in done.stdout


def test_without_its_bookkeeping_stale_and_missing_tables_are_still_found(built, tmp_path):
    folder = shutil.copytree(built, tmp_path / "copied", ignore=shutil.ignore_patterns(".snakemake"))
    assert verify_plan(folder).returncode == 0
    # Without its records Snakemake goes by the times of the files, and these say nothing of pig_turn/all.
    configure(folder, "tables: {pig_turn: [{sides: [2, 6], slice_by: []}, {sides: 8}]}")
    done = verify_plan(folder)
    assert done.returncode == 1 and done.stdout == ""
    lines = dict(line.split(": ", 1) for line in done.stderr.splitlines())
    slices = {"pig_turn/all", "pig_turn/sides=8_dice=1", "forbidden_multiple_turn/all"}
    assert lines.keys() == slices | {"dicebase.duckdb", "mapped"}
    assert "stale" in lines["pig_turn/all"] and "stale" in lines["dicebase.duckdb"] and "stale" in lines["mapped"]
    assert "missing" in lines["pig_turn/sides=8_dice=1"]
    assert "does not ask for it" in lines["forbidden_multiple_turn/all"]


def test_a_certificate_of_another_table_is_stale(built, tmp_path):
    folder = shutil.copytree(built, tmp_path / "copied")
    certificates = folder / RESULTS / "certificates"
    shutil.copy(certificates / "pig_turn" / "all.parquet", certificates / "forbidden_multiple_turn" / "all.parquet")
    done = verify_plan(folder)
    assert done.returncode == 1 and "pig_turn/all: holds" in done.stdout
    assert "forbidden_multiple_turn/all: its certificate is stale" in done.stderr


# --- how the rules are written -----------------------------------------------------------------------------------


def directives(text):
    """{rule: its text} of a file of rules."""
    parts = re.split(r"^(?:rule|checkpoint) (\w+):", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_rule_says_what_it_needs_and_none_runs_python_inside_snakemake():
    found = {name: text for path in RULES for name, text in directives(path.read_text()).items()}
    assert {"solve", "certify", "catalog"} <= found.keys()
    for name, text in found.items():
        for directive in ("log:", "threads:", f'**resources(COSTS, PLAN, "{name}")'):
            assert directive in text, f"rule {name} has no {directive}"
        assert not re.search(r"^    run:", text, re.MULTILINE), f"rule {name} starts a whole Snakemake"


def test_a_rule_is_one_verb_in_a_file_of_its_name():
    for path in RULES:
        names = list(directives(path.read_text()))
        assert names and names[0] == path.stem


def test_lint_complains_of_nothing_but_the_missing_container(built):
    done = commands.snakemake(built, "--lint")
    complaints = set(re.findall(r"^ +\* (.*)$", done.stdout, re.MULTILINE))
    assert complaints == {"Specify a conda environment or container for each rule.:"}, done.stdout


def test_the_log_of_every_job_ends_with_what_it_took(built):
    for path in (built / RESULTS / "logs").rglob("*.log"):
        assert re.search(r"took \d+\.\d\d s, \d+\.\d\d s of CPU, \d+ MB\n\Z", path.read_text()), path
    log = (built / RESULTS / "logs" / "solve" / "pig_turn" / "all.log").read_text()
    assert "pig_turn" in log and "2 of 2 variants" in log
