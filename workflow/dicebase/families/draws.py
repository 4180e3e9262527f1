"""Draw games: hands drawn as cards, and the values of holds from stored sums."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from dicebase.families.family import Family
from dicebase.vocabulary import HAND, Draw, Json, Layout, draw_cards, read_cards

if TYPE_CHECKING:
    from fractions import Fraction

    from dicebase.families.family import Follower
    from dicebase.tables.follow.ranking import StoredRows
    from dicebase.vocabulary import Listing


class Draws(Family):
    """Games in which any cards of a hand are replaced once."""

    def export(self, rules: Draw) -> Json:
        ranks = [*reversed(rules.ranks)]
        drawing = {"kind": "hand", "column": "hand", "ranks": ranks, "suits": True, "cards": HAND}
        return super().export(rules) | {"drawing": [drawing], "first": self.first_position(rules)}

    def picture(self, rules: Draw, state: Mapping[str, int | str]) -> list[str]:
        return [draw_cards(read_cards(str(state["hand"])))] if "hand" in state else []

    def first_position(self, rules: Draw) -> dict[str, int | str]:
        ranks = rules.ranks
        return {"hand": f"{ranks[-4]}h {ranks[-4]}d {ranks[-1]}s {ranks[0]}c {ranks[-2]}d"}

    def ranked_list(
        self, listing: Listing, stored: StoredRows, variant: Mapping[str, int | str]
    ) -> tuple[list[dict[str, str]], Fraction] | None:
        if listing.layout is not Layout.FOLLOWED:
            return None
        from dicebase.tables.follow.hold_list import ranked_holds

        kinds, cost = ranked_holds(listing, stored, variant)
        return [{"up to": k.best, "such as": ", ".join(k.examples), "coins": f"{k.coins:.4f}"} for k in kinds], cost

    def follower(self, listing: Listing, stored: StoredRows, variant: Mapping[str, int | str]) -> Follower:
        from dicebase.tables.follow.draws import holds

        return partial(holds, listing, stored, variant)
