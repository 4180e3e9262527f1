"""Positions of boards in the shell: pictures, descriptions and play."""

import re
import shlex

import pytest

from dicebase.families import family_of
from dicebase.games.bear_off import Rules as BearOff
from dicebase.games.leduc_poker import Rules as Leduc
from dicebase.tables.names import find_table
from dicebase.vocabulary import Board, ConfigurationError
from support.pages import blocks


@pytest.fixture(scope="module")
def results(board_results):
    return board_results


def test_a_lookup_draws_dice_tiles_and_squares(say):
    assert "   open  1 _ 3 _\n   roll  [1] [3]\n\n   action" in say("lookup", "box_win", "open=31", "roll=3 1")
    lane = "   lane   m  . [.]\n                .  t\n          m mine, t theirs, [ ] special\n\n   action"
    assert lane in say("lookup", "lane_duel", "lane=m   t", "roll=2", "free=1", "--why")


def test_rules_may_draw_their_own_picture(db):
    rules = db.solved("lane_duel").variants[0].game.rules
    state = {"lane": "m   t", "roll": 2, "free": 1}
    own = type("Own", (type(rules),), {"picture": lambda _, state: f"{state[0]}\n  {state[1]}\n"})()
    assert family_of(own).picture(own, state) == ["m   t", "  2"]
    wrong = type("Wrong", (type(rules),), {"picture": lambda _, state: state[9]})()
    with pytest.raises(ConfigurationError, match="picture fails: IndexError"):
        family_of(wrong).picture(wrong, state)


def test_piles_are_drawn_below_their_labels():
    rules = type("Bare", (BearOff,), {"picture": Board.picture})(objective="rolls")
    drawn = ["board  1 2 3 4 5  6", "       . 2 1 . . 10", "roll   [1] [3]"]
    assert family_of(rules).picture(rules, {"board": "02100A", "roll": "13"}) == drawn


def test_cards_are_drawn_face_up():
    rules = Leduc(objective="duel")
    state = {"player": 1, "card": "K", "board": "J", "history": "check,check"}
    assert family_of(rules).picture(rules, state) == ["card   [K]", "board  [J]"]
    assert family_of(rules).picture(rules, state | {"board": "-"}) == ["card   [K]", "board"]


BOARDS = {
    "board opponent roll": "bear_off_duel",
    "attacking defending": "risk_gain",
    "event sets_left rethrows_left roll": "decathlon_races_points",
    "size stones endgame board roll": "einstein_duel",
    "sides shortest kept climbed roll": "cant_stop_turns",
}


@pytest.mark.parametrize("block", blocks("docs/games/boards.md", "text"))
def test_the_page_draws_positions_as_the_rules_do(block):
    """On the page, text may follow a line after four blanks, for example the best action."""
    position, *drawn = block.splitlines()
    said = dict(re.findall(r"(\w+)=(\S+)", position))
    table = find_table(BOARDS[" ".join(said)])
    variant = {p.name: p.kind(said[p.name]) for p in table.parameters if p.name in said}
    rules = table.build_rules(table.variant(variant, {}, ""), {})
    state = {c.name: said[c.name] if c.kind is str else int(said[c.name]) for c in rules.columns}
    for line, own in zip(drawn, family_of(rules).picture(rules, state), strict=True):
        assert re.fullmatch(re.escape(own.lstrip()) + "(    .*)?", line.lstrip())


def test_an_exception_in_why_missing_is_one_line(db, monkeypatch):
    rules = db.solved("lane_duel").variants[0].game.rules
    monkeypatch.setattr(type(rules), "why_missing", lambda _, state: state[9])
    with pytest.raises(ConfigurationError, match="why_missing fails: IndexError"):
        db.lookup("lane_duel", lane="x", roll=1, free=1)


@pytest.mark.parametrize("table", ["box_left", "box_win", "lane_duel"])
def test_the_example_is_the_first_position(say, table):
    text = say("describe", table)
    line = text.splitlines()[-1].strip()
    assert ("open=4321 roll=12" if "box" in table else "lane='m   t' roll=1 free=1") in line
    assert "Best: " in (found := say(*shlex.split(line)[1:])) or "The only choice" in found
    assert ("The objective is one of: the " in " ".join(text.split())) == ("box" in table)


def test_less_is_better_in_a_table_of_costs(say):
    text = say("lookup", "box_left", "open=321", "roll=12")
    (best, worse) = re.findall(r"^[= ]  shut (\d+) +([\d.]+) +([\d.]+)$", text, re.MULTILINE)
    assert float(best[1]) < float(worse[1]) and float(worse[2]) == pytest.approx(float(worse[1]) - float(best[1]), 1e-5)
    assert f"Best: shut {best[0]}, {worse[2]} points better than shut {worse[0]}." in text


@pytest.mark.parametrize(("table", "ends"), [("box_left", r"^The end: \d+ points\.$"), ("lane_duel", "^You win|lose")])
def test_boards_for_one_player_and_for_two_can_be_played(say, monkeypatch, table, ends):
    monkeypatch.setattr("builtins.input", lambda _: "1")
    text = say("play", table, "--seed", "5")
    assert re.search(ends, text, re.MULTILINE) and re.search(r"^Luck: ", text, re.MULTILINE)
    assert ("   The opponent, roll=" in text) == (table == "lane_duel")
    assert "The only choice: " in text or "Right." in text
