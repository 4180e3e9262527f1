"""Rules with subtle faults, and rules that only look faulty: no table with wrong values gets a certificate.

This process solves several variants one after another, in one slice as `make` does or each in its own slice; another
process certifies them. Certified values are compared with reference/plain_values.py, which asks fresh copies of
the rules in separate processes, in two orders and with two hash seeds.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest

from dicebase.pipeline import solve_one, steps
from dicebase.pipeline.plan import make_slice
from dicebase.tables.layout import CERTIFICATES, TABLES
from dicebase.tables.names import find_table
from dicebase.vocabulary import DicebaseError
from support import grids
from support.commands import ROOT, environment
from support.own_games import known

pytestmark = pytest.mark.larger
HERE = Path(__file__).parent
TRIED = {
    "walk": [("points", [{"length": 20}, {"length": 31, "prize": 5}, {"length": 130}]), ("turns", [{"length": 20}])],
    "race": [("duel", [{"length": 6}, {"length": 9}])],
    "push": [("turn", [{"sides": 6}, {"sides": 4}, {"sides": 9}])],
    "throw": [("race", [{"sides": 6, "target": 12}, {"sides": 4, "target": 12}])],
    "slots": [("score", [{"slots": 2}, {"slots": 4}])],
    "sheet": [("score", [{"pair": 5}, {"pair": 9}])],
}
"""The tables of each lawful file, each with the parameters of variants that are solved in turn."""

RIGHT, REFUSED, EITHER = "right", "refused", "either"
SAMPLE = {
    "push_memory_in_the_class_of_turns",
    "race_memory_of_the_sum_of_squares",
    "sheet_memory_of_sets_of_dice",
    "slots_memory_of_slots",
    "throw_cache_forgets_sides",
    "walk_a_list_that_grows",
    "walk_actions_from_a_set_of_two",
    "walk_memory_in_the_decimal_context",
    "walk_one_pair_of_squares_alike",
    "walk_plays_by_the_helper",
    "walk_settings_beside_of_the_first_variant",
    "walk_start_from_a_set_of_two",
}
"""The cases that `make test` runs; with DICEBASE_ALL all cases run."""


class Case(NamedTuple):
    kind: str  # the lawful file
    name: str
    becomes: str
    rules: str


def cases(path):
    """Read the cases of a file: after `== name: expected result` come the changes to the lawful file. Lines after [top]
    go before the class, lines after [class] into it, and lines after [_method] replace the body of this method; after
    [replace] some lines (-) are replaced by others (+)."""
    for said in re.split(r"^== ", path.read_text(), flags=re.MULTILINE)[1:]:
        heading, _, parts = said.partition("\n")
        name, becomes = heading.split(": ")
        rules = (HERE / f"lawful/{path.stem}.py").read_text()
        for part in re.split(r"^(?=\[\w+\]$)", parts, flags=re.MULTILINE)[1:]:
            where, lines = re.fullmatch(r"\[(\w+)\]\n(.*)", part, re.DOTALL).groups()
            if where == "replace":
                old, new = ("\n".join(x[1:] for x in lines.splitlines() if x[0] == sign) for sign in "-+")
            elif where == "top":
                old, new = "# TOP\n", lines + "\n"
            elif where == "class":
                old, new = "    # CLASS\n", indent(lines, " " * 4)
            else:
                old = re.search(rf"    def {where}\(.*\n((        .*\n|\n(?=        ))+)", rules)[1]
                new = indent(lines, " " * 8)
            assert rules.count(old) == 1, (name, old)
            rules = rules.replace(old, new)
        yield Case(path.stem, name, becomes, rules)


CASES = [case for path in sorted((HERE / "cases").glob("*.txt")) for case in cases(path)]


def game(case):
    return f"{case.kind}_{case.name}"


CHOSEN = [case for case in CASES if "DICEBASE_ALL" in os.environ or game(case) in SAMPLE]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the rules of all chosen cases."""
    folder = shutil.copytree(HERE / "beside", tmp_path_factory.mktemp("subtle") / "games")
    for case in CHOSEN:
        (folder / f"{game(case)}.py").write_text(case.rules)
    with known(folder):
        yield folder


