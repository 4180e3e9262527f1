"""Draw games: five cards are dealt, any are held, and the others are replaced once from the rest of the deck."""

from abc import abstractmethod
from collections.abc import Mapping
from itertools import combinations

from dicebase.vocabulary.contracts.conditions import NAME, is_whole, need
from dicebase.vocabulary.dice_and_cards.cards import RANKS, SUITS, Card, write_cards
from dicebase.vocabulary.rules.rulebook import Rulebook

HAND = 5
"""The number of cards in a hand."""

HOLDS = sorted(range(1 << HAND), key=lambda hold: [hold >> i & 1 for i in range(HAND)])
"""All ways to hold cards of a hand, highest card first: bit i is set if card i is held. Of several best holds the
published policy takes the first one here: it discards the highest card on which they differ."""

NOTHING = "nothing"
"""The name of holding no card, and of a final hand that is paid nothing."""

HELD_FEATURES = ("cards", "suited", "kinds", "most", "low", "top", "span", "high", "pays")
"""Numbers about the cards that a player holds, by which policies decide: how many `cards`; whether they are of one
suit; the number of `kinds` of ranks and the `most` cards of one rank; the `low` and `top` rank from 2 to 14; the `span`
of ranks from the lowest to the highest, where an ace may be low; the number of jacks or `high`er; and the coins that a
hand of five `pays`."""

MOST_COINS = 100_000


class Draw(Rulebook):
    """The rules of a draw game: the deck, and the coins that a final hand is paid. Renaming suits changes nothing."""

    family = "draws"

    ranks: str = RANKS  # the deck has a card of each of these ranks in every suit
    payouts: Mapping[str, int]  # {rank of a final hand: coins per coin bet}, highest first; NOTHING is the last, with 0

    @abstractmethod
    def rank(self, hand: tuple[Card, ...]) -> str:
        """The rank, a key of `payouts`, by which a final hand is paid; its cards are sorted, highest first."""


def check_draw(rules: Draw) -> list[tuple[Card, ...]]:
    """Raise ConfigurationError unless rules of a draw game keep the contract; returns hands as questions. The certifier
    asks for every hand, with its suits renamed too."""
    ranks, payouts = rules.ranks, rules.payouts
    neighbours = type(ranks) is str and ranks in RANKS and len(ranks) >= HAND
    need(neighbours, f"ranks: {ranks!r:.80} are not {HAND} or more neighbours in {RANKS}")
    named = isinstance(payouts, Mapping) and all(type(name) is str and NAME.fullmatch(name) for name in payouts)
    whole = named and all(is_whole(coins, 0, MOST_COINS) for coins in payouts.values())
    need(whole, f"payouts: {payouts!r:.80} are not whole numbers of coins from 0 to {MOST_COINS} by name")
    need([*payouts][-1:] == [NOTHING] and payouts[NOTHING] == 0, f"payouts: must end with '{NOTHING}', which pays 0")
    deck = [(rank, suit) for rank in reversed(ranks) for suit in reversed(SUITS)]
    hands = [hand for start in range(0, len(deck) - HAND, 3) for hand in combinations(deck[start : start + 7], HAND)]
    for hand in hands:
        need(rules.rank(hand) in payouts, f"rank: {write_cards(hand)} is of a rank that `payouts` does not have")
    return hands
