"""Which dice of a roll to keep, from a table whose rows are positions after keeping.

Keeping adds points to the turn and leaves dice to roll, all dice if all were kept. The values of rolling them and of
banking are in the row of that turn total and number of dice. If keeping ends the turn or the match, the value is in the
row of the next turn's start.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dicebase.matches.turns.by_turns import ByTurns
from dicebase.tables.follow.positions import Match, Positions, group_indices, roll_or_bank
from dicebase.tables.follow.ranking import Choices
from dicebase.tables.follow.rolls import ROLL, roll_of
from dicebase.vocabulary import Roll

ENDS = 0  # replaces the number of dice in hand when the turn is over


def decisions(
    game: ByTurns, match: Match, state: Mapping[str, np.ndarray], rolls: Sequence[str | None]
) -> Iterator[tuple[np.ndarray, Choices]]:
    """Yield (indices of positions, their choices), grouping positions with the same actions; unknown positions are left
    out.

    state : the columns of positions, (n,) each; the column of dice has indices into `rolls`.
    """
    for some, positions in match.parts([state[c.name] for c in game.record_columns], state["turn_total"]):
        here = {name: column[some] for name, column in state.items()}
        if ROLL not in here:
            yield some, roll_or_bank(game, positions, here)
            continue
        for number, at in group_indices(here.pop(ROLL)):
            for choices in keeps(game, positions, {n: x[at] for n, x in here.items()}, rolls[number] or ""):
                yield some[at], choices


def keeps(game: ByTurns, positions: Positions, state: Mapping[str, np.ndarray], dice: str) -> Iterator[Choices]:
    """Yield the choices for a roll at n positions, for each mode that can throw these dice; none if nothing scores.

    state : the columns of a row without the dice, (n,) int64 each.
    """
    for mode in game.rules.modes:
        if (roll := roll_of(game.rules, mode, dice)) and roll.options:
            yield _keeps(game, positions, state, mode, roll)


def _keeps(game: ByTurns, positions: Positions, state: Mapping[str, np.ndarray], mode: int, roll: Roll) -> Choices:
    record, total = [state[c.name] for c in game.record_columns], state["turn_total"]
    ways = [(option.gain, ENDS if option.mode is None else option.mode) for option in roll.options]
    worths = positions.worths(record, total, [(0, mode), *ways])
    found, size = worths.found[:, 0], (2 * len(ways), len(total))
    gain, hand = np.array(ways).T
    after = (total + gain[:, np.newaxis]).T
    ends = (after >= game.to_go(record)[:, np.newaxis]) | (hand == ENDS)
    # Usually the end of a match has value 1: a win, or the turn that is counted.
    ended, over = _ended(game, positions, record, after) if game.ends_otherwise else (1.0, True)
    q_values = np.where(ends, ended, worths.bank[:, 1:]), np.where(ends, np.nan, worths.roll[:, 1:])
    # Two actions with the same turn total, both banked or rolled with equally many dice, differ only in name, as do two
    # that end the match with the same value.
    leads_to = np.where(ends & over, 0, gain), np.broadcast_to(-(gain * 1000 + hand), ends.shape)
    names = [name for option in roll.options for name in game.rules.called(option)]
    q, leads = (np.stack([x.T for x in pair], axis=1).reshape(size).T for pair in (q_values, leads_to))
    return Choices(names, np.where(found[:, np.newaxis], q, np.nan), found, leads)


def _ended(
    game: ByTurns, positions: Positions, record: Sequence[np.ndarray], total: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values (n, ways) of turns that have to end at these totals, 1 for a win or a counted turn, and whether
    the match is over."""
    each = [np.broadcast_to(x[:, np.newaxis], total.shape) for x in record]
    won, lost, following = game.ended(each, each[game.mine] + total)
    later = positions.begins([np.broadcast_to(x, total.shape).ravel() for x in following]).reshape(total.shape)
    return np.where(won, 1.0, np.where(lost, 0.0, game.reward + game.sign * later)), won | lost
