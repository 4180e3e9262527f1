"""One turn of Pass the Pigs: what others have counted and printed, and another solver, by the gain of one throw."""

from fractions import Fraction
from typing import ClassVar

import pytest

from dicebase.games.pass_the_pigs import check_pigs
from dicebase.solve import reference
from dicebase.vocabulary import ConfigurationError, Definition
from reference.pass_the_pigs import DEREPAS, PIGS, PRINTED, turn
from support.contract import Published, TurnRulesContract

FEW = {"side": 1, "dot": 2, "jowler": 1}


class TestPassThePigs(TurnRulesContract):
    game = "pass_the_pigs"
    definitions: ClassVar = {"pigs": {"derepas": PIGS, "few": FEW, "sides": {"side": 1, "dot": 1}}}
    small = ({"pigs": "derepas"}, {"pigs": "few"})
    published = (
        # Half of the throws lose, so that 1 point is passed at once: half a point in all.
        Published("two sides, by hand", {"pigs": "sides"}, Fraction(1, 2)),
        Published("another solver", {"pigs": "derepas"}, turn(PIGS)[0]),
        Published("another solver", {"pigs": "few"}, turn(FEW)[0]),
    )

    def test_what_is_printed(self):
        _, mean, p = turn(PIGS)
        for found, printed in zip((mean, p, mean / p), PRINTED.values(), strict=True):
            # The last one is the quotient of the first two as he rounds them.
            assert abs(found - Fraction(printed)) <= Fraction(1, 2 * 10 ** (3 if found < 5 else 1)), DEREPAS

    def test_one_passes_from_the_printed_total_on(self):
        solution = reference.solve(self.build({"pigs": "derepas"}))
        totals = {total: solution.q((total,), "roll") < total for (total,) in solution.value if total}
        assert [passes for _, passes in sorted(totals.items())] == [total > 24 for total in sorted(totals)]


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ({"side": 1, "dot": 1, "ear": 1}, "does not count some of side, dot"),
        ({"side": 1, "dot": 0}, "dot: 0 is no whole number"),
        ({"dot": 3, "jowler": 1}, "no throw loses the turn"),
        (None, "does not count"),
    ],
)
def test_what_is_no_count_of_pigs_is_refused(counts, why):
    with pytest.raises(ConfigurationError, match=why):
        check_pigs(Definition("few", counts))
