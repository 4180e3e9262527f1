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

AT_ONCE = 64  # games played side by side


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
        payoffs, roles = np.zeros(len(streams)), np.ones(len(streams), np.int64)
        playing = np.zeros((3, AT_ONCE), np.int64)
        return payoffs, _play(moves, against_chance, payoffs, roles, streams, playing, LONGEST)

    of_two = min(sign) < 0 < game.sense  # two players alternate, and both maximise
    against = (lambda streams: games(streams, True)) if of_two else None
    return simulate(games, seed, game.value.unit, float(np.ptp(published.values)), against)


def _fail(state: State | None, what: str) -> NoReturn:
    raise CertificationError(f"{state}: {what}")


@kernel
def _play(moves, against_chance, payoffs, roles, streams, now, longest):
    """Play all games, AT_ONCE at a time and one throw in each by turns, so that cache misses overlap; return the moves.

    payoffs, roles, streams : (games,), payoff so far, 1 or -1 if rewards count for or against the first mover, dice.
    now : (3, AT_ONCE), scratch space for the game, its afterstate or state, and the outcome that its dice select.
    """
    made = begun = going = 0
    games, at, to = now
    while made <= longest:
        while going < len(games) and begun < len(streams):
            games[going], at[going], going, begun = begun, 0, going + 1, begun + 1
        if going == 0:
            break
        for i in range(going):
            to[i], at[i] = moves.begin[at[i]], moves.fall[at[i]]
        for i in range(going):
            fall, game = at[i], games[i]
            side = throw(moves.dice, fall, streams, game)
            payoffs[game] += roles[game] * moves.reward[moves.dice.first[fall] + side]
            roles[game] *= moves.sign[moves.dice.first[fall] + side]
            to[i] += side
        for i in range(going):
            at[i] = moves.to[to[i]]
        made, still = made + going, 0
        for i in range(going):
            if at[i] >= 0:
                games[still], at[still], still = games[i], at[i], still + 1
        going = still
        for i in range(going):
            state, at[i] = at[i], moves.played[at[i]]
            if against_chance and roles[games[i]] < 0:
                made += 1
                last = drawn(streams, games[i])
                at[i] = moves.after[moves.first[state + 1] - 1 if last else moves.first[state]]
    return made
