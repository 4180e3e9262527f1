"""Ordinary ways to make, grow and use a results folder, after which `verify` must find nothing wrong.

Each is given a folder of its own, in which `made` is a results folder of CONFIG as the workflow makes it, and does not
return another results folder than `made` unless it says so.
"""

import os
import shutil
import subprocess
from pathlib import Path

import duckdb
import yaml

import dicebase
from dicebase.cli import main
from dicebase.pipeline import steps
from dicebase.pipeline.plan import Plan, make_plan
from dicebase.show.http.app import make_app
from dicebase.tables.layout import SliceFiles
from dicebase.tables.parquet import read_footer
from support.asgi import ask

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
    """Do the workflow's work, except pictures: solve and certify missing slices, then make every copy."""
    plan = make_plan(yaml.safe_load(config))
    for place, piece in plan.slices.items():
        files = SliceFiles(results, *place)
        if not files.rows.exists() or read_footer(files.rows)["key"] != yaml.safe_load(piece.key):
            steps.solve(results, piece.key)
            steps.certify(results, *place, piece.certificate_key)
    make_copies(results, plan)


def make_copies(results: Path, plan: Plan) -> None:
    for step in (steps.catalog, steps.map_rows, steps.datapackage):
        step(results, plan.slices)
    for step in (steps.audit, steps.pages, steps.explorer):
        step(results)


def solve(results: Path, *words: str) -> None:
    assert main(["solve", *words, "-o", str(results)]) == 0


# --- by `dicebase solve` ---------------------------------------------------------------------------------------------


def solve_the_same_table_twice(folder):
    for _ in range(2):
        solve(folder / "mine", "pig_turn", "sides=4")
    return folder / "mine"


def solve_the_same_table_four_times(folder):
    for _ in range(4):
        solve(folder / "mine", "pig_turn", "sides=4")
    return folder / "mine"


def solve_a_second_table(folder):
    solve(folder / "mine", "pig_turn", "sides=4")
    solve(folder / "mine", "forbidden_multiple_turn", "multiple=3")
    return folder / "mine"


def solve_three_variants_of_a_table(folder):
    for variant in (["sides=4"], ["sides=6"], ["sides=4", "dice=2"]):
        solve(folder / "mine", "pig_turn", *variant)
    return folder / "mine"


def solve_by_starts_and_by_rows(folder):
    solve(folder / "mine", "pig_duel", "target=10", "--store", "starts")
    solve(folder / "mine", "pig_duel", "target=12")
    return folder / "mine"


def solve_by_force(folder):
    solve(folder / "mine", "hog_turn", "--force")
    return folder / "mine"


def solve_an_own_game(folder):
    solve(folder / "mine", "ladder_turn", "sides=4")
    solve(folder / "mine", "pig_turn", "sides=4")
    return folder / "mine"


def solve_by_a_definition_that_is_gone_afterwards(folder):
    (folder / "mine.yaml").write_text(DEFINITIONS)
    solve(folder / "mine", "ten_thousand_turn", "rules=pocket", "--config", str(folder / "mine.yaml"))
    (folder / "mine.yaml").unlink()
    return folder / "mine"


def solve_layer_by_layer(folder):
    solve(folder / "mine", "royal_ur_layers", "pieces=1", "before=1", "middle=2", "after=1", "dice=2")
    return folder / "mine"


def solve_from_python(folder):
    for sides in (2, 4):
        with dicebase.solve("pig_turn", results=folder / "mine", sides=sides) as table:
            assert table.lookup(turn_total=2)
    return folder / "mine"


def solve_after_an_error(folder):
    solve(folder / "mine", "pig_turn", "sides=4")
    assert main(["solve", "pig_turn", "sides=1", "-o", str(folder / "mine")]) == 2
    return folder / "mine"


def solve_into_what_the_workflow_made(folder):
    solve(folder / "made", "forbidden_multiple_turn", "multiple=3")


def solve_another_variant_into_what_the_workflow_made(folder):
    solve(folder / "made", "pig_turn", "sides=8")
    solve(folder / "made", "pig_turn", "sides=8")


