"""The table of a board: every position that play can reach, with all actions; in rationals where that is quick."""

from collections.abc import Iterator
from fractions import Fraction
from operator import itemgetter

import numpy as np
import pyarrow as pa

from dicebase.matches.board import BoardGame
from dicebase.solve import reference
from dicebase.solve.boards.positions import Positions, positions_of
from dicebase.solve.boards.values import q_values, solve
from dicebase.tables.follow.ranking import Choices, rank_choices
from dicebase.tables.writer import Rows
from dicebase.vocabulary import Ranked, State, over_one_denominator, rank, tie_of
from dicebase.vocabulary.kernels import kernel

AT_ONCE = 1_000_000  # actions
# Outcomes, and times the bits of rationals, up to which a board without cycles is solved in rationals.
EXACT_OUTCOMES, EXACT_WORK = 50_000, 10_000_000


def tabulate(game: BoardGame) -> Iterator[Rows]:
    """All positions, some at a time."""
    p = positions_of(game.rules)
    step = p.step
    if is_small(p):
        yield _exactly(game)
        return
    values = solve(p, game.sense)
    q = q_values(step, values)
    tie = tie_of(float(np.abs(values).max()))
    keys = [np.array([*map(itemgetter(i), p.states)]) for i in range(len(game.columns))]
    p.states.clear()
    sorted_states, names, counts = np.lexsort(keys[::-1]), pa.array(p.names), np.diff(step.first)
    part = max(1, AT_ONCE // int(counts.max()))
    for some in (sorted_states[first : first + part] for first in range(0, len(values), part)):
        # Actions of a state as a row, with nothing where others have more.
        there = np.arange(counts[some].max()) < counts[some][:, np.newaxis]
        acts = (step.first[some][:, np.newaxis] + np.arange(there.shape[1]))[there]
        worth, after, action = np.full(there.shape, np.nan), np.zeros(there.shape, np.int32), np.zeros(there.shape, int)
        worth[there], after[there], action[there] = q[acts], step.after[acts], p.action[acts]
        ranked = rank_choices(Choices([], worth, there.any(axis=1), after), game.sense, tie)
        best = ranked.best[:, np.newaxis]
        rows, margin = Rows(game), ranked.margins
        rows.set_rows(
            *(pa.array(key[some]) for key in keys),
            pa.array(ranked.values),
            names.take(pa.array(np.take_along_axis(action, best, axis=1)[:, 0])),
            pa.array(margin, mask=np.isnan(margin)),
        )
        rows.counts = counts[some]
        played = (np.arange(there.shape[1]) == best).astype(float)
        columns = (worth, ranked.regrets, played, ranked.optimal, ranked.undecided)
        said = (names.take(pa.array(p.action[acts])), *(pa.array(column[there]) for column in columns))
        rows.set_beside(*said)
        yield rows


def is_small(p: Positions) -> bool:
    """Whether rationals are quick: there are no cycles, and few outcomes whose numbers stay short."""
    step, (order, ends) = p.step, p.order
    if len(step.to) > EXACT_OUTCOMES or len(ends) < len(order):
        return False
    depth = _depth(step, order)
    return 0 <= depth * np.log2(1 / step.chance.min() + 1) * len(step.to) <= EXACT_WORK


@kernel(_nrt=True)
def _depth(step, order):
    """How many positions play can have, where it has no cycles but a position that stays; -1 where one may stay for
    ever."""
    depth = np.zeros(len(order) + 1, np.int64)
    for s in order:
        for b in step.after[step.first[s] : step.first[s + 1]]:
            stays = True
            for to in step.to[step.begin[b] : step.begin[b + 1]]:
                if to != s:
                    depth[s], stays = max(depth[s], 1 + depth[to]), False
            if stays:
                return -1
    return depth.max()


def _exactly(game: BoardGame) -> Rows:
    solution = reference.solve(game)
    rows = Rows(game, exact=Fraction(solution.start))
    for state in sorted(solution.value):
        rows.add(state, tuple(game.actions(state)), ranked_exactly(solution, state))
    return rows


def ranked_exactly(solution: reference.Solution, state: State) -> Ranked:
    """What the table says of a state that is solved in rationals."""
    game = solution.game
    worths = [solution.q(state, action) for action in game.actions(state)]
    numerators, denominator = over_one_denominator(worths)
    return rank(numerators, denominator, sense=game.sense)


def published_policy(game: BoardGame, p: Positions) -> np.ndarray:
    """The action of each state that the published policy takes, by its number, (S,)."""
    if is_small(p):
        solution = reference.solve(game)
        return p.step.first[:-1] + [ranked_exactly(solution, state).best for state in p.states]
    values = solve(p, game.sense)
    return _first_best(p.step.first, game.sense * q_values(p.step, values), tie_of(float(np.abs(values).max())))


@kernel(_nrt=True)
def _first_best(first, worths, tie):
    found = first[:-1].copy()
    for s in range(len(found)):
        best = worths[first[s] : first[s + 1]].max()
        while not best - worths[found[s]] <= tie:
            found[s] += 1
    return found
