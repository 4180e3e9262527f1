"""Numbered positions and moves of Hypergammon, compiled.

A placement is a set of checkers of one player, with at least one not off; placements are ordered by pips, the most
first. Position (mine, theirs) has the number first[mine] + rank[theirs], where the rank counts the placements before
`theirs` that share no point with `mine`.
"""

from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from dicebase.games.hypergammon import BAR, HOME, OFF, POINTS, THROWS, Rules, read, written
from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.layers import Layers, Moves

MOST = 40  # plays of a roll
DICE = np.array([[int(face) for face in roll] for roll in THROWS])


class Tables(NamedTuple):
    """Placements as arrays, one entry each.

    points : (P, checkers), points of the checkers, highest first. index : placement by `code` of its points, or -1.
    taken : bit p stands for a checker on point p. seen, single : the same in the opponent's count, of all points and of
        those with one checker. closed : the point with more checkers in the opponent's count, or 0.
    pattern : the number of `taken` among all different ones. rank : (patterns, P), ranks among the opponent's
        placements. first : (P + 1,), number of each placement's first position. lost : points lost at the end.
    """

    points: np.ndarray
    index: np.ndarray
    seen: np.ndarray
    single: np.ndarray
    closed: np.ndarray
    pattern: np.ndarray
    rank: np.ndarray
    first: np.ndarray
    lost: np.ndarray


