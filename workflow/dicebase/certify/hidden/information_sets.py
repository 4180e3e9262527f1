"""Check games of hidden information by two best responses, one to each published strategy, from the rules alone.

With perfect recall a best response follows by backward induction over a player's own information sets. The value of the
game lies between what the strategies of player 1 and player 2 concede to it; the gap between them bounds what each of
them can lose. Sums use long doubles, whose rounding is added to the bound.
"""

from functools import partial

import numpy as np

from dicebase.certify.action_rows import check_mix, check_sums
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.hidden.play_tree import PlayTree, play_tree
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, refuse
from dicebase.matches.boards.information_sets import InformationSets

STEP = 1e-13  # tolerance of published values, times the probability that chance and the opponent lead to the set


def check(game: InformationSets, published: Published, fail: Fail) -> Finding:
    """Certify a variant, whose values are those of the player who decides."""
    published.tree = tree = play_tree(game, published, fail)
    set_of, first = tree.set_of, tree.first[:-1]
    mix = published.actions["probability"].astype(np.longdouble)
    check_sums(published, mix, first, fail)
    mix /= np.add.reduceat(mix, first)[set_of]
    count = published.count
    reach, value, q = np.zeros(count, np.longdouble), np.zeros(count, np.longdouble), np.zeros_like(mix)
    gains = []
    for player in (0, 1):
        weights = lead(tree, mix, player)
        add_reach(tree, weights, player, reach)
        gains.append(reply(tree, weights, player, value, q))
    refuse_state = partial(refuse, published.keys, fail)
    refuse_state(published.more[0] != (reach > 0), "reached is {}, which contradicts the strategies", published.more[0])
    there = np.where(reach > 0, reach, 1)
    off = np.abs(published.values - value / there) * there
    np.maximum.at(off, set_of, np.abs(published.actions["q_value"] - q / there[set_of]) * there[set_of])
    largest = float(np.abs(tree.paid).max())
    refuse_state(~(off <= STEP * max(1.0, largest)), "values are up to {:.3g} away from those of a best response", off)
    losses = np.maximum(0.0, published.values[set_of] - published.actions["q_value"])
    check_mix(published, first, losses, 0.0, fail, ties=True)
    _check_avoided(tree, mix, reach, losses, refuse_state)
    rounding = tree.rounding * largest
    gap = max(0.0, float(gains[0] + gains[1])) + 2 * rounding
    proof = "gap between the values of best responses to both strategies"
    return Finding(float(gains[0] - gains[1]) / 2, gap / 2 + rounding, gap, float(off.max()), proof)


def lead(tree: PlayTree, mix: np.ndarray, player: int) -> np.ndarray:
    """Return the probability, (points,), with which chance and the opponent lead to each point."""
    weights = tree.share.copy()
    theirs = (tree.act >= 0) & (tree.player[tree.set_of[tree.act]] != player)
    weights[theirs] *= mix[tree.act[theirs]]
    for low, high in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        weights[low:high] *= weights[tree.before[low:high]]
    return weights


def add_reach(tree: PlayTree, weights: np.ndarray, player: int, reach: np.ndarray) -> None:
    """Add to `reach`, (sets,), the weights of the points in the sets of a player."""
    here = (tree.of >= 0) & (tree.player[tree.of] == player)
    np.add.at(reach, tree.of[here], weights[here])


def reply(
    tree: PlayTree, weights: np.ndarray, player: int, value: np.ndarray, q: np.ndarray, mix: np.ndarray | None = None
) -> np.longdouble:
    """Return what a player's best response, or the player's own mix, gains, and fill in the values of sets and actions,
    times `weights`."""
    earned, start = np.append(q, np.longdouble(0)), -1
    np.add.at(earned, tree.last[player], weights * (tree.paid if player == 0 else -tree.paid))
    for k in tree.order[::-1]:
        if tree.player[k] == player:
            here = slice(tree.first[k], tree.first[k + 1])
            q[here] = earned[here]
            value[k] = earned[here].max() if mix is None else mix[here] @ earned[here]
            earned[tree.parent[k]] += value[k]
    return earned[start]


def _check_avoided(tree: PlayTree, mix: np.ndarray, reach: np.ndarray, losses: np.ndarray, refuse_state) -> None:
    """Check what the table's note says of sets that their own player's strategy avoids."""
    avoided, first, set_of = np.zeros(len(reach), bool), tree.first[:-1], tree.set_of
    for k in tree.order:
        parent = tree.parent[k]
        avoided[k] = parent >= 0 and (avoided[set_of[parent]] or mix[parent] == 0)
    lost = np.maximum.reduceat(np.where(mix > 0, losses, 0.0), first)
    refuse_state(avoided & (reach > 0) & (lost > 0), "the strategy avoids this set, but loses {:.3g} there", lost)
    even = np.maximum.reduceat(np.abs(mix * np.diff(tree.first)[set_of] - 1), first)
    refuse_state(avoided & ~(reach > 0) & (even > 1e-12), "both strategies avoid this set, but its actions differ")


def simulated(game: InformationSets, published: Published, seed: int) -> Simulation | None:
    """Play games by the table, and others against a player 2 who chooses at random."""
    tree, mix = published.tree, published.actions["probability"]
    counts = np.diff(tree.first)[tree.set_of]
    chance = np.where(tree.player[tree.set_of] == 1, 1.0 / counts, mix)
    begin = np.searchsorted(tree.before, np.arange(len(tree.before) + 1))
    goes_on = tree.of >= 0
    goes_on[0] = True

    def games(mix: np.ndarray, streams: np.ndarray) -> tuple[np.ndarray, int]:
        share = np.where(tree.act >= 0, mix[tree.act], 1.0) * tree.share.astype(float)
        # The steps from point p divide the interval from p to p + 1.
        sums = np.append(0.0, np.cumsum(share))
        upper = tree.before + sums[1:] - sums[begin[tree.before]]
        random, now, made = np.random.default_rng(int(streams[0])), np.zeros(len(streams), int), 0
        while len(going := np.flatnonzero(goes_on[now])):
            at, made = now[going], made + len(going)
            to = np.searchsorted(upper[1:], at + random.random(len(at)), "right") + 1
            now[going] = np.minimum(to, begin[at + 1] - 1)
        return tree.paid[now].astype(float), made

    spread = float(np.ptp(tree.paid))
    return simulate(partial(games, mix), seed, game.value.unit, spread, partial(games, chance))
