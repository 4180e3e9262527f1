"""The workflow: a build from nothing, wrong input, and exactly the jobs that a change requires."""

import re
import shutil
from contextlib import contextmanager

import duckdb
import pytest
import yaml

from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import ACTIONS, CERTIFICATES, TABLES
from support import commands, grids

RULES = sorted((commands.ROOT / "workflow" / "rules").glob("*.smk"))


CONFIG = "config/config.yaml"
RESULTS = "el se/where"
"""The results folder of the configuration: not the default one, and with a space."""


def configure(folder, text):
    """Write the default configuration of a folder; Snakemake remembers only its name."""
    (folder / CONFIG).parent.mkdir(exist_ok=True)
    (folder / CONFIG).write_text(f"results: {RESULTS}\n{text}")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder in which the workflow has built grids.SMALLER from nothing. Its paths are relative, so a copy works."""

    def build(folder):
        configure(folder, grids.SMALLER)
        assert commands.jobs(commands.snakemake(folder)) == {"solve": 2, "certify": 2} | commands.AFTER

    return grids.once(tmp_path_factory, "workflow", build)


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


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("tables: {pig_turn: [{side: 4}]}", "tables.pig_turn[0]: 'side' is not a parameter of pig_turn; did you mean"),
        ("results: elsewhere", "configuration: 'tables' is a required property"),
        ("tables: {pig_turn: [{}], pig_turn: [{}]}", "mine.yaml: line 1: 'pig_turn' is given twice"),
    ],
)
def test_a_wrong_configuration_is_one_line_and_writes_nothing(tmp_path, config, message):
    (tmp_path / "mine.yaml").write_text(config)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text(grids.SMALLER)
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
    rules = {path.stem: directives(path.read_text()) for path in RULES}
    assert all(next(iter(named)) == stem for stem, named in rules.items()), "a file has the name of its first rule"
    found = {name: text for named in rules.values() for name, text in named.items()}
    assert {"solve", "certify", "catalog"} <= found.keys()
    for name, text in found.items():
        for directive in ("log:", "threads:", f'**resources(COSTS, PLAN, "{name}")'):
            assert directive in text, f"rule {name} has no {directive}"
        assert not re.search(r"^    run:", text, re.MULTILINE), f"rule {name} starts a whole Snakemake"


def test_lint_complains_only_about_missing_containers(built):
    done = commands.snakemake(built, "--lint")
    complaints = set(re.findall(r"^ +\* (.*)$", done.stdout, re.MULTILINE))
    assert complaints == {"Specify a conda environment or container for each rule.:"}, done.stdout


def test_every_log_ends_with_time_and_memory(built):
    for path in (built / RESULTS / "logs").rglob("*.log"):
        assert re.search(r"took \d+\.\d\d s, \d+\.\d\d s of CPU, \d+ MB\n\Z", path.read_text()), path
    log = (built / RESULTS / "logs" / "solve" / "pig_turn" / "all.log").read_text()
    assert "pig_turn" in log and "2 of 2 variants" in log


# --- on a copy of the workflow after a real build ---------------------------------------------------------------------

LAYERS = {"tables": {"royal_ur_layers": [{"pieces": 2, "before": 1, "middle": 2, "after": 1, "dice": 2}]}}


class Project:
    """A folder with the workflow in it."""

    def __init__(self, folder):
        self.folder, self.package = folder, folder / "workflow" / "dicebase"
        self.results = folder / RESULTS

    def edit(self, file, change):
        path = self.package / file
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    def run(self, *words):
        return commands.snakemake(self.folder, *words, root=self.folder, PYTHONPATH=self.package.parent)

    def planned(self):
        """The jobs of a dry run, by rule."""
        return commands.jobs(self.run("-n"))

    def query(self, sql):
        with duckdb.connect(str(self.results / "dicebase.duckdb"), read_only=True) as connection:
            return connection.sql(sql).fetchall()


@pytest.fixture
def project(built, tmp_path):
    """A copy of the workflow with all tables built."""
    return Project(commands.copy_of_the_workflow(shutil.copytree(built, tmp_path / "copied")))


def test_an_edit_rebuilds_its_tables_and_comments_and_a_reverted_edit_nothing(project):
    project.edit("games/pig.py", lambda text: text + "\nADDED = 1\n")
    assert project.planned() == {"solve": 1, "certify": 1} | commands.AFTER
    project.edit("games/pig.py", lambda text: "# A comment.\n" + text.removesuffix("\nADDED = 1\n"))
    project.edit("solvers/turns/lanes.py", lambda text: text.replace('"""', '"""In other words: ', 1))
    assert project.planned() == {}


# Groups of files that readers open, with the jobs planned if all of them are missing. No file in a group depends on
# another.
READ = [
    (["tables/pig_turn/all.parquet", "certificates/forbidden_multiple_turn/all.parquet"], {"solve": 1, "certify": 2}),
    (["actions/pig_turn/all.parquet"], {"solve": 1, "certify": 1}),
    (["dicebase.duckdb", "mapped/tables.json"], {}),
    (["datapackage.json", "audit/audit.csv", "pages/games.md", "explorer"], {"catalog": 0, "map": 0}),
    (["audit/audit.parquet", "pages/dictionary.md"], {"catalog": 0, "map": 0, "datapackage": 0, "explorer": 0}),
]


@contextmanager
def missing(folder, names):
    """Move away the only file or folder of each name."""
    away = [(path, path.rename(folder.parent / f"away{i}")) for i, n in enumerate(names) for path in folder.glob(n)]
    assert len(away) == len(names)
    yield
    for path, there in away:
        there.rename(path)


@pytest.mark.slow
def test_deleted_files_are_made_again(project):
    results = project.results
    for names, planned in READ:
        with missing(results, names):
            expected = {rule: count for rule, count in (commands.AFTER | planned).items() if count}
            assert project.planned() == expected, names
    found = [path for names, _ in READ for name in names for path in results.glob(name)]
    for path in found:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    shutil.rmtree(results / "mapped")
    assert project.run().returncode == 0
    assert all(path.exists() for path in found) and project.planned() == {}


@pytest.mark.slow
def test_a_truncated_file_is_named_and_made_again_after_deletion(project):
    path = project.results / "tables/pig_turn/all.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    assert project.run().returncode == 1
    *_, last = (project.results / "logs/certify/pig_turn/all.log").read_text().splitlines()
    assert last.startswith(f"error: {RESULTS}/tables/pig_turn/all.parquet: damaged: ")
    assert last.endswith("; delete it and build it again")
    path.unlink()
    assert project.planned() == {"solve": 1, "certify": 1} | commands.AFTER


@pytest.mark.slow
def test_layers_are_continued_and_made_again_after_an_edit(tmp_path):
    project = Project(commands.copy_of_the_workflow(tmp_path))
    configure(tmp_path, yaml.safe_dump(LAYERS))
    *_, before, last = (f"{RESULTS}/certificates/{'/'.join(place)}.parquet" for place in make_plan(LAYERS).slices)
    assert commands.jobs(project.run(before)) == {"solve": 2, "certify": 2}
    assert commands.jobs(project.run("-n", last)) == {"solve": 1, "certify": 1}
    project.edit("games/royal_ur.py", lambda text: text + "\nADDED = 1\n")
    assert commands.jobs(project.run("-n", last)) == {"solve": 3, "certify": 3}


def test_a_removed_value_disappears_from_the_views(project):
    assert project.query("SELECT count(*) FROM forbidden_multiple_turn")[0][0] > 0
    configure(project.folder, "tables: {pig_turn: [{sides: [2, 4], slice_by: []}]}")
    assert project.planned() == commands.AFTER
    assert commands.jobs(project.run(f"{RESULTS}/dicebase.duckdb")) == {"catalog": 1}
    assert project.query("SELECT DISTINCT name FROM tables") == [("pig_turn",)]
    assert project.query("SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'forbidden%'") == []
    # The files of the removed table stay, but nothing is made from them.
    assert (project.results / "tables" / "forbidden_multiple_turn").is_dir()


@pytest.mark.slow
def test_verify_accepts_the_results_of_a_changed_grid(project):
    configure(project.folder, "tables: {pig_turn: [{sides: [2, 4, 6], slice_by: []}]}")
    assert project.run().returncode == 0
    done = commands.dicebase_here("verify", RESULTS, cwd=project.folder)
    assert done.returncode == 0, done.stderr
    assert "forbidden_multiple_turn/all, which datapackage.json does not list: holds\n" in done.stdout


@pytest.mark.slow
def test_a_changed_printed_number_repeats_only_the_audit(project):
    project.edit("audit/printed/sources.csv", lambda text: text.replace("Plain points.", "In plain points."))
    assert project.planned().keys() & {"solve", "certify", "audit"} == {"audit"}
