"""The policies that have names in a duel, as plays of the solver, and best responses to plays."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

import numpy as np

from dicebase.continuation import Continuation
from dicebase.game import RepeatedTurn
from dicebase.matches.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, Match, Matchups, Throws
from dicebase.progress import reporter
from dicebase.rational import weighted_mean
from dicebase.solve.alternate import solve_alternate
from dicebase.solve.compiled import CompiledTurn, compile_turn
from dicebase.solve.duel import solve_duel
from dicebase.solve.exact_turn import solve_exactly
from dicebase.solve.plays import Play, best_response
from dicebase.solve.race import race_turn, solve_race
from dicebase.solve.throw_plays import pure, throw_play, throws_worth
from dicebase.solve.throws import matrix, race_q
from dicebase.solve.turn_plays import Decisions, Policy, against, greedy, play_of

STRICT = 0.0  # a best response takes whatever is better


class Players(ABC):
    """The players of a variant; `values` is the optimal mover's probability to win by his and the other's total, in
    units, shape (T, T). It is solved where it is not given."""

    def __init__(self, listing: Matchups, values: np.ndarray | None = None) -> None:
        self.listing, self.T = listing, listing.duel.totals
        if values is not None:
            self.values = values

    @cached_property
    @abstractmethod
    def values(self) -> np.ndarray: ...

    @abstractmethod
    def play(self, name: str) -> Play:
        """The play of a policy's name."""

    @abstractmethod
    def improve(self, values: np.ndarray) -> Play:
        """The best turns, by what the opponent's turns are worth to him, by (his total, the mover's)."""

    def respond(self, column: Play) -> tuple[Play, np.ndarray, np.ndarray]:
        """The best response to a play, and what it earns; see solve/plays.py."""
        return best_response(column, self.improve(self.values), self.improve)


class TurnPlayers(Players):
    """Players whose turns are rolls."""

    def __init__(self, listing: Match, values: np.ndarray | None = None) -> None:
        super().__init__(listing, values)
        self.turn = compile_turn(listing.rules)

    @cached_property
    def values(self) -> np.ndarray:
        return solve_duel(self.turn, self.listing.target, reporter("pair"))

    def play(self, name: str) -> Play:
        return play_of(self.turn, self.T, self.policy(name))

    def improve(self, values: np.ndarray) -> Play:
        return play_of(self.turn, self.T, against(self.turn, values, STRICT))

    def policy(self, name: str) -> Policy:
        """What a policy decides."""
        if name == OPTIMAL:
            return against(self.turn, self.values)
        if name == MINIMISE_TURNS:
            return self._fewest_turns()
        if name == MAXIMISE_TURN:
            chance, rank = most_points(self.listing.rules, self.turn, self.T)
            return lambda me: Decisions(
                chance[None, : self.T - me], rank[None, : self.T - me, 1:], rank[None, : self.T - me, 0], 0.0
            )
        return self._stated(name)

    def _fewest_turns(self) -> Policy:
        turns = solve_race(self.turn, self.listing.target, reporter("total"))

        def decide(me: int) -> Decisions:
            roll, bank = race_turn(self.turn, turns, me)
            return greedy(roll[np.newaxis], bank[np.newaxis], sense=-1)

        return decide

    def _stated(self, name: str) -> Policy:
        unit, modes = self.turn.unit, len(self.turn.modes)
        opponents = range(self.T if self.listing.looks_at_both(name) else 1)

        def decide(me: int) -> Decisions:
            total = np.arange(self.T - me, dtype=float)
            holds = np.array([self.listing.holds_at(name, me * unit, other * unit) for other in opponents])
            rolls = (total * unit < holds[:, np.newaxis]).astype(float)
            shape = (len(opponents), self.T - me)
            # Of the ways to keep dice that which gains most.
            stop = np.broadcast_to(total, shape)
            return Decisions(*(np.repeat(x[..., np.newaxis], modes, axis=2) for x in (rolls, stop)), stop.copy(), 0.0)

        return decide


class ThrowPlayers(Players):
    """Players whose turns are single throws."""

    def __init__(self, listing: Throws, values: np.ndarray | None = None) -> None:
        super().__init__(listing, values)
        rules = listing.rules
        self.gains = [rules.gains(choice) for choice in rules.choices]
        self.unit, self.wipes = listing.duel.unit_of_points, listing.duel.wipes
        self.q = matrix(self.gains, self.unit)

    @cached_property
    def values(self) -> np.ndarray:
        return solve_alternate(self.q, self.T, self.wipes, reporter("sweep")).max(axis=0)

    def play(self, name: str) -> Play:
        return self.play_of(self.mix(name))

    def play_of(self, mix: np.ndarray) -> Play:
        """The play of a policy that chooses throws so; see solve/throw_plays.py."""
        return throw_play(self.q, self.T, self.wipes, mix)

    def improve(self, values: np.ndarray) -> Play:
        return self.play_of(pure(throws_worth(self.q, values, self.wipes), STRICT))

    def mix(self, name: str) -> np.ndarray:
        """How often a policy chooses each throw, shape (T, T or 1, D)."""
        if name == OPTIMAL:
            return pure(throws_worth(self.q, self.values, self.wipes))
        if name == MINIMISE_TURNS:
            chosen = [_first(row, min) for row in race_q(self.gains, self.listing.target, self.unit)]
        elif name == MAXIMISE_TURN:
            means = [weighted_mean(list(weights.values()), list(weights)) for weights in self.gains]
            chosen = [_first(means, max)] * self.T
        else:
            chosen = [self.listing.rules.choices.index(self.listing.dice(name))] * self.T
        return np.eye(len(self.q))[chosen][:, np.newaxis]


def most_points(rules: RepeatedTurn, turn: CompiledTurn, T: int) -> tuple[np.ndarray, np.ndarray]:
    """(chance of rolling on, rank) of the most expected points of a turn, for totals below T, in rationals.

    chance : (T, modes). rank : (T, 1 + modes), the higher the better and equal where positions are worth the same, of
    stopping first and then of the better of stopping and rolling with each mode.
    """
    continuation = Continuation(rules)
    cutoff = max(T, -(-continuation.cutoff // turn.unit))
    worth = [continuation.worth.get((0, mode), Fraction(0)) / turn.unit for mode in turn.modes]
    tail = [[t + w for w in worth] for t in range(cutoff, cutoff + turn.max_gain)]
    exact = solve_exactly(turn, cutoff, tail)
    rolls = [[exact.scaled.fraction(number) for number in row] for row in exact.roll[:T]]
    best = [[Fraction(t), *(max(Fraction(t), worth) for worth in row)] for t, row in enumerate(rolls)]
    ranks = {worth: float(rank) for rank, worth in enumerate(sorted({w for row in best for w in row}))}
    chance = np.array([[worth > t for worth in row] for t, row in enumerate(rolls)], dtype=float)
    return chance, np.array([[ranks[worth] for worth in row] for row in best])


def _first(values: list[Fraction], best: Callable) -> int:
    return values.index(best(values))


def players(listing: Matchups, values: np.ndarray | None = None) -> Players:
    """The players of a variant."""
    return (TurnPlayers if isinstance(listing, Match) else ThrowPlayers)(listing, values)
