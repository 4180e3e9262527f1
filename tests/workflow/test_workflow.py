"""The workflow: a build from nothing, a second run, and wrong input."""

import re

import pytest
import yaml

from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import ACTIONS, CERTIFICATES, TABLES
from support import commands, grids
from support.small_build import RESULTS, small_build

RULES = sorted((commands.ROOT / "workflow" / "rules").glob("*.smk"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return small_build(tmp_path_factory)


def run(folder, *words):
    return commands.snakemake(folder, *words, "--configfile", folder / "mine.yaml")


MAPPED = ("rows.bin", "numbers.bin", "actions.bin")


def test_a_build_leaves_exactly_the_planned_files(built):
    assert not (built / "results").exists()
    found = {str(path.relative_to(built / RESULTS)) for path in (built / RESULTS).rglob("*") if path.is_file()}
    found = {re.sub("table-[0-9a-f]{16}", "table-0", path) for path in found}
    explorer = {path for path in found if path.startswith("explorer/")}
    slices = list(make_plan(yaml.safe_load(grids.SMALLER)).slices)
    assert {f"explorer/data/{table}/table.json" for table, _ in slices} < explorer
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
        *(f"mapped/{table}/decisions-{file}" for table, _ in slices for file in MAPPED),
        "mapped/forbidden_multiple_turn/decisions-lists.bin",  # in pig_turn too few numbers repeat
        *(f"audit/{file}" for file in ("index.md", "audit.parquet", "audit.csv")),
        *(f"{kind}/{table}/{name}.parquet" for table, name in slices for kind in (TABLES, ACTIONS, CERTIFICATES)),
        *(f"logs/{job}.log" for job in jobs),
    }


def test_a_second_run_does_nothing_with_a_profile_or_the_other_snakefile(built):
    """workflow/Snakefile, for the Snakemake workflow catalogue, is the same workflow."""
    workflow = commands.ROOT / "workflow"
    words = ("--snakefile", workflow / "Snakefile", "--workflow-profile", workflow / "profiles/default")
    done = commands.snakemake(built, *words)
    assert commands.jobs(done) == {} and "Nothing to be done" in done.stdout


def test_the_build_equals_one_without_snakemake(built, tmp_path):
    rows = grids.rows(built / RESULTS)
    assert rows.pop("audit/audit.parquet") == []
    assert rows == grids.rows(grids.build(tmp_path / "results", grids.SMALLER))


def test_a_configuration_file_replaces_the_default(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text("tables: {pig_turn: [{sides: [2, 3, 4, 5]}]}")
    (tmp_path / "mine.yaml").write_text("tables: {forbidden_multiple_turn: [{multiple: 2, sides: 2}]}")
    assert commands.jobs(commands.snakemake(tmp_path, "-n")) == {"solve": 4, "certify": 4} | commands.AFTER
    done = run(tmp_path, "-n", "--config", "results=on the/line")
    assert commands.jobs(done) == {"solve": 1, "certify": 1} | commands.AFTER
    assert "output: on the/line/dicebase.duckdb" in done.stdout


def test_a_configuration_file_without_tables_is_refused(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text(grids.SMALLER)
    (tmp_path / "mine.yaml").write_text("results: elsewhere")
    done = run(tmp_path, "-n")
    assert done.returncode == 1 and "configuration: 'tables' is a required property" in done.stdout


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("tables: {pig_turn: [{side: 4}]}", "tables.pig_turn[0]: 'side' is not a parameter of pig_turn; did you mean"),
        ("tables: {pig_turn: [{}], pig_turn: [{}]}", "mine.yaml: line 1: 'pig_turn' is given twice"),
    ],
)
def test_a_wrong_configuration_is_one_line_and_writes_nothing(tmp_path, config, message):
    (tmp_path / "mine.yaml").write_text(config)
    done = run(tmp_path)
    assert done.returncode == 1
    assert len([line for line in done.stdout.splitlines() if message in line]) == 1, done.stdout
    assert "Traceback" not in done.stdout
    assert not (tmp_path / "results").exists()


def test_an_unplanned_file_is_refused_by_name(built):
    done = commands.snakemake(built, f"{RESULTS}/tables/chess/all.parquet", "-n")
    assert done.returncode == 1 and f"No rule to produce {RESULTS}/tables/chess/all.parquet" in done.stdout
    done = commands.snakemake(built, f"{RESULTS}/tables/pig_turn/x.parquet", "-n")
    assert done.returncode == 1 and "the configuration does not ask for pig_turn/x" in done.stdout


def directives(text):
    """{rule: its text} of a file of rules."""
    parts = re.split(r"^(?:rule|checkpoint) (\w+):", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_rule_states_its_resources_and_runs_a_command():
    found = {name: text for path in RULES for name, text in directives(path.read_text()).items()}
    assert {"solve", "certify", "catalog"} <= found.keys()
    for name, text in found.items():
        for directive in ("log:", "threads:", f'**resources(COSTS, PLAN, "{name}")'):
            assert directive in text, f"rule {name} has no {directive}"
        assert not re.search(r"^    run:", text, re.MULTILINE), f"rule {name} starts a whole Snakemake"


def test_each_file_of_rules_has_the_name_of_its_first_rule():
    for path in RULES:
        names = list(directives(path.read_text()))
        assert names and names[0] == path.stem


def test_lint_complains_only_about_missing_containers(built):
    done = commands.snakemake(built, "--lint")
    complaints = set(re.findall(r"^ +\* (.*)$", done.stdout, re.MULTILINE))
    assert complaints == {"Specify a conda environment or container for each rule.:"}, done.stdout


def test_every_log_ends_with_time_and_memory(built):
    for path in (built / RESULTS / "logs").rglob("*.log"):
        assert re.search(r"took \d+\.\d\d s, \d+\.\d\d s of CPU, \d+ MB\n\Z", path.read_text()), path
    log = (built / RESULTS / "logs" / "solve" / "pig_turn" / "all.log").read_text()
    assert "pig_turn" in log and "2 of 2 variants" in log
