"""Ordinary ways to make, grow and use a results folder, after which `verify` must find nothing wrong.

Each way gets a folder with a results folder `made`, which the workflow made from CONFIG. It returns the results folder
to verify, if that is another one."""

import os
import shutil
import subprocess
from pathlib import Path

import duckdb
import yaml

import dicebase
from dicebase.cli import main
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.show.http.app import make_app
from dicebase.tables.layout import SliceFiles
from dicebase.tables.parquet import read_footer
from support.asgi import ask
from support.forgeries.forgery import make_copies

CONFIG = """
tables:
  pig_turn:
    - {sides: [2, 4], slice_by: []}
  pig_duel:
    - {target: 10}
  hog_turn:
    - {max_dice: 5}
"""
DEFINITIONS = """
definitions:
  ten_thousand:
    rules:
      pocket: {dice: 3, combinations: {"1": 100, "5": 50, "11": 300}}
tables: {ten_thousand_turn: [{rules: pocket}]}
"""


def make(results: Path, config: str = CONFIG) -> None:
    """Do what the workflow does, except pictures: solve and certify missing slices, then make every copy."""
    plan = make_plan(yaml.safe_load(config))
    for place, piece in plan.slices.items():
        files = SliceFiles(results, *place)
        if not files.rows.exists() or read_footer(files.rows)["key"] != yaml.safe_load(piece.key):
            steps.solve(results, piece.key)
            steps.certify(results, *place, piece.certificate_key)
    make_copies(results, plan.slices)


def solve(results: Path, *commands: str) -> Path:
    """`dicebase solve` with each of these commands."""
    for words in commands:
        assert main(["solve", *words.split(), "-o", str(results)]) == 0
    return results


# Commands of `dicebase solve` into a new folder.
SOLVED = {
    "solve the same table twice": ["pig_turn sides=4"] * 2,
    "solve the same table four times": ["pig_turn sides=4"] * 4,
    "solve a second table": ["pig_turn sides=4", "forbidden_multiple_turn multiple=3"],
    "solve three variants of a table": ["pig_turn sides=4", "pig_turn sides=6", "pig_turn sides=4 dice=2"],
    "solve by starts and by rows": ["pig_duel target=10 --store starts", "pig_duel target=12"],
    "solve by force": ["hog_turn --force"],
    "solve an own game": ["ladder_turn sides=4", "pig_turn sides=4"],
    "solve layer by layer": ["royal_ur_layers pieces=1 before=1 middle=2 after=1 dice=2"],
}
# Commands of `dicebase solve` into the folder that the workflow made.
ADDED = {
    "solve into what the workflow made": ["forbidden_multiple_turn multiple=3"],
    "solve another variant into what the workflow made": ["pig_turn sides=8"] * 2,
}
# Configurations with which the workflow runs one after another.
MORE_VALUES = CONFIG.replace("[2, 4]", "[2, 4, 6]")
MORE_TABLES = CONFIG + "  forbidden_multiple_turn: [{multiple: 3}]\n"
MADE = {
    "make once": [],
    "make again": [CONFIG] * 2,
    "add a value": [MORE_VALUES],
    "add a value twice": [MORE_VALUES, CONFIG.replace("[2, 4]", "[2, 4, 6, 8]")],
    "remove a value": [CONFIG.replace("[2, 4]", "[4]")],
    "remove a value and add it again": [CONFIG.replace("[2, 4]", "[4]"), CONFIG],
    "add a table": [MORE_TABLES],
    "remove a table": ["tables: {pig_turn: [{sides: [2, 4], slice_by: []}]}"],
    "make a wider grid and the first again": [MORE_TABLES, CONFIG],
    "cut the grid into other slices": [CONFIG.replace("slice_by: []", "slice_by: [sides]")],
    "store the starts of turns from now on": [CONFIG.replace("target: 10", "target: 10, store: starts")],
}


def solve_by_a_definition_that_is_gone_afterwards(folder):
    (folder / "mine.yaml").write_text(DEFINITIONS)
    solve(folder / "mine", f"ten_thousand_turn rules=pocket --config {folder / 'mine.yaml'}")
    (folder / "mine.yaml").unlink()
    return folder / "mine"


def solve_from_python(folder):
    for sides in (2, 4):
        with dicebase.solve("pig_turn", results=folder / "mine", sides=sides) as table:
            assert table.lookup(turn_total=2)
    return folder / "mine"


def solve_after_an_error(folder):
    solve(folder / "mine", "pig_turn sides=4")
    assert main(["solve", "pig_turn", "sides=1", "-o", str(folder / "mine")]) == 2
    return folder / "mine"


def solve_into_what_the_workflow_made_and_make_again(folder):
    solve(folder / "made", "forbidden_multiple_turn multiple=3")
    make(folder / "made")


def make_the_copies_from_nothing(folder):
    for name in ("dicebase.duckdb", "datapackage.json"):
        (folder / "made" / name).unlink()
    for name in ("mapped", "explorer", "audit", "pages", "schemas"):
        shutil.rmtree(folder / "made" / name)
    make(folder / "made")


