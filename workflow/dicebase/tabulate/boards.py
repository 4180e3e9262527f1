"""Rows of the tables of boards, which state their own positions, one function per table. Small boards are solved in
rationals."""

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pyarrow as pa

from dicebase.matches import LEAST
from dicebase.matches.boards.board import BoardGame
from dicebase.matches.boards.board_distribution import TAIL, BoardDistribution
from dicebase.matches.boards.board_matchups import (
    BEST_RESPONSE,
    FIRST_LISTED,
    OPTIMAL,
    PAIRS,
    POLICIES,
    RANDOM,
    ROWS,
    BoardMatchups,
)
from dicebase.matches.boards.layers import PositionValues
from dicebase.solvers import reference
from dicebase.solvers.boards.layers import solve_layer
from dicebase.solvers.boards.matchups import earned, pair_of, pure
from dicebase.solvers.boards.outcomes import outcomes_of
from dicebase.solvers.boards.positions import Positions, Step, positions_of
from dicebase.solvers.boards.values import q_values, solve
from dicebase.solvers.boards.waiting import progressing
from dicebase.tables.follow.ranking import Choices, rank_choices
from dicebase.tables.names import layers_of
from dicebase.tables.writer import ROW_GROUP, Rows
from dicebase.tabulate import exact
from dicebase.tabulate.exact import ranked_exactly
from dicebase.vocabulary import ConfigurationError, State, tie_of
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.layers import Parts

Chances = dict[int, Fraction]
"""The probability of each outcome."""

AT_ONCE = 20_000  # largest number of actions in a block of states
# The largest number of outcomes, and product of outcomes and bits, of a board without cycles to solve in rationals.
EXACT_OUTCOMES, EXACT_WORK = 50_000, 10_000_000


