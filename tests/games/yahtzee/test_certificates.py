"""Certificates of Yahtzee: small cards against rationals of the printed rules, and deliberate faults."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pyarrow.parquet as pq
import pytest

from dicebase.certify.sheets.referee import scores
from dicebase.certify.sheets.turn import turn_of
from dicebase.certify.slices import certify_slice
from dicebase.games.yahtzee import Rules
from dicebase.tables.names import find_table
from dicebase.vocabulary import Card, Definition
from reference.yahtzee import AMERICAN, YACHT, YATZY, Yahtzee, american, fills, yacht_dice, yatzy, yatzy_2012
from support import grids
from support.faults import refused, rewrite

CARDS = grids.DEFAULT["definitions"]["yahtzee"]["rules"]
PRINTED = dict.fromkeys(("forced", "free", "bonus_only", "none", "kniffel"), (AMERICAN, american))
PRINTED |= {"yatzy": (YATZY, yatzy), "yatzy_2012": (YATZY, yatzy_2012), "yacht_dice": (YACHT, yacht_dice)}
"""Boxes and scores as printed, by rule set."""


def few(rules, *boxes, at):
    """A rule set of the configuration with only these boxes, and an upper bonus that they can earn."""
    card = CARDS[rules]
    bonus = card["upper_bonus"] | {"at": at}
    return {"t": card | {"boxes": [box for box in card["boxes"] if {*box} <= {*boxes}], "upper_bonus": bonus}}


def solve(folder, definitions, name="yahtzee_score"):
    given, table = {"rules": definitions}, find_table(name)
    return grids.solved(table, [table.variant({"rules": "t"}, given, "")], folder, given)


SMALL = dict.fromkeys(PRINTED, (("sixes", "full_house", "yahtzee"), 18))
SMALL |= dict.fromkeys(("yatzy", "yatzy_2012"), (("ones", "one_pair", "two_pairs"), 3))
SMALL["yacht_dice"] = ("sixes", "full_house", "small_straight"), 18


@pytest.mark.parametrize("name", SMALL)
def test_no_value_of_a_small_card_is_wrong_by_more_than_the_bound(tmp_path, name):
    boxes, at = SMALL[name]
    exact = Yahtzee(boxes, PRINTED[name][1], name, CARDS[name]["upper_bonus"]["points"], at, exact=True)
    (certificate,) = certify_slice(files := solve(tmp_path, few(name, *boxes, at=at)), None, None)
    exact.value(boxes)
    rows = pq.read_table(files.rows).to_pylist()
    cards = {
        (sum(1 << boxes.index(box) for box in is_open), upper, int(further)): (is_open, upper, further)
        for is_open, upper, further in exact.known
        if is_open
    }
    assert [(row["open"], row["upper"], row["bonus"]) for row in rows] == sorted(cards)
    wrong = [abs(row["value"] - exact.rational(*cards[row["open"], row["upper"], row["bonus"]])) for row in rows]
    assert max(wrong) <= certificate.error_bound < 2e-11
    assert certificate.simulated_low < certificate.value == rows[-1]["value"] < certificate.simulated_high


@pytest.mark.parametrize("name", PRINTED)
def test_the_rules_equal_the_printed_rules(name):
    rules = Rules(Definition(name, CARDS[name]))
    boxes, score = PRINTED[name]
    assert rules.boxes == boxes
    paid, earns = CARDS[name]["upper_bonus"]["points"], "further" in CARDS[name]
    alike = [(face,) * 5 for face in range(1, 7)]
    chosen = np.random.default_rng(1).integers(1, 1 << len(boxes), 200).tolist() if earns else ()
    asked = [(rules.fresh.open, throw) for throw in combinations_with_replacement(range(1, 7), 5)]
    for opened, throw in [*asked, *((opened, throw) for opened in chosen for throw in alike)]:
        is_open = [box for i, box in enumerate(boxes) if opened >> i & 1]
        for further in {0, int(earns and "yahtzee" not in is_open)}:
            ours = {b: rules.fill(Card(opened, 50, further), throw, i) for i, b in enumerate(boxes)}
            theirs = fills(boxes, score, name, is_open, bool(further), throw)
            for box, filled in ours.items():
                if box not in theirs:
                    assert filled is None
                    continue
                points, above, then = theirs[box]
                after = Card(opened & ~(1 << boxes.index(box)), min(63, 50 + above), int(then))
                assert filled == (points + paid * (50 + above >= 63), after)


def test_a_referee_that_maximises_each_turn_earns_less():
    rules = Rules(Definition("short", CARDS["short"]))
    turn, values = turn_of(rules), np.zeros((1 << len(rules.boxes), rules.upper_at + 1, 2))
    points, _ = scores(rules, turn, values, np.arange(2000, dtype=np.uint64))
    assert 90 < points.mean() < 127 and points.max() <= 855


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return solve(tmp_path_factory.mktemp("sound"), few("forced", "fives", "sixes", "chance", "yahtzee", at=33))


def test_the_values_of_another_joker_rule_are_refused(sound, tmp_path):
    files = grids.copied(sound, tmp_path / "slice")
    other = pq.read_table(solve(tmp_path / "free", few("free", "fives", "sixes", "chance", "yahtzee", at=33)).rows)
    rewrite(
        files.rows, lambda rows: [row | {"value": v} for row, v in zip(rows, other["value"].to_pylist(), strict=True)]
    )
    assert "the rules give" in refused(files)


def test_the_distribution_of_a_yahtzee_box_is_the_known_one(tmp_path):
    """A player who aims for a yahtzee gets one in 347897 of 7558272 turns."""
    card = {"boxes": [{"yahtzee": {"of": "aaaaa", "points": 50}}]}
    (certificate,) = certify_slice(files := solve(tmp_path, {"t": card}, "yahtzee_distribution"), None, None)
    rows = pq.read_table(files.rows).to_pylist()
    chances = {row["score"]: row["probability"] for row in rows if row["strategy"] == "greedy"}
    known = Fraction(347897, 7558272)
    assert chances.keys() == {0, 50} and abs(chances[50] - known) < 1e-15 > abs(chances[0] + known - 1)
    assert abs(certificate.value - 50 * known) <= certificate.error_bound


@pytest.fixture(scope="module")
def scores_of(tmp_path_factory):
    card = few("forced", "fives", "sixes", "chance", "yahtzee", at=33)
    return solve(tmp_path_factory.mktemp("scores"), card, "yahtzee_distribution")


def test_scores_of_strategies_hold(scores_of, sound):
    (certificate,), (best,) = certify_slice(scores_of, None, None), certify_slice(sound, None, None)
    assert abs(certificate.value - best.value) < 1e-12
