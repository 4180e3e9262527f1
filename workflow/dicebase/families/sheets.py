"""Score sheets: scores of boxes, open boxes as text, and decisions that follow from stored values."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from dicebase.families.family import Family, numbers
from dicebase.vocabulary import Json, Scorecard, Sheet, multisets

if TYPE_CHECKING:
    from dicebase.families.family import Follower
    from dicebase.tables.follow.ranking import StoredRows
    from dicebase.vocabulary import Listing


class Sheets(Family):
    """Sheets with rerolls."""

    def dice(self, rules: Sheet) -> Json:
        """Return the keys boxes, dice, sides, rolls, upper_at and upper_bonus, and: upper, the boxes that count towards
        the bonus; entries, for each roll a list with the fields of each Entry."""
        said = {n: getattr(rules, n) for n in ("boxes", "dice", "sides", "rolls", "upper_at", "upper_bonus")}
        rolls = (roll for roll, _ in multisets(rules.sides, rules.dice))
        entries = [[[*map(int, entry)] for entry in rules.entries(roll)] for roll in rolls]
        return said | {
            "upper": sorted({box for roll in entries for box, _, upper, *_ in roll if upper}),
            "entries": entries,
        }

    def picture(self, rules: Sheet, state: Mapping[str, int | str]) -> list[str]:
        return wrap(f"open: {', '.join(name for i, name in enumerate(rules.boxes) if state['open'] >> i & 1)}", 80)

    def follower(self, listing: Listing, stored: StoredRows, variant: Mapping[str, int | str]) -> Follower:
        from dicebase.tables.follow.sheets import SheetTurns

        return SheetTurns(listing, stored, variant).decisions


class OneRoll(Family):
    """Sheets with one roll per turn."""

    def dice(self, rules: Scorecard) -> Json:
        """Return the keys: slots; rolls, pairs of roll and weight; gains, points by slot and roll; factors or null."""
        return {
            "slots": rules.slots,
            "rolls": numbers(rules.weights),
            "gains": rules.gains,
            "factors": list(rules.factors) if rules.multiplies else None,
        }

    def follower(self, listing: Listing, stored: StoredRows, variant: Mapping[str, int | str]) -> Follower:
        from dicebase.tables.follow.placements import placements

        return lambda state, rolls: [(slice(None), placements(listing, stored, variant, state))]
