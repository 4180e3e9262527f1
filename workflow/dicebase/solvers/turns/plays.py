"""Follow policies of a turn forward: where their turns end, and which positions they visit on the way to a target.

Every policy prefers an option that reaches the target; `Decisions` holds its other choices.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dicebase.solvers.plays import Play
from dicebase.solvers.turns.compiled import BUST, ENDS, OPTIONS, WIPE, CompiledTurn
from dicebase.solvers.turns.duel import duel_turns
from dicebase.vocabulary import TIE
from dicebase.vocabulary.kernels import kernel


class Decisions(NamedTuple):
    """A policy's decisions at one total of the mover. B is T, one entry per opponent's total, or 1 if the opponent's
    total does not matter.

    chance : (B, need, modes) probability of rolling on where you may stop.
    score : (B, need, modes) score of a position; among options within `tie` of the best score, the policy takes the one
        with the largest gain, and among those the lowest mode index.
    stop : (B, need) score of an option that ends the turn by force; (B, need + P), where P totals from the target on
        have different values, because the opponent has a last turn.
    """

    chance: np.ndarray
    score: np.ndarray
    stop: np.ndarray
    tie: float


Policy = Callable[[int], Decisions]
"""Maps the mover's total, in units, to the mover's decisions."""


def greedy(turn: CompiledTurn, roll: np.ndarray, bank: np.ndarray, sense: int = 1, tie: float = TIE) -> Decisions:
    """Return the greedy policy for these q-values: it rolls on if that is better by more than `tie`.

    roll : (B, need, modes), bank : (B, need or need + P). sense : 1 to maximise, -1 to minimise.
    """
    roll, stop = sense * roll, sense * bank
    bank = stop[:, : roll.shape[1], np.newaxis]
    better = np.where(turn.must_roll, roll, np.maximum(roll, bank))
    return Decisions((roll - bank > tie).astype(float), better, stop, tie)


def against(turn: CompiledTurn, values: np.ndarray, tie: float = TIE) -> Policy:
    """Return the best policy against an opponent whose turns have these `values`, by (opponent's total, mover's)."""
    return lambda me: greedy(turn, *duel_turns(turn, values, me), tie=tie)


def play_of(turn: CompiledTurn, T: int, policy: Policy, last: np.ndarray | None = None) -> Play:
    """Return how the turns of a policy end, from each total below the target of T units; for `last` see Play."""
    return joined([follow(turn, policy(me), turn.must(T, me))[:3] for me in range(T)], last)


def joined(parts: Sequence[Sequence[np.ndarray]], last: np.ndarray | None = None) -> Play:
    """Return the play whose turns from each total end as in `parts`, (ends, busts, wipes) from `follow`."""
    T, (width, most) = len(parts), parts[0][0].shape
    ends = np.zeros((T, width, most))
    for me, (ended, *_) in enumerate(parts):
        ends[me, :, me:] = ended
    lost = (np.array([part[i] for part in parts]) for i in (1, 2))
    return Play(ends, *lost, *([] if last is None else [last]))


def greediest(turn: CompiledTurn, roll: np.ndarray, bank: np.ndarray, sense: int = 1, tie: float = TIE) -> Decisions:
    """Return `greedy`, but score positions by the policy's own choice to roll on or bank, and options without `tie`."""
    chance, _, stop, _ = greedy(turn, roll, bank, sense, tie)
    rolls_on = (chance > 0) | turn.must_roll
    return Decisions(chance, np.where(rolls_on, sense * roll, stop[:, : roll.shape[1], np.newaxis]), stop, 0.0)


def best_play(turn: CompiledTurn, values: np.ndarray) -> Play:
    """Return how turns of a duel end under the greedy policy for `values`, (T, T) from `solve_duel`."""
    return play_of(turn, len(values), lambda me: greediest(turn, *duel_turns(turn, values, me)))


def follow(
    turn: CompiledTurn, decisions: Decisions, must: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return (ends, busts, wipes, visits) of turns with these decisions; `must`, (need, modes), marks compulsory rolls.

    ends : (B, need + 1 or need + P) probability of banking t units, the target last. busts, wipes : (B,) probabilities.
    visits : (B, need, modes) probability of visiting a position, including the start of the turn.
    """
    return _follow(*turn.arrays, *map(np.ascontiguousarray, decisions[:3]), decisions.tie, must)


@kernel(_nrt=True)
def _follow(period, row_start, sums, weight, kind, option_start, gain, next_mode, chance, score, stop, tie, must):
    """Return the arrays of `follow`, from CompiledTurn.arrays (`period` to `next_mode`), Decisions and `must`."""
    width, need, modes = chance.shape
    end, past = max(need + 1, stop.shape[1]) - 1, stop.shape[1] > need
    ends, busts, wipes = np.zeros((width, end + 1)), np.zeros(width), np.zeros(width)
    visits, scores = np.zeros((width, need, modes)), np.empty(len(gain))
    for i in range(width):
        visits[i, 0, 0] = 1.0
        for t in range(need):
            for m in range(modes):
                here = visits[i, t, m]
                if here == 0.0:
                    continue
                if not must[t, m]:
                    ends[i, t] += here * (1.0 - chance[i, t, m])
                    here *= chance[i, t, m]
                    if here == 0.0:
                        continue
                row = (t % period) * modes + m
                for o in range(row_start[row], row_start[row + 1]):
                    share = here * weight[o] / sums[row]
                    if kind[o] == BUST:
                        busts[i] += share
                    elif kind[o] == WIPE:
                        wipes[i] += share
                    elif kind[o] == OPTIONS:
                        best, first = -np.inf, option_start[o]
                        for k in range(first, option_start[o + 1]):
                            x, mode = min(t + gain[k], end), next_mode[k]
                            if x >= need and not past:
                                scores[k - first] = np.inf
                            else:
                                scores[k - first] = stop[i, x] if x >= need or mode == ENDS else score[i, x, mode]
                            best = max(best, scores[k - first])
                        k = first
                        while scores[k - first] < best - tie:
                            k += 1
                        x = min(t + gain[k], end)
                        if x >= need or next_mode[k] == ENDS:
                            ends[i, x] += share
                        else:
                            visits[i, x, next_mode[k]] += share
    return ends, busts, wipes, visits
