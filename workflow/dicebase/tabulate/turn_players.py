"""The named policies of a duel of turns, as the solver plays them."""

from fractions import Fraction
from functools import cached_property

import numpy as np

from dicebase.matches.duels.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfTurns
from dicebase.matches.turns.hold_at import HoldAt
from dicebase.solvers.plays import Play
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.solvers.turns.duel import solve_duel
from dicebase.solvers.turns.exact_turn import far_worth, solve_exactly
from dicebase.solvers.turns.plays import Decisions, Policy, against, follow, greedy, joined, play_of
from dicebase.solvers.turns.race import race_turn, solve_race
from dicebase.tabulate.players import STRICT, Players
from dicebase.vocabulary import RepeatedTurn


class TurnPlayers(Players):
    """The policies of a duel whose turns consist of rolls."""

    def __init__(self, listing: MatchupsOfTurns, values: np.ndarray | None = None) -> None:
        super().__init__(listing, values)
        self.turn = compile_turn(listing.rules)
        self.past = listing.duel.past // self.turn.unit  # totals from the target on, if the opponent has a last turn

    @cached_property
    def values(self) -> np.ndarray:
        return solve_duel(self.turn, self.listing.target, self.past)

    def play_of(self, policy: Policy) -> Play:
        """Return how turns end; in a last turn every policy has the best chance of passing the opponent."""
        return play_of(self.turn, self.T, policy, self._last)

    @property
    def _last(self) -> np.ndarray | None:
        return self.values[:, self.T :] if self.past else None

    def best(self, values: np.ndarray) -> Policy:
        return against(self.turn, values, STRICT)

    def policy(self, name: str) -> Policy:
        if name == OPTIMAL:
            return against(self.turn, self.values)
        if name == MINIMISE_TURNS:
            turns = solve_race(self.turn, self.listing.target)
            return lambda me: greedy(self.turn, *(x[np.newaxis] for x in race_turn(self.turn, turns, me)), sense=-1)
        if name == MAXIMISE_TURN:
            most = self.T + self.past
            chance, score = most_points(self.listing.rules, self.turn, most)
            return lambda me: Decisions(
                chance[None, : self.T - me], score[None, : self.T - me, 1:], score[None, : most - me, 0], 0.0
            )
        return self.policy_of(self.listing.policy(name))

    def policy_of(self, policy: HoldAt) -> Policy:
        """Return a policy that stops at turn totals."""
        stops, *scores = map(np.array, policy)
        stops = -(-stops // self.turn.unit)
        return lambda me: self._decisions(me, stops[me % len(stops)], *scores)

    def play_of_card(self, stops: np.ndarray, ended: np.ndarray, rolled: np.ndarray) -> Play:
        """Return how the turns of a card end. Opponent's totals with the same stops share a turn.

        stops : (T, T, modes) as in HoldAt, in units. ended, rolled : as in HoldAt.
        """
        parts = []
        for me in range(self.T):
            some, which = np.unique(np.minimum(stops[me], self.T - me), axis=0, return_inverse=True)
            turns = follow(self.turn, self._decisions(me, some, ended, rolled), self.turn.must(self.T, me))
            parts.append([part[which.ravel()] for part in turns[:3]])
        return joined(parts, self._last)

    def _decisions(self, me: int, stops: np.ndarray, ended: np.ndarray, rolled: np.ndarray) -> Decisions:
        """Return the decisions of cards that stop at `stops`, (B, modes or 1), in units."""
        must, ends = self.turn.must(self.T, me), ended[: self.T + self.past - me].astype(float)
        rolls = np.arange(self.T - me)[:, np.newaxis] < stops[:, np.newaxis]
        rolls = np.broadcast_to(rolls | must, (len(rolls), *must.shape))
        score = np.where(rolls, rolled[: self.T - me], ends[: self.T - me, np.newaxis])
        return Decisions(rolls.astype(float), score, np.repeat(ends[np.newaxis], len(rolls), axis=0), 0.0)


def most_points(rules: RepeatedTurn, turn: CompiledTurn, T: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (chance, score) of the policy that maximises the expected points of a turn, for totals below T.

    chance : (T, modes), probability of rolling on. score : (T, 1 + modes), the rank of a value among all exact values:
    of stopping in column 0, then of the better of stopping and rolling with each mode.
    """
    rolls = exact_rolls(rules, turn, T)
    banks = [Fraction(t if t >= turn.least_stop else 0) for t in range(T)]
    best = [[bank, *(max(bank, worth) for worth in row)] for bank, row in zip(banks, rolls, strict=True)]
    scores = {worth: float(score) for score, worth in enumerate(sorted({w for row in best for w in row}))}
    chance = np.array([[worth > t for worth in row] for t, row in enumerate(rolls)], dtype=float)
    return chance, np.array([[scores[worth] for worth in row] for row in best])


def exact_rolls(rules: RepeatedTurn, turn: CompiledTurn, T: int) -> list[list[Fraction]]:
    """Return the most expected points of a turn that rolls on, in units, by turn total below T and mode."""
    continuation = FarTotals(rules).continuation
    cutoff = max(T, -(-continuation.cutoff // turn.unit))
    tail = [far_worth(continuation, turn, t) for t in range(cutoff, cutoff + turn.max_gain)]
    return [[Fraction(*number) for number in row] for row in solve_exactly(turn, cutoff, tail)[:T]]