def leave_the_files_that_make_leaves(folder):
    """Leave Snakemake's stamps and logs, the report, the documentation as a site, a lock, and parts of a killed run."""
    made = folder / "made"
    left = ["logs/solve/pig_turn/all.log", "report.html", "site/index.html", ".lock", "tables/pig_turn/.x.123.part"]
    left += [".dicebase.duckdb.123.part", ".dicebase.duckdb.123.part.wal"]
    for place in left:
        (made / place).parent.mkdir(parents=True, exist_ok=True)
        (made / place).write_text("left")
    for name in ("schemas", "explorer", "pictures"):
        (made / name).mkdir(exist_ok=True)
        (made / name / ".snakemake_timestamp").touch()


def make_other_results_inside(folder):
    solve(folder / "made" / "mine", "pig_turn sides=4")


def unpack_a_release(folder):
    leave_the_files_that_make_leaves(folder)
    out = [f"--exclude={name}" for name in (".snakemake_timestamp", "made/logs", "made/site", "made/report.html")]
    pack = ["tar", "-C", folder, *out, "--exclude=made/.[!.]*", "-czf", folder / "made.tar.gz", "made"]
    subprocess.run(pack, check=True)
    (folder / "unpacked").mkdir()
    subprocess.run(["tar", "-C", folder / "unpacked", "-xzf", folder / "made.tar.gz"], check=True)
    return folder / "unpacked/made"


def name_it_by_a_link(folder):
    (folder / "link").symlink_to("made")
    return folder / "link"


def name_it_from_another_folder(folder):
    (folder / "elsewhere").mkdir()
    os.chdir(folder / "elsewhere")
    return Path("../elsewhere/../made")


def touch_every_file(folder):
    for number, path in enumerate(sorted((folder / "made").rglob("*"), reverse=True)):
        os.utime(path, (10**9 + number, 10**9 + number))


def ask_about_positions(folder):
    made = str(folder / "made")
    (folder / "rows.csv").write_text("sides,turn_total\n2,4\n4,8\n")
    for words in (
        ["tables"],
        ["describe", "pig_turn"],
        ["lookup", "pig_duel", "target=10", "me=3", "opponent=2", "turn_total=4", "--why"],
        ["lookup", "pig_turn", "--from", str(folder / "rows.csv"), "--to", str(folder / "answers.csv")],
        ["evaluate", "pig_duel", "target=10", "--policy", "hold_at_5"],
        ["sql", "SELECT count(*) FROM pig_duel_actions"],
        ["sql", "SELECT count(*) FROM pig_turn", "--unrestricted"],
    ):
        assert main([*words, "--results", made]) == 0, words


def serve_it(folder):
    app = make_app(folder / "made")
    with app.state.service:
        assert ask(app, "/v1/pig_turn?sides=4&turn_total=2").status_code == 200


def open_the_catalogue_to_write(folder):
    with duckdb.connect(str(folder / "made/dicebase.duckdb")) as connection:
        connection.execute("CREATE TEMP TABLE mine AS FROM pig_turn")
        connection.execute("CHECKPOINT")


def verify_it_otherwise_before(folder):
    (folder / "config.yaml").write_text(CONFIG)
    assert main(["verify", str(folder / "made"), "--plan", "--config", str(folder / "config.yaml")]) == 0
    assert main(["verify", str(folder / "made")]) == 0


def solved(commands):
    return lambda folder: solve(folder / "mine", *commands)


def added(commands):
    return lambda folder: solve(folder / "made", *commands)


def made(configurations):
    def way(folder):
        for config in configurations:
            make(folder / "made", config)

    return way


OTHERS = [solve_by_a_definition_that_is_gone_afterwards, solve_from_python, solve_after_an_error, touch_every_file]
OTHERS += [solve_into_what_the_workflow_made_and_make_again, make_the_copies_from_nothing, unpack_a_release, serve_it]
OTHERS += [leave_the_files_that_make_leaves, make_other_results_inside, name_it_by_a_link, name_it_from_another_folder]
OTHERS += [ask_about_positions, open_the_catalogue_to_write, verify_it_otherwise_before]
MOVED = {
    "move the folder": lambda folder: (folder / "made").rename(folder / "else where"),
    "move it to a name of special characters": lambda folder: (folder / "made").rename(folder / "a*b[c] 'd' {e} %2 ü"),
    "copy the folder": lambda folder: shutil.copytree(folder / "made", folder / "copy"),
    "copy it by hard links": lambda folder: shutil.copytree(folder / "made", folder / "copy", copy_function=os.link),
}
WAYS = {
    **{name: solved(commands) for name, commands in SOLVED.items()},
    **{name: added(commands) for name, commands in ADDED.items()},
    **{name: made(configurations) for name, configurations in MADE.items()},
    **MOVED,
    **{way.__name__: way for way in OTHERS},
}
"""All ways by name."""
