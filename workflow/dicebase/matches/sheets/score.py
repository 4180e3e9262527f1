"""A scorecard or score sheet for one player: maximise the expected points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dicebase.matches.sheets.scorecards import FREE, ROLL, FollowedPlacements, short
from dicebase.matches.sheets.sheet_play import SheetPlay
from dicebase.matches.sheets.sheets import Turns
from dicebase.vocabulary import AnsweredBy, Game, Outcome, Scorecard, Sheet, State, value_column

Afterstate = tuple[int, int]  # (free slots, points just scored)

# Up to these limits all decisions are stored, with values in rationals.
MAX_SLOTS = 14
MAX_PLACEMENTS = 5_000_000
# Up to these limits the values of all sets of free slots are stored, in doubles.
MOST_SLOTS, MOST_PLACEMENTS = 20, 2_000_000_000
BYTES_A_SET = 140  # in the certifier, which needs more than the solver or the catalogue


def _placements(rules: Scorecard) -> int:
    """The number of (set of free slots, roll, slot)."""
    return len(rules.weights) * rules.slots << rules.slots - 1


class ScoreBySets(FollowedPlacements):
    """M[A], the greatest expected points of a set A of free slots before the roll; decisions follow.

    Placing a roll in slot i of A has value gain(i, roll) + M[A without i] (equation (2) of Böcker 2015).
    """

    gains = True
    value = value_column("expected points of the free slots, before the roll", "points")
    columns = (FREE,)
    state_columns = (FREE, ROLL)

    @property
    def why_not_solved(self) -> str:
        if self.rules.slots <= MOST_SLOTS and _placements(self.rules) <= MOST_PLACEMENTS:
            return ""
        slots, placements = self.rules.slots, short(_placements(self.rules))
        return (
            f"slots: {slots} slots have {short(1 << slots)} sets of free slots and {placements} placements, which take "
            f"about {short(self.bytes, 10**9)} GB of memory; at most {MOST_SLOTS} slots and {short(MOST_PLACEMENTS)} "
            "placements are solved by sets; for more, the table ten_times_eighteen_rank says where each roll goes"
        )

    bytes = property(lambda self: BYTES_A_SET << self.rules.slots)

    @property
    def note(self) -> str:
        return f"decisions follow from the values of the {(1 << self.rules.slots) - 1} sets of free slots"


@dataclass(frozen=True)
class BestScore(Game):
    """Maximise the expected points of the free slots.

    A state is (free, roll_total); bit i - 1 of `free` is set if slot i is free. An action is the slot for the roll.
    """

    rules: Scorecard

    answered_by = AnsweredBy("rank", ("slots",))
    follows_from = ScoreBySets
    value = value_column("expected points still to be scored in the free slots, including this roll", "points")
    columns = (FREE, ROLL)

    @property
    def stored(self) -> "BestScore | ScoreBySets":
        large = self.rules.slots > MAX_SLOTS or _placements(self.rules) > MAX_PLACEMENTS
        return ScoreBySets(self.rules) if large else self

    @property
    def why_not_solved(self) -> str:
        return "" if self.stored is self else self.stored.why_not_solved

    @property
    def bytes(self) -> int:
        # The certifier holds every outcome of every placement.
        stored = self.stored
        return 160 * _placements(self.rules) * len(self.rules.weights) if stored is self else stored.bytes

    def start(self) -> Afterstate:
        return (1 << self.rules.slots) - 1, 0

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

    def falls(self, afterstate: Afterstate) -> Sequence[str]:
        return list(map(str, self.rules.weights)) if afterstate[0] else ()

    def expected_rows(self, state: State) -> dict[str, int] | None:
        """The rows of the `answered_by` table with the expected rolls on the other free slots; None if there is no
        decision in this state."""
        free, roll = state
        possible = 0 < free < 1 << self.rules.slots and roll in self.rules.weights
        return {"free_slots": free.bit_count() - 1} if possible else None

    def q_values(self, state: State, expected: Sequence[float]) -> dict[str, float]:
        """Return {slot: value of placing the roll there} on a multiplier scorecard.

        expected : expected rolls on the other free slots, in order; they do not depend on the slot taken (section 6 of
            Böcker 2015).
        """
        slots = [int(action) for action in self.actions(state)]
        return {
            str(slot): self.rules.gain(slot, state[1])
            + sum(self.rules.factors[s - 1] * e for s, e in zip((s for s in slots if s != slot), expected, strict=True))
            for slot in slots
        }

    def q_error(self, error: float) -> float:
        """A bound on the error of a q-value, rounding included, if expected rolls are wrong by at most `error`."""
        sizes = sum(map(abs, self.rules.factors))
        return sizes * (error + (self.rules.slots + 2) * 2.0**-52 * max(map(abs, self.rules.weights)))

    def why_missing(self, state: State) -> str:
        return ScoreBySets(self.rules).why_missing(state)


class SheetScore(Turns):
    """The greatest expected points of a score sheet for one player (Verhoeff & Scheffers 1999)."""

    play = property(lambda self: SheetPlay(self.rules))
    value = value_column("expected points still to be scored in the open boxes", "points")


FORMATS = {Scorecard: BestScore, Sheet: SheetScore}
