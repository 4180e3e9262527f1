"""The rows of the best cards, whatever their languages are."""

from collections.abc import Callable, Mapping
from typing import Any

from dicebase.matches.card_listing import Card, CardListing, Language
from dicebase.solvers.cards import MOST_BOXES, Found, search
from dicebase.tables.writer import Rows
from dicebase.vocabulary.progress import reporter


def bounded(
    listing: CardListing,
    language: str,
    bound: Callable[[Language, Mapping[str, tuple[int, int]]], float],
    most: int = MOST_BOXES,
) -> Found:
    """Return the best card of a language by branch and bound; for `bound` and `most`, boxes of each form, see
    solvers/cards.py."""
    forms = listing.languages[language]
    found = search([of.numbers for of in forms], lambda form, box: bound(forms[form], box), most * len(forms))
    form, numbers = found.card
    return found._replace(card=Card(forms[form], numbers))


def best_cards(listing: CardListing, find: Callable[[str], Found], *worst: Callable[[Any], float]) -> Rows:
    """Return the rows of the best cards. worst : the cost of a card in the worst case, if the table has it."""
    rows, report = Rows(listing), reporter("language")
    for done, name in enumerate(sorted(listing.languages)):
        report(done, len(listing.languages))
        card, cost, least = find(name)
        # Rounding can make the cost of the best play negative.
        costs = [max(x, 0.0) for x in (cost, *(of(card) for of in worst))]
        proved, words = least >= cost - listing.tie, listing.in_words(card)
        rows.add_row(name, *costs, min(least, costs[0]), proved, words, listing.policy_of(card))
    return rows
