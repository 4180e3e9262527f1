"""Check distributions of outcomes: find the optimal policy from the rules and compute its outcome probabilities.

A node is an afterstate of the board on which both players follow that policy (matchups.py). Let c(n), the array
`floor`, be the least that can still be earned from node n. P(earning c(n) + k) is an expectation over successors,
computed level by level in k, with iteration in cycles that earn nothing. Positive terms are summed from zero, so a
probability is too large only by rounding, at most six epsilon per step, and too small by at most one minus the sum of
all. Small boards without cycles are solved in rationals. In kernels, `step.to` holds nodes, `nodes` are in solving
order, and rewards are negated if `sense` is -1.
"""

import math
from fractions import Fraction
from itertools import count

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from dicebase.certify.boards.matchups import pair_of
from dicebase.certify.boards.play import BestPlay, best_play, exact_play, settled
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.graph.one_step import at_the_start
from dicebase.certify.published import Published
from dicebase.certify.rationals import is_small
from dicebase.matches import LEAST
from dicebase.matches.boards.board_distribution import TAIL, BoardDistribution
from dicebase.vocabulary.arithmetic.components import solving_order
from dicebase.vocabulary.kernels import kernel

CLOSE = 1e-11  # relative tolerance of a probability
ROUNDS, FEW = 1000, 20  # most sweeps to find the least outcome, and the greatest, which need not exist
LARGEST = 1e-9  # the certificate is refused if the bound is larger
PROOF = "the policy is derived again and played backward from the ends: no probability differs by more"
IN_RATIONALS = "recomputed in rationals: every probability is exact, rounded once"


def check(listing: BoardDistribution, published: Published, fail: Fail) -> Finding:
    """Certify every probability, and compare their mean with the value of optimal play."""
    play = best_play(listing.game, fail)
    if any(not isinstance(paid, int) for fall in play.positions.falls for paid in fall.rewards):
        fail(None, "the rewards are not whole numbers")
    (outcomes,), chances = published.keys, published.values
    if published.exact is not None:
        return _exactly(play, published, fail)
    again, error, tail = _played_back(play, int(outcomes.min()), int(outcomes.max()), fail)
    said = dict(zip(outcomes.tolist(), chances.tolist(), strict=True))
    worst, let_go = 0.0, math.fsum(chance for outcome, chance in again.items() if outcome not in said)
    for outcome in sorted(said.keys() | again.keys()):
        theirs, ours = said.get(outcome, 0.0), again.get(outcome, 0.0)
        possible = theirs > 0 and ours > 0 if outcome in said else let_go <= tail
        if not possible or not abs(theirs - ours) <= CLOSE * ours + error:
            fail((outcome,), f"the probability is {theirs!r}, recomputed it is {ours!r}")
        worst = max(worst, abs(theirs - ours))
    if not (bound := worst + error) <= LARGEST:
        fail(None, f"the probabilities are proved only to within {bound:.3g}")
    mean = math.fsum(outcome * chance for outcome, chance in said.items())
    if not abs(mean - play.value) <= 1e-9 * (1 + abs(play.value)):
        fail(None, f"the mean is {mean!r}, the value of best play is {play.value!r}")
    return Finding(play.value, play.bound, bound, worst, PROOF)


def _played_back(play: BestPlay, least: int, most: int, fail: Fail) -> tuple[dict[int, float], float, float]:
    """Return {outcome: probability}, the error bound of these, and the total probability of outcomes that need not be
    listed. If outcomes are unbounded, go past `least` and `most` as long as outcomes are likely."""
    taken = np.isin(np.arange(len(play.step.after)), play.played)
    players = 2 if (play.step.sign < 0).any() else 1
    pair = pair_of(play.step, [taken] * players, fail)
    step = pair._replace(to=np.where(pair.to < 0, -1, pair.after[pair.to]))
    size, on = len(step.fall), step.to >= 0
    node, seen = np.repeat(np.arange(size), np.diff(step.begin)), np.zeros(size, bool)
    graph = csr_array((on[on], (node[on], step.to[on])), shape=(size, size))
    seen[breadth_first_order(graph, 0, return_predecessors=False)] = True
    on &= seen[node]
    if np.tile(play.doubtful, players)[pair.to[on]].any():
        fail(None, "best play reaches positions where doubles cannot decide what the policy does")
    nodes = np.append(pair.after.reshape(players, -1)[:, play.order].T.ravel(), 0)
    nodes = nodes[np.sort(np.unique(nodes, return_index=True)[1])]
    nodes = nodes[seen[nodes]]
    for sense in (1, -1):
        floor = np.full(size, np.inf)
        if _floors(step, nodes, sense, floor, ROUNDS):
            break
    else:
        fail(None, "play may cycle with gains and losses")
    ceiling = np.full(size, np.inf)
    ends = _floors(step, nodes, -sense, ceiling, FEW)
    widest = (sense * step.reward[on] + floor[step.to[on]] - floor[node[on]]).max(initial=0)
    chances, found = np.zeros((int(widest) + 1, size)), {}
    last = (-int(ceiling[0]) if ends else max(sense * least, sense * most)) - int(floor[0])
    nothing = 0  # number of consecutive levels with negligible probabilities; after a full window all others are too
    for level in count():
        likely = not ends and chances[:, 0].max() >= TAIL / 1000
        if (level > last and not likely) or nothing == len(chances):
            break
        _level(step, nodes, sense, floor, chances, level)
        nothing = 0 if chances[level % len(chances)].max() > LEAST * 1e-30 else nothing + 1
        if (p := float(chances[level % len(chances), 0])) >= LEAST * 0.5:
            found[sense * (level + int(floor[0]))] = p
    one, sense_of = pair._replace(reward=np.ones(len(on))), np.ones(len(pair.after), np.int8)
    # Doubled, because the expected number of steps is not proved.
    length, _ = at_the_start(one, settled(one, sense_of, *solving_order(one)), np.zeros(len(sense_of)))
    rounding = 2 * length * 6 * EPSILON
    tail = 2 * LEAST * len(found) if ends else TAIL * (1 + CLOSE)
    return found, max(0.0, 1.0 - math.fsum(found.values())) + rounding, tail


