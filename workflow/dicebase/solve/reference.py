"""Any small game by turns, exactly, in rationals and by plain enumeration: slow, and easy to believe.

States are grouped by layer and solved from the last layer back. A layer whose states do not lead to one another is
one step of backward induction. A layer with cycles is solved by strategy iteration: MIN answers MAX's policy by
policy iteration, MAX improves, and every policy is evaluated by a linear system in rationals. Each improvement is
strict and policies are finitely many, so it ends; the result satisfies the optimality equation exactly. It starts
from the first action of every state, under which play must leave the layer.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import inf

from dicebase.game import Controller, Game, State
from dicebase.rational import solve_sparse, weighted_mean


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
            ahead = [o.reward if o.state is None else o.reward + self.value[o.state] for o in outcomes]
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
    todo = [o.state for o in solution.outcomes(game.start()) if o.state is not None]
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
    """Strategy iteration on one layer; the layers after it are solved."""
    game = solution.game
    choosers = {state: _chooser(game, state) for state in states}
    policy = {state: game.actions(state)[0] for state in states}
    ours = [s for s in states if choosers[s] is max]
    theirs = [s for s in states if choosers[s] is min]
    while True:
        while True:
            solution.value |= solve_sparse({s: _equation(solution, s, policy[s], choosers) for s in states})
            solution.worth.clear()
            if not _improve(solution, theirs, policy, choosers):
                break
        if not _improve(solution, ours, policy, choosers):
            return


def _improve(solution: Solution, states: list[State], policy: dict, choosers: dict) -> bool:
    """Switch to better actions where there are strictly better ones; whether there were any."""
    changed = False
    for state in states:
        best = choosers[state](solution.game.actions(state), key=partial(solution.q, state))
        if solution.q(state, best) != solution.value[state]:
            policy[state] = best
            changed = True
    return changed


def _equation(solution: Solution, state: State, action: str, inside: dict):
    """value[state] as (coefficients on the layer's own states, constant)."""
    outcomes = solution.outcomes(solution.game.afterstate(state, action))
    total = sum(o.weight for o in outcomes)
    coefficients: dict[State, Fraction] = {}
    constant = Fraction(0)
    for o in outcomes:
        p = Fraction(o.weight, total)
        constant += p * o.reward
        if o.state in inside:
            coefficients[o.state] = coefficients.get(o.state, Fraction(0)) + p
        elif o.state is not None:
            constant += p * solution.value[o.state]
    return coefficients, constant