@pytest.fixture(scope="module")
def plain(folder, tmp_path_factory):
    """Two results of plain value iteration by (table, parameters), the second in reverse with another hash seed."""
    asked = [
        (f"{game(case)}_{match}", played(given), [])
        for case in CHOSEN
        for match, of in TRIED[case.kind]
        for given in of
    ]

    def iterate(to):
        first = iterated(folder, asked)
        second = iterated(folder, [(*case[:2], order) for case, (*_, order) in zip(asked, first, strict=True)])
        (to / "values.json").write_text(json.dumps([first, second]))

    both = json.loads((grids.once(tmp_path_factory, "plain", iterate) / "values.json").read_text())
    return {(case[0], json.dumps(case[1])): found for case, *found in zip(asked, *both, strict=True)}


def played(given):
    """The parameters of the rules; `target` is a parameter of the match."""
    return {name: value for name, value in given.items() if name != "target"}


def iterated(folder, asked):
    variables = environment(DICEBASE_GAMES=folder, PYTHONHASHSEED="random")
    command = [sys.executable, str(ROOT / "tests/reference/plain_values.py")]
    said = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, env=variables, check=True)
    return json.loads(said.stdout)


def test_many_rules_are_tried():
    assert len({game(case) for case in CASES}) == len(CASES) > 150
    assert {game(case) for case in CHOSEN} >= SAMPLE and {case.kind for case in CHOSEN} == {*TRIED}


@pytest.mark.parametrize("case", CHOSEN, ids=game)
def test_no_table_is_certified_that_plain_value_iteration_contradicts(case, folder, plain, tmp_path):
    refused = [bool(refusal(case, match, given, tmp_path)) for match, given in TRIED[case.kind]]
    for (match, given), no_table in zip(TRIED[case.kind], refused, strict=True):
        for parameters, (value, states) in [] if no_table else published(case, match, given, tmp_path):
            for plainly, states_plainly, _ in plain[f"{game(case)}_{match}", json.dumps(played(parameters))]:
                assert value == pytest.approx(plainly, rel=1e-9, abs=1e-9), (match, parameters)
                assert states_plainly.keys() <= states.keys()
                assert {s: states[s] for s in states_plainly} == pytest.approx(states_plainly, rel=1e-9, abs=1e-9)
    assert case.becomes == EITHER or refused[0] == (case.becomes == REFUSED)
    assert case.becomes != RIGHT or not any(refused)


def refusal(case, match, given, results):
    """The message with which solver or certifier refuse a table; empty if it is certified."""
    name = f"{game(case)}_{match}"
    try:
        table = find_table(name)
        variants = [table.variant(parameters, {}, name) for parameters in given]
        # `make` solves small variants together, `dicebase solve` each on its own.
        slices = [variants] if CASES.index(case) % 2 else [[variant] for variant in variants]
        pieces = [make_slice(table, f"slice_{i}", some, {}) for i, some in enumerate(slices)]
        for piece in pieces:
            steps.solve(results, piece.key)
        for piece in pieces:
            solve_one.certify_in_new_process(results, name, piece.name, piece.certificate_key)
    except DicebaseError as error:
        assert str(error) and "\n" not in str(error)
        return str(error)
    return ""


def published(case, match, given, results):
    """[(parameters, (certified value, {state: value} of a board))] of a table's variants."""
    table = find_table(f"{game(case)}_{match}")
    files = [[*(results / folder / table.name).glob("*.parquet")] for folder in (CERTIFICATES, TABLES)]
    certified, rows = ([row for file in of for row in pq.read_table(file).to_pylist()] for of in files)
    columns = [c.name for c in getattr(table.rules_class, "columns", ())]
    for parameters in given:
        variant = table.variant(parameters, {}, table.name)
        (row,) = [row for row in certified if json.loads(row["parameters"]) == variant]
        own = [row for row in rows if variant.items() <= row.items()]
        yield parameters, (row["value"], {json.dumps([row[c] for c in columns]): row["value"] for row in own})
