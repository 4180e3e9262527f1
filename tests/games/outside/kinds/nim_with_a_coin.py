"""Nim with a coin: take one or two from a heap, and a coin may take another one."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Nim with a coin."""

    title = "Nim with a coin"
    citation = "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (
        Column("one", int, "one heap"),
        Column("other", int, "the other heap"),
    )

    def start(self):
        return (5, 6, False)

    def actions(self, state):
        return [
            f"{k} from {name}" for name, heap in zip(("one", "other"), state, strict=True) for k in (1, 2) if k <= heap
        ]

    def afterstate(self, state, action):
        heaps = list(state)
        heaps["other" in action] -= int(action[0])
        return (*heaps, True)

    def outcomes(self, afterstate):
        *heaps, moved = afterstate
        if not moved:
            yield 1, tuple(heaps), 0, 1
        elif not any(heaps):
            yield 1, None, 1, 1
        else:
            heap = heaps.index(max(heaps))
            fewer = (*heaps[:heap], heaps[heap] - 1, *heaps[heap + 1 :])
            yield 1, tuple(heaps), 1, -1
            yield 1, *((fewer, 1, -1) if any(fewer) else (None, 1, 1))
