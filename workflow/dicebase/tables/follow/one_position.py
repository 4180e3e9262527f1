"""The choice at one position inside a turn. keeps.py computes the same for many positions, equal to the last bit.

Nothing here imports NumPy, which takes longer to load than a lookup in stored rows takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import copysign, isnan, nan
from typing import TYPE_CHECKING

from dicebase.matches.turns.by_turns import ByTurns
from dicebase.tables.follow.rolls import ROLL, roll_of
from dicebase.vocabulary import TIE, Ranked, rank

if TYPE_CHECKING:
    from dicebase.tables.follow.ranking import StoredRows

Worths = Callable[[int, int], tuple[float, float] | None]
"""A function from a turn total and a mode to the values of banking and rolling, NaN for an action that is not legal;
None if no turn with this record can reach the position."""

TurnOf = Callable[[Sequence[int], int], Worths]
"""A function from a record to the values inside its turn, at a turn total and beyond."""


def stored_turns(game: ByTurns, stored: StoredRows, variant: Mapping[str, int | str]) -> TurnOf:
    """Return the turns of a match whose rows are all stored."""
    fixed, sense = stored.key(variant), game.sense

    def worths(record: Sequence[int], total: int, mode: int) -> tuple[float, float] | None:
        if not (row := stored.record([*fixed, *record, total, mode])):
            return None
        value, margin, *_ = row
        other = value - sense * abs(margin)
        # A negative margin says that banking is best.
        return (value, other) if copysign(1.0, margin) < 0 else (other, value)

    return lambda record, _: lambda total, mode: worths(record, total, mode)


def choice(game: ByTurns, turn_of: TurnOf, state: Mapping[str, int | str]) -> tuple[list[str], Ranked] | None:
    """Return the names of the legal actions at a position and their ranked values; None if it has no choice."""
    record, total = [state[c.name] for c in game.record_columns], state["turn_total"]
    worths = turn_of(record, total)
    if ROLL not in state:
        found = worths(total, state.get("dice", game.rules.modes[0]))
        return found and _ranked(game, [game.rules.stop, "roll"], found, range(2))
    rolls = [(mode, roll_of(game.rules, mode, state[ROLL])) for mode in game.rules.modes]
    options = next((roll.options for mode, roll in rolls if roll and roll.options and worths(total, mode)), ())
    names, q_values, leads_to = [], [], []  # actions with equal entries in leads_to differ only in name
    for option in options:
        after, over = total + option.gain, False
        if option.mode is not None and after < game.to_go(record):
            values = worths(after, option.mode) or (nan, nan)
        else:
            value, over = _ended(game, turn_of, record, after)
            values = value, nan
        names += game.rules.called(option)
        q_values += values
        leads_to += 0 if over else option.gain, option[:2]
    return _ranked(game, names, q_values, leads_to) if options else None


def _ended(game: ByTurns, turn_of: TurnOf, record: Sequence[int], total: int) -> tuple[float, bool]:
    """Return the value of a turn that has to end at this total, and whether the match is over."""
    if not game.ends_otherwise:
        return 1.0, True  # a win, or the turn that is counted
    won, lost, following = game.ended(record, record[game.mine] + total)
    if won or lost:
        return float(won), True
    _, begins = turn_of(following, 0)(0, game.rules.modes[0]) or (nan, 0.0)
    return game.reward + game.sign * begins, False


def _ranked(
    game: ByTurns, names: Sequence[str], q_values: Sequence[float], leads_to: Sequence[object]
) -> tuple[list[str], Ranked]:
    legal = [i for i, q in enumerate(q_values) if not isnan(q)]
    ranked = rank([q_values[i] for i in legal], sense=game.sense, tolerance=TIE)
    if any(ranked.undecided):
        differ = len({leads_to[i] for i, optimal in zip(legal, ranked.optimal, strict=True) if optimal}) > 1
        ranked = ranked._replace(undecided=[differ and optimal for optimal in ranked.optimal])
    return [names[i] for i in legal], ranked
