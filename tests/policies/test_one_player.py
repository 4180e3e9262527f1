"""Policies of one player as text and as files: values from the rules alone, losses by position, and refusals."""

from fractions import Fraction
from functools import cache
from math import sqrt

import pyarrow.csv
import pytest

import dicebase
from dicebase import policies
from dicebase.policies.evaluation import is_of_one_player
from dicebase.policies.one_player import followed_play
from dicebase.show.text import evaluation_text
from dicebase.vocabulary import ConfigurationError, MissingTableError
from reference import hog, hold_at, matches
from reference.matches_ten_thousand import ten_thousand
from support import grids, hold_at_20
from support.drawn_games import Drawn, end, go
from support.every_table import TABLES, every_table

CONFIG = f"""{grids.CROCCE_MORDECKI.rstrip()}
      forced: {{dice: 2, combinations: {{"1": 100, "5": 50}}, hot_dice: forced}}
tables:
  pig_turn: [{{}}]
  pig_race: [{{target: 40}}]
  pig_reach: [{{target: 12, turns: 3}}]
  hog_race: [{{target: 20, max_dice: 4}}]
  ten_thousand_race: [{{target: 600}}]
  ten_thousand_turn: [{{moves: all}}, {{rules: forced}}]
  shut_the_box_score: [{{tiles: 4}}]
  think_points: [{{turns: 2}}]
"""
GRID = grids.of("one_player", CONFIG)
PIG, TEN = matches.pig(), ten_thousand()
REFUSED = {"hog_simultaneous": "both players choose at once"}
LISTINGS = ["hog_hidden", "pass_the_pigs_long_run", "pig_long_run", "ten_thousand_long_run"]
LISTINGS += ["ten_times_eighteen_exceed", "ten_times_eighteen_versus"]
REFUSED |= dict.fromkeys(LISTINGS, "is not a game by turns")


def holds(least, score=lambda t, dice: t):
    """A policy of reference.hold_at from the turn total at which it stops, by banked points and dice left."""

    def rolls(me, _, t, dice):
        return t < least(me, dice)

    return rolls, lambda me, _, t, dice: score(t, dice if rolls(me, 0, t, dice) else 0)


TURNS = [
    ("pig_turn", "hold_at 25", holds(lambda *_: 25), PIG),
    ("pig_turn", "hold_at_7", holds(lambda *_: 7), PIG),
    ("pig_turn", "hold_at 90", holds(lambda *_: 90), PIG),  # beyond the stored totals
    ("ten_thousand_turn", "hold_at 250", holds(lambda *_: 250), TEN),
    ("ten_thousand_turn", "hold_at 300 if dice < 3 else 600", holds(lambda _, dice: 300 if dice < 3 else 600), TEN),
    ("ten_thousand_turn", "hold_at 350 keep total + 60 * dice",
     holds(lambda *_: 350, lambda t, dice: t + 60 * dice), TEN),
]  # fmt: skip
RACES = [
    ("pig_race", "hold_at 20", holds(lambda *_: 20), PIG, 40),
    ("pig_race", "hold_at 9 if me < 15 else target", holds(lambda me, _: 9 if me < 15 else 40), PIG, 40),
    ("pig_race", "hold_at 9 if banked < 15 else 6 * sides", holds(lambda me, _: 9 if me < 15 else 36), PIG, 40),
    ("ten_thousand_race", "hold_at 200 if dice <= 2 else 350 keep total + 50 * dice",
     holds(lambda _, dice: 200 if dice <= 2 else 350, lambda t, dice: t + 50 * dice), TEN, 600),
]  # fmt: skip


@pytest.mark.parametrize(("table", "text", "policy", "turn"), TURNS)
def test_a_turn_earns_the_points_of_its_rolls(results, table, text, policy, turn):
    found = policies.evaluate(results, table, text)
    assert found["value"] == pytest.approx(hold_at.points(turn, policy), rel=1e-13)
    assert found["cost"] == pytest.approx(found["best"] - found["value"], abs=1e-15) and found["cost"] > 0
    assert 0 < found["error_bound"] < 1e-11


