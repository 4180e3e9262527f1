"""A sample of positions, asked again of rules that remember nothing: they must say what the certified positions say."""

import random

from dicebase.certify.finding import Fail
from dicebase.certify.positions import Positions
from dicebase.certify.published import Published
from dicebase.vocabulary import Game

ROWS = 100


def check_again(copy: Game, published: Published, fail: Fail) -> None:
    """Fail where a copy of a game, which has not been asked anything yet, says something else of some rows than the
    positions that were enumerated."""
    p: Positions = published.positions
    for row in random.sample(range(published.count), min(published.count, ROWS)):
        (state,), actions = published.states_between(row, row + 1), slice(p.first[row], p.first[row + 1])
        (names,) = published.actions_between(actions.start, actions.stop, ["action"])
        if [*copy.actions(state)] != names.tolist():
            fail(state, "asked again the rules allow other actions")
        for name, b in zip(names.tolist(), p.after[actions], strict=True):
            to = p.to[p.begin[b] : p.begin[b + 1]]
            ahead = [None if end else s for s, end in zip(published.states_at(to), to < 0, strict=True)]
            weights, rewards, signs = p.falls[p.fall[b]]
            said = [*map(tuple, copy.tuples(copy.afterstate(state, name)))]
            if said != [*zip(weights, ahead, rewards, signs, strict=True)]:
                fail(state, f"asked again the rules say something else of what follows {name!r}")
