"""A change of code or of the configuration makes exactly the files stale that depend on it.

The plans are made on a copy of the package, in a process that looks for all modules again after each plan."""

import json
import subprocess
import sys
from copy import deepcopy
from typing import NamedTuple

import pytest
import yaml

from support import commands, grids

PIG, FORBIDDEN, TEN = "pig_turn", "forbidden_multiple_turn", "ten_thousand_turn"
EVERYTHING = {PIG, FORBIDDEN, TEN}

PLANS = """
import ast, functools, importlib, json, sys
from dicebase.pipeline import keys
from dicebase.pipeline.plan import make_plan
ast.parse, ast.dump = functools.cache(ast.parse), functools.cache(ast.dump)
for line in sys.stdin:
    plan = make_plan(json.loads(line))
    slices = {f"{t}/{n}": [s.key, s.certificate_key] for (t, n), s in plan.slices.items()}
    digests = {rule: plan.digest(rule) for rule in ("catalog", "map")}
    print(json.dumps({"keys": slices, "digests": digests}), flush=True)
    importlib.invalidate_caches()
    keys._spec_of_ours.cache_clear()
"""


class Change(NamedTuple):
    """The differences between two plans: tables to solve again, tables to certify again, copies to make again."""

    solved: set[str]
    certified: set[str]
    made: set[str]


BOTH = {"catalog", "map"}
NOTHING = Change(set(), set(), set())