@pytest.mark.parametrize(("table", "text", "policy", "turn", "target"), RACES)
def test_a_race_lasts_as_many_turns_as_its_rolls_say(results, table, text, policy, turn, target):
    found = policies.evaluate(results, table, text)
    assert found["value"] == pytest.approx(hold_at.turns(turn, target, policy), rel=1e-13)
    assert found["cost"] == pytest.approx(found["value"] - found["best"], abs=1e-15) and found["cost"] > 0


def test_holding_at_20_is_optimal_in_a_turn_of_pig(results):
    """Crocce and Mordecki (2014), section 5.2: the threshold is 20 and the value 8.14."""
    found = policies.report(results, "pig_turn", "hold_at 20")
    assert f"{found['value']:.2f}" == "8.14" and found["cost"] == 0.0 and found["mistakes"] == []
    assert "Every decision that occurs is optimal." in evaluation_text(found)


@pytest.mark.slow
def test_holding_at_20_takes_the_turns_of_a_printed_sample(tmp_path):
    """T. Neller, "Average Pig Turns": 12.634906 turns on average in 1,000,000 simulated games."""
    built = grids.build(tmp_path / "results", "tables: {pig_race: [{}]}")
    mean, variance = hold_at_20.turns(100)
    found = policies.evaluate(built, "pig_race", "hold_at 20")["value"]
    assert found == pytest.approx(mean, rel=1e-13) and abs(found - 12.634906) < 3 * sqrt(variance / 1e6)


def test_a_throw_is_chosen_by_a_formula(results):
    left = {}
    for score in range(19, -1, -1):
        q = hog.gains(2 if score < 10 else 1)
        left[score] = (1 + sum(p * left.get(score + i, 0) for i, p in enumerate(q) if i)) / (1 - q[0])
    found = policies.evaluate(results, "hog_race", "always 2 if score < 10 else 1")
    assert found["value"] == pytest.approx(float(left[0]), rel=1e-14)


def followed(game, shares):
    """The value of play from the start in rationals, if `shares` gives the probability of each action in a state."""

    @cache
    def after(afterstate):
        falls = [*game.outcomes(afterstate)]
        found = sum(o.weight * (o.reward + (value(o.state) if o.state else 0)) for o in falls)
        return Fraction(found, sum(o.weight for o in falls))

    @cache
    def value(state):
        return sum(share * after(game.afterstate(state, name)) for name, share in shares(state).items() if share)

    return after(game.start())


def at_random(game):
    return lambda state: dict.fromkeys(actions := game.actions(state), Fraction(1, len(actions)))


def test_boards_are_played_by_lines_and_at_random(results):
    with dicebase.open(results) as db:
        box, think = (db.solved(name).variants[0].game for name in ("shut_the_box_score", "think_points"))
        found = policies.evaluate(db, "shut_the_box_score", "random")
        assert found["value"] == pytest.approx(float(followed(box, at_random(box))), rel=1e-14)
        fewest = policies.evaluate(db, "shut_the_box_score", "prefer - tiles")["value"]
        # An action names the tiles that it shuts.
        most = followed(box, lambda state: {max(box.actions(state), key=len): 1})
        assert fewest == pytest.approx(float(most), rel=1e-14) and fewest != found["value"]
        with pytest.raises(ConfigurationError, match="there is no policy 'hold_at 3' here; known: prefer tiles, "):
            policies.evaluate(db, "shut_the_box_score", "hold_at 3")
        first = policies.evaluate(db, "shut_the_box_score", "first_listed")["value"]
        assert first == pytest.approx(float(followed(box, lambda state: {box.actions(state)[0]: 1})), rel=1e-14)

        def stop(state):
            legal = think.actions(state)
            return {"stop" if "stop" in legal and state[2] >= 9 + state[0] else legal[0]: 1}

        lines = policies.evaluate(db, "think_points", "stop if turn_total >= 9 + turns_left; roll if 1")
        assert lines["value"] == pytest.approx(float(followed(think, stop)), rel=1e-14)


