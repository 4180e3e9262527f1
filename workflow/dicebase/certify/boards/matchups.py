"""Matchups of a board: the policies are found again from the rules alone, and each pair is a board of its own.

Its states are those of the board, once where the row player moves and once where the other does; who follows a policy
has one action there, after which the outcomes of those that it may take fall. All is paid to the row player, and no
roles change. Such a board is solved and proved as any other.
"""

import math

import numpy as np

from dicebase.certify.boards.play import best_play, settled
from dicebase.certify.components import solving_order
from dicebase.certify.finding import Fail, Finding, unplayed
from dicebase.certify.one_step import UNBOUNDED, Step, ahead, check_values
from dicebase.certify.published import Published, check_keys
from dicebase.matches.board_matchups import BEST_RESPONSE, FIRST_LISTED, OPTIMAL, PAIRS, RANDOM, BoardMatchups

simulated = unplayed

CLOSE = 1e-11  # of what is published to what is found here
PROOF = "policies found again, and each pair proved as a board of its own"


def check(listing: BoardMatchups, published: Published, fail: Fail) -> Finding:
    """Compute every probability again."""
    play = best_play(listing.game, fail)
    if play.doubtful.any():
        fail(None, "doubles cannot tell what best play does in some positions")
    first, actions = play.step.first, len(play.step.after)
    taken = {BEST_RESPONSE: None, RANDOM: np.ones(actions, bool)}
    for name, chosen in ((OPTIMAL, play.played), (FIRST_LISTED, first[:-1])):
        taken[name] = np.zeros(actions, bool)
        taken[name][chosen] = True
    check_keys(published, ((*pair, who) for pair in PAIRS for who in ("row", "column")), fail)
    worst = bound = 0.0
    for row, column in PAIRS:
        of_row, of_column = _earned(play.step, taken[row], taken[column], fail)
        for who, (chance, error) in {"row": of_row, "column": (1.0 + of_column[0], of_column[1] + 2**-52)}.items():
            given = published.value_of[row, column, who]
            if not abs(given - chance) <= CLOSE:
                fail((row, column, who), f"the probability is {given!r}, played again it is {chance!r}")
            worst, bound = max(worst, abs(given - chance)), max(bound, abs(given - chance) + error)
    value = published.value_of[BEST_RESPONSE, OPTIMAL, "row"]
    if not abs(value - play.value) <= CLOSE:
        fail((BEST_RESPONSE, OPTIMAL, "row"), f"the probability is {value!r}, that of best play is {play.value!r}")
    return Finding(value, bound, bound, worst, PROOF)


def _earned(step: Step, row: np.ndarray | None, column: np.ndarray, fail: Fail) -> tuple[tuple[float, float], ...]:
    """(what the row player earns, by how much that may be wrong), where he begins and where the other does."""
    pair = _pair(step, row, column, fail)
    order, ends = solving_order(pair)
    sense = np.ones(len(order), np.int8)
    values = settled(pair, sense, order, ends)
    found, failed = check_values(pair, sense, order, ends, values)
    if failed >= 0:
        fail(None, UNBOUNDED)
    nowhere = np.full(len(values), -1)
    return tuple(ahead(pair, np.int32(b), values, found.bounds, nowhere, -2, True)[:2] for b in (0, 1))


def _pair(step: Step, row: np.ndarray | None, column: np.ndarray, fail: Fail) -> Step:
    """The board of two policies, each by the actions that may be taken, as likely: the first S states are those where
    the row player moves; play begins in afterstate 0 or 1."""
    states = len(step.first) - 1
    sums = {int(total) for total in step.total.tolist()}
    if (many := math.lcm(*sums)) * int(np.diff(step.first).max()) > 2**53 or sums != {*step.total.tolist()}:
        fail(None, "the chances of this board are too fine to be mixed in doubles")
    counts = np.diff(step.begin)
    firsts, afters = [np.zeros(1, np.int64)], []
    parts = [(np.array([0]), np.array([1]), 0), (np.array([0]), np.array([1]), 1)]  # (afterstates, how many, role)
    known, acts = 2, 0
    for role, taken in enumerate((row, column)):
        if taken is None:
            afters.append(known + step.after.astype(np.int64))
            firsts.append(acts + step.first[1:])
            parts.append((np.arange(len(counts)), np.ones(len(counts), np.int64), role))
        else:
            afters.append(known + np.arange(states))
            firsts.append(acts + np.arange(1, states + 1))
            parts.append((step.after[taken], np.add.reduceat(taken.astype(np.int64), step.first[:-1]), role))
        known, acts = known + len(parts[-1][1]), acts + len(afters[-1])
    sizes, totals, columns = [], [], []
    for of, together, role in parts:
        each = counts[of]
        o = np.repeat(step.begin[of] - np.cumsum(each) + each, each) + np.arange(each.sum())
        fall = o + np.repeat(step.fall[of] - step.begin[of], each)
        other = np.where(step.sign[fall] > 0, role, 1 - role)
        to = np.where(step.to[o] < 0, -1, other * states + step.to[o])
        weight = step.weight[fall] * np.repeat(many / step.total[of], each)
        columns.append((to, weight, (1 - 2 * role) * step.reward[fall]))
        sizes.append(np.add.reduceat(each, np.cumsum(together) - together))
        totals.append(many * together)
    to, weight, reward = (np.concatenate(column) for column in zip(*columns, strict=True))
    begin = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    return Step(
        np.concatenate(firsts), np.concatenate(afters, dtype=np.int32), begin, to.astype(np.int32), weight, reward,
        np.ones(len(to)), begin[:-1], np.concatenate(totals).astype(float),
    )  # fmt: skip
