"""Small turns made up at random: a few modes, phases, losses, choices and forced ends."""

from dataclasses import dataclass

from hypothesis import strategies as st

from dicebase.vocabulary import Loss, Option, Roll, Turn


@dataclass(frozen=True)
class MadeUp(Turn):
    """A turn by its table: table[phase][mode index] are the rolls."""

    table: tuple[tuple[tuple[Roll, ...], ...], ...]
    modes: tuple[int, ...] = (1,)

    title = citation = "made up"
    stop = "stop"

    @property
    def period(self) -> int:
        return len(self.table)

    def rolls(self, total: int, mode: int) -> tuple[Roll, ...]:
        return self.table[total % self.period][self.modes.index(mode)]


def always(*rolls: Roll) -> MadeUp:
    """A turn of one mode with the same rolls at every total."""
    return MadeUp(((rolls,),))


@st.composite
def turns(draw, *, wipes: bool = True, sums: tuple[int, ...] = ()) -> MadeUp:
    """A turn whose gains are multiples of a unit; with `sums`, the weights of every throw sum to one of these."""
    modes = (1, 2, 3)[: draw(st.integers(1, 3))]
    unit = draw(st.sampled_from((1, 1, 2, 3)))
    phases = draw(st.integers(1, 3))
    option = st.builds(
        Option, st.integers(1, 3).map(lambda gain: gain * unit), st.one_of(st.none(), st.sampled_from(modes))
    )
    choices = st.lists(option, min_size=1, max_size=3, unique_by=lambda o: o[:2]).map(tuple)
    losses = st.sampled_from((Loss.BUST, Loss.WIPE) if wipes else (Loss.BUST,))

    def throw(needs_options: bool) -> tuple[Roll, ...]:
        count = draw(st.integers(1, 4))
        found = []
        for i in range(count):
            keeps = (needs_options and i == 0) or draw(st.booleans())
            weight = draw(st.integers(1, 6))
            found.append(Roll(weight, "", draw(choices)) if keeps else Roll(weight, "", loss=draw(losses)))
        if sums:
            # The last roll takes what is left of the sum.
            left = draw(st.sampled_from(sums)) - count + 1
            found = [roll._replace(weight=1) for roll in found]
            found[-1] = found[-1]._replace(weight=left)
        return tuple(found)

    # With a unit of two or three points, phases in between never occur; their rolls must not matter.
    table = tuple(
        tuple(throw(needs_options=phase == 0) for _ in modes) for phase in range(unit * phases if phases > 1 else 1)
    )
    return MadeUp(table, modes)
