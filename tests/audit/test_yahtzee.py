"""The printed numbers of Yahtzee and Yatzy, compared with the solver's values, and docs/games/yahtzee.md.

Certifying their tables takes long; the build of the full grid does that before its audit."""

import json
import re
from fractions import Fraction
from itertools import pairwise
from math import comb

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import yaml

from dicebase.audit.record import read
from dicebase.audit.store import PLACES, audit_table
from dicebase.certify.sheets.turn import most_points, reach, turn_of
from dicebase.tables.names import find_table
from dicebase.tabulate.slices import tabulator
from reference.yahtzee import YATZY, repeated, yatzy, yatzy_2012
from support.audit_page import FINDINGS, table
from support.commands import ROOT
from support.printed import agrees

CARDS = yaml.safe_load((ROOT / "config" / "full.yaml").read_text(encoding="utf-8"))["definitions"]["yahtzee"]
AUDITED = ("forced", "free", "bonus_only", "none", "yatzy", "yatzy_2012", "yacht_dice")
RULES = (*AUDITED, "kniffel", "short")
BOUND = 1e-9
SCORES = {"SHEET_SCORES_FORCED", "SHEET_SCORES_FREE"}
"""Distributions: only the full grid has them."""


@pytest.fixture(scope="module")
def catalogue(default_results):
    """The tables that the audit reads, made from the solver's values; one of them is in the default grid too."""
    solved = find_table("yahtzee_score")
    tables, starts = [], None
    for rules in RULES:
        game = solved.build(solved.variant({"rules": rules}, CARDS, ""), CARDS)
        found = next(tabulator(solved)(game)).states
        row = {"name": solved.name, "parameters": json.dumps({"rules": rules}), "value": float(found["value"][-1])}
        row |= {"definitions": json.dumps({"rules": {rules: CARDS["rules"][rules]}})}
        tables.append(row | {"error_bound": BOUND, "store": "rows"})
        if rules == "none":
            starts = pa.table(dict(found)).append_column("rules", pa.array([rules] * len(found["value"])))
    with duckdb.connect(str(default_results / "dicebase.duckdb"), read_only=True) as default:
        (forced,) = default.execute("SELECT value FROM tables WHERE name = 'yahtzee_score'").fetchone()
    assert forced == tables[0]["value"]
    with duckdb.connect() as connection:
        connection.register("tables", pa.Table.from_pylist(tables))
        connection.register("yahtzee_score_values", starts)
        yield connection


@pytest.fixture(scope="module")
def audited(catalogue):
    return audit_table(catalogue).to_pylist()


def value(catalogue, rules):
    where = "SELECT value FROM tables WHERE parameters = ?"
    (found,) = catalogue.execute(where, [json.dumps({"rules": rules})]).fetchone()
    return found


def test_every_printed_number_of_yahtzee_is_audited(audited):
    places = {(p["source"], p["place"]): {*p["needs"]} for p in PLACES if p["file"] == "yahtzee"}
    assert {(row["source"], row["place"]) for row in read("yahtzee")} == places.keys()
    here = {place for place, needs in places.items() if not needs & SCORES}
    assert {(row["source"], row["place"]) for row in audited} == here
    assert len(audited) == sum((row["source"], row["place"]) in here for row in read("yahtzee"))


def test_the_page_says_what_differs(audited):
    differing = {row["source"]: row for row in audited if row["verdict"] != "agrees"}
    for row in table("Yahtzee: what differs"):
        cell = differing.pop(row["Source"])
        assert (row["Printed"], row["Verdict"]) == (cell["printed"], cell["verdict"])
        assert agrees(row["Computed"], Fraction(cell["ours"]))
    assert not differing


def test_the_page_has_our_values(catalogue):
    rows = table("Yahtzee: whose joker")
    assert [row["Rules"].strip("`") for row in rows] == list(AUDITED)
    for row in rows:
        assert row["Value"] == f"{value(catalogue, row['Rules'].strip('`')):.7f}"


def test_no_joker_rule_gives_the_fraction_of_liese_and_kelly(catalogue):
    found = [value(catalogue, rules) for rules in ("forced", "free", "bonus_only")]
    (said,) = (row["is"] for row in read("statements") if row["source"] == "Precisit")
    assert "{:.5f}, {:.5f} and {:.5f}".format(*found) in said
    assert not any(f"{value(catalogue, rules):.5f}" == "254.58937" for rules in RULES)


def test_the_scores_of_2012_are_those_of_the_program():
    """ScoreCard.scorePair adds twice the face of each of the two highest pairs, even if there is only one pair."""
    for throw in [(1, 2, 2, 4, 5), (6, 6, 6, 6, 6), (3, 3, 5, 5, 5)]:
        assert yatzy_2012("two_pairs", throw) == sum(2 * face for face in repeated(throw, 2)[:2])
        assert all(yatzy_2012(box, throw) == yatzy(box, throw) for box in YATZY if box != "two_pairs")
    assert yatzy("two_pairs", (1, 2, 2, 4, 5)) == 0 < yatzy_2012("two_pairs", (1, 2, 2, 4, 5))


