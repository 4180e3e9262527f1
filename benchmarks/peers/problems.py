"""The problems as arrays of states, actions and probabilities, written from the rules for no particular solver.

Four are decision processes with total reward and no discount (`Process`); in one of them, Pig's duel, players
alternate, and a value V for one player is -V for the other. The fifth, Hog, has a matrix game in every state
(`Rounds`). This module uses nothing from dicebase; it implements the rules independently.
"""

from collections import Counter
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

DICE = 10  # Hog: largest number of dice
CHIP = 50  # Ten Thousand: all gains are multiples of a chip


class Process(NamedTuple):
    """State-action pairs in the order of their states; every state has at least one pair.

    The absolute values in a row of P sum to one minus the probability that play ends. The q-value of a pair is reward
    + P V.
    """

    states: int
    state: np.ndarray  # (pairs,) state of each pair
    reward: np.ndarray  # (pairs,) expected reward of the mover
    P: csr_matrix  # (pairs, states) probabilities, negative if the other player moves next
    shown: np.ndarray  # the states whose values are compared

    @property
    def first(self) -> np.ndarray:
        """The first pair of every state."""
        return np.searchsorted(self.state, np.arange(self.states))

    @property
    def players(self) -> int:
        return 2 if self.P.data.min() < 0 else 1


class Rounds(NamedTuple):
    """A game in which both players throw at once; when one reaches the target, the leader wins 1 from the other."""

    q: np.ndarray  # (throws, largest gain + 1) probability of each gain of a throw
    target: int


def pig_duel(target: int) -> Process:
    """Roll a die as often as you like; a 1 loses the turn's points. The first player with `target` points wins.

    A state is (mover's points, opponent's, turn total); values before a turn are compared.
    """
    index = np.full((target,) * 3, -1, dtype=np.int32)
    total = np.arange(target)
    exists = (total != 1) & (total < target - total[:, None])
    index[np.broadcast_to(exists[:, None, :], index.shape)] = np.arange(exists.sum() * target)
    me, other, turn = np.nonzero(index >= 0)
    first = np.cumsum(1 + (turn > 0)) - 1 - (turn > 0)  # the pair of rolling; holding follows if there are points
    reward = np.zeros(first[-1] + 1 + (turn[-1] > 0))
    entries = [(first, index[other, me, 0], np.full(len(first), -1 / 6))]
    for face in range(2, 7):
        wins = me + turn + face >= target
        reward[first[wins]] += 1 / 6
        on = ~wins
        entries.append((first[on], index[me[on], other[on], turn[on] + face], np.full(on.sum(), 1 / 6)))
    held = turn > 0
    entries.append((first[held] + 1, index[other[held], (me + turn)[held], 0], np.full(held.sum(), -1.0)))
    state = np.repeat(np.arange(len(first), dtype=np.int32), 1 + held)
    return Process(len(first), state, reward, _matrix(entries, len(reward), len(first)), index[:, :, 0])


def ten_times_eighteen(slots: int) -> Process:
    """Three dice are rolled, and their sum goes to a free slot, which scores the sum times its number.

    A state is a set of free slots before the roll, or with a roll; the values of the sets are compared.
    """
    rolls, probability = np.array(sorted(_sums(3).items())).T
    sets = np.arange(1, 1 << slots)
    free = (sets[:, None] >> np.arange(slots) & 1).astype(bool)
    at, roll, slot = np.nonzero(np.broadcast_to(free[:, None, :], (len(sets), len(rolls), slots)))
    state = len(sets) + at * len(rolls) + roll
    pair = len(sets) + np.arange(len(state))
    rest = (at + 1) ^ (1 << slot)
    seen = len(sets) + np.arange(len(sets) * len(rolls))
    entries = [
        (np.repeat(np.arange(len(sets)), len(rolls)), seen, np.tile(probability / probability.sum(), len(sets))),
        (pair[rest > 0], rest[rest > 0] - 1, np.ones((rest > 0).sum())),
    ]
    reward = np.append(np.zeros(len(sets)), (slot + 1.0) * rolls[roll])
    states = len(sets) * (1 + len(rolls))
    P = _matrix(entries, len(reward), states)
    return Process(states, np.append(np.arange(len(sets)), state), reward, P, np.arange(len(sets)))


def cards_up(cards: int) -> Process:
    """Throw two dice a, b and turn over one of the cards a, b, a + b, until all lie face down; a turn costs one point.

    A state is a set of face-up cards before the roll, or with a roll; values with a roll are compared.
    """
    rolls = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    sets, states = (1 << cards) - 1, ((1 << cards) - 1) * (1 + len(rolls))
    up, seen = np.arange(sets), sets + np.arange(sets * len(rolls))
    chance = np.array([(1 + (a < b)) / 36 for a, b in rolls])
    turned = [[card for card in {a, b, a + b} if card <= cards] for a, b in rolls]
    roll = np.repeat(np.arange(len(rolls)), [len(offered) for offered in turned])
    bit = 1 << np.array([card - 1 for offered in turned for card in offered])
    state = (sets + up[:, None] * len(rolls) + roll).ravel()
    rest = ((up[:, None] + 1) ^ bit).ravel()
    pair = sets + np.arange(len(state))
    entries = [
        (np.repeat(up, len(rolls)), seen, np.tile(chance, sets)),
        (pair[rest > 0], rest[rest > 0] - 1, np.ones((rest > 0).sum())),
    ]
    reward = np.append(np.zeros(sets), np.full(len(state), -1.0))
    P = _matrix(entries, len(reward), states)
    return Process(states, np.append(up, state), reward, P, seen.reshape(sets, len(rolls)))


