"""Playing cards: ranks, suits, names, and hands as people write them."""

import re
from collections.abc import Iterable

from dicebase.vocabulary.errors import ConfigurationError, shown

RANKS, SUITS = "23456789TJQKA", "cdhs"
SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))

Card = tuple[str, str]
"""(rank, suit), each one character of RANKS and SUITS; the suit is empty if it was not given."""

_CARD = re.compile(r"(10|[2-9TJQKA])([CDHS♣♦♥♠]?)\ufe0f?[\s,;]*", re.IGNORECASE)
_SUIT_OF = {symbol: suit for suit, symbol in SYMBOLS.items()}


def read_cards(text: str, decks: int = 1) -> list[Card]:
    """Return the cards of a hand in the order given: `Jh Jd 4s 7c 2d`, `10♥,jd` and `JhJd` are hands with suits, `A 6`
    and `106` are ranks only. Raises ConfigurationError for a word that is no card, or a card with a suit that occurs
    more than `decks` times."""
    cards, place, text = [], 0, text.strip()
    while place < len(text):
        if not (found := _CARD.match(text, place)):
            word = re.split(r"[\s,;]", text[place:])[0]
            allowed = f"a rank of {' '.join(RANKS)} (or 10), and a suit of {' '.join(SUITS)}"
            raise ConfigurationError(f"{shown(word)} is not a card; a card is {allowed}, such as Th")
        rank, suit = found[1].upper().replace("10", "T"), found[2].lower()
        cards.append((rank, _SUIT_OF.get(suit, suit)))
        place = found.end()
    for card in cards:
        if card[1] and cards.count(card) > decks:
            raise ConfigurationError(f"{''.join(card)} is in the hand {'twice' if decks == 1 else 'too often'}")
    return cards


def write_cards(cards: Iterable[Card]) -> str:
    """Return the text of some cards, such as `Jh Jd 4s`."""
    return " ".join(map("".join, cards))


def draw_cards(cards: Iterable[Card]) -> str:
    """Return a picture of some cards for a terminal, such as `[J♥] [4♠]`."""
    return " ".join(f"[{rank.replace('T', '10')}{SYMBOLS.get(suit, '')}]" for rank, suit in cards)
