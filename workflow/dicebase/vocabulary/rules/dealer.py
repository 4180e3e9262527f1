"""Games against a dealer who draws by a fixed rule, such as Blackjack: cards without suits, hands, and dealer's draws.

A hand is a tuple with the number of its cards of each rank, in the order of `DealerGame.ranks`.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dicebase.vocabulary.contracts.conditions import is_whole, need
from dicebase.vocabulary.rules.rulebook import Rulebook

Hand = tuple[int, ...]
PLAYS = STAND, HIT, DOUBLE, SPLIT, SURRENDER = "stand", "hit", "double", "split", "surrender"


KINDS = {False: "hard", True: "soft"}
"""The kinds of totals, by whether they are soft."""


class Points(NamedTuple):
    """The total of a hand; `soft` if it counts an ace in the higher of two ways."""

    total: int
    soft: bool


class DealerGame(Rulebook):
    """The rules of a game for one player. The dealer shows one card, and draws after the player by a fixed rule.

    Each side wants the higher total that does not exceed `limit`. A natural, a total of `limit` with the first two
    cards, beats any other total and ends the hand at once; two naturals, or two equal totals, leave the bet. All bets
    on hands, also doubled and split ones, lose against a dealer's natural.
    """

    family = "dealer"

    ranks: ClassVar[tuple[str, ...]]  # in the order in which a hand is written
    shoe: Hand  # the number of cards of each rank before the deal
    infinite: bool = False  # whether every card is drawn from the full shoe
    limit: ClassVar[int] = 21
    natural: Fraction  # what a player's natural pays, in bets
    peeks: bool = True  # whether the dealer looks for a natural before the player decides

    @abstractmethod
    def points(self, hand: Hand) -> Points:
        """The total of a hand; the dealer's and the player's are counted alike."""

    @abstractmethod
    def dealer_draws(self, points: Points) -> bool:
        """Whether the dealer draws another card to a total up to the limit."""

    @abstractmethod
    def actions(self, hand: Hand, split: bool) -> Sequence[str]:
        """The actions with a hand that is no natural, in order: some of STAND, HIT, DOUBLE, SPLIT and SURRENDER.
        After a split the answer for a pair leaves out SPLIT; `most_hands` says whether pairs are split again."""

    @abstractmethod
    def most_hands(self, rank: int) -> int:
        """The most hands that a player can have by splitting pairs of a rank."""

    @abstractmethod
    def one_card(self, rank: int) -> bool:
        """Whether each hand of a split pair of a rank gets exactly one more card."""

    def answers(self, hand: Hand) -> tuple:
        """All that the rules say about a hand."""
        points, rank = self.points(hand), hand.index(max(hand))
        plays = self.actions(hand, False), self.actions(hand, True), self.most_hands(rank), self.one_card(rank)
        return self.shoe, self.infinite, self.natural, self.peeks, points, self.dealer_draws(points), plays

    def is_natural(self, hand: Hand) -> bool:
        """Whether two cards reach the limit."""
        return sum(hand) == 2 and self.points(hand).total == self.limit

    def named(self, hand: Hand) -> str:
        """The cards of a hand as text, such as `10 6`."""
        return " ".join(rank for rank, count in zip(self.ranks, hand, strict=True) for _ in range(count))

    def hands(self) -> Iterator[Hand]:
        """Yield every hand of one or more cards that the shoe has and that is within the limit."""
        have = [self.limit if self.infinite else count for count in self.shoe]
        yield from _within((0,) * len(self.ranks), 0, lambda h: self.points(h).total <= self.limit, have)


def _within(hand: Hand, first: int, fits: Callable[[Hand], bool], have: Sequence[int]) -> Iterator[Hand]:
    for rank in range(first, len(hand)):
        more = plus(hand, rank)
        if more[rank] <= have[rank] and fits(more):
            yield more
            yield from _within(more, rank, fits, have)


def plus(hand: Hand, rank: int) -> Hand:
    """The hand with one more card of a rank."""
    return *hand[:rank], hand[rank] + 1, *hand[rank + 1 :]


def dealer_draws(rules: DealerGame, up: int) -> dict[int, dict[Hand, int]]:
    """Count the ways in which a dealer who shows a card of rank `up` can draw.

    Returns {rank of the first card drawn: {all cards drawn: number of orders in which they can be drawn}}; every entry
    is a hand with which the dealer stops. From a shoe of n cards with n_c of rank c, k cards that include k_c of rank c
    are drawn in one given order with probability (n_1)_(k_1) (n_2)_(k_2) ... / (n)_k, where (n)_k = n (n - 1) ... (n -
    k + 1); so this count times that probability is the probability of the entry.
    """
    shown = plus((0,) * len(rules.ranks), up)
    have = [64 if rules.infinite else count for count in rules.shoe]
    found: dict[int, dict[Hand, int]] = {}
    for first in range(len(shown)):
        going, ended = {plus((0,) * len(shown), first): 1}, found.setdefault(first, {})
        while going:
            longer: dict[Hand, int] = {}
            for drawn, orders in going.items():
                points = rules.points(tuple(map(sum, zip(shown, drawn, strict=True))))
                if points.total > rules.limit or not rules.dealer_draws(points):
                    ended[drawn] = orders
                    continue
                for rank in range(len(shown)):
                    if drawn[rank] < have[rank]:
                        more = plus(drawn, rank)
                        longer[more] = longer.get(more, 0) + orders
            going = longer
    return found


def check_dealer(rules: DealerGame) -> list[Hand]:
    """Return the questions about the rules, which are all hands. Raises ConfigurationError for a wrong answer."""
    ranks, shoe = rules.ranks, rules.shoe
    need(type(shoe) is tuple and len(shoe) == len(ranks) and all(is_whole(n, 0) for n in shoe), f"shoe: {shoe!r:.80}")
    hands = [hand for hand in rules.hands() if sum(hand) > 1]
    for hand in hands:
        for split in (False, True):
            said = [*rules.actions(hand, split)]
            allowed = [play for play in PLAYS if _fits(play, hand, split)]
            fits = said == [play for play in allowed if play in (STAND, HIT, *said)]
            need(fits, f"actions({hand}, {split}): {said!r:.80} are not stand, hit, and some of {', '.join(allowed)}")
    for rank in range(len(ranks)):
        need(is_whole(most := rules.most_hands(rank), 2, 8), f"most_hands({rank}): {most!r} is not 2 to 8")
    return hands


def _fits(play: str, hand: Hand, split: bool) -> bool:
    """Whether rules may allow a play with a hand."""
    with_two = play == DOUBLE or (not split and (play == SURRENDER or max(hand) == 2))
    return play in (STAND, HIT) or (sum(hand) == 2 and with_two)
