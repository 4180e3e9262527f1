"""Decisions of hand-made games, without files."""

import numpy as np
import pytest

from dicebase.certify import decisions
from dicebase.certify.published import CertificationError, Published
from dicebase.vocabulary import Column, Controller, Game, Outcome


class Shared(Game):
    """Two states toss the same coin: heads lead to the later one, tails end. The later one may take 10 instead.

    From the later state the coin leads back to where it was thrown; from the first it does not.
    """

    columns = (Column("place", int, "0 or 1"),)
    value = Column("value", float, "points", "points")

    def start(self):
        return "start"

    def controller(self, state):
        return Controller.MAX

    def layer(self, state):
        return state[0]

    def actions(self, state):
        return ("toss", "take") if state[0] else ("toss",)

    def afterstate(self, state, action):
        return action

    def outcomes(self, afterstate):
        if afterstate == "toss":
            return Outcome(1, (1,)), Outcome(1, None)
        return (Outcome(1, (0,)) if afterstate == "start" else Outcome(1, None, 10),)


def shared(first, exact):
    """The rows of the game, with `first` as the value of the first state; the second is worth 10."""
    values, q = np.array([first, 10.0]), np.array([first, 5.0, 10.0])
    states = {"place": np.array([0, 1]), "value": values, "action": np.array(["toss", "take"])}
    states["margin"] = np.array([np.nan, 5.0])
    best = np.array([True, False, True])
    actions = {"place": np.array([0, 1, 1]), "action": np.array(["toss", "toss", "take"]), "q_value": q}
    actions |= {"regret": np.array([0.0, 5.0, 0.0]), "probability": best.astype(float)}
    actions |= {"optimal": best, "undecided": np.zeros(3, bool)}
    published = Published(Shared(), states, actions)
    published.exact = exact
    return published


def fail(row, what):
    raise CertificationError(f"{row}: {what}")


@pytest.mark.parametrize("exact", [None, 5])
def test_what_leads_back_to_one_state_of_several_is_worth_other_numbers_in_each(exact):
    assert decisions.check(Shared(), shared(5.0, exact), fail).value == 5
    # What the coin is worth to one who throws it until he leaves the later state.
    with pytest.raises(CertificationError, match=r"the value is 0\.0"):
        decisions.check(Shared(), shared(0.0, exact), fail)
