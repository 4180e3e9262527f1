"""The shot put of the Decathlon: a printed value, and another solver, which values attempts by a payoff function."""

from typing import ClassVar

import pytest

from reference.decathlon import MAXJIANG, PRINTED, best_of, shot_put
from support.contract import BoardRulesContract, Published
from support.contract_boards import solved


class TestDecathlonShotPut(BoardRulesContract):
    game = "decathlon_shot_put"
    match = "points"
    small: ClassVar = {"points": [{"attempts": 1}, {"attempts": 3, "dice": 2}]}
    published = (Published(MAXJIANG, {}, PRINTED["attempts=3 dice=8"]),)


@pytest.mark.parametrize("attempts", [1, 2])
def test_four_dice(attempts):
    certificate = solved("decathlon_shot_put_points", {"attempts": attempts, "dice": 4}).certificate
    assert certificate.exact == str(best_of(attempts, 24, lambda g: shot_put(g, 4)))


def test_the_last_attempt_goes_on_while_it_is_behind():
    table = solved("decathlon_shot_put_points", {})
    actions = table.actions[1, 30, 6, 28]
    assert actions["throw"]["optimal"] and actions["stop"]["q_value"] == 30
    # From 20 points on, a 1 costs at least as much on average as the other faces gain, as in Pig.
    assert table.actions[1, 0, 5, 20]["stop"]["optimal"] and table.actions[1, 0, 5, 19]["throw"]["optimal"]
