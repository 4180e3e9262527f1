"""The positions that play of any game reaches, each checked for its types, actions and outcomes."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from dicebase.tables.parquet import KINDS
from dicebase.vocabulary import Controller, Game, State


def check_play(game: Game) -> set[State]:
    """Check every state that play reaches, and return all of them."""
    assert all(c.kind in KINDS and c.name and c.description for c in game.columns)
    todo, found, asked = [*game.starts()], set(), set()
    while todo:
        afterstate = todo.pop()
        if afterstate in asked:
            continue
        asked.add(afterstate)
        outcomes = [*game.outcomes(afterstate)]
        assert outcomes
        for o in outcomes:
            assert type(o.weight) is int and o.weight > 0 and o.sign in (1, -1)
            if o.state is not None and o.state not in found:
                found.add(o.state)
                assert all(type(entry) is c.kind for entry, c in zip(o.state, game.columns, strict=True))
                todo += [game.afterstate(o.state, action) for action in actions_of(game, o.state)]
    assert found
    return found


def actions_of(game: Game, state: State) -> Iterator[Any]:
    """The actions of a state, or pairs of them if both players choose at once."""
    mine = game.actions(state)
    assert mine and len({*mine}) == len(mine) and all(type(action) is str and action for action in mine)
    return product(mine, mine) if game.controller(state) is Controller.BOTH else iter(mine)
