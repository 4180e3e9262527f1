"""Rolls where dice are kept: the tables have what lies on the table after keeping, a player asks what to keep.

A way to keep adds points to the turn and leaves dice in the hand, all dice if all were kept. What it is worth to roll
them, or to bank, is in the row of that turn total and so many dice. Where that ends the turn by itself, as the match
does, what follows is in the row of the next turn's start.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dicebase.matches.by_turns import ByTurns
from dicebase.tables.follow.positions import Match, Positions, roll_or_bank, together
from dicebase.tables.follow.ranking import Choices
from dicebase.tables.follow.rolls import ROLL, roll_of
from dicebase.vocabulary import Roll

ENDS = 0  # dice in the hand where the turn is over


def decisions(
    game: ByTurns, match: Match, state: Mapping[str, np.ndarray], rolls: Sequence[str | None]
) -> Iterator[tuple[np.ndarray, Choices]]:
    """(which of n positions, their actions), those together that have the same; none of what is no position.

    state : the columns of positions, (n,) each; in place of dice the number among `rolls`.
    """
    for some, positions in match.parts([state[c.name] for c in game.record_columns], state["turn_total"]):
        here = {name: column[some] for name, column in state.items()}
        if ROLL not in here:
            yield some, roll_or_bank(game, positions, here)
            continue
        for number, at in together(here.pop(ROLL)):
            for choices in keeps(game, positions, {n: x[at] for n, x in here.items()}, rolls[number] or ""):
                yield some[at], choices


def keeps(game: ByTurns, positions: Positions, state: Mapping[str, np.ndarray], dice: str) -> Iterator[Choices]:
    """The ways to use a roll at n positions, by its mode; none where nothing can be kept of such dice.

    state : the columns of a row but for the dice, as arrays of shape (n,) int64.
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
    # What ends the match is worth one, most often: a win, or the turn that is counted.
    ended = _ended(game, positions, record, after) if game.ends_otherwise else 1.0
    q_values = np.where(ends, ended, worths.bank[:, 1:]), np.where(ends, np.nan, worths.roll[:, 1:])
    # Of the same turn total, banked or rolled with as many dice, two actions are the same in all but name.
    wins = ends & game.wins_at_once & (hand != ENDS)
    leads_to = np.where(wins, 0, gain), np.broadcast_to(-(gain * 1000 + hand), ends.shape)
    names = [name for option in roll.options for name in game.rules.called(option)]
    q, leads = (np.stack([x.T for x in pair], axis=1).reshape(size).T for pair in (q_values, leads_to))
    return Choices(names, np.where(found[:, np.newaxis], q, np.nan), found, leads)


def _ended(game: ByTurns, positions: Positions, record: Sequence[np.ndarray], total: np.ndarray) -> np.ndarray:
    """What turns are worth that end by themselves with such totals, of shape (n, ways): one is a win, or the turn that
    is counted."""
    each = [np.broadcast_to(x[:, np.newaxis], total.shape) for x in record]
    won, lost, following = game.ended(each, each[game.mine] + total)
    later = positions.begins([np.broadcast_to(x, total.shape).ravel() for x in following]).reshape(total.shape)
    return np.where(won, 1.0, np.where(lost, 0.0, game.reward + game.sign * later))
