"""How play continues from every position, for games that state their own and that the explorer plays itself."""

from collections.abc import Mapping

import numpy as np

from dicebase.catalog.rows.row_arrays import Part
from dicebase.vocabulary import Game, State
from dicebase.vocabulary.arithmetic.numbers import Numbers

MOST = 500_000  # outcomes; 200,000 of a bear-off for two take 170 KB, which a page loads when it first needs them


def moves_of(game: Game, part: Part, key: list[int], first: int) -> tuple[list[str], Mapping[str, np.ndarray]]:
    """Return (labels of outcomes, how play continues); nothing if there are more than MOST outcomes.

    Positions are in the order of their rows; with hidden information several look alike and share a row. For each
    position: `state_0` and so on, its columns (texts as indices into the variant's texts); `leads`, CSR offsets into
    `after`, which lists the afterstates of its actions. Play begins in afterstate 0. For each afterstate: `falls`, CSR
    offsets of its outcomes. For each outcome: `weight`; `to`, the next position, or -1 if there is none; `pays`, the
    mover's reward; `turns`, 1 if the players change roles; `label`, an index into the labels, if the rules say what is
    rolled.
    """
    called = game.falls if game.hides else game.rules.chance.labels
    afterstates, outcomes, ends, labels = Numbers(), [], [], []
    leads: dict[State, list[int]] = {}
    afterstates[game.start()]
    waiting = afterstates.since(0)
    while waiting:
        known, begin = len(afterstates), len(outcomes)
        for afterstate in waiting:
            outcomes += game.outcomes(afterstate)
            labels += called(afterstate) or [""] * (len(outcomes) - len(labels))
            ends.append(len(outcomes))
        if len(outcomes) > MOST:
            return [], {}
        for state in {o.state: None for o in outcomes[begin:] if o.state not in leads}:
            if state is not None:
                leads[state] = [afterstates[game.afterstate(state, action)] for action in game.actions(state)]
        waiting = afterstates.since(known)
    weights, ahead, pays, signs = zip(*outcomes, strict=True)
    columns = [*zip(*map(game.row, leads), strict=True)]
    coded = [part.codes(n, c) if n in part.texts else c for n, c in zip(part.columns[len(key) :], columns, strict=True)]
    row = part.numbers([np.full(len(leads), number) for number in key] + [np.array(c) for c in coded]) - first
    order, known = np.argsort(row, kind="stable"), [*leads]
    numbers_of = {known[place]: number for number, place in enumerate(order)} | {None: -1}
    actions = [leads[known[place]] for place in order]
    found = {}
    for i, (name, column) in enumerate(zip(part.columns[len(key) :], coded, strict=True)):
        # Indices into the sorted texts of the variant.
        numbers = np.unique(column, return_inverse=True)[1] if name in part.texts else np.array(column)
        found[f"state_{i}"] = numbers[order].astype(np.int32)
    texts, label = np.unique(labels, return_inverse=True)
    return texts.tolist(), found | ({"label": label.astype(np.int32)} if any(labels) else {}) | {
        "leads": np.cumsum([0, *map(len, actions)], dtype=np.int32),
        "after": np.array([afterstate for of_a_row in actions for afterstate in of_a_row], np.int32),
        "falls": np.array([0, *ends], np.int32),
        "weight": np.array(weights, float),
        "to": np.array([numbers_of[state] for state in ahead], np.int32),
        "pays": np.array([float(paid) for paid in pays]),
        "turns": np.array([sign < 0 for sign in signs], np.uint8),
    }
