"""A game of hidden information in sequence form (Koller, Megiddo and von Stengel 1996).

A sequence of a player is an action at an information set, or the empty sequence, number 0. With perfect recall a
player's last sequence implies all earlier ones. A plan gives each sequence the product of the probabilities of its
actions; payoffs are linear in the plan of each player.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, csr_array

from dicebase.vocabulary import TIE, Hidden, State, answered
from dicebase.vocabulary.contracts.conditions import need
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.rules.hidden import History, forgotten


@dataclass(frozen=True)
class Side:
    """The K information sets and S sequences of one player; every set comes after the sets that lead to it. T is the
    number of the opponent's sequences."""

    states: list[State]  # (K,), what the player sees
    actions: list[Sequence[str]]  # (K,)
    parent: np.ndarray  # (K,), the last own sequence before the set
    first: np.ndarray  # (K + 1,), the sequence of each set's first action; the others follow
    payoff: csr_array  # (S, T), probability of chance times payoff to this player, summed over the ends of play
    chance: csr_array  # (K, T), probability of chance to reach the set

    @cached_property
    def set_of(self) -> np.ndarray:
        """The set of each sequence except the empty one, (S - 1,)."""
        return np.repeat(np.arange(len(self.parent)), np.diff(self.first))

    @cached_property
    def links(self) -> csr_array:
        """(S, K), 1 at the set of each sequence and -1 at the sets that the sequence leads to."""
        sets = np.arange(len(self.parent))
        rows = np.concatenate([np.arange(1, self.first[-1]), self.parent])
        entries = np.repeat([1.0, -1.0], [len(self.set_of), len(sets)])
        where = rows, np.concatenate([self.set_of, sets])
        return csr_array((entries, where), (self.first[-1], len(sets)))

    def values(self, theirs: np.ndarray, mix: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return what each sequence, (S,), and each set, (K,), earns at best, or by the own `mix`, (S,), against the
        opponent's plan, (T,), times the probability that chance and the opponent lead there; the empty sequence has
        the value of the game."""
        q, v = self.payoff @ theirs, np.empty(len(self.parent))
        _values(self.parent, self.first, np.empty(0) if mix is None else mix, q, v)
        return q, v

    def best(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the first best sequence of each set, (K,), by their values."""
        sets = enumerate(zip(self.first, self.first[1:], strict=False))
        return np.array([low + (q[low:high] >= v[k] - TIE).argmax() for k, (low, high) in sets])

    def pure(self, sequences: np.ndarray) -> np.ndarray:
        """Return the mix, (S,), that plays one sequence of each set, (K,)."""
        return np.isin(np.arange(self.first[-1]), [0, *sequences]).astype(float)

    def plan(self, mix: np.ndarray) -> np.ndarray:
        """Return the plan, (S,), that plays each action with its probability at its set, `mix`, (S,)."""
        plan = mix.copy()
        _multiply(self.parent, self.first, plan)
        return plan

    def mix(self, plan: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
        """Return the probability of each action at its set, (S,), and `otherwise` at sets that the plan avoids."""
        total = np.add.reduceat(plan, self.first[:-1])[self.set_of]
        mix = np.ones(len(plan))
        mix[1:] = np.where(total > 0, plan[1:] / np.where(total > 0, total, 1.0), otherwise[1:])
        return mix

    @cached_property
    def uniform(self) -> np.ndarray:
        """The mix, (S,), in which all actions of a set are equally likely."""
        return np.concatenate([[1.0], (1.0 / np.diff(self.first))[self.set_of]])


@kernel
def _values(parent, first, mix, q, v):
    """Fill `v`, (K,), and add it to `q`, (S,): the best of each set if `mix` is empty, otherwise the mean by `mix`."""
    for k in range(len(parent) - 1, -1, -1):
        v[k] = 0.0 if len(mix) else q[first[k]]
        for s in range(first[k], first[k + 1]):
            v[k] = v[k] + mix[s] * q[s] if len(mix) else max(v[k], q[s])
        q[parent[k]] += v[k]


@kernel
def _multiply(parent, first, plan):
    for k in range(len(parent)):
        for s in range(first[k], first[k + 1]):
            plan[s] *= plan[parent[k]]


class _Found:
    """The information sets of one player, as they are found."""

    def __init__(self) -> None:
        self.number: dict[State, int] = {}
        self.actions: list[Sequence[str]] = []
        self.parent: list[int] = []
        self.history: list[History] = []  # of the first position in each set
        self.first = [1]
        self.met = [], [], []  # by position: its set, the opponent's sequence, the probability of chance

    def side(self, payoff: coo_array) -> Side:
        sets, theirs, chance = self.met
        met = coo_array((chance, (sets, theirs)), (len(self.parent), payoff.shape[1]))
        arrays = np.array(self.parent), np.array(self.first)
        return Side([*self.number], self.actions, *arrays, payoff.tocsr(), met.tocsr())


def sequence_form(rules: Hidden) -> tuple[Side, Side]:
    """Return the sides of player 1 and player 2. Raises ConfigurationError if the rules fail, if a player forgets
    something, or if play reaches more positions than `most_positions`."""
    return answered("to enumerate the positions", _enumerate, rules)


def _enumerate(rules: Hidden) -> tuple[Side, Side]:
    found, ends, positions = (_Found(), _Found()), ([], [], []), 0
    ahead: list[tuple] = [(rules.chance.start(), (0, 0), 1.0, 0, ())]
    while ahead:
        after, own, chance, paid, history = ahead.pop()
        outcomes = [*rules.chance.outcomes(after)]
        total = sum(weight for weight, *_ in outcomes)
        for i, (weight, state, reward, _) in enumerate(outcomes):
            share, earned = chance * (weight / total), paid + reward
            if state is None:
                for column, entry in zip(ends, (*own, share * float(earned)), strict=True):
                    column.append(entry)
                continue
            positions += 1
            need(positions <= rules.most_positions, f"play reaches more than {rules.most_positions:,} positions")
            mover = rules.mover(state) - 1
            here, seen = found[mover], rules.observation(state, mover + 1)
            actions, past = rules.actions(state), (history, after, i)
            if (k := here.number.setdefault(seen, len(here.number))) == len(here.parent):
                here.actions.append(actions)
                here.parent.append(own[mover])
                here.history.append(past)
                here.first.append(here.first[-1] + len(actions))
            elif here.parent[k] != own[mover] or here.actions[k] != actions:
                raise forgotten(rules, state, here.history[k], past)
            for column, entry in zip(here.met, (k, own[1 - mover], share), strict=True):
                column.append(entry)
            for s, action in enumerate(actions, here.first[k]):
                sequences = (s, own[1]) if mover == 0 else (own[0], s)
                ahead.append((rules.afterstate(state, action), sequences, share, earned, (past, action)))
    first, second, paid = map(np.array, ends)
    payoff = coo_array((paid, (first, second)), (found[0].first[-1], found[1].first[-1]))
    return found[0].side(payoff), found[1].side(-payoff.T)
