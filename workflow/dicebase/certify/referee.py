"""The referee: games played on the positions of the rules, doing what the published table says in each state.

What is paid to MAX counts for or against the first mover, as the players have changed roles. Where they do, the first
mover also plays against one who draws his actions, the first legal one or the last.

Of games in which both choose at once a table has the mixes of one player; see throws/referee.py.
"""

from typing import NamedTuple, NoReturn

import numpy as np

from dicebase.certify.chance import Dice, dice, drawn, kernel, throw
from dicebase.certify.positions import positions_of
from dicebase.certify.published import CertificationError, Published
from dicebase.certify.simulation import LONGEST, Simulation, simulate
from dicebase.vocabulary import Game, State


class Moves(NamedTuple):
    """What a table does: where an action leads, and how the dice can fall there; see positions.Positions."""

    first: np.ndarray
    after: np.ndarray
    played: np.ndarray  # (states,), the afterstate of the published action
    begin: np.ndarray
    to: np.ndarray
    fall: np.ndarray  # (afterstates,), which of the dice falls
    at: np.ndarray  # (afterstates,), where its rewards and signs begin
    reward: np.ndarray
    sign: np.ndarray
    dice: Dice


def play(game: Game, published: Published, seed: int) -> Simulation | None:
    """Play a published table; None where games take too long."""
    p = positions_of(game, published, _fail)
    best = np.flatnonzero(published.actions["probability"] == 1)  # once in a state
    reward = np.array([float(paid) for fall in p.falls for paid in fall.rewards])
    sign = np.array([sign for fall in p.falls for sign in fall.signs])
    thrown = dice(fall.weights for fall in p.falls)
    moves = Moves(p.first, p.after, p.after[best], p.begin, p.to, p.fall, p.falls_at, reward, sign, thrown)

    def games(streams: np.ndarray, against_chance: bool = False) -> tuple[np.ndarray, int] | None:
        payoffs = np.zeros(len(streams))
        made = _play(moves, against_chance, payoffs, streams, LONGEST)
        return None if made > LONGEST else (payoffs, made)

    of_two = min(sign) < 0 < game.sense  # who take turns, and want as much as they can get
    against = (lambda streams: games(streams, True)) if of_two else None
    return simulate(games, seed, game.value.unit, float(np.ptp(published.values)), against)


def _fail(state: State | None, what: str) -> NoReturn:
    raise CertificationError(f"{state}: {what}")


@kernel
def _play(moves, against_chance, payoffs, streams, longest):
    made = 0
    for game in range(len(streams)):
        after, role = 0, 1
        while True:
            made += 1
            if made > longest:
                return made
            side = throw(moves.dice, moves.fall[after], streams, game)
            payoffs[game] += role * moves.reward[moves.at[after] + side]
            role *= moves.sign[moves.at[after] + side]
            state = moves.to[moves.begin[after] + side]
            if state < 0:
                break
            after = moves.played[state]
            if against_chance and role < 0:
                made += 1
                last = drawn(streams, game)
                after = moves.after[moves.first[state + 1] - 1 if last else moves.first[state]]
    return made
