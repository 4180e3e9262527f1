"""Solve any small turn-based game exactly, in rationals, by plain enumeration. The solver is slow but easy to check.

Strongly connected components are solved after their successors. A single state without a self-loop is one step of
backward induction. Cycles are solved by strategy iteration: MIN answers MAX's policy by policy iteration, MAX improves,
and a linear system in rationals evaluates each policy. Improvements are strict and there are finitely many policies, so
the iteration ends, and its values satisfy the optimality equation exactly. It starts from actions under which play
leaves the cycle.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from dicebase.vocabulary import Controller, Game, State, over_one_denominator, solve_sparse
from dicebase.vocabulary.arithmetic.rationals import SingularError


@dataclass
class Solution:
    """Exact values to MAX: `value` by state, `q` by (state, action), and `start`, the value of the game."""

    game: Game
    value: dict[State, Fraction] = field(default_factory=dict)
    chances: dict[Hashable, list] = field(default_factory=dict)  # outcomes by afterstate
    worth: dict[Hashable, Fraction] = field(default_factory=dict)  # values by afterstate, cached

    def q(self, state: State, action: str) -> Fraction:
        """Return the value after an action."""
        return self.expected(self.game.afterstate(state, action))

    @property
    def start(self) -> Fraction:
        """The value of the game."""
        return self.expected(self.game.start())

    def expected(self, afterstate: Hashable) -> Fraction:
        """Return the expected value of an afterstate."""
        if afterstate not in self.worth:
            outcomes = self.outcomes(afterstate)
            later = [(o.weight * o.sign, self.value[o.state]) for o in outcomes if o.state is not None]
            earned = sum(o.weight * o.reward for o in outcomes) + _weighted_sum(later)
            self.worth[afterstate] = earned / sum(o.weight for o in outcomes)
            del self.chances[afterstate]
        return self.worth[afterstate]

    def outcomes(self, afterstate: Hashable) -> list:
        """Return the chance outcomes of an afterstate, enumerated once and kept until its value is known."""
        if afterstate not in self.chances:
            self.chances[afterstate] = list(self.game.outcomes(afterstate))
        return self.chances[afterstate]


def solve(game: Game) -> Solution:
    """Solve a turn-based game. Raises NotImplementedError for simultaneous moves, SingularError for endless play."""
    solution = Solution(game)
    for states, cyclic in components(solution):
        if cyclic:
            _solve_cycle(solution, states)
        else:
            (state,) = states
            best = _chooser(game, state)
            solution.value[state] = best(solution.q(state, action) for action in game.actions(state))
    return solution


def components(solution: Solution) -> Iterator[tuple[list[State], bool]]:
    """Yield each strongly connected component of the reachable states after its successors, as (states, whether play
    can return to a state), by Tarjan's algorithm (1972)."""
    starts = {o.state for start in solution.game.starts() for o in solution.outcomes(start) if o.state is not None}
    seen: dict[State, float] = {}  # by state: order of discovery, infinite once its component is complete
    low: dict[State, float] = {}  # the earliest state on the path that it is known to reach
    waiting: list[State] = []
    for root in sorted(starts):
        way = [] if root in seen else [(root, iter({root}))]
        while way:
            state, ahead = way[-1]
            if state not in seen:
                _chooser(solution.game, state)
                seen[state] = low[state] = len(seen)
                waiting.append(state)
                way[-1] = state, ahead = state, iter({o.state for o in _ahead(solution, state)} - {None})
            for after in ahead:
                if after not in seen:
                    way.append((after, iter(())))
                    break
                low[state] = min(low[state], seen[after])
            else:
                way.pop()
                if way:
                    low[way[-1][0]] = min(low[way[-1][0]], low[state])
                if low[state] == seen[state]:
                    part = [waiting.pop()]
                    while part[-1] != state:
                        part.append(waiting.pop())
                    seen |= dict.fromkeys(part, inf)
                    yield part, len(part) > 1 or any(o.state == state for o in _ahead(solution, state))