def test_the_totals_that_no_play_reaches_are_not_as_many_as_printed():
    def false(dice, beyond):
        count = 0
        for filled in range(64):
            totals = {0}
            for face in (face for face in range(1, 7) if filled >> face - 1 & 1):
                totals = {total + face * many for total in totals for many in range(dice + 1)}
            count += 64 - len({min(total, 63) if beyond else total for total in totals} & {*range(64)})
        return count

    assert (false(5, False), false(5, True)) == (1304, 1302)
    assert 1260 not in {false(dice, beyond) for dice in range(1, 9) for beyond in (False, True)}
    assert "1304 times, or 1302" in FINDINGS


GAME = (ROOT / "docs/games/yahtzee.md").read_text(encoding="utf-8")
MAXI = [
    *({f"face_{face}": {"face": face}} for face in range(1, 7)),
    *({kinds: {"of": kinds, "points": "those"}} for kinds in ("aa", "aabb", "aabbcc", "aaa", "aaaa", "aaaaa")),
    *({f"run_{run}": {"of": run, "points": 15}} for run in ("12345", "23456", "123456")),
    *({kinds: {"of": kinds, "points": "those"}} for kinds in ("aaabb", "aaabbb", "aaaabb")),
    *({"chance": {"points": "all"}}, {"maxi_yatzy": {"of": "aaaaaa", "points": 100}}),
]


def game(rules, definitions=CARDS):
    solved = find_table("yahtzee_score")
    return solved.build(solved.variant({"rules": rules}, definitions, ""), definitions)


def cards(rules):
    """The number of reachable cards by the number of filled boxes; the last one counts full cards."""
    sheet = game(rules).rules
    reached = np.zeros((sheet.fresh.open + 1, sheet.upper_at + 1, 2), bool)
    reach(turn_of(sheet), reached)
    filled = len(sheet.boxes) - np.bitwise_count(np.arange(len(reached)))
    return [int(reached[filled == count].sum()) for count in range(len(sheet.boxes) + 1)]


def test_the_page_of_the_game_has_our_values_and_counts(catalogue):
    values = dict(re.findall(r"^\| `(\w+)` \| .* \| (\d+\.\d{4}) \|$", GAME, re.M))
    assert values == {rules: f"{value(catalogue, rules):.4f}" for rules in RULES}
    counts = re.findall(r"^\| (`.*`) \| (\d+) \| (\d+) \|$", GAME, re.M)
    told = {name.strip("` "): (int(rows), int(asked)) for names, rows, asked in counts for name in names.split(",")}
    assert told.keys() == {*RULES}
    for rules in ("none", "yacht_dice", "short", "forced", "kniffel", "yatzy"):
        starts = sum(cards(rules)[:-1])
        assert told[rules] == (starts, starts * (1 + 3 * 252))
    given = {"yatzy": "yatzy_2012", "forced": "free", "free": "bonus_only"}
    assert all(told[rules] == told[other] for rules, other in given.items())
    forced, free, bonus_only, none = (value(catalogue, rules) for rules in AUDITED[:4])
    differences = f"{free - forced:.4f}", f"{forced - bonus_only:.2f}", f"{forced - none:.2f}"
    assert all(re.search(rf"(?<![\d.]){number}(?!\d)", GAME) for number in differences)


def test_the_page_of_the_game_says_how_large_a_game_of_two_is():
    by = cards("forced")
    pairs = sum(many * (many + after) for many, after in pairwise(by))
    differences = 2 * most_points(turn_of(game("forced").rules)) + 1
    said = f"{sum(by)} cards", f"{pairs} pairs", f"{differences} differences", f"some {pairs * differences:.1e} starts"
    told = GAME.replace("\n", " ")
    assert [number for number in said if number.replace("e+", "e") not in told] == []


def test_maxi_yatzy_is_refused_with_its_number_of_cards():
    above = [{0}]
    for face in range(1, 7):
        above += [{min(84, total + face * many) for total in totals for many in range(7)} for totals in above]
    filled = [sum(len(totals) for n, totals in enumerate(above) if n.bit_count() == many) for many in range(7)]
    count = sum(
        starts * comb(14, below) * (2 * (many + below) + 1)
        for many, starts in enumerate(filled)
        for below in range(15)
        if many + below < 20
    )
    maxi = {"boxes": MAXI, "dice": 6, "saved_throws": True, "upper_bonus": {"at": 84, "points": 100}}
    why = game("maxi", {"rules": {"maxi": maxi}}).why_not_solved
    assert f"{count:,} cards" in why and str(count) in GAME
