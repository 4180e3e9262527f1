"""The Royal Game of Ur: the printed chance of two pieces, printed counts, and moves; the audit has chances of one."""

from fractions import Fraction
from typing import ClassVar

import pytest

from dicebase.vocabulary import ConfigurationError
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, solved

LAMONT = "P. Lamont, finkel2p.rgu of RoyalUr, in the tests of github.com/RoyalUr/RoyalUr-Python"
TINY = {"pieces": 1, "before": 1, "middle": 2, "after": 1, "dice": 2}
MEDIUM = TINY | {"middle": 4, "after": 2, "dice": 4}
MASTERS = {"path": "masters", "rosettes": "open", "captures": "again"}


class TestRoyalUr(BoardRulesContract):
    game = "royal_ur"
    match = "duel"
    small: ClassVar = {"duel": [TINY, TINY | {"pieces": 2, "dice": 1}]}
    larger: ClassVar = {"duel": [MEDIUM, MEDIUM | MASTERS, MEDIUM | MASTERS | {"captures": "pass"}]}
    published = (Published(LAMONT, {}, "33985", Fraction(1, 65535)),)


def test_the_number_of_positions_equals_the_published_counts():
    # JeroenOlieslagers/game_of_ur, runtests.jl, by pieces not yet home: 1 and 1, 1 and 2, 2 and 2. The source counts
    # positions before a throw of four dice.
    assert len(solved("royal_ur_duel", {}).values) == 5 * (217 + 2956 + 9696)


def test_moves():
    rules = build("royal_ur_duel", {"pieces": 3}).rules
    board = "xo..x..o......" + "...o.."
    assert rules.actions((board, 1, 1, 0)) == ["pass"]
    # My own square 1 is taken; square 8, the rosette in the middle, is safe.
    assert rules.actions((board, 1, 1, 1)) == ["move 1", "move 5"]
    assert rules.actions((board, 1, 1, 3)) == ["enter", "move 1"]


def test_a_board_that_cannot_be_drawn_is_refused():
    with pytest.raises(ConfigurationError, match="middle: 4 squares; the 4 before and 2 after lie beside them"):
        build("royal_ur_duel", {"middle": 4})


def test_masters_path_needs_two_squares_to_go_round():
    with pytest.raises(ConfigurationError, match="after: 1 squares; Masters' path goes round 2"):
        build("royal_ur_duel", MASTERS | {"after": 1})
