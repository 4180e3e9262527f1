"""Cards of pars for score sheets: against rationals of the printed rules, other cards, printed averages, faults."""

import random

import numpy as np
import pytest
import yaml

from dicebase.catalog.lookup import Catalog
from dicebase.certify.sheets.score_cards import earned
from dicebase.certify.sheets.turn import cards_of
from dicebase.games.yahtzee import Rules
from dicebase.matches.sheets.score_cards import Pars, ScoreCards, read_pars
from dicebase.policies import report
from dicebase.solvers.sheets.pars import earned_by_cards
from dicebase.tabulate.sheets import score_cards
from dicebase.vocabulary import ConfigurationError, Definition
from reference.yahtzee import FACES, CardOfPars
from support import grids
from support.cards import SHEET, certified

SMALL = SHEET | {"further": {"box": "yahtzee", "points": 100, "joker": "forced"}}
JOKERS, RULES = Rules(Definition("small", SMALL)), Rules(Definition("plain", SHEET))


def printed(box, throw):
    if box in FACES:
        return FACES[box] * throw.count(FACES[box])
    kinds = len(set(throw))
    return {"yahtzee": 20 * (kinds == 1), "small_straight": 30 * (kinds == 3), "chance": sum(throw)}[box]


def exactly(policy, joker="none"):
    """The expected points of a card as a Fraction."""
    card = read_pars(policy, RULES.boxes)
    pars = dict(zip(RULES.boxes, card.pars, strict=True))
    rules = {"joker": joker, "least": 8, "dice": 3, "sides": 3}
    return CardOfPars(RULES.boxes, printed, card.weight, pars, {"ones": 2, "threes": 6}, **rules).points()


def cards(count):
    """Cards with pars drawn at random, and one without any number."""
    draw = random.Random(3)
    found = [Pars(draw.randint(0, 3), tuple(draw.choice((0, 4, 9, 17)) for _ in RULES.boxes)) for _ in range(count)]
    return [Pars(0, (0,) * len(RULES.boxes)), *found]


@pytest.mark.parametrize(("rules", "joker"), [(RULES, "none"), (JOKERS, "forced")])
def test_solver_and_certifier_find_the_exact_points_of_a_card(rules, joker):
    played, backward = earned_by_cards(rules), cards_of(rules)
    for card in cards(3):
        exact = exactly(card.text(rules.boxes), joker)
        assert abs(played(card.weight, np.array(card.pars)) - exact) < 1e-12 * exact
        assert abs(earned(backward, card) - exact) < 1e-12 * exact


def test_a_card_is_read_as_it_is_written():
    for card in cards(12):
        assert read_pars(card.text(RULES.boxes), RULES.boxes) == card
    assert read_pars("par chance,ones=7 upper*1", RULES.boxes).text(RULES.boxes) == "par upper*1 ones,chance=7"
    assert Pars(2, (0, 4, 4, 9, 0)).numbers == 3


def test_no_change_of_one_number_earns_more(tmp_path_factory):
    (row,), earned_by = certified("sheets", tmp_path_factory)[1], earned_by_cards(RULES)
    card = read_pars(row["policy"], RULES.boxes)
    best = earned_by(card.weight, np.array(card.pars))
    assert card.numbers == 2 and row["policy"] == card.text(RULES.boxes) and row["language"] == "par"
    assert (row["least_cost"], row["proved"], row["cost"] > 0) == (0, False, True)
    for by in (1, -1):
        assert earned_by(card.weight + by, np.array(card.pars)) <= best
        assert earned_by(card.weight, np.array(card.pars) + by * (np.array(card.pars) > 0)) <= best


def test_the_card_of_one_number_has_the_best_weight():
    (rows,) = score_cards(ScoreCards(RULES, 1))
    earned_by, none = earned_by_cards(RULES), np.zeros(len(RULES.boxes))
    weight = max(range(1, 50), key=lambda weight: earned_by(weight, none))
    assert rows.states["policy"] == [f"par upper*{weight}"]


def test_a_card_loses_in_its_decisions_what_it_costs(tmp_path_factory, tmp_path):
    (row,), definitions = certified("sheets", tmp_path_factory)[1], {"yahtzee": {"rules": {"plain": SHEET}}}
    grids.build(tmp_path, yaml.dump({"definitions": definitions, "tables": {"yahtzee_score": [{"rules": "plain"}]}}))
    with Catalog(tmp_path) as catalog:
        answer = report(catalog, "yahtzee_score", row["policy"], rules="plain")
        assert answer["cost"] == pytest.approx(row["cost"], abs=1e-12)
        assert abs(answer["value"] - exactly(row["policy"])) < 1e-12 * answer["best"]
        assert sum(m["loss"] for m in answer["mistakes"]) == pytest.approx(answer["cost"], abs=1e-8)


WRONG = {
    "par upper*2 nines=3": "'nines' is not a part of a card; did you mean 'ones'?; give parts such as 'par upper",
    "par ones,ones=3": "'ones' has two pars",
    "upper*2 ones=3": "'upper*2' is not a part of a card",
    "par ones=2.5": "'ones=2.5' is not a part",
    "par upper*-1": "'upper*-1' is not a part",
}


@pytest.mark.parametrize("policy", WRONG)
def test_a_wrong_card_is_refused_in_one_line(policy):
    with pytest.raises(ConfigurationError) as error:
        read_pars(policy, RULES.boxes)
    assert WRONG[policy] in str(error.value) and "\n" not in str(error.value)


def test_a_card_has_no_more_numbers_than_boxes_allow():
    assert not ScoreCards(RULES, 5).why_not_solved
    assert "at most 5 numbers" in ScoreCards(RULES, 6).why_not_solved


@pytest.mark.slow
def test_three_numbers_earn_more_than_the_heuristics_of_glenn():
    """J. Glenn, An optimal strategy for Yahtzee (Loyola CS-TR-0002, 2006), table 3: 240.67 with the expected score of
    each box, 244.87 with two tables of values, both with an estimate of the upper bonus and free jokers."""
    rules = Rules(Definition("free", grids.DEFAULT["definitions"]["yahtzee"]["rules"]["free"]))
    backward, played = cards_of(rules), earned_by_cards(rules)
    for printed, policy in (
        (240.67, "par upper*2 three_of_a_kind,small_straight,large_straight,chance=18"),
        (
            244.87,
            "par upper*2 fives,sixes,four_of_a_kind,full_house=6 "
            "three_of_a_kind,small_straight,large_straight,chance=18",
        ),
    ):
        card = read_pars(policy, rules.boxes)
        points = earned(backward, card)
        assert points > printed and abs(points - played(card.weight, np.array(card.pars))) < 1e-9
