"""Printed cards: a turn that follows the card, dice by dice, has the values that the card states."""

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import compress, product

import numpy as np
import pytest

from dicebase.cli import main
from dicebase.games.ten_thousand import Rules
from dicebase.matches.duels.duel import DuelOfTurns
from dicebase.policies.card_of_turns import CardOfTurns
from dicebase.policies.cards import make_card
from dicebase.show.cards import given_up
from dicebase.solvers.plays import changed, evaluate
from dicebase.vocabulary import Definition
from support import commands

POCKET = {"dice": 3, "combinations": {"1": 100, "5": 50, "11": 300}, "keep": "any"}
STRICT = POCKET | {"least_bank": 200, "opening": 400, "hot_dice": "forced"}
NO_LOSS = {"dice": 2, "combinations": {"1": 100, "nothing": 500}}  # two dice never bust, so nobody banks with them


def score(table, dice):
    """The most points of these dice if all of them score under one of the tables above, else 0."""
    ones, fives = dice.count("1"), dice.count("5")
    if ones + fives == len(dice) > 0 and "nothing" not in table["combinations"]:
        return ones // 2 * 300 + ones % 2 * 100 + fives * 50
    if "nothing" in table["combinations"]:
        return 100 * ones if ones == len(dice) else 500 if len(dice) == 2 and not ones else 0
    return 0


def ends(table, card, need, opening=0, past=0):
    """{points banked, or None for a bust: probability} of a turn that follows a card and ends with `need` points; more
    points count up to `past` beyond."""
    bank_from = {row["hand"]: row["from"] and max(row["from"], opening) for row in card["stop_at"]}
    fewer = {row["scores"]: row["of"] for row in card["keep"]}

    @cache
    def rolls(dice):
        """[(number of rolls with the same faces, their scoring parts with points)]."""
        found = []
        for thrown, many in Counter("".join(sorted(roll)) for roll in product("123456", repeat=dice)).items():
            parts = {"".join(compress(thrown, which)) for which in product((0, 1), repeat=dice)}
            found.append((many, {part: points for part in parts if (points := score(table, part))}))
        return found

    @cache
    def turn(total, dice):
        found = defaultdict(Fraction)
        for many, parts in rolls(dice):
            chance = Fraction(many, 6**dice)
            if not parts:
                found[None] += chance
                continue
            everything = max(parts, key=len)
            keep = fewer.get(everything, {}).get(dice, everything)
            after, hand = total + parts[keep], dice - len(keep) or table["dice"]
            hot = table.get("hot_dice") == "forced"  # a player who keeps all dice must roll on
            most = total + max(
                points for part, points in parts.items() if not (hot and len(part) == dice) or len(parts) == 1
            )
            if most >= need or after >= need or (bank_from[hand] is not None and after >= bank_from[hand]):
                found[min(max(most, after), need + max(0, past - 50))] += chance
            else:
                for end, share in turn(after, hand).items():
                    found[end] += chance * share
        return dict(found)

    return turn(0, table["dice"])