def positions(game: BoardGame) -> Iterator[Rows]:
    """Yield every position that play can reach, with all actions, in parts."""
    p = positions_of(game.rules)
    step = p.step
    if is_small(p):
        yield from exact.positions(game)
        return
    values = solve(p, game.sense, game.unending)
    q = q_values(step, values)
    tie = tie_of(float(np.abs(values).max()))
    progresses = progressing(step, game.sense, values, q, tie, game.unending) > -np.inf
    keys, names, action_of = p.columns(), pa.array(p.names), p.action
    del p  # frees the states
    sorted_states, counts = np.lexsort(keys[::-1]), np.diff(step.first)
    part = max(1, AT_ONCE // int(counts.max()))
    for some in (sorted_states[first : first + part] for first in range(0, len(values), part)):
        # One row of actions per state, padded with NaN.
        there = np.arange(counts[some].max()) < counts[some][:, np.newaxis]
        acts = (step.first[some][:, np.newaxis] + np.arange(there.shape[1]))[there]
        worth, after, action = np.full(there.shape, np.nan), np.zeros(there.shape, np.int32), np.zeros(there.shape, int)
        worth[there], after[there], action[there] = q[acts], step.after[acts], action_of[acts]
        ranked = rank_choices(Choices([], worth, there.any(axis=1), after), game.sense, tie)
        may = there.copy()
        may[there] = progresses[acts]
        best = (ranked.optimal & may).argmax(axis=1)[:, np.newaxis]
        rows, margin = Rows(game), ranked.margins
        rows.set_rows(
            *(pa.array(key[some]) for key in keys),
            # Values of positions that wait for one another are equal, which their q-values are only up to rounding.
            pa.array(ranked.values if game.unending is None else values[some]),
            names.take(pa.array(np.take_along_axis(action, best, axis=1)[:, 0])),
            pa.array(margin, mask=np.isnan(margin)),
        )
        rows.counts = counts[some]
        played = (np.arange(there.shape[1]) == best).astype(float)
        columns = (worth, ranked.regrets, played, ranked.optimal, ranked.undecided)
        said = (names.take(pa.array(action_of[acts])), *(pa.array(column[there]) for column in columns))
        rows.set_beside(*said)
        yield rows


def is_small(p: Positions) -> bool:
    """Return whether rationals are fast: the board has no cycles and few outcomes, and its numbers stay short."""
    step, (order, ends) = p.step, p.order
    if len(step.to) > EXACT_OUTCOMES or len(ends) < len(order):
        return False
    depth = _depth(step, order)
    return 0 <= depth * np.log2(1 / step.chance.min() + 1) * len(step.to) <= EXACT_WORK


@kernel(_nrt=True)
def _depth(step, order):
    """Return the largest number of positions in one play, not counting repeats, of a board whose only cycles are
    self-loops; -1 if an action never leaves its state."""
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


def published_policy(game: BoardGame, p: Positions) -> np.ndarray:
    """Return the index of the action that the published policy takes in each state, (S,)."""
    if is_small(p):
        solution = reference.solve(game)
        return p.step.first[:-1] + [ranked_exactly(solution, state).best for state in p.states]
    values = solve(p, game.sense, game.unending)
    tie, q = tie_of(float(np.abs(values).max())), q_values(p.step, values)
    return first_best(p.step.first, progressing(p.step, game.sense, values, q, tie, game.unending), tie)


@kernel(_nrt=True)
def first_best(first, worths, tie):
    """Return the first action of each state, (S,), that is within `tie` of the best."""
    found = first[:-1].copy()
    for s in range(len(found)):
        best = worths[first[s] : first[s + 1]].max()
        while not best - worths[found[s]] <= tie:
            found[s] += 1
    return found


def distribution(listing: BoardDistribution) -> Iterator[Rows]:
    """Yield the probability of each outcome under the policy published in the table of positions. It is computed in
    rationals if that table is, unless a self-loop has a reward or changes roles."""
    game = listing.game
    p = positions_of(game.rules)
    exact = _exact_chances(game) if is_small(p) else None
    if exact is None:
        best = pure(p.step, published_policy(game, p))
        players = 2 if (p.step.sign < 0).any() else 1
        found = outcomes_of(pair_of(p, *[best] * players)[0], TAIL)
    else:
        found = {outcome: float(chance) for outcome, chance in sorted(exact.items())}
    rows = Rows(listing, exact and sum(outcome * chance for outcome, chance in exact.items()))
    for outcome, chance in found.items():
        if chance >= LEAST:
            rows.add_row(outcome, chance)
    yield rows


def _exact_chances(game: BoardGame) -> Chances | None:
    """Return the probabilities by backward induction, or None if a self-loop has a reward or changes roles."""
    solution = reference.solve(game)
    ahead: dict[State, Chances] = {}
    after: dict[Hashable, Chances] = {}

    def fallen(afterstate: Hashable, here: State | None = None) -> Chances:
        outcomes = solution.outcomes(afterstate)
        if not all(isinstance(o.reward, int) for o in outcomes):
            raise ConfigurationError("distribution: this objective has rewards that are not whole numbers")
        found: Chances = {}
        left = sum(o.weight for o in outcomes if o.state is None or o.state != here)
        for o in outcomes:
            if o.state is None or o.state != here:
                for outcome, chance in ({0: Fraction(1)} if o.state is None else ahead[o.state]).items():
                    total = o.reward + o.sign * outcome
                    found[total] = found.get(total, Fraction(0)) + o.weight * chance
        return {total: chance / left for total, chance in found.items()}

    for state in solution.value:  # states come after their successors
        actions = game.actions(state)
        there = game.afterstate(state, actions[ranked_exactly(solution, state).best])
        again = [o for o in solution.outcomes(there) if o.state == state]
        if any(o.reward or o.sign < 0 for o in again):
            return None
        if again:
            ahead[state] = fallen(there, state)
        else:
            if there not in after:
                after[there] = fallen(there)
            ahead[state] = after[there]
    return fallen(game.start())


def matchups(listing: BoardMatchups) -> Iterator[Rows]:
    """Yield the values of all pairs of policies at every position, and a row per pair and first mover."""
    game = listing.game
    p = positions_of(game.rules)
    mixes = {BEST_RESPONSE: None} | mixes_of(p.step, published_policy(game, p))
    begin, values = {}, {}  # by (mover's policy, opponent's policy)
    for row, column in [*combinations_with_replacement(POLICIES, 2), *((BEST_RESPONSE, name) for name in POLICIES)]:
        first, second, (mine, theirs) = earned(p, mixes[row], mixes[column])
        begin[column, row], values[column, row] = -second, -theirs
        begin[row, column], values[row, column] = first, mine
    rows = Rows(listing)
    for row, column in ROWS:
        rows.add_row(row, column, "column", listing.total - begin[column, row])
        rows.add_row(row, column, "row", begin[row, column])
    keys = p.columns()
    order = np.lexsort(keys[::-1])
    rows.set_pairs(PAIRS, [key[order] for key in keys], np.array([values[pair][order] for pair in PAIRS]))
    yield rows


def mixes_of(step: Step, best: np.ndarray) -> dict[str, np.ndarray]:
    """Return the probability of each action, (A,), by policy; `best`, (S,), has the actions of the optimal policy."""
    counts = np.diff(step.first)
    uniform = np.repeat(1 / counts, counts)
    return {OPTIMAL: pure(step, best), RANDOM: uniform, FIRST_LISTED: pure(step, step.first[:-1])}


def layers(listing: PositionValues, ahead: Sequence[np.ndarray] = ()) -> Iterator[Rows]:
    """Yield the value of each position of a layer, in parts; `ahead` has the values of the layers that it leads to."""
    layers, layer, sense = layers_of(listing.rules), listing.layer, listing.sense
    size = listing.rules.size(layer)
    later = [sense * np.asarray(known, float) for known in (*ahead, layers.ends)]
    values = sense * solve_layer(Parts(layers, layer, sense), layers.dice, size, later, sense * listing.total)
    for first in range(0, size, ROW_GROUP):
        end = min(size, first + ROW_GROUP)
        rows = Rows(listing)
        said = (pa.array(c).cast(pa.string()) if c.dtype.kind == "S" else c for c in layers.columns(layer, first, end))
        rows.set_rows(np.arange(first, end), values[first:end], *said)
        yield rows
