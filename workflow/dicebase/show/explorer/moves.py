"""How play continues from every position, for games that state their own and that the explorer plays itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NoReturn

import numpy as np

from dicebase.catalog.rows.row_arrays import Part
from dicebase.certify.certificate import MOST_TRANSITIONS
from dicebase.certify.graph.positions import discovered
from dicebase.certify.graph.states import TooManyOutcomesError
from dicebase.certify.graph.transitions import transitions_of
from dicebase.vocabulary import Board, ConfigurationError, Game, State
from dicebase.vocabulary.arithmetic.ranges import ranges

Arrays = Mapping[str, np.ndarray]
NOTHING = [], {}, *np.empty((2, 0), int)


def moves_of(
    game: Game, part: Part, key: list[int], columns: Sequence[np.ndarray], begins: np.ndarray, stored: Arrays
) -> tuple[list[str], Arrays]:
    """Return (labels of outcomes, how play continues); nothing if there are more than MOST_TRANSITIONS outcomes.

    columns : the state columns of the variant's rows, (rows,), with texts as indices. begins : (rows + 1,), where the
    actions of each row begin. stored : the transitions in the certificate. The rules are asked only if they label
    outcomes or hide information.

    Positions are in the order of their rows; with hidden information several look alike and share a row. For each
    position: `state_0` and so on, its columns; `leads`, CSR offsets into `after`, which lists the afterstates of its
    actions. Play begins in afterstate 0. For each afterstate: `falls`, CSR offsets of its outcomes. For each outcome:
    `weight`; `to`, the next position, or -1 if there is none; `pays`, the mover's reward; `turns`, 1 if the players
    change roles; `label`, an index into the labels, if the rules say what is rolled.
    """
    labels, row = [], np.arange(len(begins) - 1)
    if game.hides or type(game.rules).labels is not Board.labels:
        labels, stored, row, begins = _asked(game, part, key)
    if not stored:
        return [], {}
    found = {f"state_{i}": column[row] for i, column in enumerate(columns)} | {"leads": begins.astype(np.int32)}
    return labels, found | stored


def _asked(game: Game, part: Part, key: list[int]) -> tuple[list[str], Arrays, np.ndarray, np.ndarray]:
    """Ask the rules; return (labels, transitions with the label of each outcome, the row of each position, where the
    actions of each position begin), or NOTHING if there are too many outcomes."""

    def fail(_: State | None, what: str) -> NoReturn:
        raise ConfigurationError(what)

    try:
        p, states, actions = discovered(game, fail, MOST_TRANSITIONS)
    except TooManyOutcomesError:
        return NOTHING
    names = part.columns[len(key) :]
    columns = zip(names, zip(*map(game.row, states), strict=True), strict=True)
    codes = [np.array(part.codes(n, c) if n in part.texts else c) for n, c in columns]
    row = part.numbers([*(np.full(len(states), number) for number in key), *codes]) - part.row_numbers.span(key)[0]
    order = np.argsort(row, kind="stable")
    begins, at = ranges(p.first[order], p.first[order + 1])
    found = transitions_of(replace(p, after=p.after[at], to=np.append(np.argsort(order), -1)[p.to]))
    called = game.falls if game.hides else game.rules.chance.labels
    numbers, first = np.unique(found["after"], return_index=True)
    places = {0: game.start()}
    for number, a in zip(numbers.tolist(), at[first].tolist(), strict=True):
        places[number] = game.afterstate(states[p.of[a]], actions[a])
    counts = np.diff(found["falls"]).tolist()
    said = [called(place) or [""] * count for place, count in zip(places.values(), counts, strict=True)]
    labels, label = np.unique([*chain.from_iterable(said)], return_inverse=True)
    found |= {"label": label.astype(np.int32)} if any(labels) else {}
    return labels.tolist(), found, row[order], np.append(begins, len(at))
