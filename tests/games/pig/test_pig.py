"""One turn of Pig: closed forms, the paper's section 5.2, and an independent solution."""

from fractions import Fraction

import pytest

from dicebase.games.pig import Rules
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers import reference
from dicebase.tabulate.turns import complete
from dicebase.tabulate.turns import turn as tabulate_turn
from dicebase.vocabulary import Loss
from reference.pig import turn_value, turn_value_two_dice
from support.contract import Published, TurnRulesContract

WITNESS = {1: turn_value, 2: turn_value_two_dice}
GRID = [(sides, dice) for sides in (2, 3, 4, 6, 8, 10, 12, 20) for dice in (1, 2)]


class TestPig(TurnRulesContract):
    game = "pig"
    small = (
        {"sides": 6},
        {"sides": 6, "dice": 2},
        {"sides": 2},
        {"sides": 2, "dice": 2},
        {"sides": 3},
        {"sides": 4, "dice": 2},
        {"sides": 12},
    )
    published = (
        Published("Crocce and Mordecki (2014), section 5.2", {"sides": 6}, "8.14"),
        # The first roll gives 0 or 2. At 2 another roll gains nothing on average, so the value is half of 2.
        Published("a coin, by hand", {"sides": 2}, 1),
        # V(5) = 5, V(4) = (6 + 7) / 3, V(3) = (5 + 6) / 3, V(2) = (13/3 + 5) / 3, V(0) = (28/9 + 11/3) / 3.
        Published("three sides, by hand", {"sides": 3}, Fraction(61, 27)),
        # Only a double 2 scores, one time in four. At 4 the player holds, because a roll is worth (4 + 4) / 4.
        Published("two coins, by hand", {"sides": 2, "dice": 2}, 1),
    )


@pytest.mark.parametrize(("sides", "dice"), GRID)
def test_every_total_equals_an_independent_solution(sides, dice):
    game = complete(BestTurn(Rules(sides, dice)))
    solution = reference.solve(game)
    value, V, threshold = WITNESS[dice](sides)
    assert next(tabulate_turn(game)).exact == solution.start == value
    for (total,), worth in solution.value.items():
        if total:
            assert worth == (V[total] if total <= threshold else total)


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_a_double_one_wipes_the_bank_and_a_single_one_loses_the_turn(sides):
    lost = {loss: sum(r.weight for r in Rules(sides, 2).rolls(0, 0) if r.loss is loss) for loss in Loss}
    assert lost == {Loss.WIPE: 1, Loss.BUST: 2 * (sides - 1), Loss.OUT: 0}
    assert not any(r.loss is Loss.WIPE for r in Rules(sides).rolls(0, 0))
