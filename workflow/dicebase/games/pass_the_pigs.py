"""Pass the Pigs: throw two rubber pigs as often as you like; they lose the turn if they lie on different sides.

A pig on its side counts nothing, a razorback 5, a trotter 5, a snouter 10 and a leaning jowler 15. The points of the
two pigs are added, and count double if both lie alike. Two pigs on the same side are a sider, for 1 point. Two pigs on
different sides, one with its dot up and one without, are a pig out: the points of the turn are lost. Pigs that touch
are thrown again, unless a definition counts how often they touch; in that case they also lose all banked points. A pig
on top of the other, a piggyback, puts the player out of the match.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from dicebase.vocabulary import Definition, Loss, Option, RepeatedTurn, Roll, check_whole, need, parameter, shown

POINTS = {"side": 0, "dot": 0, "razorback": 5, "trotter": 5, "snouter": 10, "jowler": 15}
SIDER, MOST = 1, 1_000_000
BESIDE = {"touching": Loss.WIPE, "piggyback": Loss.OUT}  # counted per throw


@dataclass(frozen=True)
class Rules(RepeatedTurn):
    """One turn of Pass the Pigs, with counted frequencies of the pigs' positions."""

    pigs: Definition = parameter("derepas", "how often a pig landed in each position", defined=True)

    title = "Pass the Pigs"
    citation = "D. Moffat (1977), Pass the Pigs; F. Derepas, www.derepas.com/petco, counts of 1688 pigs"
    stop = "pass"

    def __post_init__(self) -> None:
        check_pigs(self.pigs)

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        falls: Counter[int] = Counter()  # {points: weight}; 0 is a pig out
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
            # The other positions were counted by pig: n pigs are n / 2 throws, with total weight n * n.
            yield Roll(2 * pigs.total() * self.pigs.content[position], "", loss=BESIDE[position])


def check_pigs(pigs: Definition) -> None:
    """Raise ConfigurationError unless a definition counts pigs by position."""
    place, counts, known = f"pigs {pigs.name}", pigs.content, POINTS | BESIDE
    counted = isinstance(counts, Mapping) and counts and counts.keys() <= known.keys()
    need(counted, f"{place}: {shown(counts)} must count some of {', '.join(known)}")
    for position, many in counts.items():
        check_whole(f"{place}: {position}", many, 1, MOST)
    need({"side", "dot"} <= counts.keys(), f"{place}: without pigs on both sides no throw loses the turn")
