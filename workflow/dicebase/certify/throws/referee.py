"""The referee of two players who throw: in turn, as the table says, or at once, each by a draw from the published mix.

In a simultaneous match the mix is that of (own points, the other's); the other player's is the same table's, read from
the other side. In a hidden one it is that of (number of the throw, own points). Whoever has the target ends the match;
the larger total wins, and equal totals are a draw. The first player also plays against one who draws his throws.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify.chance import dice, drawn, throw
from dicebase.certify.published import CertificationError, Published
from dicebase.certify.simulation import LONGEST, Play, Simulation, simulate
from dicebase.certify.throws.alone import gains_of
from dicebase.matches.duel import DuelOfThrows
from dicebase.matches.hidden import HiddenRace
from dicebase.matches.simultaneous import SimultaneousRace
from dicebase.vocabulary.kernels import kernel

FINE = 2**60  # shares of a throw drawn
LOST = -1  # moves of games that come to no row
ENDLESS = -1  # throws of a match that goes on until somebody wins


def play(game: SimultaneousRace | HiddenRace, published: Published, seed: int) -> Simulation | None:
    """Play a published table, whose rows have passed their check; None where games take too long. Raises
    CertificationError where its mix leads to a row that is not there."""
    unit, gains = game.unit_of_points, gains_of(game)
    thrown = dice(of_choice.values() for of_choice in gains)
    points = np.array([gain for of_choice in gains for gain in of_choice])
    horizon = game.horizon if isinstance(game, HiddenRace) else ENDLESS
    # A row for each (throw, own points), or (own points, the other's).
    rows = np.full((game.totals if horizon == ENDLESS else horizon, game.totals), -1)
    one, other = published.keys
    rows[one // unit if horizon == ENDLESS else one - 1, other // unit] = np.arange(published.count)
    shares = (published.actions["probability"] * FINE).astype(np.int64).reshape(published.count, -1)
    mixes, choices = [row[row > 0].tolist() for row in shares], np.nonzero(shares)[1]
    arrays = dice(mixes), choices, rows, thrown, points, game.totals, game.wipes, horizon
    return _simulate(_play, arrays, seed, game.value.unit)


def play_duel(game: DuelOfThrows, published: Published, seed: int) -> Simulation | None:
    """The same of a duel, in which the players throw in turn."""
    gains, number = gains_of(game), {str(choice): i for i, choice in enumerate(game.rules.choices)}
    policy = np.array([number[action] for action in published.best.tolist()]).reshape(game.totals, game.totals)
    points = np.array([gain for of_choice in gains for gain in of_choice])
    arrays = policy, dice(of_choice.values() for of_choice in gains), points, game.wipes
    return _simulate(_play_duel, arrays, seed, game.value.unit)


def _simulate(played: Callable[..., int], arrays: tuple, seed: int, unit: str) -> Simulation | None:
    return simulate(_games(played, arrays, False), seed, unit, against_chance=_games(played, arrays, True))


def _games(played: Callable[..., int], arrays: tuple, against_chance: bool) -> Play:
    def games(streams: np.ndarray) -> tuple[np.ndarray, int]:
        payoffs, totals = np.zeros(len(streams)), np.zeros(2, np.int64)
        made = played(*arrays, against_chance, totals, payoffs, streams, LONGEST)
        if made == LOST:
            raise CertificationError("games played by the table's mix come to a row that it does not have")
        return payoffs, made

    return games


@kernel
def _play(mixes, choices, rows, thrown, points, target, wipes, horizon, draws, total, payoffs, streams, longest):
    made = 0
    for game in range(len(streams)):
        total[:] = 0
        throws, gain = 0, (0, 0)
        while max(total[0], total[1]) < target and throws != horizon:
            made += 2
            if made > longest:
                return made
            for player in range(2):
                seen = total[player], total[1 - player]
                if draws and player == 1:
                    choice = (len(thrown.first) - 2) * drawn(streams, game)
                else:
                    row = rows[seen] if horizon < 0 else rows[throws, seen[0]]
                    if row < 0:
                        return LOST
                    choice = choices[mixes.first[row] + throw(mixes, row, streams, game)]
                got = points[thrown.first[choice] + throw(thrown, choice, streams, game)]
                gain = (got, gain[1]) if player == 0 else (gain[0], got)
            for player in range(2):
                lost = wipes and gain[player] == 0
                total[player] = 0 if lost else total[player] + gain[player]
            throws += 1
        if max(total[0], total[1]) >= target:
            payoffs[game] = np.sign(total[0] - total[1])
    return made


@kernel
def _play_duel(policy, thrown, points, wipes, draws, total, payoffs, streams, longest):
    made = 0
    for game in range(len(streams)):
        total[:] = 0
        player = 1
        while total[player] < len(policy):
            made += 1
            if made > longest:
                return made
            player = 1 - player
            choice = policy[total[player], total[1 - player]]
            if draws and player == 1:
                choice = (len(thrown.first) - 2) * drawn(streams, game)
            gain = points[thrown.first[choice] + throw(thrown, choice, streams, game)]
            total[player] = 0 if wipes and gain == 0 else total[player] + gain
        payoffs[game] = 1 - player
    return made
