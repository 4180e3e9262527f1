"""Values of states that lead to one another, by strategy improvement: take a policy of each player, solve the sparse
linear system of its values, and switch to better actions.

If play stops after every action with a probability d > 0, all play ends, and improving by turns (MAX switches only if
MIN has no better action) ends with the values of that game (Hoffman and Karp 1966; Hansen, Miltersen and Zwick 2013).
If the optimality equation has only one solution and play ends under all optimal actions, the policies that are optimal
for small d are optimal for d = 0 (docs/why/solvers.md). The solver therefore lowers d to 0 in steps. If play never ends
under the policies found at d = 0, it refuses the board, unless the rules state what endless play pays (waiting.py).
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import breadth_first_order

from dicebase.solvers.boards.positions import Positions, Step
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.arithmetic.cycles import loop_from, loop_text, solve_linear
from dicebase.vocabulary.arithmetic.ranges import ranges
from dicebase.vocabulary.kernels import kernel

STOPS = (0.0, 2.0**-10, 2.0**-20, 2.0**-30, 2.0**-40)  # 0.0 first: the policies of sweeps are usually right
MOST = 1000  # linear systems per stopping probability
EPSILON = 2.0**-52
# A player who loses more than this per move (times the largest numbers) leaves at any cost below 2^10 times these.
NOTHING = 2.0**-30


@dataclass(frozen=True)
class Cycle:
    """A component as a game of MAX and MIN. Its N nodes are the states, repeated with roles changed if players change
    roles in it; its A actions are listed node by node.

    turn : (N,), 1 if MAX moves, -1 if MIN moves. first : (N,), the first action. of : (A,), the node of each action.
    earned : (A,), MAX's expected reward at once and after leaving; size : (A,), the same sum of absolute values, for
    rounding errors. ahead : (A, N), transition probabilities to nodes. leaves : (A,), whether the action may leave.
    free : (A,), whether the action stays without reward and the rules state what endless play pays. All values are
    differences from that payoff, so it counts as 0 here.
    """

    turn: np.ndarray
    first: np.ndarray
    of: np.ndarray
    earned: np.ndarray
    size: np.ndarray
    ahead: csr_array
    leaves: np.ndarray
    free: np.ndarray

    def held(self, allowed: np.ndarray, leaves: np.ndarray) -> np.ndarray:
        """Return whether play from each node, (N,), never takes an action in `leaves`, (A,), if it only uses the
        `allowed` actions, (A,)."""
        nodes, rows = len(self.turn), np.flatnonzero(allowed)
        ahead, out = self.ahead[rows], self.of[rows[leaves[rows]]]
        of = np.repeat(self.of[rows], np.diff(ahead.indptr))
        back = np.append(ahead.indices, np.full(len(out), nodes, np.int32)), np.append(of, out)
        graph = csr_array((np.ones(len(back[0]), np.int8), back), shape=(nodes + 1,) * 2)
        held = np.ones(nodes + 1, bool)
        held[breadth_first_order(graph, nodes, return_predecessors=False)] = False
        return held[:-1]

    def improved(self, choice: np.ndarray, stop: float, values: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the optimal action and value of each node if each move ends play with probability `stop`; None if no
        solution is found, or if `stop` is 0 and play never ends, except in `free` actions."""
        one, on, direct = eye_array(len(self.turn), format="csr"), 1 - stop, False
        for _ in range(MOST):
            ahead, earned = on * self.ahead[choice], self.earned[choice]
            if not stop:
                chosen = _chosen(choice, self.of)
                rests = self.held(chosen, ~self.free)
                if self.held(chosen, self.leaves | rests[self.of]).any():
                    return None
                earned[rests], ahead.data[np.repeat(rests, np.diff(ahead.indptr))] = 0.0, 0.0
            values, direct = solve_linear(one - ahead, earned, values, direct)
            gain = self.turn[self.of] * (self.earned + on * (self.ahead @ values) - values[self.of])
            terms = np.diff(self.ahead.indptr)
            near = (8 + terms) * EPSILON * (self.size + self.ahead @ np.abs(values) + np.abs(values[self.of]))
            most = np.maximum.reduceat(gain, self.first)
            best = np.flatnonzero(gain == most[self.of])
            best = best[np.searchsorted(self.of[best], np.arange(len(most)))]
            # A chosen action has no gain over itself except for the error of the linear solution.
            better = most > near[best] + np.abs(gain[choice])
            for player in (-1, 1):
                switches = better & (self.turn == player)
                if switches.any():
                    choice = np.where(switches, best, choice)
                    break
            else:
                return choice, values
        return None

    def to_movers(self, choice: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
        """Return the value of each state to its mover, (size,), with the first role's choices in both roles.

        The values of the two roles are opposite except for rounding, which is large if play is long.
        """
        if len(values) == size:
            return values
        ahead = self.ahead[choice[:size]]
        matrix = eye_array(size, format="csr") - ahead[:, :size] + ahead[:, size:]
        return solve_linear(matrix, self.earned[choice[:size]], values[:size])[0]

    def endless(self, choice: np.ndarray, stop: float, values: np.ndarray) -> np.ndarray:
        """Return for each node, (N,), whether optimal play never ends, because no player loses by that or the loser
        cannot leave."""
        chosen = _chosen(choice, self.of)
        # Gain per move, because play lasts about 1 / stop moves.
        held, gain = self.held(chosen, self.leaves), stop * values
        found = held & (np.abs(gain) <= NOTHING * self.size.max())
        for loser in (-1, 1):
            found |= held & (loser * gain < 0) & self.held(chosen | (self.turn[self.of] == loser), self.leaves)
        return found


def _chosen(choice: np.ndarray, of: np.ndarray) -> np.ndarray:
    allowed = np.zeros(len(of), bool)
    allowed[choice] = True
    return allowed


def solve_cycle(p: Positions, sense: int, inside: np.ndarray, values: np.ndarray, policy: np.ndarray) -> np.ndarray:
    """Return the values of the states of a component; all its successors outside must have values.

    values, policy : (S,), from the last sweep. Raises ConfigurationError if play need not end, or no solution is found.
    """
    cycle, actions = cycle_of(p.step, sense, inside, values)
    size, roles = len(inside), len(cycle.turn) // len(inside)
    choice = cycle.first + np.tile(policy[inside] - p.step.first[inside], roles)
    found = np.concatenate([values[inside], -values[inside]][:roles])
    for stop in STOPS:
        better = cycle.improved(choice, stop, found)
        if better is None and stop:
            raise unsettled(p, inside)
        if better is not None:
            choice, found = better
            if not stop:
                return cycle.to_movers(choice, found, size)
    if (better := cycle.improved(choice, 0.0, found)) is not None:
        return cycle.to_movers(*better, size)
    raise refusal(p, cycle, actions, inside, choice, found)


def refusal(
    p: Positions,
    cycle: Cycle,
    actions: np.ndarray,
    inside: np.ndarray,
    choice: np.ndarray,
    found: np.ndarray,
    why: str = "",
) -> ConfigurationError:
    """Return the error for a component that has no solution without stopping: `choice` and `found` are the policies and
    values of the nodes for the smallest stopping probability."""
    nodes = np.flatnonzero(cycle.endless(choice, STOPS[-1], found))
    if not len(nodes):
        return unsettled(p, inside)
    ahead = cycle.ahead[choice]
    loop = loop_from(int(nodes[0]), lambda node: int(ahead.indices[ahead.indptr[node]]))
    return endless(p, [(inside[n % len(inside)], actions[choice[n] % len(actions)]) for n in loop], why)


def endless(p: Positions, loop: list[tuple[int, int]], why: str = "") -> ConfigurationError:
    """Return the error for a loop of states, each with the action that leads to the next one."""
    ways = [(p.states[s], p.names[p.action[k]]) for s, k in loop]
    return ConfigurationError(f"position {ways[0][0]!r:.80}: play need not end: {loop_text(ways)}{why}")


def unsettled(p: Positions, inside: np.ndarray) -> ConfigurationError:
    """Return the error for a component that has no solution in doubles."""
    what = f"the values of {len(inside)} positions that lead to one another have not converged"
    return ConfigurationError(f"position {p.states[inside[0]]!r:.80}: {what}: play is too long for doubles")


def cycle_of(
    step: Step,
    sense: int,
    inside: np.ndarray,
    values: np.ndarray,
    unending: float = 0.0,
    idle: np.ndarray | None = None,
) -> tuple[Cycle, np.ndarray]:
    """Return the game of a component, and the numbers of its actions in `step`, for one role.

    unending : what endless play pays the mover, or 0. idle : (B,), whether all outcomes of an afterstate go on without
    reward; None if the rules do not state `unending`.
    """
    first, actions = ranges(step.first[inside], step.first[inside + 1])
    after, size, many, place = step.after[actions], len(inside), len(actions), np.full(len(values), -1, np.int32)
    place[inside] = np.arange(size)
    earned, absolute, within = np.zeros(many), np.zeros(many), np.zeros(many, np.int32)
    roles = 1 + _summed(step, after, place, values, unending, earned, absolute, within)
    begin = np.concatenate([[0], np.cumsum(np.tile(within, roles))])
    chance, to = np.empty(begin[-1]), np.empty(begin[-1], np.int32)
    _list_moves(step, after, place, size, roles, chance, to)
    ahead = csr_array((chance, to, begin), shape=(roles * many, roles * size))
    ahead.sum_duplicates()
    leaves = within < np.diff(step.begin)[after]
    return Cycle(
        sense * np.repeat([1, -1][:roles], size),
        np.concatenate([first, first + many][:roles]),
        np.repeat(np.arange(roles * size, dtype=np.int32), np.tile(np.diff(np.append(first, many)), roles)),
        np.concatenate([earned, -earned][:roles]),
        np.tile(absolute, roles),
        ahead,
        np.tile(leaves, roles),
        np.tile((False if idle is None else idle[after]) & ~leaves, roles),
    ), actions


@kernel
def _summed(step, after, place, values, unending, earned, absolute, within):
    """Add to `earned` and `absolute`, (A,), what each action earns, as in Cycle, and to `within` the number of its
    outcomes in the component; return whether players change roles in it. place : (S,), states there from 0, or -1."""
    swaps = False
    for k in range(len(after)):
        b = after[k]
        fall = step.fall[b] - step.begin[b]
        for o in range(step.begin[b], step.begin[b + 1]):
            t, sign, later = step.to[o], step.sign[fall + o], 0.0
            if t >= 0 and place[t] >= 0:
                later, within[k] = unending * sign, within[k] + 1
                swaps |= sign < 0
            elif t >= 0:
                later = sign * values[t]
            later -= unending
            earned[k] += step.chance[fall + o] * (step.reward[fall + o] + later)
            absolute[k] += step.chance[fall + o] * (abs(step.reward[fall + o]) + abs(later))
    return swaps


@kernel
def _list_moves(step, after, place, size, roles, chance, to):
    """Fill in the probabilities of moves within a component of `size` states, and the nodes to which they lead, action
    by action, for each role."""
    entry = 0
    for role in range(roles):
        for b in after:
            fall = step.fall[b] - step.begin[b]
            for o in range(step.begin[b], step.begin[b + 1]):
                if step.to[o] >= 0 and place[step.to[o]] >= 0:
                    other = 1 - role if step.sign[fall + o] < 0 else role
                    chance[entry], to[entry] = step.chance[fall + o], place[step.to[o]] + size * other
                    entry += 1
