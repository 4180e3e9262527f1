"""Snakemake repeats exactly the jobs that a change requires, on a copy of the workflow after a real build."""

import shutil
from contextlib import contextmanager

import duckdb
import pytest
import yaml

from dicebase.pipeline.plan import make_plan
from support import commands
from support.small_build import RESULTS, configure, small_build

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
def project(tmp_path, tmp_path_factory):
    """A copy of the workflow with all tables built."""
    built = shutil.copytree(small_build(tmp_path_factory), tmp_path / "copied")
    return Project(commands.copy_of_the_workflow(built))


def test_a_second_run_and_other_comments_do_nothing(project):
    project.edit("games/pig.py", lambda text: "# A comment.\n" + text)
    project.edit("solvers/turns/lanes.py", lambda text: text.replace('"""', '"""In other words: ', 1))
    assert project.planned() == {}


def test_an_edit_rebuilds_its_tables_and_its_revert_nothing(project):
    project.edit("games/pig.py", lambda text: text + "\nADDED = 1\n")
    assert project.planned() == {"solve": 1, "certify": 1} | commands.AFTER
    project.edit("games/pig.py", lambda text: text.removesuffix("\nADDED = 1\n"))
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
