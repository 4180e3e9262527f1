"""One turn of Pig: closed forms and the paper's section 5.2."""

from fractions import Fraction

import pytest

from dicebase.games.pig import Rules
from dicebase.vocabulary import Loss
from support.contract import Published, TurnRulesContract


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


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_a_double_one_wipes_the_bank_and_a_single_one_loses_the_turn(sides):
    lost = {loss: sum(r.weight for r in Rules(sides, 2).rolls(0, 0) if r.loss is loss) for loss in Loss}
    assert lost == {Loss.WIPE: 1, Loss.BUST: 2 * (sides - 1), Loss.OUT: 0}
    assert not any(r.loss is Loss.WIPE for r in Rules(sides).rolls(0, 0))
