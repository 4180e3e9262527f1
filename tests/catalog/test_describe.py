"""`describe`, `cite` and the view `compare`: the rules of a table, an entry that finds a number, and several rules."""

import hashlib
import json
import re
import shlex

import pytest
import yaml

import dicebase
from dicebase.catalog.citation import YEAR, cite
from dicebase.cli import main
from dicebase.policies.card_of_turns import CardOfTurns
from dicebase.show.report import compared
from dicebase.vocabulary import MissingTableError
from support import commands, grids
from support.every_table import TABLES, every_table

GRID = every_table


@pytest.mark.parametrize("table", TABLES)
def test_the_example_of_a_table_is_a_command_that_answers(db, table, say):
    line = say("describe", table).splitlines()[-1].strip()
    assert line.startswith(f"dicebase lookup {table} ")
    assert main(shlex.split(line)[1:]) == 0
    answer = db.lookup(table, **db.describe(table)["example"])
    assert not db.describe(table)["decides"] or answer["actions"]


@pytest.mark.parametrize("table", TABLES)
def test_the_description_gives_the_solved_and_stored_values(db, table, say):
    described = json.loads(say("describe", table, "--json"))
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


def test_the_description_has_the_rules_in_words(db, say):
    said = " ".join(db.describe("ten_thousand_duel")["rules"])
    assert "if all dice of a roll score, all must be kept" in said
    assert "the match at once" in said
    text = say("describe", "ten_thousand_turn")
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


def fields(entry):
    return dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.M))


def test_an_entry_has_the_digest_of_the_certificate_and_the_version(db):
    row = next(row for row in db.tables("pig_turn") if row["parameters"] == {"sides": 6, "dice": 1})
    certificate = json.dumps({name: x for name, x in row.items() if name != "seconds"}, ensure_ascii=False)
    digest = hashlib.sha256(certificate.encode()).hexdigest()
    entry = cite(db, "pig_turn", None, {})
    assert entry.startswith(f"@misc{{dicebase-pig_turn-{digest[:8]},\n") and entry.endswith("\n}")
    said = fields(entry)
    assert f"certificate sha256:{digest}" in said["note"] and f"value {row['exact']} (points)" in said["note"]
    assert said["howpublished"].startswith(f"dicebase {dicebase.__version__}")
    assert said["title"].startswith(r"pig\_turn sides=6 dice=1 (Pig: ")
    release = yaml.safe_load((commands.ROOT / "CITATION.cff").read_text(encoding="utf-8"))["date-released"]
    assert said["year"] == str(YEAR) == release[:4]


def test_a_position_is_cited_with_its_value_and_advice(db, say):
    answer = db.lookup("pig_turn", turn_total=18)
    entry = cite(db, "pig_turn", "18", {})
    assert entry == cite(db, "pig_turn", None, {"turn_total": "18", "sides": "6"})
    note = fields(entry)["note"]
    assert note.startswith(rf"position 18 (turn\_total), value {answer['value']!r} (points), error at most ")
    assert answer["advice"].rstrip(".") in note and entry.count("{") == entry.count("}")
    assert say("cite", "pig_turn", "18", "sides=6") == f"{entry}\n"


def test_a_variant_without_a_certificate_is_refused(db):
    assert db.lookup("pig_turn", turn_total=18)
    with pytest.raises(MissingTableError, match="pig_turn is not solved for sides=7 dice=1"):
        cite(db, "pig_turn", None, {"sides": 7})


def test_compare_has_the_values_of_each_rule_set(db):
    names, rows = db.rows("FROM compare WHERE game = 'pig' AND rules = '{\"sides\": 6, \"dice\": 1}'")
    row, *_ = (dict(zip(names, row, strict=True)) for row in rows)
    # The optimal turn holds at 20; one of the six faces loses the turn.
    assert json.loads(row["hold_at"]) == {"0": 20} and row["lost"] == 1 / 6
    (duel,) = (
        t["value"] for t in db.tables("pig_duel") if t["parameters"] == {"sides": 6, "dice": 1, "target": row["target"]}
    )
    assert row["duel"] == duel and row["advantage"] == pytest.approx(2 * duel - 1)


def test_compare_says_from_which_total_to_stop(db):
    ((turn, lost, hold_at),) = db.rows(
        "SELECT DISTINCT turn, lost, hold_at FROM compare WHERE game = 'ten_thousand' AND turn IS NOT NULL"
    )[1]
    rules = next(v.game.rules for v in db.solved("ten_thousand_turn").variants if v.parameters["moves"] == "all")
    card = CardOfTurns.of(rules)  # from rationals, without a table
    assert turn == pytest.approx(card.best, rel=1e-14) and lost == 8 / 27
    known = {str(row["hand"]): row["from"] for row in card.stops}
    assert json.loads(hold_at) == known


def test_the_page_compares_in_words(db):
    said = {tuple(row[:2]): row for row in compared(db)}
    assert said["pig", "sides: 6, dice: 1"][6] == "20"
    assert said["ten_thousand", "rules: pocket"][5].startswith("0.29")
