"""Two arms: pull one of two arms ten times; each win makes an arm look better."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Two arms."""

    title = "Two arms"
    citation = "a test"
    objectives = {"wins": Objective("expected wins", "points")}
    columns = (
        Column("a", int, "wins of the first arm"),
        Column("b", int, "losses of the first arm"),
        Column("c", int, "wins of the second arm"),
        Column("d", int, "losses of the second arm"),
    )

    def start(self):
        return ((0, 0, 0, 0), 0)

    def actions(self, state):
        return ["first", "second"]

    def afterstate(self, state, action):
        return (state, 1 + (action == "second"))

    def outcomes(self, afterstate):
        counts, arm = afterstate
        if not arm:
            yield 1, counts, 0, 1
            return
        won, lost = counts[2 * arm - 2 : 2 * arm]
        for weight, i, win in ((won + 1, 2 * arm - 2, 1), (lost + 1 + (arm == 2), 2 * arm - 1, 0)):
            then = tuple(n + (k == i) for k, n in enumerate(counts))
            yield weight, None if sum(then) == 10 else then, win, 1
