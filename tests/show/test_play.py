"""A game in the shell: the cost of decisions, hints, luck, and leaving early."""

import random
import re
from statistics import mean, stdev

import pytest

from dicebase.show.play import play
from dicebase.show.text import lookup_text
from support.every_table import every_table
from support.recorded_games import parameters

# A table of each family and kind of match; tests/catalog/test_review.py adds up luck and losses for all recorded games.
PLAYED = "pig_turn pig_race ten_thousand_reach ten_thousand_duel hog_duel ten_times_eighteen_score royal_ur_duel "
PLAYED += "shut_the_box_score yahtzee_score"
GRID = every_table


@pytest.fixture
def answers(monkeypatch):
    """Set the player's input: texts or an exception, then the end of input."""

    def typed(*given):
        words = iter(given)

        def read(_):
            word = next(words, EOFError())
            if isinstance(word, BaseException):
                raise word
            return word

        monkeypatch.setattr("builtins.input", read)

    return typed


@pytest.mark.parametrize("table", PLAYED.split())
def test_luck_is_zero_on_average_for_any_player(db, table, monkeypatch, capsys):
    """A result is the value of the game, minus the cost of decisions, plus luck; luck has mean 0 for any player."""
    player = random.Random(7)
    monkeypatch.setattr("builtins.input", lambda _: player.choice(words))
    words = [str(i) for i in range(1, 10)]
    found = []
    for seed in range(150):
        play(db, table, parameters(table), seed)
        size, sign = re.search(r"^Luck: ([0-9.e-]+) .*(for|against) you\.$", capsys.readouterr().out, re.M).groups()
        found.append(float(size) * (1 if sign == "for" else -1))
    assert abs(mean(found)) < 4 * stdev(found) / len(found) ** 0.5


def test_the_cost_of_a_decision_is_its_regret(db, answers, say):
    answers("?", "nonsense", "hold", "h", "2", "roll")
    text = say("play", "pig_duel", "target=20", "--seed", "1")
    asked = re.search(r"^me=0 opponent=0 turn_total=(\d+)$", text, re.M)
    first = db.lookup("pig_duel", target=20, me=0, opponent=0, turn_total=asked[1])
    assert all(line in text for line in lookup_text(first, why=True).splitlines()[1:])
    assert "type an action's number or name" in text.split("It costs")[0].split("Best")[1]
    held = next(a for a in first["actions"] if a["action"] == "hold")
    assert f"It costs {100 * held['regret']:.4f} percentage points" in text and "1. hold at me=0 opponent=0" in text
    assert "   Right.\n" in text


def test_a_seed_repeats_the_game_and_the_opponent_plays_by_the_table(db, answers, say):
    told = []
    for _ in range(2):
        answers(*["1"] * 40)
        words = ["play", "ten_thousand_duel", "rules=pocket", "target=500", "--seed=3"]
        told.append(say(*words))
    assert told[0] == told[1] and "The opponent, turn_total=0 roll=" in told[0] and "roll loses the turn" in told[0]
    assert re.search(r"^You (win|lose)\.$", told[0], re.M)


@pytest.mark.parametrize("leave", ["q", EOFError(), KeyboardInterrupt()])
def test_the_player_may_leave_at_any_time(answers, say, leave):
    answers("hold" if leave == "q" else "roll", leave)
    text = say("play", "pig_duel", "target=20", "--seed", "1")
    assert "You quit." in text and " of 1 decisions were optimal" in text and "Luck" not in text


def test_the_open_boxes_of_a_sheet_are_named(say):
    words = ["yahtzee_score", "rules=pocket", "open=run,twos", "roll=123", "rerolls_left=0"]
    assert "\n   open: twos, run\n" in say("lookup", *words)
