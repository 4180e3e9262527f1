"""The best ranked lists of holds: keep the first of these that you were dealt.

A card is a policy of lines `hold if CONDITION` over the FEATURES of the cards held. The first line counts that some
hold of the hand satisfies; otherwise the player holds nothing. If a line has several holds, the worst one counts.
hold_lines.toml has the lines; those with several conditions count as one line of the list.
"""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np

from dicebase.matches.card_listing import CardListing, Language, cost_columns
from dicebase.matches.deals.lines import IF, LINES, THEN
from dicebase.vocabulary import RANKS, Draw, State, parameter, value_column
from dicebase.vocabulary.dice_and_cards.hand_classes import HandClasses, parts

FEATURES = ("cards", "suited", "kinds", "most", "low", "top", "span", "high", "pays")
HOLD = "hold"
NAMES = {11: "jack", 12: "queen", 13: "king", 14: "ace"}
FIRST, LAST = "Keep the first of these that you were dealt: ", "; otherwise nothing."


def features(classes: HandClasses, paid: np.ndarray) -> dict[str, np.ndarray]:
    """Return the FEATURES of each set of cards, from the coins `paid` for each hand.

    They are the number of `cards` held; whether these are of one suit; the number of `kinds` of ranks and the `most`
    cards of one rank; the `low` and `top` rank from 2 to 14; the `span` of ranks from the lowest to the highest, where
    an ace may be low; the number of jacks or `high`er; and the coins that a hand of five `pays`.
    """
    bits = parts(classes.sets)[..., np.newaxis] >> np.arange(len(RANKS)) & 1  # (sets, suits, ranks)
    held, none, pays = bits.sum(axis=1), classes.sizes == 0, np.zeros(len(classes.sets), np.int64)
    pays[classes.hands] = paid
    (low, top), (first, last) = _ends(held), _ends(np.roll(held, 1, axis=1))
    found = (
        classes.sizes,
        (bits.any(axis=2).sum(axis=1) <= 1).astype(int),
        (held > 0).sum(axis=1),
        held.max(axis=1),
        np.where(none, 0, low + 2),
        np.where(none, 0, top + 2),
        np.where(none, 0, np.minimum(top - low, last - first) + 1),
        held[:, RANKS.index("J") :].sum(axis=1),
        pays,
    )
    return dict(zip(FEATURES, found, strict=True))


def _ends(held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and last column that is not zero, by row."""
    return (held > 0).argmax(axis=1), held.shape[1] - 1 - (held[:, ::-1] > 0).argmax(axis=1)


@dataclass(frozen=True)
class HoldCards(CardListing):
    """The best list of this many holds."""

    rules: Draw
    numbers: int = parameter(3, "lines of the list", low=1, high=16)

    tabulated_by = certified_by = "draws.cards"
    value = value_column("expected loss per coin bet compared with best play, before the deal", "coins", "cost")
    more = cost_columns(
        "coins", value_column("the same in the hand in which the list loses most", "coins", "worst_case")
    )
    loses = ("of a bet compared with best play", "in the hand in which it loses most")

    @cached_property
    def lines(self) -> dict[str, list[str]]:
        """The lines from which lists are made: {name: conditions}."""
        coins, ranks = sorted({*self.rules.payouts.values()} - {0}), range(2, len(RANKS) + 2)
        grids = {"coins": coins, "rank": ranks, "count": range(1, 5), "gaps": range(3)}
        path, found = Path(__file__).with_name("hold_lines.toml"), {}
        for of in tomllib.loads(path.read_text(encoding="utf-8"))["line"]:
            kinds = of.get("numbers", {})
            for chosen in product(*map(grids.__getitem__, kinds.values())):
                numbers = dict(zip(kinds, chosen, strict=True))
                said = {n: NAMES.get(x, x) if kinds[n] == "rank" else x for n, x in numbers.items()}
                found[of["name"].format(**said)] = [Language(text, "", {}).filled(numbers) for text in of["hold"]]
        return found

    def in_words(self, names: list[str]) -> str:
        """Return a card in words."""
        return f"{FIRST}{THEN.join(names)}{LAST}"

    def policy(self, names: list[str]) -> str:
        """Return the policy of a list."""
        return THEN.join(f"{HOLD}{IF}{condition}" for name in names for condition in self.lines[name])

    def why_missing(self, state: State) -> str:
        return f"language must be {LINES}"
