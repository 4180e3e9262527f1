"""Play games of two players by a published table: they throw in turn, or at once by the published mix.

A simultaneous table has a mix by (own points, opponent's), a hidden one by (throw, own points), used by both players.
In a second set of games the opponent picks the first or the last throw at random.
"""

from functools import partial

import numpy as np

from dicebase.certify.play.chance import dice, drawn, throw
from dicebase.certify.play.simulation import LONGEST, Simulation, simulate
from dicebase.certify.published import CertificationError, Published
from dicebase.matches.duels.duel import DuelOfThrows
from dicebase.matches.duels.hidden import HiddenRace
from dicebase.matches.duels.simultaneous import SimultaneousRace
from dicebase.vocabulary.kernels import kernel

FINE = 2**60  # denominator of the probabilities of throws
LOST = -1  # returned by _play if a game reaches a row that the table lacks
ENDLESS = -1  # horizon of a match without a last throw


def play(game: DuelOfThrows | SimultaneousRace | HiddenRace, published: Published, seed: int) -> Simulation | None:
    """Simulate a checked table; return None if games take too long, and raise CertificationError at a missing row."""
    unit, thrown = game.unit_of_points, dice(of_choice.values() for of_choice in game.gains)
    points = np.array([gain for of_choice in game.gains for gain in of_choice])
    horizon = game.horizon if isinstance(game, HiddenRace) else ENDLESS
    # Row numbers by (throw, own points), or by (own points, opponent's points).
    rows = np.full((game.totals if horizon == ENDLESS else horizon, game.totals), -1)
    one, other = published.keys
    rows[one // unit if horizon == ENDLESS else one - 1, other // unit] = np.arange(published.count)
    shares = (published.actions["probability"] * FINE).astype(np.int64).reshape(published.count, -1)
    mixes, choices = [row[row > 0].tolist() for row in shares], np.nonzero(shares)[1]
    in_turn = isinstance(game, DuelOfThrows)
    arrays = dice(mixes), choices, rows, thrown, points, game.totals, game.wipes, horizon, in_turn

    def games(streams: np.ndarray, against_chance: bool = False) -> tuple[np.ndarray, int]:
        payoffs, totals = np.zeros(len(streams)), np.zeros((2, 2), np.int64)
        made = _play(*arrays, against_chance, *totals, payoffs, streams, LONGEST)
        if made == LOST:
            raise CertificationError("games played by the table's mix reach a row that the table does not have")
        return payoffs, made

    return simulate(games, seed, game.value.unit, against_chance=partial(games, against_chance=True))


@kernel
def _play(
    mixes, choices, rows, thrown, points, target, wipes, horizon, in_turn, draws, total, gain, payoffs, streams, longest
):
    """Play games; return the number of throws, or LOST. mixes : dice by row, with the throws `choices` as sides;
    thrown : dice by throw, with `points` as sides; total, gain : (2,), work arrays; payoffs : (games,), the result."""
    made = 0
    for game in range(len(streams)):
        total[:], throws = 0, 0
        while max(total[0], total[1]) < target and throws != horizon:
            gain[:] = 0
            for player in range(2):
                made += 1
                if made > longest:
                    return made
                seen = total[player], total[1 - player]
                if draws and player == 1:
                    choice = (len(thrown.first) - 2) * drawn(streams, game)
                else:
                    row = rows[seen] if horizon < 0 else rows[throws, seen[0]]
                    if row < 0:
                        return LOST
                    choice = choices[mixes.first[row] + throw(mixes, row, streams, game)]
                got = points[thrown.first[choice] + throw(thrown, choice, streams, game)]
                gain[player] = -total[player] if wipes and got == 0 else got
                if in_turn:
                    total[player] += gain[player]
                    if total[player] >= target:
                        break
            if not in_turn:
                total += gain
            throws += 1
        if max(total[0], total[1]) >= target:
            payoffs[game] = max(np.sign(total[0] - total[1]), 0 if in_turn else -1)
    return made
