"""Any small game by turns, exactly, in rationals and by plain enumeration: slow, and easy to believe.

States are grouped by layer and solved from the last layer back. A layer whose states do not lead to one another is
one step of backward induction. A layer with cycles is solved by strategy iteration: MIN answers MAX's policy by
policy iteration, MAX improves, and every policy is evaluated by a linear system in rationals. Each improvement is
strict and policies are finitely many, so it ends; the result satisfies the optimality equation exactly. It starts
from the first action of every state, under which play must leave the layer.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from dicebase.vocabulary import Controller, Game, State, solve_sparse, weighted_mean


@dataclass
class Solution:
    """Exact values to MAX: `value` by state, `start` of the whole game, `q` by (state, action)."""

    game: Game
    value: dict[State, Fraction] = field(default_factory=dict)
    chances: dict[Hashable, list] = field(default_factory=dict)  # outcomes by afterstate
    worth: dict[Hashable, Fraction] = field(default_factory=dict)  # values by afterstate, while `value` stands

    def q(self, state: State, action: str) -> Fraction:
        """The value after an action."""
        return self.expected(self.game.afterstate(state, action))

    @property
    def start(self) -> Fraction:
        """The value of the game."""
        return self.expected(self.game.start())

    def expected(self, afterstate: Hashable) -> Fraction:
        """The value before the dice fall."""
        if afterstate not in self.worth:
            outcomes = self.outcomes(afterstate)
            ahead = [o.reward if o.state is None else o.reward + o.sign * self.value[o.state] for o in outcomes]
            self.worth[afterstate] = weighted_mean([o.weight for o in outcomes], ahead)
        return self.worth[afterstate]

    def outcomes(self, afterstate: Hashable) -> list:
        """The chance outcomes, enumerated once."""
        if afterstate not in self.chances:
            self.chances[afterstate] = list(self.game.outcomes(afterstate))
        return self.chances[afterstate]


def solve(game: Game) -> Solution:
    """Solve a game by turns; raises NotImplementedError for simultaneous moves, SingularError for endless play."""
    solution = Solution(game)
    states, cyclic = explore(solution)
    layers: dict[int, list[State]] = {}
    for state in states:
        layers.setdefault(game.layer(state), []).append(state)
    for layer, states in sorted(layers.items(), reverse=True):
        if layer in cyclic:
            _solve_cycle(solution, states)
        else:
            for state in states:
                best = _chooser(game, state)
                solution.value[state] = best(solution.q(state, action) for action in game.actions(state))
    return solution


def explore(solution: Solution) -> tuple[list[State], set[int]]:
    """Every state that some play reaches, sorted; and the layers from which play can return to the same layer."""
    game = solution.game
    found: set[State] = set()
    first_layer: dict[Hashable, float] = {}  # that an afterstate leads to
    cyclic: set[int] = set()
    todo = [o.state for start in game.starts() for o in solution.outcomes(start) if o.state is not None]
    while todo:
        state = todo.pop()
        if state in found:
            continue
        found.add(state)
        for action in game.actions(state):
            afterstate = game.afterstate(state, action)
            if afterstate not in first_layer:
                ahead = [o.state for o in solution.outcomes(afterstate) if o.state is not None]
                first_layer[afterstate] = min(map(game.layer, ahead), default=inf)
                todo.extend(ahead)
            if first_layer[afterstate] <= game.layer(state):
                cyclic.add(game.layer(state))
    return sorted(found), cyclic


def _chooser(game: Game, state: State):
    controller = game.controller(state)
    if controller is Controller.BOTH:
        raise NotImplementedError(f"{state}: both choose at once; this solver is for games by turns")
    return max if controller is Controller.MAX else min


def _solve_cycle(solution: Solution, states: list[State]) -> None:
    """Strategy iteration on one layer; the layers after it are solved.

    Where players change roles, a state stands for two nodes: in (state, 1) the mover is MAX, in (state, -1) it is MIN,
    and what the rules pay the mover counts against MAX.
    """
    game = solution.game
    roles = (1, -1) if any(o.sign < 0 for s in states for o in _ahead(solution, s)) else (1,)
    nodes = {(s, role): max if (_chooser(game, s) is max) == (role > 0) else min for s in states for role in roles}
    policy = {node: game.actions(node[0])[0] for node in nodes}
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


def _ahead(solution: Solution, state: State) -> Iterator:
    for action in solution.game.actions(state):
        yield from solution.outcomes(solution.game.afterstate(state, action))


def _improve(solution: Solution, nodes: list, policy: dict, choosers: dict, worth: dict) -> bool:
    """Switch to better actions where there are strictly better ones; whether there were any."""
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
    """The worth of a node to MAX as (coefficients on the layer's own nodes, constant)."""
    state, role = node
    outcomes = solution.outcomes(solution.game.afterstate(state, action))
    total = sum(o.weight for o in outcomes)
    coefficients: dict[tuple, Fraction] = {}
    constant = Fraction(0)
    for o in outcomes:
        p = Fraction(o.weight, total)
        constant += p * role * o.reward
        following = (o.state, role * o.sign)
        if following in inside:
            coefficients[following] = coefficients.get(following, Fraction(0)) + p
        elif o.state is not None:
            constant += p * following[1] * solution.value[o.state]
    return coefficients, constant
