"""How play continues from every position, for games that state their own and that the explorer plays itself."""

from array import array
from collections.abc import Mapping, Sequence

import numpy as np

from dicebase.catalog.rows.row_arrays import Part
from dicebase.vocabulary import Game
from dicebase.vocabulary.arithmetic.numbering import Numbering
from dicebase.vocabulary.arithmetic.numbers import Numbers
from dicebase.vocabulary.arithmetic.ranges import ranges
from dicebase.vocabulary.contracts.board_contract import check_afterstate

MOST = 500_000  # outcomes; 200,000 of a bear-off for two take 170 KB, which a page loads when it first needs them
AT_ONCE = 500  # positions per batch


def moves_of(
    game: Game, part: Part, key: list[int], first: int, begins: np.ndarray, actions: Sequence[str]
) -> tuple[list[str], Mapping[str, np.ndarray]]:
    """Return (labels of outcomes, how play continues); nothing if there are more than MOST outcomes.

    first : number of the variant's first row. begins : (rows + 1,), where each row's actions begin in `actions`, which
    has their texts; the rules are not asked for them again.

    Positions are in the order of their rows; with hidden information several look alike and share a row. For each
    position: `state_0` and so on, its columns (texts as indices into the variant's texts); `leads`, CSR offsets into
    `after`, which lists the afterstates of its actions. Play begins in afterstate 0. For each afterstate: `falls`, CSR
    offsets of its outcomes. For each outcome: `weight`; `to`, the next position, or -1 if there is none; `pays`, the
    mover's reward; `turns`, 1 if the players change roles; `label`, an index into the labels, if the rules say what is
    rolled.
    """
    called = game.falls if game.hides else game.rules.chance.labels
    names, texts = part.columns[len(key) :], Numbers()
    states, afterstates = Numbering(check_afterstate), Numbering(check_afterstate)
    falls, after, weight, to, pays, turns, label = (array(kind) for kind in "iididbi")
    parts: list[tuple[np.ndarray, ...]] = []
    states.numbers([None])  # the end has number 0
    falls.append(0)
    thrown, asked = [game.start()], 1
    afterstates.numbers(thrown)
    while thrown or asked < len(states):
        ahead = []
        for afterstate in thrown:
            outcomes = [*game.tuples(afterstate)]
            for one, state, paid, sign in outcomes:
                ahead.append(state)
                weight.append(one)
                pays.append(paid)
                turns.append(sign < 0)
            label.extend(map(texts.__getitem__, called(afterstate) or [""] * len(outcomes)))
            falls.append(len(weight))
        if len(weight) > MOST:
            return [], {}
        to.frombytes((states.numbers(ahead) - 1).tobytes())
        some = states[asked : asked + AT_ONCE]
        thrown, asked, known = [], asked + len(some), len(afterstates)
        if some:
            columns = zip(names, zip(*map(game.row, some), strict=True), strict=True)
            columns = [np.array(part.codes(n, c) if n in part.texts else c) for n, c in columns]
            row = part.numbers([*(np.full(len(some), number) for number in key), *columns]) - first
            reached = [
                game.afterstate(state, action)
                for state, i in zip(some, row.tolist(), strict=True)
                for action in actions[begins[i] : begins[i + 1]]
            ]
            after.frombytes(afterstates.numbers(reached).tobytes())
            parts.append((row, *columns))
            thrown = afterstates[known:]
    row, *columns = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(row, kind="stable")
    number = np.append(np.argsort(order), -1)  # of each position, and of the end
    found, ends = {}, np.cumsum(counts := np.diff(begins)[row])
    for i, (name, column) in enumerate(zip(names, columns, strict=True)):
        # Indices into the sorted texts of the variant.
        numbers = np.unique(column, return_inverse=True)[1] if name in part.texts else column
        found[f"state_{i}"] = numbers[order].astype(np.int32)
    leads, at = ranges((ends - counts)[order], ends[order])
    sorted_texts, place = np.unique([*texts], return_inverse=True)
    labels = {"label": place[np.array(label)].astype(np.int32)} if [*texts] != [""] else {}
    return sorted_texts.tolist(), found | labels | {
        "leads": np.append(leads, len(at)).astype(np.int32),
        "after": np.array(after)[at],
        "falls": np.array(falls),
        "weight": np.array(weight),
        "to": number[np.array(to)].astype(np.int32),
        "pays": np.array(pays),
        "turns": np.array(turns, np.uint8),
    }