@kernel
def _floors(step, nodes, sense, floor, rounds):
    """Lower floor[n] to the least that can still be earned; return whether `rounds` sweeps were enough."""
    for _ in range(rounds):
        changed = False
        for n in nodes:
            for o in range(step.begin[n], step.begin[n + 1]):
                t, paid = step.to[o], sense * step.reward[o]
                worth = paid + (floor[t] if t >= 0 else 0.0)
                if worth < floor[n]:
                    floor[n], changed = worth, True
        if not changed:
            return True
    return False


@kernel
def _level(step, nodes, sense, floor, chances, level):
    """Compute the probabilities of one level from lower ones; chances : (levels kept, nodes), reused in rotation."""
    now, size, change = level % len(chances), len(chances), 1.0
    chances[now] = 0.0
    while change > 1e-19:
        change = 0.0
        for n in nodes:
            summed, low = 0.0, 0.0
            for o in range(step.begin[n], step.begin[n + 1]):
                t, chance = step.to[o], step.weight[o] / step.total[n]
                above = sense * step.reward[o] - floor[n]
                if t < 0:
                    term = chance * (above == level)
                elif above + floor[t] <= level:
                    term = chance * chances[int(level - above - floor[t]) % size, t]
                else:
                    continue
                # Compensated summation: the error does not grow with the number of terms.
                whole = summed + term
                low += (summed - whole) + term if summed >= term else (term - whole) + summed
                summed = whole
            summed += low
            change = max(change, summed - chances[now, n] if chances[now, n] > 0.0 else 1.0 * (summed > 0.0))
            chances[now, n] = summed


def _exactly(play: BestPlay, published: Published, fail: Fail) -> Finding:
    """Compute the distribution forward from the start, in rationals; fail unless the published numbers equal it."""
    p, exact = play.positions, published.exact
    if play.cyclic or not is_small(len(p.to), exact):
        fail(None, "an exact value is claimed for a board that is not recomputed in rationals")
    value, played = exact_play(play.positions, play.order)
    if value != exact:
        fail(None, f"the exact value, {float(exact)!r}, is not the one the rules give in rationals")
    waiting: dict[tuple[int, int], dict[int, Fraction]] = {(-1, 1): {0: Fraction(1)}}
    ended: dict[int, Fraction] = {}
    for s in [-1, *play.order[::-1].tolist()]:
        b = int(p.after[played[s]]) if s >= 0 else 0
        there, (weights, rewards, signs) = p.to[p.begin[b] : p.begin[b + 1]].tolist(), p.falls[p.fall[b]]
        left = sum(weight for weight, t in zip(weights, there, strict=True) if t != s or s < 0)
        for role in (1, -1):
            for earned, chance in waiting.pop((s, role), {}).items():
                for weight, paid, sign, t in zip(weights, rewards, signs, there, strict=True):
                    if t == s >= 0:
                        if paid or sign < 0:
                            fail(None, "an exact value is claimed, but play may stay in one position and earn")
                        continue
                    into = waiting.setdefault((t, role * sign), {}) if t >= 0 else ended
                    total = earned + role * paid
                    into[total] = into.get(total, Fraction(0)) + chance * weight / left
    ours = {outcome: float(chance) for outcome, chance in ended.items() if float(chance) >= LEAST}
    said = dict(zip(published.keys[0].tolist(), published.values.tolist(), strict=True))
    for outcome in sorted(said.keys() | ours.keys()):
        if said.get(outcome) != ours.get(outcome):
            what = f"the probability is {said.get(outcome)!r}, in rationals it is {ours.get(outcome)!r}"
            fail((outcome,), what)
    return Finding(float(value), math.ulp(float(value)) / 2, math.ulp(1.0) / 2, 0.0, IN_RATIONALS)