def test_losses_add_up_to_the_cost(results):
    found = policies.report(results, "pig_turn", "hold_at 25")
    assert [(m["turn_total"], m["action"], m["optimal"]) for m in found["mistakes"]] == [
        (total, "roll", "hold")
        for total in (24, 23, 22, 21)  # a roll gains (20 - total) / 6 points
    ]
    assert all(m["cost"] == pytest.approx((m["turn_total"] - 20) / 6, abs=1e-13) for m in found["mistakes"])
    assert sum(m["loss"] for m in found["mistakes"]) == pytest.approx(found["cost"], abs=1e-13)
    assert "Where it loses most:" in evaluation_text(found)


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    return every_table(tmp_path_factory)


@pytest.mark.parametrize("table", [name for name in TABLES if is_of_one_player(name) and name not in REFUSED])
def test_optimal_play_has_the_value_of_the_table(every, table):
    with dicebase.open(every) as db:
        solved = min(db.solved(table).variants, key=lambda variant: variant.row["actions"])
        found = policies.evaluate(db, table, "optimal", **solved.parameters)
    assert found["value"] == pytest.approx(solved.row["value"], rel=1e-12) and found["best"] == solved.row["value"]
    assert found["cost"] < 1e-12 and found["mistakes"] == []


@pytest.mark.parametrize("table", REFUSED)
def test_tables_that_are_not_of_one_player_by_turns_are_refused(every, table):
    with dicebase.open(every) as db, pytest.raises(MissingTableError, match=f"{table}: {REFUSED[table]}"):
        policies.evaluate(db, table, "optimal", **db.solved(table).variants[0].parameters)


CARDS = ["bear_off_rolls", "pass_the_pigs_turn", "pig_turn", "shut_the_box_score", "ten_thousand_turn"]


@pytest.mark.parametrize("table", CARDS)
def test_a_card_loses_what_its_certificate_says(every, table):
    with dicebase.open(every) as db:
        for card in db.sql(f"SELECT * FROM {table}_cards").to_arrow_table().to_pylist():
            variant = {name: card[name] for name in db.solved(table).parameters if name in card}
            found = policies.evaluate(db, table, card["policy"], **variant)
            assert found["cost"] == pytest.approx(card["cost"], abs=1e-12)


def test_a_file_plays_its_rows_and_a_base_the_rest(results, file):
    own = file("turn_total,action", *(f"{t},{'roll' if t < 20 else 'hold'}" for t in range(2, 26)))
    assert policies.evaluate(results, "pig_turn", own)["cost"] == 0.0
    own = file("turn_total,action", *(f"{t},roll" for t in range(20, 25)))
    changed = policies.evaluate(results, "pig_turn", f"hold_at 20 except {own}")
    assert changed["value"] == policies.evaluate(results, "pig_turn", "hold_at 25")["value"]
    assert changed["policy"] == f"hold_at 20 except {own}"
    with dicebase.open(results) as db:
        rows = db.sql("SELECT banked, turn_total, dice, action FROM ten_thousand_race").to_arrow_table()
        pyarrow.csv.write_csv(rows, own)
        assert policies.evaluate(db, "ten_thousand_race", own)["cost"] == 0.0  # and keeps dice as optimal play does
        share = "1 / count(*) OVER (PARTITION BY banked, turn_total) AS probability"
        rows = db.sql(f"SELECT banked, turn_total, action, {share} FROM pig_race_actions").to_arrow_table()
        mixed = policies.report(db, "pig_race", rows)
    assert mixed["value"] == policies.evaluate(results, "pig_race", "random")["value"]
    assert mixed["mistakes"][0]["action"] == "mixed" and mixed["cost"] > sum(m["loss"] for m in mixed["mistakes"]) > 0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["turn_total,action", "2,roll"], "states are missing that a match can reach .*: turn_total=3; turn_total=4"),
        (["turn_total,action", "1,roll"], "not a position of this table: turn_total=1"),
        (["turn_total,action", "5,bank"], "the actions there are hold, roll: turn_total=5 action=bank"),
        (["total,action", "5,hold"], "'total' is not a column of a policy"),
        (["turn_total", "5"], "has no column 'action'"),
    ],
)
def test_wrong_files_are_refused(results, file, lines, message):
    with pytest.raises(ConfigurationError, match=message):
        policies.evaluate(results, "pig_turn", file(*lines))


