"""Check matchups on a board: each pair of policies is a board of its own, and its published values are proved like
those of any board.

The board of a pair has every state twice, with the row player and with the column player to move. If a policy decides
in a state, its only action is the mixture of all actions that the policy may take. All rewards go to the row player,
and roles never change. `optimal` is greedy for the published values of the best response to it.
"""

import math
from collections.abc import Sequence

import numpy as np

from dicebase.certify.boards.play import play_by
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.graph.one_step import at_the_start, proved
from dicebase.certify.graph.positions import listed
from dicebase.certify.graph.step import Step
from dicebase.certify.published import Published, check_keys, pair_values, refuse
from dicebase.matches.boards.board_matchups import (
    BEST_RESPONSE,
    FIRST_LISTED,
    OPTIMAL,
    PAIRS,
    RANDOM,
    ROWS,
    BoardMatchups,
)
from dicebase.vocabulary.arithmetic.ranges import ranges

CLOSE = 1e-11  # tolerance of a value against one step of the rules
PROOF = "each pair of policies is proved as a separate board, by one step of the rules"


def check(listing: BoardMatchups, published: Published, fail: Fail) -> Finding:
    """Certify the values of all pairs, and the rows, which state the row player's value at the start."""
    check_keys(published, ((*pair, who) for pair in ROWS for who in ("row", "column")), fail)
    positions = _positions(listing, published, fail)
    values = pair_values(published, PAIRS, positions.keys, fail)
    p, of_actions, _ = listed(listing.game, positions, fail)
    step, V = Step.of(p), values[BEST_RESPONSE, OPTIMAL]
    play = play_by(p, step, V, fail)
    if play.doubtful.any():
        fail(None, "doubles cannot decide what best play does in some positions")
    taken = {BEST_RESPONSE: None, RANDOM: np.ones(len(of_actions), bool)}
    for name, chosen in ((OPTIMAL, play.played), (FIRST_LISTED, step.first[:-1])):
        taken[name] = np.zeros(len(of_actions), bool)
        taken[name][chosen] = True
    worst = bound = 0.0
    for row, column in ROWS:
        of = np.concatenate([values[row, column], -values[column, row]])
        pair = pair_of(step, (taken[row], taken[column]), fail)
        found, *_ = proved(pair, np.ones(len(of), np.int8), of, fail)
        texts = [np.repeat(np.array([text], object), len(of)) for text in (row, column)]
        movers = np.repeat(np.array(["row", "column"], object), len(V))
        what = "{} moves: one step of the rules is {:.3g} away from the value of some position, {!r}"
        away = ~(found.residuals <= CLOSE)
        refuse([*texts, movers], fail, away, what, movers, found.residuals, of)
        for b, who in enumerate(("row", "column")):
            worth, error = at_the_start(pair, of, found.bounds, b * len(step.fall))
            result, said = b * listing.total + worth, published.value_of[row, column, who]
            if not abs(said - result) <= CLOSE:
                fail((row, column, who), f"the {listing.value.name} is {said!r}, recomputed it is {result!r}")
            bound = max(bound, abs(said - result) + error + b * listing.total * EPSILON)
        worst, bound = max(worst, float(found.residuals.max())), max(bound, float(found.bounds.max()))
    return Finding(published.value_of[BEST_RESPONSE, OPTIMAL, "row"], bound, bound, worst, PROOF, actions=0)


def _positions(listing: BoardMatchups, published: Published, fail: Fail) -> Published:
    """Return the rows of the first pair, which list all positions, as a table of their own."""
    size = len(published.beside["value"]) // len(PAIRS)
    columns = {name: column[:size] for name, column in published.beside.items()}
    positions = Published(listing.game, columns | {listing.game.value.name: columns["value"]}, {})
    positions.check_order("the values of pairs")
    return positions


def pair_of(step: Step, policies: Sequence[np.ndarray | None], fail: Fail) -> Step:
    """Return the board of a row and a column policy, or of one player's policy, each given by a mask of the actions
    that it mixes equally, or None if any may be chosen. The row player moves in the first S states. The first B
    afterstates are the row player's, the next B the column player's, the others mixtures; play begins in afterstate 0,
    or B if the column player begins."""
    states, counts = len(step.first) - 1, np.diff(step.begin)
    every = np.arange(len(counts)), np.ones(len(counts), np.int64), np.ones(len(counts)), step.total
    # For each part: the role, the afterstates, how many are mixed together, factors of their weights, and new totals.
    parts, numbers, afters = [(role, *every) for role in range(len(policies))], [], []
    known = len(policies) * len(counts)
    for role, taken in enumerate(policies):
        some = np.arange(len(step.after)) if taken is None else np.flatnonzero(taken)
        number, after = np.diff(np.searchsorted(some, step.first)), step.after[some]
        if taken is None or number.max() == 1:
            afters.append(role * len(counts) + after)
        else:
            sums = {int(total) for total in step.total.tolist()}
            if (many := math.lcm(*sums)) * int(number.max()) > 2**53 or sums != {*step.total.tolist()}:
                fail(None, "the probabilities of this board are too fine for doubles")
            afters.append(known + np.arange(states))
            known += states
            parts.append((role, after, number, many / step.total[after], many * number))
            number = np.ones(states, np.int64)
        numbers.append(number)
    sizes, totals, columns = [], [], []
    for role, of, together, factor, total in parts:
        each = counts[of]
        _, o = ranges(step.begin[of], step.begin[of + 1])
        fall = o + np.repeat(step.fall[of] - step.begin[of], each)
        other = np.where(step.sign[fall] > 0, role, 1 - role)
        to = np.where(step.to[o] < 0, -1, other * states + step.to[o])
        columns.append((to, step.weight[fall] * np.repeat(factor, each), (1 - 2 * role) * step.reward[fall]))
        sizes.append(np.add.reduceat(each, np.cumsum(together) - together))
        totals.append(total)
    to, weight, reward = (np.concatenate(column) for column in zip(*columns, strict=True))
    first, begin = (np.append(0, np.cumsum(np.concatenate(x))) for x in (numbers, sizes))
    return Step(
        first, np.concatenate(afters, dtype=np.int32), begin, to.astype(np.int32), weight, reward,
        np.ones(len(to)), begin[:-1], np.concatenate(totals).astype(float),
    )  # fmt: skip
