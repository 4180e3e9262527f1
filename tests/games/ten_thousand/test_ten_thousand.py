"""One turn of Ten Thousand: the contract, other scoring tables, and scoring tables that are refused."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest

from dicebase.games.ten_thousand import RESIGNED, Rules
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers import reference
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.tabulate.turns import complete
from dicebase.tabulate.turns import turn as tabulate_turn
from dicebase.vocabulary import Definition, InfiniteValueError
from support import papers_crocce_mordecki as cm
from support.contract import Published, TurnRulesContract
from support.printed import read

ONE_DIE = {"dice": 1, "combinations": {"1": 100, "5": 50}}
THREE_DICE = {"dice": 3, "combinations": {"1": 100, "5": 50, "11": 300, "111": 1000, "222": 200, "46": 150}}
STRAIGHT = {"dice": 6, "combinations": {"1": 100, "5": 50, "111": 1000, "333": 300, "12345": 1500, "123456": 3000}}
# Two dice never lose: every face except 6 scores, and so do two 6s.
SAFE_PAIR = {"dice": 2, "combinations": {**dict.fromkeys("12345", 10), "66": 100}}
ALWAYS = {"dice": 2, "combinations": dict.fromkeys("123456", 50)}
# A single die never scores, but any two dice score and can be rolled again.
PAIRS = {"dice": 2, "combinations": {a + b: 10 for a, b in combinations_with_replacement("123456", 2)}}
DEFINITIONS = {
    "rules": {"crocce_mordecki": cm.TABLE, "one_die": ONE_DIE, "three_dice": THREE_DICE, "safe_pair": SAFE_PAIR}
}


def rules(table: dict, moves: str = "all") -> Rules:
    return Rules(Definition("mine", table), moves)


class TestTenThousand(TurnRulesContract):
    game = "ten_thousand"
    definitions = DEFINITIONS
    small = (
        {"rules": "one_die"},
        {"rules": "safe_pair"},
        *({"rules": "three_dice", "moves": moves} for moves in RESIGNED),
    )
    published = (
        Published("Crocce and Mordecki (2014), Theorem 4.1(c)", {}, "5.872019", cm.CHIP),
        Published("Crocce and Mordecki (2014), Table 4", {}, "5.8720189185", cm.CHIP),
        Published("Crocce and Mordecki (2014), section 5.1", {"moves": "stop_roll"}, "5.576326", cm.CHIP),
        # The first roll is worth (100 + 50) / 6; at 50 another roll is worth less than 50, (150 + 100) / 6.
        Published("one die, by hand", {"rules": "one_die"}, 25),
    )


def test_the_papers_cutoff_is_2800_points_and_comes_from_five_dice():
    continuation = FarTotals(cm.rules())
    assert continuation.cutoff == 2800 == 56 * cm.CHIP
    frequencies = read("crocce_mordecki_table5")
    for n in range(1, 6):
        gained = sum(int(row[f"f{n}"] or 0) * int(row["score"]) for row in frequencies)
        ratio = Fraction(gained, int(frequencies[0][f"f{n}"]))
        assert continuation.ratio((0, n)) == ratio * cm.CHIP
        assert ratio <= 56 and (ratio > 55) == (n == 5)
    assert continuation.safe == set() and set(continuation.worth.values()) == {0}


def most_points(combinations: dict[str, int], dice: str) -> int:
    """The most points of any disjoint combinations among these dice, by trying all."""
    found = (
        points + most_points(combinations, "".join((Counter(dice) - Counter(text)).elements()))
        for text, points in combinations.items()
        if not Counter(text) - Counter(dice)
    )
    return max(found, default=0)


@pytest.mark.parametrize("table", [cm.TABLE, ONE_DIE, THREE_DICE, STRAIGHT], ids=["paper", "one", "three", "straight"])
def test_the_ratio_of_a_hand_is_its_expected_score_over_its_risk(table):
    continuation = FarTotals(rules(table))
    ratios = []
    for n in range(1, table["dice"] + 1):
        gained = lost = 0
        for dice in combinations_with_replacement("123456", n):
            orders = factorial(n) // prod(map(factorial, Counter(dice).values()))
            score = most_points(table["combinations"], "".join(dice))
            gained += orders * score
            lost += orders * (score == 0)
        ratios.append(Fraction(gained, lost))
        assert continuation.ratio((0, n)) == ratios[-1]
    assert continuation.cutoff - continuation.unit < max(ratios) <= continuation.cutoff


def test_a_straight_scores_only_as_a_whole():
    by_dice = {roll.dice: roll for n in (5, 6) for roll in rules(STRAIGHT).rolls(0, n)}
    assert [(o.keep, o.gain, o.mode) for o in by_dice["123456"].options] == [("123456", 3000, 6)]
    assert [(o.keep, o.gain, o.mode) for o in by_dice["12345"].options] == [("12345", 1500, 6)]
    # The straight and one more 5: all dice score, so all are kept.
    assert [(o.keep, o.gain, o.mode) for o in by_dice["123455"].options] == [("123455", 1550, 6)]
    # The second 4 does not score; of the straight only the 1 and the 5 score alone.
    assert {(o.keep, o.gain, o.mode) for o in by_dice["123445"].options} == {
        ("12345", 1500, 1),
        ("15", 150, 4),
        ("1", 100, 5),
        ("5", 50, 5),
    }


def test_a_hand_that_never_loses_can_have_a_finite_value():
    # Two dice score 20 together in 25 of 36 ways, 10 with a 6 in 10 ways, and 100 with two 6s in one way:
    # w = 25/36 (20 + w) + 10/36 (10 + 0) + 1/36 (100 + w), hence w = 70. The ratio of one die is 5 (10 + w) / 1 = 400.
    continuation = FarTotals(rules(SAFE_PAIR))
    assert continuation.safe == {(0, 2)}
    assert continuation.worth == {(0, 2): 70, (0, 1): 0}
    assert continuation.ratio((0, 1)) == continuation.cutoff == 400
    solution = reference.solve(complete(BestTurn(rules(SAFE_PAIR))))
    assert solution.expected(("roll", 400, 2)) == 470
    # With one die play reaches only odd multiples of 10: 5/6 (400 + 70) is above 390, 5/6 (420 + 70) below 410.
    assert solution.expected(("roll", 390, 1)) == Fraction(1175, 3)
    assert solution.expected(("roll", 410, 1)) == Fraction(1225, 3)


@pytest.mark.parametrize("table", [ALWAYS, PAIRS], ids=["every die scores", "every pair scores"])
def test_a_scoring_table_with_endless_turns_is_refused(table):
    with pytest.raises(InfiniteValueError, match=r"the value is infinite: in mode \d a turn can go on for ever"):
        next(tabulate_turn(BestTurn(rules(table))))


@pytest.mark.parametrize("n", range(1, 6))
def test_legal_keeps_follow_the_papers_definition_of_smaller(n):
    """Definition 2.1 and rules (ii) to (iv), roll by roll, with the gains of section 2.1."""
    for roll in cm.rules().rolls(0, n):
        i = cm.paper.configuration(tuple(map(int, roll.dice)))
        wanted = set()
        if i != (0, 0, 0):
            wanted = {(cm.paper.s(i), n - cm.paper.d(i) or 5)}
            if cm.paper.d(i) < n:
                wanted |= {(cm.paper.s(j), n - cm.paper.d(j)) for j in cm.paper.smaller(i)}
        assert {(o.gain // cm.CHIP, o.mode) for o in roll.options} == wanted, roll.dice
        assert len(roll.options) == len(wanted) or i[0] + i[1] > 1


@pytest.mark.parametrize("moves", RESIGNED)
def test_a_restricted_game_allows_only_its_named_moves(moves):
    for n in range(1, 6):
        for roll in cm.rules(moves).rolls(0, n):
            scoring = cm.paper.d(cm.paper.configuration(tuple(map(int, roll.dice))))
            given_up = {cm.resigned(roll.dice, o.keep) for o in roll.options}
            if scoring == n or not roll.options:
                assert given_up <= {""}
            elif RESIGNED[moves] is not None:
                largest = cm.resigned(roll.dice, "")
                possible = {m for m in RESIGNED[moves] if not Counter(m) - Counter(largest) and m != largest}
                # Three of a kind is one combination: its dice are not resigned one by one.
                assert given_up == {"", *possible}, (roll.dice, given_up)
