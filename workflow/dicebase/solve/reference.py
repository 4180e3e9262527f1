"""Any small game by turns, exactly, in rationals and by plain enumeration: slow, and easy to believe.

States are grouped by layer and solved from the last layer back. A layer whose states do not lead to one another is
one step of backward induction. A layer with cycles is solved by strategy iteration: MIN answers MAX's policy by
policy iteration, MAX improves, and every policy is evaluated by a linear system in rationals. Each improvement is
strict and policies are finitely many, so it ends; the result satisfies the optimality equation exactly.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from dicebase.game import Controller, Game, State
from dicebase.rational import solve_sparse, weighted_mean


@dataclass
class Solution:
    """Exact values to MAX: `value` by state, `start` of the whole game, `q` by (state, action)."""

    game: Game
    value: dict[State, Fraction] = field(default_factory=dict)
    chances: dict[Hashable, list] = field(default_factory=dict)  # outcomes by afterstate

    def q(self, state: State, action: str) -> Fraction:
        """The value after an action."""
        return self.expected(self.game.afterstate(state, action))

    @property
    def start(self) -> Fraction:
        """The value of the game."""
        return self.expected(self.game.start())

    def expected(self, afterstate: Hashable) -> Fraction:
        """The value before the dice fall."""
        outcomes = self.outcomes(afterstate)
        ahead = [o.reward if o.state is None else o.reward + self.value[o.state] for o in outcomes]
        return weighted_mean([o.weight for o in outcomes], ahead)

    def outcomes(self, afterstate: Hashable) -> list:
        """The chance outcomes, enumerated once."""
        if afterstate not in self.chances:
            self.chances[afterstate] = list(self.game.outcomes(afterstate))
        return self.chances[afterstate]


def solve(game: Game) -> Solution:
    """Solve a game by turns; raises NotImplementedError for simultaneous moves, SingularError for endless play."""
    solution = Solution(game)
    layers: dict[int, list[State]] = {}
    for state in reachable(solution):
        layers.setdefault(game.layer(state), []).append(state)
    for _, states in sorted(layers.items(), reverse=True):
        inside = set(states)
        if any(n in inside for s in states for a in game.actions(s) for n in _next(solution, s, a)):
            _solve_cycle(solution, states)
        else:
            for state in states:
                best = _chooser(game, state)
                solution.value[state] = best(solution.q(state, action) for action in game.actions(state))
    return solution


def reachable(solution: Solution) -> list[State]:
    """Every state that some play reaches, sorted."""
    found: set[State] = set()
    todo = [o.state for o in solution.outcomes(solution.game.start()) if o.state is not None]
    while todo:
        state = todo.pop()
        if state not in found:
            found.add(state)
            for action in solution.game.actions(state):
                todo.extend(n for n in _next(solution, state, action) if n not in found)
    return sorted(found)


def _next(solution: Solution, state: State, action: str) -> Iterator[State]:
    outcomes = solution.outcomes(solution.game.afterstate(state, action))
    return (o.state for o in outcomes if o.state is not None)


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
