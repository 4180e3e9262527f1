"""Cards for matches that are too large for branch and bound: local search, from cards for a smaller match."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from dicebase.matches.card_listing import Language
from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.solvers.cards import Found
from dicebase.solvers.local_search import Point, improved, moves
from dicebase.solvers.plays import evaluate
from dicebase.tabulate.cards.boxes import box_of
from dicebase.tabulate.turn_players import TurnPlayers

SMALL = 32  # most totals of the smallest match
DRAWN, KEPT = 30, 3  # cards drawn at random for the smallest match, and cards taken to the next match
ROUGH, FINE = (8, 4, 2, 1), (2, 1)  # the steps of a search, in steps of the grid

Range = tuple[int, int, int]
"""The least and greatest value of a number, and the step between values."""


class LargeMatch:
    """A match, and those to half its target, a quarter and so on, from the smallest.

    players : the policies of the match. optimal : how turns end under optimal play.
    """

    def __init__(self, listing: DuelCards) -> None:
        self.listings = [listing]
        while self.listings[0].count > SMALL:
            self.listings.insert(0, replace(self.listings[0], target=self.listings[0].target // 2))
        self.players = [TurnPlayers(listing.optimal) for listing in self.listings]
        self.optimal = [players.play_of(players.policy(OPTIMAL)) for players in self.players]

    def cost(self, match: int, language: Language) -> Callable[[Point], float]:
        """Return the function from numbers to the cost of a card; the cost outside the grid is infinite."""
        players, optimal = self.players[match], self.optimal[match]
        grid = _grid(language)

        @cache
        def cost(numbers: Point) -> float:
            if not all(low <= number <= high for number, (low, high, _) in zip(numbers, grid, strict=True)):
                return np.inf
            ranges = {name: (number, number) for name, number in zip(language.numbers, numbers, strict=True)}
            (low, high), *scores = box_of(self.listings[match], (players.T,) * 3, language, ranges)
            stops = np.where(low <= high, low, 0).sum(axis=0)  # a card takes one branch in each position
            X, Y = evaluate(players.play_of_card(stops, *(score[0] for score in scores)), optimal)
            return float(Y[0, 0] - X[0, 0])

        return cost

    def search(self, name: str) -> Found:
        """Return the best card of a language that the search meets.

        It begins in the smallest match with DRAWN cards and changes one number at a time, then for the KEPT best cards
        one or two, until no such change lowers the cost. These cards begin the search in the next match. In the last
        match, which takes the most time, it changes only one number at a time.
        """
        grids = [_grid(listing.languages[name]) for listing in self.listings]
        points = _drawn(grids[0])
        for match, (listing, grid) in enumerate(zip(self.listings, grids, strict=True)):
            language, by = listing.languages[name], [step for _, _, step in grid]
            cost = self.cost(match, language)
            if match:
                points = _best((to for at in points for to in _carried(at, grids[match - 1], grid)), cost)
            single = [moves([n * step for step in by]) for n in (FINE if match else ROUGH)]
            for rounds in (single, [moves(by, together=2)])[: 1 + (listing is not self.listings[-1])]:
                points = _best((improved(point, cost, rounds) for point in points), cost)
        return Found(dict(zip(language.numbers, points[0], strict=True)), cost(points[0]), 0.0)


def _grid(language: Language) -> list[Range]:
    return [*language.numbers.values()]


def _best(points: Iterable[Point], cost: Callable[[Point], float]) -> list[Point]:
    """Return the KEPT best points, one of each cost."""
    by_cost = {cost(point): point for point in points}
    return [by_cost[least] for least in sorted(by_cost)[:KEPT]]


def _drawn(grid: list[Range]) -> list[Point]:
    """Return DRAWN points of a grid; the logarithms of their numbers are uniform."""
    low, high, by = np.array(grid).T
    steps = np.exp(np.random.default_rng(0).uniform(0, np.log((high - low) // by + 1), (DRAWN, len(grid)))) - 1
    return [tuple(point) for point in (low + by * steps.round().astype(int)).tolist()]


def _carried(point: Point, before: list[Range], grid: list[Range]) -> Iterator[Point]:
    """Yield the cards for a larger match. A number above half its limit is carried as it is, or at the same distance
    from the limit."""
    limits = zip(point, before, grid, strict=True)
    yield from product(*({n, new - (limit - n)} if 2 * n > limit else (n,) for n, (_, limit, _), (_, new, _) in limits))
