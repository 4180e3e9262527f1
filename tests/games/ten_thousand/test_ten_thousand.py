"""One turn of Ten Thousand: the contract, other scoring tables, and scoring tables that are refused."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from dicebase.games.ten_thousand import RESIGNED, Rules
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers import reference
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.tabulate.turns import complete
from dicebase.tabulate.turns import turn as tabulate_turn
from dicebase.vocabulary import Definition, InfiniteValueError
from reference.matches_ten_thousand import outcome
from support import papers_crocce_mordecki as cm
from support.contract import Published, TurnRulesContract
from support.printed import read

ONE_DIE = {"dice": 1, "combinations": {"1": 100, "5": 50}}
THREE_DICE = {"dice": 3, "combinations": {"1": 100, "5": 50, "11": 300, "111": 1000, "222": 200, "46": 150}}
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
        i = cm.paper.configuration(map(int, roll.dice))
        wanted = {*outcome(n, i)} if cm.paper.d(i) else set()
        assert {(o.gain, o.mode) for o in roll.options} == wanted, roll.dice
        assert len(roll.options) == len(wanted) or i[0] + i[1] > 1
