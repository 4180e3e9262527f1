"""Play of one player by a fixed policy: its value, with a certified bound, and how often it meets each position.

A policy leaves one action in each position. The values of that play solve linear equations, and the certifier bounds
their errors as it bounds those of a table, by one step of the rules.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import lcm
from typing import NamedTuple, NoReturn

import numpy as np
from scipy.sparse import eye_array
from scipy.sparse.linalg import splu

from dicebase.certify.graph.longest_play import Component
from dicebase.certify.graph.one_step import at_the_start, check_values
from dicebase.certify.graph.positions import discovered
from dicebase.certify.graph.states import TooManyOutcomesError
from dicebase.certify.graph.step import Step
from dicebase.vocabulary import ConfigurationError, Controller, Game, LimitError, MissingTableError, State
from dicebase.vocabulary.arithmetic.components import solving_order

MOST_FOLLOWED = 2_000_000
TWO_PLAYERS = "has two players, so policies are evaluated only if its rules give it a duel (players=2)"

MOST_ERROR = 1e-9  # relative error bound above which a value is refused

Mix = Sequence[tuple[str, int]]
"""Actions, each with its integer weight."""

Policy = Callable[[State], Mix]


class Followed(Game):
    """A game in which a policy chooses: each state has one action. An afterstate is a tuple of (weight, afterstate of
    the game), with one entry for each action that the policy takes."""

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game, self.policy, self.columns, self.sense = game, policy, game.columns, game.sense
        self.asked: tuple[State | None, Mix] = (None, ())  # the last position and its actions
        self.expect = getattr(policy, "expect", list)  # tells the policy which positions it will be asked about
        self.mover = Controller.MAX if game.sense > 0 else Controller.MIN

    def start(self) -> Hashable:
        return ((1, self.game.start()),)

    def listed(self, state: State) -> bool:
        return self.game.listed(state)

    def actions(self, state: State) -> Sequence[str]:
        if self.game.controller(state) is not self.mover:
            raise ConfigurationError(TWO_PLAYERS)
        self.asked = state, (ways := self.policy(state))
        return (ways[0][0] if len(ways) == 1 else "mixed",)

    def afterstate(self, state: State, action: str | tuple[str, str]) -> Hashable:
        asked, ways = self.asked
        ways = ways if asked is state else self.policy(state)
        return tuple((weight, self.game.afterstate(state, name)) for name, weight in ways)

    def outcomes(self, afterstate: Hashable) -> Iterable[tuple]:
        falls = [(share, [*self.game.tuples(after)]) for share, after in afterstate]
        if any(sign < 0 for _, fall in falls for *_, sign in fall):
            raise ConfigurationError(TWO_PLAYERS)
        self.expect(state for _, fall in falls for _, state, *_ in fall if state is not None)
        totals = [sum(weight for weight, *_ in fall) for _, fall in falls]
        common = lcm(*totals)
        for (share, fall), total in zip(falls, totals, strict=True):
            for weight, *rest in fall:
                yield share * (common // total) * weight, *rest


class Play(NamedTuple):
    """The play of a policy from the start.

    states : the S positions that it meets. actions : (S,), its action in each, `mixed` for several. met : (S,), the
    expected number of visits. value : expected result from the start, wrong by at most error_bound.
    """

    states: list[State]
    actions: list[str]
    met: np.ndarray
    value: float
    error_bound: float
    step: Step
    order: np.ndarray
    component: Component  # all states, in this order

    def action_values(self, values: np.ndarray) -> np.ndarray:
        """Return the value of taking the policy's action once, (S,), if the next positions have these `values`."""
        c, found = self.component, np.empty(len(values))
        found[self.order] = c.mean(self.step.reward[c.fall] + np.where(c.to >= 0, values[c.to], 0.0))
        return found


def follow(table: str, game: Game, policy: Policy) -> Play:
    """Return the play of a policy. Raises MissingTableError for a game of two players, LimitError if play meets too
    many positions, and ConfigurationError if it may never end or no small error bound holds."""

    def fail(state: State | None, what: str) -> NoReturn:
        if what == TWO_PLAYERS:
            raise MissingTableError(f"{table}: {what}")
        raise ConfigurationError(f"{table}: {what if state is None else f'{state}: {what}'}")

    try:
        p, states, actions = discovered(Followed(game, policy), fail, MOST_FOLLOWED)
    except TooManyOutcomesError as error:
        raise LimitError(f"{table}: play by this policy {error}") from error
    step, (order, ends) = Step.of(p), solving_order(p)
    c, first = Component(step, order), slice(*step.begin[:2])
    begin, to = np.zeros(len(states) + 1), step.to[first]  # the last entry is the end
    np.add.at(begin, to, step.weight[step.fall[0] :][: len(to)] / step.total[0])
    moves = eye_array(len(states)) - c.ahead(np.ones(len(c.to)))
    values, met = np.zeros((2, len(states)))
    try:
        # Positions come after their successors, so the factors hardly have more entries than the matrix.
        factors = splu(moves.tocsc(), "NATURAL", 0.0)
        values[order] = factors.solve(c.mean(step.reward[c.fall]))
        met[order] = factors.solve(begin[order], "T")
        found, endless = check_values(step, p.sense, order, ends, values)
    except RuntimeError:  # the matrix is singular
        endless = True
    if endless:
        raise ConfigurationError(f"{table}: with this policy a game may never end")
    value, error = at_the_start(step, values, found.bounds)
    if not error <= MOST_ERROR * max(1.0, abs(value)):
        wrong = f"the value of this policy may be wrong by {error:.1e}, because play is too long"
        raise ConfigurationError(f"{table}: {wrong}")
    return Play(states, actions, met, float(value), float(error), step, order, c)
