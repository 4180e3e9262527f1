"""Pass the Pigs: throw two rubber pigs as often as you like; they lose the turn where they lie on different sides.

A pig on its side counts nothing, a razorback 5, a trotter 5, a snouter 10 and a leaning jowler 15; the two pigs add up,
and two that are alike count twice their sum. Two pigs on the same side are a sider, of 1 point; on different sides, one
with its dot up and one without, they pig out: the points of the turn are lost. Pigs that touch are thrown again, unless
it is said how often they do: then they lose all points that were banked before as well. A pig that lies on the other
one, a piggyback, throws the player out of the match.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from dicebase.vocabulary import ConfigurationError, Definition, Loss, Option, RepeatedTurn, Roll, parameter, shown

POINTS = {"side": 0, "dot": 0, "razorback": 5, "trotter": 5, "snouter": 10, "jowler": 15}
SIDER, MOST = 1, 1_000_000
BESIDE = {"touching": Loss.WIPE, "piggyback": Loss.OUT}  # counted by throws


@dataclass(frozen=True)
class Rules(RepeatedTurn):
    """One turn of Pass the Pigs, with pigs that have been counted."""

    pigs: Definition = parameter("derepas", "how often a pig has fallen in each of its positions", defined=True)

    title = "Pass the Pigs"
    citation = "D. Moffat (1977), Pass the Pigs; F. Derepas, www.derepas.com/petco, counts of 1688 pigs"
    stop = "pass"

    def __post_init__(self) -> None:
        check_pigs(self.pigs)

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        falls: Counter[int] = Counter()  # {points: weight}, 0 where they pig out
        pigs = Counter({position: many for position, many in self.pigs.content.items() if position in POINTS})
        for (one, many), (other, ways) in product(pigs.items(), repeat=2):
            points = (POINTS[one] + POINTS[other]) * (2 if one == other else 1)
            falls[SIDER if one == other and not points else points] += many * ways
        for points, weight in sorted(falls.items()):
            if points:
                yield Roll(weight, "", (Option(points, mode),))
            else:
                yield Roll(weight, "", loss=Loss.BUST)
        for position in [p for p in BESIDE if p in self.pigs.content]:
            # Two pigs were counted in each other throw, so that n pigs are n / 2 throws, of the weight n * n in all.
            yield Roll(2 * pigs.total() * self.pigs.content[position], "", loss=BESIDE[position])


def check_pigs(pigs: Definition) -> None:
    """That a definition counts pigs by their positions; raises ConfigurationError."""
    counts: Any = pigs.content
    if not isinstance(counts, Mapping) or not counts or counts.keys() - POINTS.keys() - BESIDE.keys():
        raise ConfigurationError(
            f"pigs {pigs.name}: {shown(counts)} does not count some of {', '.join({**POINTS, **BESIDE})}"
        )
    for position, many in counts.items():
        if type(many) is not int or not 1 <= many <= MOST:
            raise ConfigurationError(f"pigs {pigs.name}: {position}: {shown(many)} is no whole number up to {MOST}")
    if not {"side", "dot"} <= counts.keys():
        raise ConfigurationError(f"pigs {pigs.name}: without pigs on both sides no throw loses the turn")
