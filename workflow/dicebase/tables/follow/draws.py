"""The values of all holds of a hand of a draw game, from the stored sums over final hands (matches/deals/draws.py)."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dicebase.matches.deals.draws import DrawReturn
from dicebase.tables.follow.ranking import Choices, StoredRows
from dicebase.vocabulary import NOTHING, SUITS, read_cards, write_cards
from dicebase.vocabulary.dice_and_cards.hand_classes import (
    card_bits,
    draws_of,
    held_cards,
    parts,
    representatives,
    signs,
)


def holds(
    listing: DrawReturn,
    stored: StoredRows,
    variant: Mapping[str, int | str],
    state: Mapping[str, np.ndarray],
    hands: Sequence[str],
) -> Iterator[tuple[np.ndarray, Choices]]:
    """Yield (indices of positions, the choice of cards to hold) for each hand that the n positions refer to.

    state : the column `hand`, (n,) indices into `hands`. An action names the cards held in the order of its hand.
    """
    asked, place = np.unique(state["hand"], return_inverse=True)
    said = [read_cards(hands[number]) for number in asked]
    bits = np.array([card_bits(cards) for cards in said]).reshape(len(said), -1)
    order = np.array([_order(row) for row in bits.tolist()]).reshape(bits.shape)
    held, (draws, common) = held_cards(), draws_of(listing.rules.ranks)
    kept = representatives(np.take_along_axis(bits, order, 1) @ held.T)
    columns = [np.full(kept.size, number) for number in stored.key(variant)]
    rows = stored.numbers([*columns, *parts(kept.ravel()).T[::-1]]).reshape(kept.shape)
    found, ways = (rows >= 0).all(axis=1), draws[held.sum(axis=1)]
    sums = np.where(found[:, np.newaxis], stored.rows("value", rows), 0).astype(np.int64) @ signs().T
    for hand, cards in enumerate(said):
        at, own = np.flatnonzero(place == hand), [{*order[hand][hold == 1].tolist()} for hold in held]
        names = [write_cards(card for i, card in enumerate(cards) if i in of) or NOTHING for of in own]
        some = np.full(len(at), hand)
        # Equal numbers here are equal rationals, so ties are proved.
        leads_to = (sums[hand] * (common // ways))[np.newaxis].repeat(len(at), 0)
        yield at, Choices(names, np.where(found[some, np.newaxis], (sums / ways)[some], np.nan), found[some], leads_to)


def _order(bits: Sequence[int]) -> list[int]:
    """Return the cards' order in the row of their class: by rank, then by the ranks held in the suit."""
    numbers = [bit.bit_length() - 1 for bit in bits]
    held = [sum(1 << n % 13 for n in numbers if n // 13 == suit) for suit in range(len(SUITS))]
    return sorted(range(len(bits)), key=lambda i: (-(numbers[i] % 13), -held[numbers[i] // 13], -numbers[i]))
