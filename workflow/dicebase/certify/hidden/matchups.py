"""Check matchups in games of hidden information: the expected result of each pair of policies and of best responses, as
sums over all play from the rules alone, in long doubles.

The mixes of `optimal` are published, not proved: what best responses gain against them bounds the error of the game's
value. All other policies follow from the rules.
"""

from collections.abc import Mapping
from typing import NoReturn

import numpy as np

from dicebase.certify.action_rows import check_sums
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.hidden.information_sets import STEP, add_reach, lead, reply
from dicebase.certify.hidden.play_tree import PlayTree, play_tree
from dicebase.certify.published import Published, check_keys, pair_values, refuse
from dicebase.matches.boards.board_matchups import BEST_RESPONSE, OPTIMAL, RANDOM
from dicebase.matches.boards.hidden_matchups import HiddenMatchups, chosen
from dicebase.vocabulary import State

Shares = Mapping[tuple[str, str], np.ndarray]
"""The published probability of each action, (actions,), by (row policy, column policy)."""

PROOF = "sums over all play by each pair of policies; best responses to `optimal` bound the value of the game"


def check(listing: HiddenMatchups, published: Published, fail: Fail) -> Finding:
    """Certify the values of all pairs at every action and at the start."""

    def fail_at(place: State | None, what: str) -> NoReturn:
        names = (c.name for c in listing.places)
        where = " ".join(f"{name}={entry}" for name, entry in zip(names, place or (), strict=False))
        fail(None, f"{where}: {what}" if where else what)

    check_keys(published, ((*pair, who) for pair in listing.pairs for who in ("row", "column")), fail)
    sets = _sets(listing, published)
    tree = play_tree(listing.game, sets, fail_at)
    places = [sets.actions[c.name] for c in listing.places]
    values, shares = (pair_values(published, listing.pairs, places, fail, c) for c in ("value", "probability"))
    mixes = {name: _mix(listing, sets, tree, name, shares, fail_at) for name in listing.names}
    largest = max(1.0, float(np.abs(tree.paid).max()))
    close, worst, gap = STEP * largest, 0.0, 0.0
    for pair in listing.pairs:
        (row, column), of = pair, " against ".join(pair)
        (value, reach), q = np.zeros((2, sets.count), np.longdouble), np.zeros(len(places[0]), np.longdouble)
        for player, who in enumerate(("row", "column")):
            weights, said = lead(tree, mixes[column], player), published.value_of[row, column, who]
            add_reach(tree, weights, player, reach)
            gained = float(reply(tree, weights, player, value, q, mixes.get(row)))
            if not abs(said - gained) <= close:
                fail((row, column, who), f"the {listing.value.name} is {said!r}, recomputed it is {gained!r}")
            worst = max(worst, abs(said - gained))
            gap += gained if pair == (BEST_RESPONSE, OPTIMAL) else 0.0
        there = np.where(reach > 0, reach, 1)[tree.set_of]
        off = np.abs(values[pair] - q / there) * there
        refuse(places, fail_at, ~(off <= close), f"{of}: the value {{!r}} is {{:.3g}} off", values[pair], off)
        worst = max(worst, float(off.max()))
        if row == BEST_RESPONSE:
            check_sums(sets, shares[pair], tree.first[:-1], fail_at)
            lost = np.abs(shares[pair]) * (value[tree.set_of] - q)
            refuse(places, fail_at, ~(lost <= close), f"{of}: is no best response, for it loses {{:.3g}}", lost)
    bound = max(0.0, gap) + worst + 2 * tree.rounding * largest
    return Finding(published.value_of[BEST_RESPONSE, OPTIMAL, "row"], bound, bound, worst, PROOF, actions=0)


def _sets(listing: HiddenMatchups, published: Published) -> Published:
    """Return the information sets and actions in the rows of the first pair, as a table of their own."""
    game, size = listing.game, len(published.beside["value"]) // len(listing.pairs)
    actions = {name: column[:size] for name, column in published.beside.items()}
    keys = [actions[c.name] for c in game.columns]
    first = np.append(True, np.any([key[1:] != key[:-1] for key in keys], axis=0))
    states = {c.name: key[first] for c, key in zip(game.columns, keys, strict=True)}
    unsaid = {c.name: np.zeros(first.sum()) for c in (game.value, *game.more)}
    sets = Published(game, states | unsaid, actions)
    sets.check_order("the values of pairs")
    return sets


def _mix(
    listing: HiddenMatchups, sets: Published, tree: PlayTree, name: str, shares: Shares, fail_at: Fail
) -> np.ndarray:
    """Return the mix, (actions,), of a policy; fail unless all pairs have it and it follows from the rules."""
    first, action = tree.first[:-1], sets.actions["action"]
    mix = shares[name, OPTIMAL]
    if name == OPTIMAL:
        check_sums(sets, mix, first, fail_at)
    elif name == RANDOM:
        mix = 1 / np.diff(tree.first)[tree.set_of]
    else:
        legal = zip(sets.states, np.split(action, first[1:]), strict=True)
        taken = [chosen(listing.rules, name, of[1:], names.tolist()) for of, names in legal]
        mix = np.isin(np.arange(len(mix)), first + taken).astype(float)
    for against in listing.names:
        what = f"{name} against {against}: does not play this with probability {{!r}}"
        wrong = shares[name, against] != mix
        refuse([*sets.keys_of_actions, action], fail_at, wrong, what, shares[name, against])
    mix = mix.astype(np.longdouble)
    return mix / np.add.reduceat(mix, first)[tree.set_of]
