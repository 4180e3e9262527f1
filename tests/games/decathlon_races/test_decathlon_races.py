"""The races of the Decathlon: printed values, and sets without rethrows."""

from typing import ClassVar

from support.contract import BoardRulesContract, Published
from support.contract_boards import build
from support.printed import of_board

JIANG = "M. Jiang, github.com/maxjiang216/dice_decathlon, worklog: two independent programs for each event"
SHORT = tuple({"event": event} for event in ("400_metres", "1500_metres"))


class TestDecathlonRaces(BoardRulesContract):
    game = "decathlon_races"
    match = "points"
    small: ClassVar = {"points": SHORT}
    larger: ClassVar = {"points": [{"event": "110_metre_hurdles"}]}
    published = tuple(Published(JIANG, of, of_board("Jiang", f"event={of['event']}")) for of in SHORT)


def test_without_rethrows_a_set_is_frozen():
    assert build("decathlon_races_points", {}).actions((2, 0, "11")) == ["freeze"]
