"""What Snakemake does again after a change, on a copy of the workflow and with a real build behind it."""

import shutil

import duckdb
import pytest

from support import commands, grids
from support.small_build import configure, small_build


class Project:
    """A folder with the workflow in it."""

    def __init__(self, folder):
        self.folder, self.package = folder, folder / "workflow" / "dicebase"

    def edit(self, file, change):
        path = self.package / file
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    def run(self, *words):
        return commands.snakemake(self.folder, *words, root=self.folder, PYTHONPATH=self.package.parent)

    def planned(self):
        """The jobs of a dry run, by rule."""
        return commands.jobs(self.run("-n"))

    def query(self, sql):
        with duckdb.connect(str(self.folder / "results" / "dicebase.duckdb"), read_only=True) as connection:
            return connection.sql(sql).fetchall()


@pytest.fixture
def project(tmp_path, tmp_path_factory):
    """A copy of the workflow, in which all is built."""
    built = shutil.copytree(small_build(tmp_path_factory), tmp_path / "copied")
    return Project(commands.copy_of_the_workflow(built))


def test_a_second_run_and_other_words_do_nothing(project):
    assert project.planned() == {}
    project.edit("games/pig.py", lambda text: "# A comment.\n" + text)
    project.edit("solve/turns/lanes.py", lambda text: text.replace('"""', '"""In other words: ', 1))
    assert project.planned() == {}


def test_an_edit_rebuilds_what_it_concerns_and_its_revert_nothing(project):
    project.edit("games/pig.py", lambda text: text + "\nADDED = 1\n")
    assert project.planned() == {"solve": 1, "certify": 1} | commands.AFTER
    project.edit("games/pig.py", lambda text: text.removesuffix("\nADDED = 1\n"))
    assert project.planned() == {}


READ = [
    "tables/pig_turn/all.parquet",
    "actions/pig_turn/all.parquet",
    "certificates/pig_turn/all.parquet",
    "dicebase.duckdb",
    "datapackage.json",
    "audit/audit.csv",
    "audit/audit.parquet",
    "pages/certificates.html",
    "pages/dictionary.md",
    "mapped",
    "mapped/tables.json",
    "mapped/pig_turn",
    "mapped/pig_turn/table-*.json",
    "mapped/pig_turn/*-rows.bin",
    "mapped/pig_turn/*-numbers.bin",
    "mapped/pig_turn/*-actions.bin",
    "explorer",
    "explorer/index.html",
    "explorer/data/tables.json",
    "explorer/data/pig_turn/table.json",
    "explorer/data/pig_turn/1.bin",
]


def test_what_somebody_deletes_is_made_again(project):
    results = project.folder / "results"
    for name in READ:
        (path,) = results.glob(name)
        away = path.rename(project.folder / "away")
        assert project.planned(), name
        away.rename(path)
    assert project.planned() == {}
    for name in READ:
        for path in results.glob(name):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert project.run().returncode == 0
    assert all(list(results.glob(name)) for name in READ) and project.planned() == {}


def test_another_certifier_certifies_and_solves_nothing(project):
    project.edit("certify/slices.py", lambda text: text + "\nADDED = 1\n")
    assert project.planned() == {"certify": 2} | commands.AFTER


def test_a_removed_value_disappears_from_the_views(project):
    assert project.query("SELECT count(*) FROM forbidden_multiple_turn")[0][0] > 0
    configure(project.folder, "tables: {pig_turn: [{sides: [2, 4], slice_by: []}]}")
    assert commands.jobs(project.run()) == commands.AFTER
    assert project.query("SELECT DISTINCT name FROM tables") == [("pig_turn",)]
    assert project.query("SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'forbidden%'") == []
    # Its files may stay behind: nothing is made from them.
    assert (project.folder / "results" / "tables" / "forbidden_multiple_turn").is_dir()


def test_swapped_values_of_two_parameters_are_noticed(project):
    assert "{multiple: 3, sides: 5," in grids.SMALLER
    configure(project.folder, grids.SMALLER.replace("multiple: 3, sides: 5", "multiple: 5, sides: 3"))
    assert project.planned() == {"solve": 1, "certify": 1} | commands.AFTER


def test_a_change_of_the_printed_record_audits_again_and_solves_nothing(project):
    project.edit("audit/printed/sources.csv", lambda text: text.replace("Plain points.", "In plain points."))
    assert project.planned().keys() & {"solve", "certify", "audit"} == {"audit"}
