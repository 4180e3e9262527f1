"""All play of a game of hidden information as a tree, with the published information set of every decision."""

from collections.abc import Hashable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, check_keys
from dicebase.matches.boards.information_sets import InformationSets
from dicebase.vocabulary import Hidden, State
from dicebase.vocabulary.contracts.board_contract import checked_moves, checked_outcomes

FORGETS = "a player forgets something: this set follows different observations, actions or choices of the player"


class PlayTree(NamedTuple):
    """The points of play are the start (0), decisions and ends; a step is an action and the throw that follows. A set
    or an action is given by the number of its published row; -1 is none."""

    before: np.ndarray  # (points,), the point before, -1 for the start; all steps from a point are side by side
    levels: np.ndarray  # the first point with each number of steps before it, and the number of points
    share: np.ndarray  # (points,), the probability of the throw that leads to a point, in long doubles
    act: np.ndarray  # (points,), the action that leads to a point
    of: np.ndarray  # (points,), the information set of a decision
    paid: np.ndarray  # (points,), player 1's payoff at an end, in long doubles
    last: np.ndarray  # (2, points), each player's last action
    first: np.ndarray  # (sets + 1,), the first action of each set
    player: np.ndarray  # (sets,), 0 or 1
    parent: np.ndarray  # (sets,), the last action of the same player before the set
    order: np.ndarray  # (sets,), the sets in an order in which parents come first

    @property
    def set_of(self) -> np.ndarray:
        """The information set of each action."""
        return np.repeat(np.arange(len(self.player)), np.diff(self.first))

    @property
    def rounding(self) -> float:
        """The largest relative error of sums over all play, in long doubles: a sum of n terms and products of m factors
        rounds each term at most n + m times."""
        return float(np.finfo(np.longdouble).eps) * (len(self.before) + 3 * len(self.levels))


class _Points:
    """The tree while it is enumerated: sets and actions are numbered in the order of their discovery."""

    def __init__(self, rules: Hidden) -> None:
        self.rules = rules
        self.sets: dict[State, int] = {}
        self.actions: list[list[str]] = []
        self.parent: list[int] = []
        self.first = [0]
        self.states: list[Hashable] = [None]
        self.before, self.weights, self.totals, self.act, self.of = [-1], [1], [1], [-1], [-1]
        self.paid: list[int | Fraction] = [0]
        self.last = [(-1, -1)]

    def throw(self, point: int, afterstate: Hashable, act: int, last: tuple[int, int]) -> None:
        """Add the points that follow an action."""
        outcomes = checked_outcomes(self.rules, afterstate)
        total, paid = sum(o.weight for o in outcomes), self.paid[point]
        for o in outcomes:
            self.states.append(o.state)
            for column, entry in zip(
                (self.before, self.weights, self.totals, self.act, self.paid, self.last),
                (point, o.weight, total, act, paid + o.reward, last),
                strict=True,
            ):
                column.append(entry)

    def decide(self, point: int, fail: Fail) -> None:
        """Add the information set of a decision, and the points that follow it; nothing follows an end."""
        state, self.states[point] = self.states[point], None
        if state is None:
            self.of.append(-1)
            return
        moves, mover, last = checked_moves(self.rules, state), self.rules.mover(state) - 1, self.last[point]
        row, names = (mover + 1, *self.rules.seen(state)), [action for action, _ in moves]
        k = self.sets.setdefault(row, len(self.sets))
        if k == len(self.parent):
            self.actions.append(names)
            self.parent.append(last[mover])
            self.first.append(self.first[-1] + len(names))
        elif self.parent[k] != last[mover] or self.actions[k] != names:
            fail(row, FORGETS)
        self.of.append(k)
        for act, (_, afterstate) in enumerate(moves, self.first[k]):
            self.throw(point, afterstate, act, (act, last[1]) if mover == 0 else (last[0], act))


def play_tree(game: InformationSets, published: Published, fail: Fail) -> PlayTree:
    """Enumerate all play; fail unless the rows are its information sets and legal actions, and players forget
    nothing."""
    points, point = _Points(game.rules), 1
    points.throw(0, game.rules.chance.start(), -1, (-1, -1))
    while point < len(points.states):
        points.decide(point, fail)
        point += 1
    check_keys(published, points.sets, fail)
    order = np.array([points.sets[row] for row in published.states])  # the found set of each published one
    published.check_actions(iter([points.actions[k] for k in order]), fail)
    rank = np.argsort(order)  # the published set of each found one
    found, counts = np.array(points.first), np.diff(points.first)
    first = np.concatenate([[0], np.cumsum(counts[order])])
    renamed = np.append(np.repeat(first[rank] - found[:-1], counts) + np.arange(found[-1]), -1)
    before, ends = np.array(points.before), np.array(points.of) < 0
    depth = np.zeros(len(before), int)
    for p in range(1, len(before)):
        depth[p] = depth[before[p]] + 1
    paid = np.zeros(len(before), np.longdouble)
    paid[ends] = [np.longdouble(x.numerator) / x.denominator for x, end in zip(points.paid, ends, strict=True) if end]
    return PlayTree(
        before=before,
        levels=np.append(np.unique(depth, return_index=True)[1], len(depth)),
        share=np.array(points.weights, np.longdouble) / np.array(points.totals, np.longdouble),
        act=renamed[points.act],
        of=np.append(rank, -1)[points.of],
        paid=paid,
        last=renamed[np.array(points.last).T],
        first=first,
        player=published.keys[0] - 1,
        parent=renamed[np.array(points.parent)[order]],
        order=rank,
    )