class Project:
    """A copy of the package, and plans made by it."""

    def __init__(self, folder, **variables):
        self.folder = commands.copy_of_the_workflow(folder)
        self.package, self.config, self.edited = folder / "workflow" / "dicebase", yaml.safe_load(grids.CONFIG), {}
        self.command = subprocess.Popen(
            [sys.executable, "-c", PLANS],
            cwd=folder,
            env=commands.environment(PYTHONPATH=self.package.parent, **variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.first = self.plan()

    def plan(self, config=None):
        print(json.dumps(config or self.config), file=self.command.stdin, flush=True)
        return json.loads(self.command.stdout.readline())

    def edit(self, file, change):
        path = self.package / file
        text = path.read_text(encoding="utf-8") if path.exists() else None
        self.edited.setdefault(path, text)
        path.write_text(change(text), encoding="utf-8")

    def restore(self):
        for path, text in self.edited.items():
            if text is None:
                path.unlink()
            else:
                path.write_text(text, encoding="utf-8")
        self.edited = {}

    def end(self):
        self.command.communicate()

    def change(self, config=None):
        """The differences between the first plan and a new one."""
        old, new = self.first["keys"], self.plan(config)
        changed = [
            {name.split("/")[0] for name, keys in new["keys"].items() if keys[i] != old.get(name, [None, None])[i]}
            for i in (0, 1)
        ]
        made = {rule for rule in BOTH if new["digests"][rule] != self.first["digests"][rule]}
        return Change(*changed, made)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    made = Project(tmp_path_factory.mktemp("original"))
    yield made
    made.end()


@pytest.fixture
def project(original):
    """The same copy, which the test may edit."""
    first = original.first
    yield original
    original.restore()
    original.first = first


def add_code(text):
    return text + "\nADDED = 1\n"


def add_words(text):
    """Another comment, another wording of the first docstring, and empty lines."""
    text = text.replace('"""', '"""In other words: ', 1).replace("\n\n", "\n\n\n")
    return f"# A comment.\n\n{text}\n# The end.\n"


def test_a_copy_in_another_folder_has_the_same_keys(original, tmp_path):
    elsewhere = Project(tmp_path)
    elsewhere.end()
    assert elsewhere.first == original.first
    assert original.change() == NOTHING


def test_comments_and_docstrings_make_nothing_stale(project):
    for path in sorted(project.package.rglob("*.py")):
        project.edit(path.relative_to(project.package), add_words)
    assert project.change() == NOTHING


STALE = {
    "games/pig.py": ({PIG}, {PIG}, BOTH),
    "games/ten_thousand.py": ({TEN}, {TEN}, BOTH),
    **dict.fromkeys(
        ("vocabulary/dice_and_cards/dice.py", "vocabulary/game.py", "matches/turns/turn.py"),
        (EVERYTHING, EVERYTHING, BOTH),
    ),
    **dict.fromkeys(("solvers/turns/compiled.py", "tabulate/turns.py"), (EVERYTHING, EVERYTHING, BOTH)),
    **dict.fromkeys(("tabulate/slices.py", "tables/writer.py"), (EVERYTHING, EVERYTHING, BOTH)),
    "certify/slices.py": (set(), EVERYTHING, BOTH),
    **dict.fromkeys(("catalog/sql/build.py", "audit/store.py"), (set(), set(), {"catalog"})),
    "catalog/rows/row_arrays_writer.py": (set(), set(), {"map"}),
}


@pytest.mark.parametrize("file", STALE)
def test_a_change_of_code_rebuilds_every_table_that_imports_it(project, file):
    project.edit(file, add_code)
    assert project.change() == STALE[file]


def test_changed_languages_of_cards_make_the_cards_stale(project):
    config = deepcopy(project.config)
    config["tables"]["pig_turn_cards"] = [{"numbers": 1}]
    project.first = project.plan(config)
    project.edit("matches/turns/cards.toml", lambda text: f"{text}\n")
    assert project.change(config) == Change({"pig_turn_cards"}, {"pig_turn_cards"}, BOTH)


def test_code_that_no_file_depends_on_makes_nothing_stale(project):
    for file in ("solvers/reference.py", "catalog/lookup.py", "show/text.py", "cli.py"):
        project.edit(file, add_code)
    for file in ("checks/verify", "solve_one"):
        project.edit(f"pipeline/{file}.py", add_code)
    assert project.change() == NOTHING


IMPORTS = ["from dicebase import counting", "import dicebase.counting", "from .. import counting"]
IMPORTS += ["def helper():\n    from dicebase.counting import ONE"]


@pytest.mark.parametrize("line", IMPORTS)
def test_a_change_of_a_helper_rebuilds_every_table_that_imports_it(project, line):
    project.edit("counting.py", lambda _: "ONE = 1\n")
    for game in ("pig", "forbidden_multiple"):
        project.edit(f"games/{game}.py", lambda text: f"{text}\n{line}\n")
    project.first = project.plan()
    project.edit("counting.py", lambda _: "ONE = 2\n")
    assert project.change() == Change({PIG, FORBIDDEN}, {PIG, FORBIDDEN}, BOTH)


def test_changes_of_a_game_in_another_folder_are_noticed(original, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    rules = (original.package / "games" / "pig.py").read_text(encoding="utf-8")
    (mine / "my_pig.py").write_text(rules)
    config = {"tables": {"my_pig_turn": [{}]}}
    project = Project(tmp_path, DICEBASE_GAMES=mine)
    before = project.plan(config)
    (mine / "my_pig.py").write_text(add_words(rules))
    assert project.plan(config)["digests"] == before["digests"]
    (mine / "my_pig.py").write_text(add_code(rules))
    assert project.plan(config)["digests"] != before["digests"]
    project.end()


def edited(original, table, entry, **new):
    config = deepcopy(original.config)
    config["tables"][table][entry] |= new
    return config


def test_an_added_value_makes_its_slices_stale(original):
    config = edited(original, PIG, 0, sides=[2, 4, 6, 8])
    assert original.change(config) == Change({PIG}, {PIG}, BOTH)
    config = edited(original, TEN, 0, moves=["stop_roll", "m5", "all"])
    anew = {n: k for n, k in original.plan(config)["keys"].items() if k != original.first["keys"].get(n)}
    assert list(anew) == ["ten_thousand_turn/rules=pocket_moves=m5"]


def test_a_changed_definition_makes_stale_the_tables_that_use_it(original):
    config = deepcopy(original.config)
    config["definitions"]["ten_thousand"]["rules"]["unused"] = {"dice": 1, "combinations": {"1": 1}}
    assert original.change(config) == NOTHING
    config["definitions"]["ten_thousand"]["rules"]["pocket"]["combinations"]["5"] = 60
    assert original.change(config) == Change({TEN}, {TEN}, BOTH)


def test_swapped_values_of_two_parameters_give_another_key(original):
    swapped = ({"multiple": 4, "sides": 6}, {"multiple": 6, "sides": 4})
    one, other = (original.plan(edited(original, FORBIDDEN, 0, **new))["keys"] for new in swapped)
    assert one.keys() == other.keys() and one[f"{FORBIDDEN}/all"] != other[f"{FORBIDDEN}/all"]
