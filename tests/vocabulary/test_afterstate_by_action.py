"""`afterstate_by_action` makes actions and their afterstates from pairs."""

import pytest

from dicebase.vocabulary import ConfigurationError, afterstate_by_action


def test_pairs_keep_their_order_and_are_listed_once():
    pairs = [("b", (1, "x")), ("a", None), ("b", (1, "xy"[0])), ("c", None)]
    assert list(afterstate_by_action(pairs).items()) == [("b", (1, "x")), ("a", None), ("c", None)]
    assert afterstate_by_action(iter(())) == {}


@pytest.mark.parametrize("one, other", [("12", "1"), (None, 0), ((1, 1), (1, True)), (0.0, -0.0), (1, 1.0)])
def test_one_text_with_two_afterstates_is_refused(one, other):
    with pytest.raises(ConfigurationError, match=r"^action 'move' leads to .+ and to .+$"):
        afterstate_by_action([("move", one), ("stay", other), ("move", other)])
