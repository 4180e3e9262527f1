"""`describe`: the rules of a table in words, its solved parameters and stored positions, and an example."""

import json
import shlex

import pytest

import dicebase
from dicebase.cli import main
from support import commands, grids
from support.every_table import TABLES, every_table

GRID = every_table


@pytest.mark.parametrize("table", TABLES)
def test_the_example_of_a_table_is_a_command_that_answers(results, db, table, capsys):
    assert main(["--results", str(results), "describe", table]) == 0
    line = capsys.readouterr().out.splitlines()[-1].strip()
    assert line.startswith(f"dicebase lookup {table} ")
    assert main(shlex.split(line)[1:]) == 0
    answer = db.lookup(table, **db.describe(table)["example"])
    assert not db.describe(table)["decides"] or answer["actions"]


@pytest.mark.parametrize("table", TABLES)
def test_the_description_gives_the_solved_and_stored_values(results, db, table, capsys):
    assert main(["--results", str(results), "describe", table, "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described == db.describe(table)
    for p in described["parameters"]:
        assert p["solved"] == sorted({row["parameters"][p["name"]] for row in db.tables(table)})
    there = db.rows(f"SELECT * FROM {table} LIMIT 0")[0]
    # No row stores a hand, which has a text of its own for every order of its cards.
    columns = {c["name"]: c for c in described["columns"] if c["name"] in there and c["name"] != "hand"}
    names = ", ".join(f'min("{n}"), max("{n}")' for n in columns)
    ends = db.rows(f"SELECT {names} FROM {table}")[1][0] if columns else ()
    for (name, c), low, high in zip(columns.items(), ends[::2], ends[1::2], strict=True):
        least, most = c["stored"][0], c["stored"][-1]
        # Values of full cards are stored although they leave nothing to decide.
        assert (least, most) == (low, high) or ("versus" in table and least <= low and high <= most), name


def test_the_description_has_the_rules_in_words(db, capsys, results):
    said = " ".join(db.describe("ten_thousand_duel")["rules"])
    assert "if all dice of a roll score, all must be kept" in said
    assert "the match at once" in said
    assert main(["--results", str(results), "describe", "ten_thousand_turn"]) == 0
    text = capsys.readouterr().out
    assert "   pocket: 3 dice; 1 = 100, 5 = 50, 11 = 300; more than" in text and "   m5_m1: 5 or 1\n" in text


def test_a_game_shows_the_card_of_a_solved_or_configured_rule_set(db, results, capsys):
    (said,) = db.describe("ten_thousand", rules="pocket")["parameters"]
    assert said["cards"]["pocket"][:2] == ["3 dice", "1 = 100, 5 = 50, 11 = 300"]
    config = str(commands.ROOT / "config/config.yaml")
    assert main(["describe", "ten_thousand", "rules=zilch", "--config", config]) == 0
    card = [line.strip() for line in capsys.readouterr().out.partition("\n   zilch\n")[2].splitlines()]
    assert {
        "3 pairs, such as 223344 = 1500",
        "4 of a kind and a pair, such as 222233 = 1500",
        "a roll of all dice of which none scores, all kept = 500",
        "each further die doubles the points of three of a kind",
    } <= {*card}
    for words, said in (
        (["ten_thousand", "rules=zlch"], "rules 'zlch' is not defined; did you mean 'zilch'?"),
        (["ten_thousand", "rule=zilch"], "'rule' is not a parameter that takes names; did you mean 'rules'?"),
        (["ten_thousand_turn", "rules=zilch"], "there is no game 'ten_thousand_turn'; did you mean 'ten_thousand'?"),
    ):
        assert said in commands.error_of(capsys, "describe", *words, "--config", config)


def test_columns_inside_turns_have_no_range_if_starts_are_stored(tmp_path):
    config = "tables: {pig_race: [{target: 20, store: starts}]}"
    with dicebase.open(grids.build(tmp_path / "results", config)) as db:
        described = db.describe("pig_race")
        assert {c["name"]: c["stored"] for c in described["columns"]} == {"banked": [0, 19], "turn_total": []}
        assert db.lookup("pig_race", **described["example"])