def solve_into_what_the_workflow_made_and_make_again(folder):
    solve(folder / "made", "forbidden_multiple_turn", "multiple=3")
    make(folder / "made")


# --- by `make` -------------------------------------------------------------------------------------------------------


def make_once(folder):
    return folder / "made"


def make_again(folder):
    make(folder / "made")
    make(folder / "made")


def add_a_value(folder):
    make(folder / "made", CONFIG.replace("[2, 4]", "[2, 4, 6]"))


def add_a_value_twice(folder):
    add_a_value(folder)
    make(folder / "made", CONFIG.replace("[2, 4]", "[2, 4, 6, 8]"))


def remove_a_value(folder):
    make(folder / "made", CONFIG.replace("[2, 4]", "[4]"))


def remove_a_value_and_add_it_again(folder):
    remove_a_value(folder)
    make(folder / "made")


def add_a_table(folder):
    make(folder / "made", CONFIG + "  forbidden_multiple_turn: [{multiple: 3}]\n")


def remove_a_table(folder):
    make(folder / "made", "tables: {pig_turn: [{sides: [2, 4], slice_by: []}]}")


def make_a_wider_grid_and_the_first_again(folder):
    add_a_table(folder)
    make(folder / "made")


def cut_the_grid_into_other_slices(folder):
    make(folder / "made", CONFIG.replace("slice_by: []", "slice_by: [sides]"))


def store_the_starts_of_turns_from_now_on(folder):
    make(folder / "made", CONFIG.replace("target: 10", "target: 10, store: starts"))


def make_the_copies_from_nothing(folder):
    for name in ("dicebase.duckdb", "datapackage.json"):
        (folder / "made" / name).unlink()
    for name in ("mapped", "explorer", "audit", "pages", "schemas"):
        shutil.rmtree(folder / "made" / name)
    make(folder / "made")


def leave_what_make_leaves(folder):
    """Snakemake's stamps and logs, the report, the documentation as a site, a lock, and parts of a killed run."""
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
    solve(folder / "made" / "mine", "pig_turn", "sides=4")


# --- moved and copied ------------------------------------------------------------------------------------------------


def move_the_folder(folder):
    return (folder / "made").rename(folder / "else where")


def move_it_to_a_name_with_special_characters(folder):
    return (folder / "made").rename(folder / "a*b[c] 'd' {e} %20 ü")


def copy_the_folder(folder):
    return shutil.copytree(folder / "made", folder / "copy")


def copy_it_by_hard_links(folder):
    return shutil.copytree(folder / "made", folder / "copy", copy_function=os.link)


def unpack_a_release(folder):
    leave_what_make_leaves(folder)
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


# --- queries ---------------------------------------------------------------------------------------------------------


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


WAYS = [
    solve_the_same_table_twice,
    solve_the_same_table_four_times,
    solve_a_second_table,
    solve_three_variants_of_a_table,
    solve_by_starts_and_by_rows,
    solve_by_force,
    solve_an_own_game,
    solve_by_a_definition_that_is_gone_afterwards,
    solve_layer_by_layer,
    solve_from_python,
    solve_after_an_error,
    solve_into_what_the_workflow_made,
    solve_another_variant_into_what_the_workflow_made,
    solve_into_what_the_workflow_made_and_make_again,
    make_once,
    make_again,
    add_a_value,
    add_a_value_twice,
    remove_a_value,
    remove_a_value_and_add_it_again,
    add_a_table,
    remove_a_table,
    make_a_wider_grid_and_the_first_again,
    cut_the_grid_into_other_slices,
    store_the_starts_of_turns_from_now_on,
    make_the_copies_from_nothing,
    leave_what_make_leaves,
    make_other_results_inside,
    move_the_folder,
    move_it_to_a_name_with_special_characters,
    copy_the_folder,
    copy_it_by_hard_links,
    unpack_a_release,
    name_it_by_a_link,
    name_it_from_another_folder,
    touch_every_file,
    ask_about_positions,
    serve_it,
    open_the_catalogue_to_write,
    verify_it_otherwise_before,
]