@pytest.mark.parametrize("table", [POCKET, STRICT, NO_LOSS], ids=["pocket", "strict", "no_loss"])
def test_a_turn_that_follows_the_card_has_its_values(table):
    card = make_card("ten_thousand", {"rules": "mine", "target": 1500}, {"rules": {"mine": table}})
    assert (table is not POCKET) == (None in [row["from"] for row in card["stop_at"]])
    if table is not NO_LOSS:  # whose turns can last too long for this sum
        worth = sum(end * share for end, share in ends(table, card, 20_000).items() if end)
        assert card["turn"]["card"] == pytest.approx(float(worth), rel=1e-13)
    assert card["turn"]["card"] <= card["turn"]["best"]
    found = CardOfTurns.of(Rules(Definition("mine", table)))
    unit, T = (100, 15) if table is NO_LOSS else (50, 30)
    play = found.play(unit, T)
    for me in (0, T // 2, T - 1):
        known = ends(table, card, (T - me) * unit, 0 if me else table.get("opening", 0))
        assert play.busts[me, 0] == pytest.approx(float(known.get(None, 0)), abs=1e-14)
        for end in range(1, T - me + 1):
            assert play.ends[me, 0, me + end] == pytest.approx(float(known.get(end * unit, 0)), abs=1e-14)
    assert card["opening"] == table.get("opening", 0)
    assert 0 < card["match"]["cost"] <= card["match"]["worst_case"]


def test_a_match_of_two_cards_has_the_values_of_their_turns():
    """The first player changes to a card that never banks once either player has 300; the opponent of a player who
    reaches 500 has a last turn."""
    table = POCKET | {"opening": 100, "last_turn": "others"}
    rules, T = Rules(Definition("mine", table)), 10
    card = make_card("ten_thousand", {"rules": "mine", "target": 500}, {"rules": {"mine": table}})
    found = CardOfTurns.of(rules)
    past = DuelOfTurns(rules, 500).past // 50
    plain, never = (of.play(50, T, past) for of in (found, replace(found, stop_at=dict.fromkeys(found.stop_at))))
    patient = card | {"stop_at": [row | {"from": None} for row in card["stop_at"]]}

    @cache
    def turn(which, banked):
        return ends(table, (which and patient) or card, 500 - banked, 0 if banked else 100, past * 50)

    @cache
    def passes(banked, other):
        """The probability of more points than the other player has, in a last turn."""
        need = other + 50 - banked
        return float(sum(share for end, share in ends(table, patient, need).items() if end and end >= need))

    X, Y = evaluate(changed(plain, never, np.maximum(*np.indices((T, T))) >= 6), plain)
    for a, b in product(range(0, 500, 50), repeat=2):
        for mine, theirs, me in ((X, Y, True), (Y, X, False)):
            value = 0.0
            for end, share in turn(me and max(a, b) >= 300, a).items():
                total = a + (end or 0)
                won = 1 - (passes(b, total) if total >= 500 else theirs[b // 50, total // 50])
                value += float(share) * won
            assert mine[a // 50, b // 50] == pytest.approx(value, abs=1e-13)


def test_the_card_of_a_turn_that_may_never_bust():
    """Two dice add w = 1370 points on average (tests/games/ten_thousand/test_house_rules.py), so one die is rolled up
    to (100 + w) / 5 = 294."""
    card = make_card("ten_thousand", {"rules": "mine", "target": 500}, {"rules": {"mine": NO_LOSS}})
    (one,) = (row["from"] for row in card["stop_at"] if row["hand"] == 1)
    assert card["turn"]["card"] == pytest.approx(card["turn"]["best"], rel=1e-13) and one == 300


def test_the_card_of_pig_holds_at_20():
    """The value of a turn is that of Roters (1998)."""
    card = make_card("pig", {}, {})
    assert card["stop_at"] == [{"hand": 0, "from": 20}] and not card["keep"]
    assert card["turn"]["card"] == pytest.approx(492303203 / 60466176, rel=1e-14)
    # For the match the card is that of Neller and Presser (2010), which loses 0.9 %.
    assert card["match"]["card"].startswith("If either player has 71 or more, roll for the goal. Otherwise hold at 21")
    assert f"{100 * card['match']['cost']:.1f}" == "0.9" and "it loses 0.92 more than it wins" in given_up(card)[0]


def test_the_card_of_throws_is_a_number_of_dice():
    card = make_card("hog", {}, {})
    assert card["throw"] == 5 and card["turn"]["best"] == pytest.approx(20 * (5 / 6) ** 5)
    assert 0 < card["match"]["cost"] <= card["match"]["worst_case"]


def test_a_card_is_written_as_one_page_or_refused_in_one_line(tmp_path, capsys):
    config = tmp_path / "mine.yaml"
    config.write_text(
        "definitions: {ten_thousand: {rules: {mine: {dice: 3, combinations: {'1': 100, '5': 50}, keep: any}}}}\n"
        "tables: {pig_turn: [{sides: 6}]}\n"
    )
    words = ["card", "ten_thousand", "rules=mine", "target=500", "--config", str(config)]
    kinds = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG", "html": b"<!doctype"}
    for name, begins in ((f"card.{end}", begins) for end, begins in kinds.items()):
        assert main([*words, "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert "points per turn" in capsys.readouterr().out
    svg = (tmp_path / "card.svg").read_bytes()
    assert main([*words, "-o", str(tmp_path / "again.svg")]) == 0 and (tmp_path / "again.svg").read_bytes() == svg
    capsys.readouterr()
    for wrong, said in (
        ([*words, "-o", "card.txt"], "card.txt: give a name that ends in .pdf, .html, .svg or .png"),
        ([*words, "-o", "nowhere/card.pdf"], "the folder nowhere does not exist"),
        (["card", "ten_thousand", *words[3:], "-o", "x.pdf"], "ten_thousand.rules: 'crocce_mordecki' is not defined"),
        (["card", "forbidden_multiple", *words[4:], "-o", "x.pdf"], "'dicebase lookup' ranks actions: forbidden_m"),
    ):
        assert said in commands.error_of(capsys, *wrong)


def test_a_turn_of_thousands_of_steps_has_a_card():

    dice = {"dice": 1, "combinations": dict.fromkeys("12345", 50), "faces": dict.fromkeys(range(1, 6), 1000) | {6: 1}}
    card = make_card("ten_thousand", {"rules": "mine", "target": 100}, {"rules": {"mine": dice}})
    assert card["turn"]["best"] == pytest.approx(250_000 * (5000 / 5001) ** 5000, rel=1e-12)
    assert card["turn"]["card"] == pytest.approx(card["turn"]["best"], rel=1e-12)
    assert card["stop_at"] == [{"hand": 1, "from": 250_000}]
