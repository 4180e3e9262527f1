"""The referee: play games by the published table, on the positions that the rules lead to.

Rewards go to MAX; they count for or against the first mover, depending on the current roles. If players change roles,
the first mover also plays against an opponent who picks the first or the last legal action at random.

throws/referee.py plays games of simultaneous choice, because their tables hold the mixed strategy of one player.
"""

from typing import NamedTuple, NoReturn

import numpy as np

from dicebase.certify.graph.positions import positions_of
from dicebase.certify.play.chance import Dice, dice, drawn, throw
from dicebase.certify.play.simulation import LONGEST, Simulation, simulate
from dicebase.certify.published import CertificationError, Published
from dicebase.vocabulary import Game, State
from dicebase.vocabulary.kernels import kernel


class Moves(NamedTuple):
    """The published policy and the positions it is played on; arrays as in positions.Positions."""

    first: np.ndarray
    after: np.ndarray
    played: np.ndarray  # (states,), the afterstate of the published action
    begin: np.ndarray
    to: np.ndarray
    fall: np.ndarray  # (afterstates,), the index of the die that is thrown
    reward: np.ndarray  # (sides,), as is sign
    sign: np.ndarray
    dice: Dice


def play(game: Game, published: Published, seed: int) -> Simulation | None:
    """Play a published table; return None if games take too long."""
    if published.endless:
        return None
    p = positions_of(game, published, _fail)
    best = np.flatnonzero(published.actions["probability"] == 1)  # one row per state
    reward = np.array([float(paid) for fall in p.falls for paid in fall.rewards])
    sign = np.array([sign for fall in p.falls for sign in fall.signs])
    thrown = dice(fall.weights for fall in p.falls)
    moves = Moves(p.first, p.after, p.after[best], p.begin, p.to, p.fall, reward, sign, thrown)

    def games(streams: np.ndarray, against_chance: bool = False) -> tuple[np.ndarray, int]:
        payoffs = np.zeros(len(streams))
        return payoffs, _play(moves, against_chance, payoffs, streams, LONGEST)

    of_two = min(sign) < 0 < game.sense  # two players alternate, and both maximise
    against = (lambda streams: games(streams, True)) if of_two else None
    return simulate(games, seed, game.value.unit, float(np.ptp(published.values)), against)


def _fail(state: State | None, what: str) -> NoReturn:
    raise CertificationError(f"{state}: {what}")


@kernel
def _play(moves, against_chance, payoffs, streams, longest):
    """Play a game with each stream and return the moves, without an end if there are too many. payoffs : (games,)."""
    made = 0
    for game in range(len(streams)):
        at, role = 0, 1  # an afterstate; rewards count for (1) or against (-1) the first mover
        while made <= longest:
            side = throw(moves.dice, moves.fall[at], streams, game)
            outcome, state = moves.dice.first[moves.fall[at]] + side, moves.to[moves.begin[at] + side]
            payoffs[game] += role * moves.reward[outcome]
            role *= moves.sign[outcome]
            made += 1
            if state < 0:
                break
            at = moves.played[state]
            if against_chance and role < 0:
                made += 1
                at = moves.after[moves.first[state + 1] - 1 if drawn(streams, game) else moves.first[state]]
    return made
