"""Two fixed policies in a duel without wipes, evaluated exactly.

Points are in units. A policy has two arrays by (me, opponent, turn total, mode): `score` ranks the positions that a
roll can lead to, `rolls` says where the policy rolls on. Reaching the target wins.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from reference.matches import BUST, Turn

BEYOND = 60  # one roll passes the target by fewer units than this


class Policy(NamedTuple):
    """The arrays of a policy."""

    score: np.ndarray
    rolls: np.ndarray


def empty(T: int, modes: int) -> np.ndarray:
    """An array of NaN with one entry for each position."""
    return np.full((T, T, T + BEYOND, modes), np.nan)


def published(rows, T: int, unit: int, modes: int) -> Policy:
    """The optimal policy, from the rows of a duel's table."""
    score, dice = empty(T, modes), rows.get("dice", modes - 1)
    place = tuple(rows[name] // unit for name in ("me", "opponent", "turn_total"))
    score[(*place, dice)] = rows["value"]
    rolls = np.zeros(score.shape, bool)
    rolls[(*place, dice)] = rows["action"] == "roll"
    return Policy(won_at_the_target(score), rolls)


def of_a_turn(worth: np.ndarray, T: int) -> Policy:
    """Most points in each turn, or the target; `worth` is the value of rolling by (turn total in units, mode)."""
    total = np.arange(len(worth))[:, None]
    score, rolls = empty(T, worth.shape[1]), np.zeros((T, T, T + BEYOND, worth.shape[1]), bool)
    score[:, :, : len(worth)] = np.maximum(worth, total)
    rolls[:, :, : len(worth)] = (worth > total) | (total == 0)
    return Policy(won_at_the_target(score), rolls)


@cache
def hold_at_20(target: int = 100) -> Policy:
    """Roll until the turn total reaches 20, where banking and rolling are equally good, or the target."""
    worth = np.zeros((target + 20, 2))
    worth[:20, 1] = np.inf
    return of_a_turn(worth, target)


def won_at_the_target(score: np.ndarray) -> np.ndarray:
    for me in range(len(score)):
        score[me, :, len(score) - me :] = np.inf
    return score


def chances(turn: Turn, policy: Policy, me: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities of the ends of a turn, by opponent: (target reached, lost, banked by turn total)."""
    T = len(policy.score)
    need, everyone = T - me, np.arange(T)
    visits = np.zeros((T, need, policy.score.shape[3]))
    visits[:, 0, turn.start] = 1
    won, lost, banked = np.zeros(T), np.zeros(T), np.zeros((T, need))
    for t, mode in product(range(need), turn.rolls):
        here = visits[:, t, mode]
        if not here.any():
            continue
        goes_on = policy.rolls[me, :, t, mode]
        banked[:, t] += np.where(goes_on, 0, here)
        here = np.where(goes_on, here, 0)
        whole = sum(weight for weight, _ in turn.rolls[mode])
        for weight, after in turn.rolls[mode]:
            share = here * weight / whole
            if after == BUST:
                lost += share
                continue
            gain, to = np.array([(points // turn.unit, then) for points, then in after]).T
            best = policy.score[me][:, t + gain, to].argmax(axis=1)
            total = t + gain[best]
            won += np.where(total >= need, share, 0)
            np.add.at(visits, (everyone, np.minimum(total, need - 1), to[best]), np.where(total < need, share, 0))
    return won, lost, banked


def matchup(turn: Turn, first: Policy, second: Policy) -> float:
    """The probability that `first` wins if it begins."""
    T = len(first.score)
    ends = [[chances(turn, policy, me) for me in range(T)] for policy in (first, second)]
    P = np.full((2, T, T), np.nan)  # P(the mover wins) by (mover, mover's total, opponent's total)
    for a, b in sorted(product(range(T), repeat=2), key=sum, reverse=True):
        lines = []  # P[who, me, other] = constant - lost * P[1 - who, other, me]
        for who, me, other in ((0, a, b), (1, b, a)):
            won, lost, banked = (of[other] for of in ends[who][me])
            later = banked[1:] @ (1 - P[1 - who, other, me + 1 :])
            lines.append((won + lost + later, lost))
        (c, p), (d, q) = lines
        P[0, a, b], P[1, b, a] = (c - p * d) / (1 - p * q), (d - q * c) / (1 - p * q)
    return float(P[0, 0, 0])
