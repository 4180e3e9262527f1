"""Matches that end in other ways than by reaching the target: by hand, by a program that plays a card, in rationals."""

import re
from dataclasses import replace
from fractions import Fraction

import pyarrow as pa
import pytest

import dicebase
from dicebase.games.ten_thousand import Rules
from dicebase.matches.duels.duel import DuelOfTurns
from dicebase.matches.duels.duel_turns import DuelTurns
from dicebase.matches.turns.race import RaceOfTurns
from dicebase.matches.turns.reach import ReachOfTurns
from dicebase.pipeline.solve_one import solve_one
from dicebase.solvers import reference
from dicebase.tabulate import turns
from dicebase.vocabulary import ConfigurationError, Definition
from reference.ends_of_matches import duel as duel_in_words

ONE = {"dice": 1, "combinations": {"1": 100, "5": 50}}
TWO = {"dice": 2, "combinations": {"1": 100, "5": 50, "aa": 300}}
WORDS = {"dice": 2, "points": {"1": 100, "5": 50, "15": 150} | {2 * face: 300 for face in "123456"}}
CARDS = {
    "bust": ({"target": "bust"}, {"how": "bust"}),
    "bounce": ({"target": "bounce"}, {"how": "bounce"}),
    "last": ({"last_turn": "others"}, {"how": "last"}),
    "last_opening": ({"last_turn": "others", "opening": 150}, {"how": "last", "opening": 150}),
    "none": ({"hot_dice": "none"}, {"ends": True}),
    "first": ({"combinations": {**TWO["combinations"], "nothing_first": 50}}, {"first": 50}),
    "in_row": ({"lost_in_row": [0, 100]}, {"costs": (0, 100)}),
    "in_row_bust": ({"lost_in_row": [0, 100], "target": "bust"}, {"costs": (0, 100), "how": "bust"}),
    "in_row_last": ({"lost_in_row": [0, 100], "last_turn": "others"}, {"costs": (0, 100), "how": "last"}),
}


def rules(table: dict, **switches) -> Rules:
    return Rules(Definition("mine", {**table, **switches}))


def values(game) -> dict:
    """{position: its value in the table}."""
    states = next(getattr(turns, game.format)(game)).states
    columns = [[int(x) for x in states[c.name]] for c in game.columns]
    return dict(zip(zip(*columns, strict=True), map(float, states["value"]), strict=True))


def start(game) -> float:
    return values(game)[*game.first(), 0, 1]


def test_the_target_may_have_to_be_met_exactly():
    # A race to 100 with one die. At 50 only a 5 ends it, so it takes 6 more turns. With nothing banked, a 1 ends it;
    # after a 5 the player rolls again: another 5 ends the race, but a 1 exceeds the target. If that is a bust, the
    # expected turns are r = 1 + 1/6 5/6 r + 4/6 r; if it counts back to 50, r = 1 + 1/6 (1/6 6 + 4/6 r) + 4/6 r.
    for how, expected in (("bust", Fraction(36, 7)), ("bounce", Fraction(21, 4))):
        game = RaceOfTurns(rules(ONE, target=how), 100)
        assert values(game)[50, 0, 1] == pytest.approx(6, abs=1e-12)
        assert start(game) == pytest.approx(expected, abs=1e-12)
    assert RaceOfTurns(rules(TWO, target="bust"), 475).why_not_solved.startswith("target: 475 is not a multiple of 50")


def test_lost_turns_in_a_row_may_cost_points():
    # A race to 100 with one die; each lost turn costs 50. From 50 a third of all turns ends it: s = 1 + 4/6 r. From 0 a
    # 1 ends it, and a player with a 5 rolls again, as banking leads to s: r = 1/6 + 1/6 (1 + 4/6 r) + 4/6 (1 + r).
    found = values(RaceOfTurns(rules(ONE, lost_in_row=[50]), 100))
    assert found[50, 0, 0, 1] == pytest.approx(4, abs=1e-12) and found[0, 0, 0, 1] == pytest.approx(4.5, abs=1e-12)


@pytest.mark.parametrize("card", CARDS)
def test_a_duel_equals_play_by_the_words_of_the_card(card):
    switches, words = CARDS[card]
    found = values(DuelOfTurns(rules(TWO, **switches), 200))
    played = duel_in_words({**WORDS, **words, "target": 200})
    assert len(played) >= 9
    for (me, opponent, *lost), chance in played.items():
        record = (me, opponent, *(lost if "costs" in words else ()))
        assert found[*record, 0, 0 if card == "first" else 2] == pytest.approx(chance, abs=1e-9)


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("match", [RaceOfTurns, DuelOfTurns, lambda of, target: ReachOfTurns(of, target, 3)])
def test_every_position_equals_rational_arithmetic(card, match):
    game = match(rules(TWO, **CARDS[card][0]), 150)
    exact = {state: worth for state, worth in reference.solve(game).value.items() if game.listed(state)}
    found = values(game)
    assert found.keys() == exact.keys()
    assert all(abs(found[state] - float(worth)) < 1e-12 for state, worth in exact.items())