@pytest.mark.parametrize(
    ("table", "policy", "message"),
    [
        ("pig_turn", "hold20", "there is no policy 'hold20' here; known: hold_at 20, optimal, "),
        ("pig_turn", "hold_at points", "'points' is not allowed; give whole-number arithmetic with turn_total, "),
        ("pig_race", " ", "policy: ' ' is empty; give optimal, another policy or a file"),
        ("pig_race", "always 2", "there is no policy 'always 2'"),
        ("hog_race", "always score", "'always score' throws 0 dice at score=0; 1, 2, 3, 4 are allowed"),
        ("shut_the_box_score", "fewest", "there is no policy 'fewest' here; known: prefer tiles, optimal, "),
        ("think_points", "stp if turn_total >= 20", "'stp if turn_total >= 20' is not PLAY if CONDITION; did you mean"),
    ],
)
def test_wrong_policies_are_refused(results, table, policy, message):
    with pytest.raises(ConfigurationError, match=message):
        policies.evaluate(results, table, policy)


def test_a_turn_has_a_target_only_if_stopping_is_best_from_there_on(results):
    with pytest.raises(ConfigurationError, match="'target' is not allowed"):
        policies.evaluate(results, "ten_thousand_turn", "hold_at target", rules="forced")


def test_a_grade_of_one_player_says_what_the_file_loses(results, file, say):
    graded = policies.grade(results, own := file("turn_total,action", "19,hold", "21,roll"), "pig_turn")
    known = policies.evaluate(results, "pig_turn", f"optimal except {own}")["cost"]
    assert graded["right"] == 0 and graded["cost"] == known
    assert f"Compared with optimal play it loses {graded['cost']:.4f} points" in say("grade", own, "pig_turn")


def ladder(sign=1):
    """Climb, which ends half of the time, or wait."""
    return Drawn({0: {"climb": [go(0, 1, 1, sign), end(1)], "wait": [go(0, sign=sign)]}})


def test_play_that_never_ends_and_play_of_two_is_refused():
    play = followed_play.follow("ladder", ladder(), lambda _: (("climb", 1), ("wait", 3)))
    assert (play.actions, play.met.tolist()) == (["mixed"], [8.0]) and play.value == 2.0
    with pytest.raises(ConfigurationError, match="ladder: with this policy a game may never end"):
        followed_play.follow("ladder", ladder(), lambda _: (("wait", 1),))
    with pytest.raises(MissingTableError, match="ladder: has two players"):
        followed_play.follow("ladder", ladder(-1), lambda _: (("climb", 1),))


def test_an_altered_value_is_refused(results, monkeypatch):
    class Altered:
        def __init__(self, *matrix):
            self.factors = splu(*matrix)

        def solve(self, right, *how):
            return self.factors.solve(right, *how) + (0.0 if how else 1e-6)

    splu = followed_play.splu
    monkeypatch.setattr(followed_play, "splu", Altered)
    with pytest.raises(ConfigurationError, match="pig_race: the value of this policy may be wrong by "):
        policies.evaluate(results, "pig_race", "hold_at 20")
