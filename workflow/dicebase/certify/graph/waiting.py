"""Error bounds of components in which play may go on for ever without reward, which pays what the rules state.

An action waits if all its outcomes lead to states of the same value and leave the payoff of endless play unchanged. All
other actions must lead strictly between v - bound and v + bound, as in one_step.py, and the published actions must not
wait for ever where leaving is worth more. docs/why/certificates.md proves that the bounds then hold.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from dicebase.certify.finding import EPSILON
from dicebase.certify.graph.longest_play import Component, Endless, longest_play
from dicebase.certify.graph.positions import Positions
from dicebase.certify.graph.step import Checked, Step
from dicebase.certify.published import Published

NEAR = 2.0**-44  # relative difference of values that may be meant to be equal; the bounds include the difference
MOST_NAMED = 20  # components named in a certificate
TRAPPED = "the published actions may wait for ever, but leaving is worth more"
IDLE = "the published actions wait for ever, but an optimal action does not"


@dataclass
class Waiting:
    """What the rules say about endless play, and the published actions.

    unending : the payoff of endless play. free : (B,), whether all outcomes of an afterstate leave that payoff
    unchanged, exactly. played, optimal : (A,) bool, the published actions, and those published as optimal.
    components : filled by `waiting_bounds` with the states of each component in which play may wait.
    """

    unending: int | Fraction
    free: np.ndarray
    played: np.ndarray
    optimal: np.ndarray
    components: list[np.ndarray] = field(default_factory=list)
    rests: bool = False  # whether published play may go on for ever

    @classmethod
    def of(cls, p: Positions, unending: int | Fraction, played: np.ndarray, optimal: np.ndarray) -> "Waiting":
        """Read from the positions which afterstates are free."""
        free = [
            all(paid + sign * unending == unending for _, paid, sign in zip(*fall, strict=True)) for fall in p.falls
        ]
        return cls(unending, np.array(free)[p.fall], played, optimal)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, float]:
        """The arguments of kernels: `free`, `played` and the payoff of endless play."""
        return self.free, self.played, float(self.unending)

    def finish(self, step: Step, never: np.ndarray) -> Endless | None:
        """Add the components of one state, and return a state from which published play waits for ever without need.

        never : (A,), actions that never leave their state.
        """
        p, free = Component(step, np.arange(len(step.first) - 1)), self.free[step.after]
        self.components += [*np.unique(p.of[never & free & self.optimal])[:, np.newaxis]]
        # Published play waits for ever in states from which it never takes an action that is not free.
        rests = p.held(self.played, (p.to < 0) | ~free[p.row])
        self.rests = bool(rests.any())
        needless = np.flatnonzero(self.optimal & rests[p.of] & ~(free & p.every(p.to_some(rests))))
        return Endless(int(p.of[needless[0]]), (), IDLE) if len(needless) else None

    def said(self, published: Published) -> str:
        """Name the components in words, each by its first position and its size."""
        parts = sorted((int(part.min()), len(part)) for part in self.components)
        some = [f"{published.states[first]!r} of {size}" for first, size in parts[:MOST_NAMED]]
        some += [f"{len(parts) - len(some)} more"] * (len(parts) > len(some))
        return f"endless play pays {self.unending}; components in which play can wait: {', '.join(some)}"


def waiting_bounds(
    step: Step, sense: np.ndarray, states: np.ndarray, values: np.ndarray, found: Checked, waiting: Waiting
) -> Endless | bool:
    """Fill found.bounds of a component in which play may wait; return False if it has no such states, True if the
    bounds hold, and otherwise an Endless."""
    p, u = Component(step, states), float(waiting.unending)
    N = len(states)
    # A state's worth is how much more it is worth to its mover than endless play.
    worth = sense[states] * (values[states] - u)
    rounding = EPSILON * float(np.abs(values[states]).max() + abs(u)) * (u != 0)
    near = NEAR * float(np.abs(worth).max() + abs(u))
    level = (p.place >= 0) & (np.abs(step.sign[p.fall] * worth[p.place] - worth[p.of[p.row]]) <= near)
    waits = waiting.free[step.after[p.actions]] & p.every(level)
    held = _held(p, waits, np.ones(N, bool))
    waits &= held[p.of] & p.every(p.to_some(held))
    if not held.any():
        return False
    if not np.isfinite(found.margin[states]).all():
        return Endless(int(states[0]))
    some = waits[p.row]
    graph = csr_array((np.ones(some.sum(), np.int8), (p.of[p.row[some]], p.place[some])), shape=(N, N))
    part = connected_components(graph, directed=False)[1]
    # The proof is about values that are equal in each part, up to roles; published ones may differ by the last bits.
    most, least = np.zeros(part.max() + 1), np.full(part.max() + 1, np.inf)
    np.maximum.at(most, part, np.abs(worth))
    np.minimum.at(least, part, np.abs(worth))
    if ((most - least)[part] > near).any():
        return Endless(int(states[0]))
    equal = np.where(most > 2 * near, most, 0.0)[part]
    slack = 2 * float(np.abs(equal - np.abs(worth))[held].max()) + 2 * rounding
    margin, errors = np.zeros(len(most)), found.rounding[p.actions] + 2 * slack
    np.maximum.at(margin, part, found.margin[states] + found.errors[states] / 16)
    away, played = p.gains(sense, values, found), waiting.played[p.actions]
    low = played & held[p.of] & ~waits
    low[p.first_best(away)[~held]] = True
    q, order = p.quotient(part, waits)
    bounds = longest_play(q, away[order], np.flatnonzero(low[order]), errors[order], margin, found.bounds)
    if isinstance(bounds, Endless):
        return bounds
    bound = bounds[part]
    if not _within(p, away, errors, bound, waits, low, found.bounds):
        return Endless(int(states[0]))
    # If the mover wants to leave, the published action counts; if the opponent does, the mover may wait in any way.
    stay = waits & (played | (worth[p.of] < 0))
    if (trapped := _held(p, stay, held & (equal > bound))).any():
        return Endless(int(states[trapped.argmax()]), (), TRAPPED)
    found.bounds[states] = bound + slack
    waiting.components += [states[held & (part == n)] for n in np.unique(part[held])]
    return True


def _held(p: Component, actions: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Return the states, (N,), from which play can stay in `held`, (N,), for ever by some of the `actions`, (K,)."""
    while True:
        stays = actions & p.every(p.to_some(held))
        still = held & (np.bincount(p.of, stays, len(held)) > 0)
        if (still == held).all():
            return held
        held = still


def _within(
    p: Component,
    away: np.ndarray,
    errors: np.ndarray,
    bound: np.ndarray,
    waits: np.ndarray,
    low: np.ndarray,
    outside: np.ndarray,
) -> bool:
    """Return whether one step by any action that does not wait leads strictly below v + bound, and by the actions
    `low`, (K,), strictly above v - bound. away, errors : as in longest_play. outside : (S,), bounds outside."""
    after = np.where(p.place >= 0, bound[p.place], np.where(p.to >= 0, outside[p.to], 0.0))
    off = p.mean(after) * (1 + (p.terms + 8) * EPSILON) + errors
    below, above = away + off < bound[p.of], off - away < bound[p.of]
    return bool(below[~waits].all() and above[low].all() and np.isfinite(bound).all())