class Compiled(Layers):
    """The one layer of Hypergammon."""

    dice = (tuple(THROWS.values()),)
    ends = (-1, -2, -3)  # to the loser, who would throw next

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @cached_property
    def placements(self) -> list[tuple[int, ...]]:
        found = combinations_with_replacement(range(BAR, -1, -1), self.rules.checkers)
        return sorted(filter(any, found), key=sum, reverse=True)

    @cached_property
    def texts(self) -> list[str]:
        return [written(checkers) for checkers in self.placements]

    @cached_property
    def places(self) -> dict[tuple[int, ...], int]:
        return {checkers: i for i, checkers in enumerate(self.placements)}

    @cached_property
    def tables(self) -> Tables:
        n, points = self.rules.checkers, np.array(self.placements)
        codes = (points * (BAR + 1) ** np.arange(n)).sum(axis=1)
        index = np.full((BAR + 1) ** n, -1)
        index[codes] = np.arange(len(points))
        on = (points[:, :, np.newaxis] == np.arange(1, BAR)).sum(axis=1)  # (P, 24) checkers by point
        bits = 2 ** np.arange(1, BAR)
        taken, seen = (on > 0) @ bits, (on > 0)[:, ::-1] @ bits
        closed = (on > 1)[:, ::-1] @ np.arange(1, BAR)
        patterns, pattern = np.unique(taken, return_inverse=True)
        apart = (patterns[:, np.newaxis] & seen) == 0
        rank = np.cumsum(apart, axis=1, dtype=np.int16) - apart
        first = np.append(0, np.cumsum(apart.sum(axis=1)[pattern]))
        lost = np.where((points == OFF).any(axis=1), 1, np.where(points[:, 0] > POINTS - HOME, 3, 2))
        single = (on == 1)[:, ::-1] @ bits
        return Tables(points, index, seen, single, closed, pattern, rank.astype(np.int16), first, lost)

    def moves(self, layer: str, first: int, end: int) -> Moves:
        falls = len(THROWS)
        begin = np.zeros((end - first) * falls + 1, np.int32)
        to = np.empty((end - first) * falls * MOST, np.int32)
        count = fill_moves(self.tables, DICE, first, end, begin, to)
        return Moves(begin, to[:count])

    def _pairs(self, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """The placements (mine, theirs) of positions first to end - 1."""
        of, numbers = self.tables, np.arange(first, end)
        mine = np.searchsorted(of.first, numbers, "right") - 1
        theirs = np.empty_like(mine)
        for i in np.unique(mine):
            apart = np.flatnonzero(np.diff(of.rank[of.pattern[i]], append=of.first[i + 1] - of.first[i]))
            theirs[mine == i] = apart[numbers[mine == i] - of.first[i]]
        return mine, theirs

    def columns(self, layer: str, first: int, end: int) -> tuple[np.ndarray, ...]:
        texts = np.array(self.texts, "S8")
        return tuple(texts[some] for some in self._pairs(first, end))

    def afterstate(self, layer: str, number: int) -> tuple[str, str]:
        return tuple(self.texts[some[0]] for some in self._pairs(number, number + 1))

    def number(self, afterstate: tuple[str, str]) -> tuple[str, int, bool]:
        of, (mine, theirs) = self.tables, (self.places[read(text)] for text in afterstate)
        return "all", int(of.first[mine] + of.rank[of.pattern[mine], theirs]), True

    def has(self, state: tuple[str, str, str]) -> bool:
        *sides, roll = state
        if roll not in THROWS or not {*sides} <= {*self.texts}:
            return False
        mine, theirs = map(read, sides)
        return not any(BAR - point in theirs for point in mine if OFF < point < BAR)


@inner
def code(checkers):
    found = 0
    for i in range(len(checkers)):
        found = found + checkers[i] * (BAR + 1) ** i
    return found


@inner(_nrt=True)
def step(points, touched, die, closed, after, marks, count):
    """Append the results of moving one checker by a die to `after` and `marks`, unless they are there; return the new
    count. touched : bits of the points landed on so far."""
    n = len(points)
    for i in range(n):
        at = points[i]
        if at == OFF or (i > 0 and points[i - 1] == at) or (points[0] == BAR and at != BAR):
            continue
        to = max(at - die, OFF)
        if (to > OFF and to == closed) or (to == OFF and (points[0] > HOME or (at < die and i > 0))):
            continue
        moved = after[count]
        moved[:] = points
        j = i
        while j + 1 < n and moved[j + 1] > to:
            moved[j] = moved[j + 1]
            j += 1
        moved[j], marks[count], known = to, touched | (1 << to if to else 0), False
        for k in range(count):
            known |= marks[k] == marks[count] and (after[k] == moved).all()
        count += not known
    return count


@inner(_nrt=True)
def plays(points, dice, closed, after, marks, once, once_marks):
    """Fill `after`, (MOST, checkers), and `marks`, (MOST,), with the plays of a roll; return their number."""
    high, low = max(dice), min(dice)
    after[0], marks[0], count = points, 0, 1
    if high == low:
        for _ in range(4):
            many = 0
            for k in range(count):
                many = step(after[k], marks[k], high, closed, once, once_marks, many)
            if many == 0:
                break
            count = many
            after[:count], marks[:count] = once[:count], once_marks[:count]
        return count
    singles, count = step(points, 0, high, closed, once, once_marks, 0), 0
    for k in range(singles):
        count = step(once[k], once_marks[k], low, closed, after, marks, count)
    others = step(points, 0, low, closed, once[singles:], once_marks[singles:], 0)
    for k in range(singles, singles + others):
        count = step(once[k], once_marks[k], high, closed, after, marks, count)
    if count == 0:
        count = max(1, singles if singles else others)
        after[:count], marks[:count] = once[:count], once_marks[:count]
        if singles + others == 0:
            after[0], marks[0] = points, 0
    return count


@kernel(_nrt=True)
def fill_moves(of, dice, first, end, begin, to):
    """Fill in the moves of positions first to end - 1, as in Moves; return their number. The plays of a placement are
    found once for each closed point."""
    n, falls, count, at = of.points.shape[1], len(dice), 0, 0
    after, once = np.empty((2, MOST, n), np.int64)
    marks, once_marks = np.empty((2, MOST), np.int64)
    results = np.empty((falls, BAR, MOST), np.int32)
    touched = np.empty((falls, BAR, MOST), np.int32)
    many = np.empty((falls, BAR), np.int64)
    hit = np.empty(n, np.int64)
    mine = np.searchsorted(of.first, first, "right") - 1
    while of.first[mine] < end:
        for roll in range(falls):
            for closed in range(BAR):
                many[roll, closed] = plays(of.points[mine], dice[roll], closed, after, marks, once, once_marks)
                for k in range(many[roll, closed]):
                    results[roll, closed, k], touched[roll, closed, k] = of.index[code(after[k])], marks[k]
        rank, number = of.rank[of.pattern[mine]], of.first[mine] - 1
        for theirs in range(len(of.points)):
            last = of.first[mine + 1] - of.first[mine] if theirs + 1 == len(of.points) else rank[theirs + 1]
            if last == rank[theirs]:
                continue
            number += 1
            if number < first or number >= end:
                continue
            closed, single = of.closed[theirs], of.single[theirs]
            for roll in range(falls):
                for k in range(many[roll, closed]):
                    result, struck = results[roll, closed, k], theirs
                    if touched[roll, closed, k] & single:
                        struck = after_hits(of, theirs, touched[roll, closed, k], hit)
                    if result < 0:
                        to[count] = ~np.int32(of.first[-1] + of.lost[struck] - 1)
                    else:
                        to[count] = ~np.int32(of.first[struck] + of.rank[of.pattern[struck], result])
                    count += 1
                at += 1
                begin[at] = count
        mine += 1
    return count


@inner
def after_hits(of, theirs, touched, hit):
    """Return the opponent's placement after its single checkers on the points `touched` have gone to the bar."""
    n, bars = len(hit), 0
    points, single = of.points[theirs], of.single[theirs]
    for i in range(n):
        bars += OFF < points[i] < BAR and (touched & single) >> (BAR - points[i]) & 1
    place = bars
    for i in range(n):
        if i < bars:
            hit[i] = BAR
        if not (OFF < points[i] < BAR and (touched & single) >> (BAR - points[i]) & 1):
            hit[place] = points[i]
            place += 1
    return of.index[code(hit)]
