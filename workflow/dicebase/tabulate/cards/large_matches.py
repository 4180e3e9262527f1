"""Cards for matches that are too large for branch and bound, found by local search from cards for smaller matches."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from dicebase.matches.card_listing import Card, Language
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

Grid = list[tuple[int, int, int]]
"""The least and greatest value of each number, and the step between values."""


class LargeMatch:
    """A match, and the same match to half its target, a quarter and so on. The lists `listings`, `players` (policies)
    and `optimal` (how turns end under optimal play) begin with the smallest match."""

    def __init__(self, listing: DuelCards) -> None:
        self.listings = [listing]
        while self.listings[0].count > SMALL:
            self.listings.insert(0, replace(self.listings[0], target=self.listings[0].target // 2))
        self.players = [TurnPlayers(listing.optimal) for listing in self.listings]
        self.optimal = [players.play_of(players.policy(OPTIMAL)) for players in self.players]

    def cost(self, match: int, language: Language) -> Callable[[Point], float]:
        """Return a function from the numbers of a card to its cost in one of the matches, infinite outside the grid."""
        players, grid = self.players[match], _grid(language)

        @cache
        def cost(numbers: Point) -> float:
            if not all(low <= number <= high for number, (low, high, _) in zip(numbers, grid, strict=True)):
                return np.inf
            ranges = {name: (number, number) for name, number in zip(language.numbers, numbers, strict=True)}
            (low, high), *scores = box_of(self.listings[match], (players.T,) * 3, language, ranges)
            stops = np.where(low <= high, low, 0).sum(axis=0)  # a card takes one branch in each position
            X, Y = evaluate(players.play_of_card(stops, *(score[0] for score in scores)), self.optimal[match])
            return float(Y[0, 0] - X[0, 0])

        return cost

    def search(self, name: str) -> Found:
        """Return the best card of a language that the search meets.

        It begins in the smallest match with DRAWN cards and changes one number at a time, then for the KEPT best cards
        one or two, until no such change lowers the cost. These cards begin the search in the next match. In the last
        match, which takes the most time, it changes only one number at a time.
        """
        grids = [_grid(listing.languages[name][0]) for listing in self.listings]
        points = _drawn(grids[0])
        for match, (listing, grid) in enumerate(zip(self.listings, grids, strict=True)):
            language, by = listing.languages[name][0], [step for _, _, step in grid]
            cost = self.cost(match, language)
            if match:
                points = _best((to for at in points for to in _carried(at, grids[match - 1], grid)), cost)
            searches = [[moves([n * step for step in by]) for n in (FINE if match else ROUGH)]]
            searches += [[moves(by, together=2)]] if listing is not self.listings[-1] else []
            for rounds in searches:
                points = _best((improved(point, cost, rounds) for point in points), cost)
        return Found(Card(language, dict(zip(language.numbers, points[0], strict=True))), cost(points[0]), 0.0)


def _grid(language: Language) -> Grid:
    return [*language.numbers.values()]


def _best(points: Iterable[Point], cost: Callable[[Point], float]) -> list[Point]:
    """Return the KEPT best points, one of each cost."""
    by_cost = {cost(point): point for point in points}
    return [by_cost[least] for least in sorted(by_cost)[:KEPT]]


def _drawn(grid: Grid) -> list[Point]:
    """Return DRAWN points of a grid; the logarithms of their numbers are uniform."""
    low, high, by = np.array(grid).T
    steps = np.exp(np.random.default_rng(0).uniform(0, np.log((high - low) // by + 1), (DRAWN, len(grid)))) - 1
    return [tuple(point) for point in (low + by * steps.round().astype(int)).tolist()]


def _carried(point: Point, before: Grid, grid: Grid) -> Iterator[Point]:
    """Yield the cards for a larger match that correspond to a card for a smaller one. A number above half its limit may
    depend on the target, so it is tried both unchanged and at the same distance from the new limit."""
    limits = zip(point, before, grid, strict=True)
    yield from product(*({n, new - (limit - n)} if 2 * n > limit else (n,) for n, (_, limit, _), (_, new, _) in limits))
