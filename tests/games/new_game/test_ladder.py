"""A new game takes a rules file, an entry of a configuration and a test, without edits of other code.

Climbing one more rung from height h has the value p * (h + rung), with p = (sides - 1) / sides. That is more than h if
h < (sides - 1) * rung, and equal to h there. So the best climb has sides - 1 rungs, or one more, and the value is
(sides - 1) * rung * p ** (sides - 1).
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import duckdb
import pytest

from dicebase.tables.names import find_table, known_tables
from support import commands, grids
from support.contract import Published, TurnRulesContract
from support.own_games import known

HERE = Path(__file__).parent
VARIABLES = {"DICEBASE_GAMES": HERE / "games"}


def closed_form(sides, rung):
    return (sides - 1) * rung * Fraction(sides - 1, sides) ** (sides - 1)


@pytest.fixture(autouse=True)
def found():
    with known(HERE / "games"):
        yield


class TestLadder(TurnRulesContract):
    game = "ladder"
    small: ClassVar = [{}, {"sides": 2}, {"sides": 3, "rung": 7}, {"sides": 10, "rung": 1}]
    published: ClassVar = [
        Published("closed form", {"sides": sides, "rung": rung}, closed_form(sides, rung))
        for sides, rung in ((2, 1), (6, 10), (7, 3), (100, 1000))
    ]


def test_it_is_found_by_the_name_of_its_file():
    assert find_table("ladder_turn").rules_class.__module__ == "dicebase.games.ladder"
    assert "ladder_turn" in known_tables() and "pig_turn" in known_tables()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The tables of the new game, built by the unchanged workflow."""

    def build(folder):
        done = commands.snakemake(folder, "--configfile", HERE / "config.yaml", **VARIABLES)
        assert commands.jobs(done) == {"solve": 1, "certify": 1} | commands.AFTER

    return grids.once(tmp_path_factory, "ladder", build)


def dicebase(folder, *words):
    done = commands.dicebase_here(*words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_workflow_builds_and_certifies_it(built):
    with duckdb.connect(str(built / "results" / "dicebase.duckdb"), read_only=True) as connection:
        found = connection.execute("SELECT parameters, exact, error_bound FROM tables").fetchall()
    assert len(found) == 4
    for parameters, exact, bound in found:
        assert Fraction(exact) == closed_form(**json.loads(parameters)) and bound < 1e-12
    assert commands.jobs(commands.snakemake(built, "-n", "--configfile", HERE / "config.yaml", **VARIABLES)) == {}


def test_it_is_looked_up_like_any_other(built):
    answer = json.loads(dicebase(built, "lookup", "ladder_turn", "height=40", "--json"))
    assert answer["parameters"] == {"sides": 6, "rung": 10}
    assert [action["action"] for action in answer["actions"]] == ["roll", "jump off"]
    assert "A tie: jump off and roll are equally good." in dicebase(built, "lookup", "ladder_turn", "height=50")
    assert "Best: jump off" in dicebase(built, "lookup", "ladder_turn", "height=60")
    done = commands.dicebase_here("lookup", "ladder_turn", "height=45", cwd=built)
    assert done.returncode == 2 and "there is a rung every 10 points" in done.stderr
    assert json.loads(dicebase(built, "sql", "--json", "SELECT action FROM ladder_turn_at(90, sides := 10)"))


def test_it_is_verified_and_solved_without_the_workflow(built, tmp_path):
    lines = dicebase(built, "verify", "results").splitlines()
    assert "ladder_turn/all: holds" in lines and all(line.endswith(": holds") for line in lines)
    assert "holds" in dicebase(built, "verify", "results", "--plan", "--config", HERE / "config.yaml")
    dicebase(tmp_path, "solve", "ladder_turn", "sides=4", "rung=5")
    assert "Best: roll" in dicebase(tmp_path, "lookup", "ladder_turn", "sides=4", "rung=5", "height=10")


def test_a_catalogue_opened_without_the_rules_still_answers_sql_and_says_what_is_missing(built):
    query = "SELECT DISTINCT action FROM ladder_turn WHERE height = 60 AND sides = 6"
    done = commands.dicebase("sql", "--json", query, cwd=built)
    assert json.loads(done.stdout) == [{"action": "jump off"}]
    done = commands.dicebase("lookup", "ladder_turn", "height=40", cwd=built)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "DICEBASE_GAMES" in done.stderr
