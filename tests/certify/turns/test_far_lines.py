"""Values beyond the last total of a turn in which some modes forbid banking: the certifier proves the solver's values
by the theorem's conditions, and one step of play from far totals gives the same values."""

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dicebase.certify.published import CertificationError
from dicebase.certify.turns.turn import check_continuation
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.vocabulary import InfiniteValueError
from support.faults import fail
from support.random_turns import MadeUp, turns


@dataclass(frozen=True)
class Forced(MadeUp):
    """A turn in which the player must roll in some modes."""

    must_roll: tuple[int, ...] = ()


@settings(max_examples=15, deadline=None)
@given(turns(wipes=False), st.sets(st.integers(2, 3)))
def test_lines_are_proved_and_smaller_lines_are_refused(made, must):
    rules = Forced(made.table, made.modes, tuple(sorted(must & {*made.modes})))
    try:
        game = BestTurn(rules).with_continuation(FarTotals(rules).continuation)
    except InfiniteValueError:
        assume(False)
    check_continuation(game, fail)
    far = game.continuation
    for total in range(far.cutoff, far.cutoff + 3):
        for phase, mode in far.worth:
            here = total + (phase - total) % rules.period
            rolls = rules.rolls(here, mode)
            ahead = sum(
                r.weight * max((game.worth(here + o.gain, o.mode) for o in r.options), default=0) for r in rolls
            )
            rolled = Fraction(ahead) / sum(r.weight for r in rolls)
            assert game.worth(here, mode) == (rolled if mode in rules.must_roll else max(here, rolled))
    line = next(iter(far.worth))
    wrong = type(far)(far.cutoff, {**far.worth, line: far.worth[line] - 1}, far.slopes)
    with pytest.raises(CertificationError):
        check_continuation(game.with_continuation(wrong), fail)