def test_rolls_are_answered_and_unsolved_matches_are_refused(tmp_path):
    path = tmp_path / "mine.yaml"
    mine, row = {**TWO, "last_turn": "others"}, {**TWO, "lost_in_row": [0, 100]}
    defined = f"definitions: {{ten_thousand: {{rules: {{mine: {mine}, row: {row}}}}}}}\ntables: {{}}\n"
    path.write_text(defined, encoding="utf-8")
    for name in ("mine", "row"):
        solve_one("ten_thousand_duel", {"rules": name, "target": 200}, tmp_path / "results", [path])
    with dicebase.open(tmp_path / "results") as db:
        # At 150 against 250 the player banks 150 points and wins; 100 are too few, so the other die is rolled.
        place = {"rules": "mine", "target": 200, "me": 150, "opponent": 250, "turn_total": 0}
        actions = {a["action"]: a["value"] for a in db.lookup("ten_thousand_duel", **place, roll="15")["actions"]}
        assert actions == {"keep 15, bank": 1.0}
        actions = {a["action"]: a["value"] for a in db.lookup("ten_thousand_duel", **place, roll="12")["actions"]}
        assert actions["keep 1, bank"] == 0.0 and actions["keep 1, roll 1"] == pytest.approx(1 / 3)
        # The first player to reach the target waits for the opponent's last turn.
        place |= {"opponent": 100}
        (action,) = db.lookup("ten_thousand_duel", **place, roll="11")["actions"]
        theirs = db.lookup("ten_thousand_duel", **place | {"me": 100, "opponent": 450, "dice": 2})["value"]
        assert action["value"] == 1 - theirs
        # `lost` defaults to 0; rules that do not count lost turns ignore it.
        start = {"target": 200, "me": 100, "opponent": 100, "turn_total": 0, "dice": 2}
        asked = [
            {"rules": name, **start, **lost} for name in ("mine", "row") for lost in ({}, {"lost": 0}, {"lost": 1})
        ]
        found = [db.lookup("ten_thousand_duel", **of)["value"] for of in asked]
        assert found[0] == found[1] == found[2] and found[3] == found[4] > found[5]
        rows = pa.Table.from_pylist([{"lost": 0, "opponent_lost": 0} | of for of in asked])
        assert db.lookup_many("ten_thousand_duel", rows)["value"].to_pylist() == found
        assert db.lookup("ten_thousand_duel", **asked[5])["state"]["lost"] == 1
        assert "lost" not in db.lookup("ten_thousand_duel", **asked[2])["state"]
        where = "me = 100 AND opponent = 100 AND lost = 1 AND opponent_lost = 0 AND turn_total = 0"
        ((stored,),) = db.sql(f"SELECT value FROM ten_thousand_duel_longer WHERE {where}").fetchall()
        assert stored == found[5]
    game = DuelOfTurns(rules(TWO, last_turn="others"), 500)
    assert game.why_no_matchups and not game.why_not_played_out and DuelTurns(game.rules, 500).why_not_solved
    assert not game.answered_in(DuelOfTurns(game.rules, 600))
    with pytest.raises(ConfigurationError, match="store: if points beyond the target count differently"):
        DuelOfTurns(rules(TWO, target="bust"), 500).stored_by("starts")


def test_a_duel_with_too_many_positions_is_refused_with_a_way_out():
    large = DuelOfTurns(rules(TWO, last_turn="others"), 20_000)
    (most,) = re.findall(r"so give a target of at most (\d+) or store only the starts of turns", large.why_no_rows)
    assert not replace(large, target=int(most)).why_no_rows and replace(large, target=int(most) + 50).why_no_rows
    with pytest.raises(ConfigurationError, match="positions; 5,000,000 are stored"):
        large.stored_by("rows")
    assert not large.stored_by("starts").why_not_solved
    exact = DuelOfTurns(rules(TWO, target="bust"), 20_000).why_no_rows
    assert re.search(r"so give a target of at most \d+$", exact)


def test_a_last_turn_needs_a_target_that_can_be_exceeded():
    with pytest.raises(ConfigurationError, match="last_turn: needs target at_least"):
        rules(TWO, target="bust", last_turn="others")
