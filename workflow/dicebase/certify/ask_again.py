"""Ask unused copies of the rules about certified positions again, to detect rules with hidden state.

Rules that remember earlier questions may repeat the answer to one question as the answer to the next. Two copies are
asked in opposite orders of rows and actions, so that for any two questions one of the copies answers differently.
"""

import random
from collections.abc import Iterable

from dicebase.certify.finding import Fail
from dicebase.certify.graph.positions import Positions
from dicebase.certify.published import Published
from dicebase.vocabulary import Game

ALL, SOME = 1000, 100  # a table with up to ALL rows is checked at every row, a larger one at SOME random rows


def check_again(copies: Iterable[Game], published: Published, fail: Fail) -> None:
    """Fail if one of two unused copies of a game disagrees with the enumerated positions, at all rows or a sample."""
    count = published.count
    rows = [*range(count)] if count <= ALL else sorted(random.sample(range(count), SOME))
    for copy, step in zip(copies, (1, -1), strict=True):
        for row in rows[::step]:
            _check_row(copy, published, row, step, fail)


def _check_row(copy: Game, published: Published, row: int, step: int, fail: Fail) -> None:
    p: Positions = published.positions
    (state,), actions = published.states_between(row, row + 1), slice(p.first[row], p.first[row + 1])
    (names,) = published.actions_between(actions.start, actions.stop, ["action"])
    if [*copy.actions(state)] != names.tolist():
        fail(state, "on a second call the rules allow other actions")
    for name, b in [*zip(names.tolist(), p.after[actions], strict=True)][::step]:
        to = p.to[p.begin[b] : p.begin[b + 1]]
        ahead = [None if end else s for s, end in zip(published.states_at(to), to < 0, strict=True)]
        weights, rewards, signs = p.falls[p.fall[b]]
        said = [*map(tuple, copy.tuples(copy.afterstate(state, name)))]
        if said != [*zip(weights, ahead, rewards, signs, strict=True)]:
            fail(state, f"on a second call the rules give other outcomes for {name!r}")