def ten_thousand_turn(last: int) -> Process:
    """Roll five dice, keep some that score, roll the others or bank; a roll that scores nothing loses the turn. From
    `last` points on, the player must bank. Values are in chips.

    A state is (turn total, dice to roll), where the player banks or rolls, or (turn total, options to keep). Banking is
    optimal from 2800 points on for any `last`. Values of (turn total, dice) are compared, five dice first.
    """
    found = [offers(dice) for dice in range(5, 0, -1)]
    each = 5 + sum(map(len, found))  # states with the same total
    at = 5 + np.cumsum([0, *map(len, found)])
    pairs, columns, values, gains = [], [], [], []  # for a single total
    for m, offered in enumerate(found):
        for k, weight in enumerate(offered.values()):
            pairs.append(2 * m + 1)
            columns.append(at[m] + k)
            values.append(weight / 6 ** (5 - m))
    owner = [m for m in range(5) for _ in ("bank", "roll")]
    for m, offered in enumerate(found):
        for k, options in enumerate(offered):
            for gain, dice in options:
                pairs.append(len(owner))
                owner.append(at[m] + k)
                gains.append(gain)
                columns.append(5 - dice + gain * each)
                values.append(1.0)
    totals = np.arange(last // CHIP)
    entries = [(_shift(pairs, len(owner), totals), _shift(columns, each, totals), np.tile(values, len(totals)))]
    reward = np.zeros((len(totals), len(owner)))
    reward[:, 0:10:2] = totals[:, None]
    over = totals[:, None] + np.array(gains)
    reward[:, 10:] = np.where(over < len(totals), 0, over)
    state = _shift(owner, each, totals)
    states = each * len(totals)
    entries = [tuple(part[entries[0][1] < states] for part in entries[0])]
    P = _matrix(entries, len(state), states)
    kept = np.ones(len(state), dtype=bool)
    kept[0:10:2] = False  # the first roll is compulsory
    shown = totals[:, None] * each + np.arange(5)
    return Process(states, state[kept], reward.ravel()[kept], P[kept], shown)


def hog_simultaneous(target: int) -> Rounds:
    """Both players throw up to ten dice at once; a throw with a 1 gains nothing."""
    q = np.zeros((DICE, 6 * DICE + 1))
    for dice in range(1, DICE + 1):
        for thrown, weight in _sums(dice, 2).items():
            q[dice - 1, thrown] = weight / 6**dice
        q[dice - 1, 0] = 1 - (5 / 6) ** dice
    return Rounds(q, target)


PROBLEMS = {f.__name__: f for f in (pig_duel, hog_simultaneous, ten_times_eighteen, ten_thousand_turn, cards_up)}


@cache
def offers(dice: int) -> Counter[frozenset[tuple[int, int]]]:
    """Return the weight of each set of options that a roll of these dice can offer, without busts; an option is (chips,
    dice to roll next)."""
    found: Counter[frozenset[tuple[int, int]]] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        counts = [roll.count(face) for face in range(1, 7)]
        whole = _chips(counts)
        if whole:
            found[frozenset({(whole, 5)})] += 1
        else:
            parts = product(*(range(n + 1) for n in counts))
            options = frozenset((_chips(part), dice - sum(part)) for part in parts if _chips(part))
            if options:
                found[options] += 1
    return found


def _chips(counts) -> int:
    """Return the chips of a set of dice if all of them score (1s, 5s, three of a kind), otherwise 0."""
    total = 0
    for face, n in enumerate(counts, 1):
        if face in (1, 5):
            single, triple = (2, 20) if face == 1 else (1, 10)
            total += single * n if n < 3 else triple + single * (n - 3)
        elif n == 3:
            total += 2 * face
        elif n:
            return 0
    return total


def _sums(dice: int, lowest: int = 1) -> Counter[int]:
    """Return {sum: weight} of dice that show `lowest` to 6."""
    found = Counter({0: 1})
    for _ in range(dice):
        found = sum((Counter({s + face: w for s, w in found.items()}) for face in range(lowest, 7)), Counter())
    return found


def _shift(numbers, step: int, totals: np.ndarray) -> np.ndarray:
    """Return the indices of the first total, shifted to every total."""
    return (totals[:, None] * step + np.array(numbers)).ravel()


def _matrix(entries, rows: int, columns: int) -> csr_matrix:
    r, c, v = (np.concatenate(part) for part in zip(*entries, strict=True))
    return csr_matrix((v, (r.astype(np.int32), c.astype(np.int32))), shape=(rows, columns))