def _chooser(game: Game, state: State):
    controller = game.controller(state)
    if controller is Controller.BOTH:
        raise NotImplementedError(f"{state}: both players choose at once; this solver is for games with turns")
    return max if controller is Controller.MAX else min


def _solve_cycle(solution: Solution, states: list[State]) -> None:
    """Solve one component by strategy iteration; its successors must be solved already.

    If players change roles, each state has two nodes: in (state, 1) the mover is MAX; in (state, -1) the mover is MIN,
    and rewards to the mover count against MAX.
    """
    game = solution.game
    roles = (1, -1) if any(o.sign < 0 for s in states for o in _ahead(solution, s)) else (1,)
    nodes = {(s, role): max if (_chooser(game, s) is max) == (role > 0) else min for s in states for role in roles}
    leaving = _leaving(solution, states)
    policy = {node: leaving[node[0]] for node in nodes}
    ours = [n for n in nodes if nodes[n] is max]
    theirs = [n for n in nodes if nodes[n] is min]
    while True:
        while True:
            worth = solve_sparse({n: _equation(solution, n, policy[n], nodes) for n in nodes})
            if not _improve(solution, theirs, policy, nodes, worth):
                break
        if not _improve(solution, ours, policy, nodes, worth):
            break
    solution.value |= {s: worth[s, 1] for s in states}


def _leaving(solution: Solution, states: list[State]) -> dict[State, str]:
    """Return actions under which play leaves a component: each may lead outside, or to a state closer to leaving."""
    inside, found = set(states), {}
    while len(found) < len(states):
        more = {}
        for state in inside - found.keys():
            for action in solution.game.actions(state):
                after = {o.state for o in solution.outcomes(solution.game.afterstate(state, action))}
                if not after <= inside or after & found.keys():
                    more[state] = action
                    break
        if not more:
            raise SingularError(f"play that reaches {min(inside - found.keys())!r} never leaves")
        found |= more
    return found


def _ahead(solution: Solution, state: State) -> Iterator:
    """Yield the outcomes of a state's actions, except for actions whose value is known."""
    for action in solution.game.actions(state):
        if (afterstate := solution.game.afterstate(state, action)) not in solution.worth:
            yield from solution.outcomes(afterstate)


def _improve(solution: Solution, nodes: list, policy: dict, choosers: dict, worth: dict) -> bool:
    """Switch to strictly better actions; return whether there were any."""
    changed = False
    for node in nodes:
        q = {}
        for action in solution.game.actions(node[0]):
            coefficients, constant = _equation(solution, node, action, choosers)
            q[action] = constant + sum(p * worth[n] for n, p in coefficients.items())
        best = choosers[node](q, key=q.__getitem__)
        if q[best] != worth[node]:
            policy[node] = best
            changed = True
    return changed


def _equation(solution: Solution, node: tuple, action: str, inside: dict):
    """Return the value of a node to MAX as (coefficients on the component's own nodes, constant)."""
    state, role = node
    outcomes = solution.outcomes(solution.game.afterstate(state, action))
    total = sum(o.weight for o in outcomes)
    coefficients: dict[tuple, Fraction] = {}
    constant = sum(o.weight * role * o.reward for o in outcomes)
    later = []
    for o in outcomes:
        following = (o.state, role * o.sign)
        if following in inside:
            coefficients[following] = coefficients.get(following, 0) + Fraction(o.weight, total)
        elif o.state is not None:
            later.append((o.weight * following[1], solution.value[o.state]))
    return coefficients, (constant + _weighted_sum(later)) / total


def _weighted_sum(terms: list[tuple[int, Fraction]]) -> Fraction:
    """Return the sum of weight times value, over one common denominator."""
    numerators, denominator = over_one_denominator([value for _, value in terms])
    return Fraction(sum(w * n for (w, _), n in zip(terms, numerators, strict=True)), denominator)
