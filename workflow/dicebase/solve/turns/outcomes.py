"""What turns of a duel come to under the best play of both."""

import numpy as np

from dicebase.solve.plays import Play, turns_to_come
from dicebase.solve.turns.compiled import CompiledTurn
from dicebase.solve.turns.duel import duel_turns
from dicebase.solve.turns.plays import greediest, play_of


def best_play(turn: CompiledTurn, values: np.ndarray) -> Play:
    """How turns end that follow `values`, (T, T) as from `solve_duel`."""
    return play_of(turn, len(values), lambda me: greediest(*duel_turns(turn, values, me)))


def duel_outcomes(turn: CompiledTurn, target: int, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(turns, losses, points), each of shape (T, T) by units banked by the mover and by the opponent.

    turns : expected number of turns of the rest of the match, this one included.
    losses : probability that this turn is lost, and where there are wipes the bank with it.
    points : expected points that this turn banks; those that reach the target count, and not more.
    target : in points; values : as for `best_play`.
    """
    play, size = best_play(turn, values), len(values)
    total = np.minimum(turn.unit * np.arange(size + 1), target)
    points = [ended[:, me:] @ (total[me:] - total[me]) for me, ended in enumerate(play.ends)]
    return turns_to_come(play, play), play.busts + play.wipes, np.array(points)
