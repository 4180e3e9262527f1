"""A scorecard for its own sake: the most expected points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dicebase.game import Column, Controller, Game, Outcome, Scorecard, State

Afterstate = tuple[int, int]  # (free slots, points just scored)


@dataclass(frozen=True)
class Match(Game):
    """Maximise the expected points of the free slots.

    A state is (free, roll_total): bit i - 1 of `free` says that slot i is free. An action is the slot the roll goes to.
    """

    rules: Scorecard

    accepts = Scorecard
    answered_by = "rank"
    unit = "points"
    value_is = "expected points still to be scored in the free slots, this roll included"
    columns = (
        Column("free", int, "free slots: bit i - 1 is set where slot i is free"),
        Column("roll_total", int, "the roll to be placed", "points"),
    )

    def start(self) -> Afterstate:
        return (1 << self.rules.slots) - 1, 0

    def layer(self, state: State) -> int:
        return -state[0].bit_count()

    def controller(self, state: State) -> Controller:
        return Controller.MAX

    def actions(self, state: State) -> Sequence[str]:
        return [str(slot) for slot in range(1, self.rules.slots + 1) if state[0] >> slot - 1 & 1]

    def afterstate(self, state: State, action: str) -> Afterstate:
        slot = int(action)
        return state[0] & ~(1 << slot - 1), self.rules.gain(slot, state[1])

    def outcomes(self, afterstate: Afterstate) -> Iterator[Outcome]:
        free, scored = afterstate
        if not free:
            yield Outcome(1, None, scored)
        else:
            for roll, weight in self.rules.weights.items():
                yield Outcome(weight, (free, roll), scored)

    def q_values(self, state: State, expected: Sequence[float]) -> dict[str, float]:
        """The value of each placement, where slots multiply, from the expected rolls on the other free slots in order
        (section 6 of Böcker 2015): whatever slot is taken, the others get the same expected rolls by rank."""
        slots = [int(action) for action in self.actions(state)]
        return {
            str(slot): self.rules.gain(slot, state[1])
            + sum(self.rules.factors[s - 1] * e for s, e in zip((s for s in slots if s != slot), expected, strict=True))
            for slot in slots
        }

    def why_missing(self, state: State) -> str:
        free, roll = state
        if not 0 < free < 1 << self.rules.slots:
            return f"free is from 1 to {(1 << self.rules.slots) - 1} with {self.rules.slots} slots"
        if roll not in self.rules.weights:
            return f"a roll of {roll} cannot occur: rolls are {', '.join(map(str, self.rules.weights))}"
        return super().why_missing(state)
