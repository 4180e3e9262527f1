"""Blackjack: come closer to 21 than the dealer without exceeding it.

Cards count their number, court cards 10, and an ace 1 or 11; a total with an ace as 11 is soft. You get two cards, and
the dealer one card face up. With an ace and a ten as your first two cards you have a blackjack and are paid at once,
unless the dealer has one too. Otherwise you may, as often as you like, hit (take a card) until you stand or exceed 21
and lose. With your first two cards you may instead double (double the bet and take exactly one card), split a pair
(play a hand with each card, with a bet on each; tens and court cards make a pair), or surrender (lose half the bet)
where the house allows it. The dealer draws to 17. The higher total wins the bet, and equal totals win nothing. A
blackjack of the dealer beats every other hand, also a 21, and all its bets.

If the dealer peeks with an ace or ten up, play ends at once against a blackjack, and you lose one bet. Otherwise the
dealer's second card is drawn last, and a blackjack also wins what you doubled or split, and all of a bet that you
surrendered.
"""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import DOUBLE, HIT, SPLIT, STAND, SURRENDER, DealerGame, Hand, Points, parameter

YES, NO = {"yes": "yes", "no": "no"}, "no"
DECKS = {str(n): f"{n} deck{'s' * (n > 1)} of 52 cards" for n in range(1, 9)}
VALUES = (1, 10, 9, 8, 7, 6, 5, 4, 3, 2)
ACE = VALUES.index(1)
DOUBLED = {"any": range(22), "9_to_11": range(9, 12), "10_to_11": range(10, 12), "never": range(0)}


@dataclass(frozen=True)
class Rules(DealerGame):
    """Blackjack by the rules of a house; insurance is not offered."""

    decks: str = parameter("infinite", "decks of 52 cards", choices=DECKS | {"infinite": "cards never run out"})
    soft_17: str = parameter("stand", "the dealer's play with a soft 17", choices={"stand": "stands", "hit": "draws"})
    peek: str = parameter("yes", "whether the dealer looks for a blackjack before you play", choices=YES)
    double: str = parameter(
        "any",
        "the first two cards that you may double",
        choices={
            "any": "any two cards",
            "9_to_11": "hard totals of 9, 10 and 11",
            "10_to_11": "hard totals of 10 and 11",
            "never": "none",
        },
    )
    double_after_split: str = parameter("yes", "whether you may double after a split", choices=YES)
    resplit: str = parameter("4", "the most hands by splitting", choices={n: f"{n} hands" for n in "234"})
    resplit_aces: str = parameter(NO, "whether aces may be split again", choices=YES)
    hit_split_aces: str = parameter(NO, "whether a split ace gets more than one card", choices=YES)
    surrender: str = parameter(NO, "whether you may surrender your first two cards", choices=YES)
    pays: str = parameter("3:2", "what a blackjack pays", choices={"3:2": "3 to 2", "6:5": "6 to 5"})

    title = "Blackjack"
    citation = "R. Baldwin, W. Cantey, H. Maisel and J. McDermott (1956), The optimum strategy in blackjack, JASA 51"
    ranks = ("A", "10", "9", "8", "7", "6", "5", "4", "3", "2")

    @property
    def shoe(self) -> Hand:
        decks = 1 if self.infinite else int(self.decks)
        return tuple(16 * decks if value == 10 else 4 * decks for value in VALUES)

    @property
    def infinite(self) -> bool:
        return self.decks == "infinite"

    @property
    def peeks(self) -> bool:
        return self.peek == "yes"

    @property
    def natural(self) -> Fraction:
        return Fraction(*map(int, self.pays.split(":")))

    def points(self, hand: Hand) -> Points:
        total = sum(value * count for value, count in zip(VALUES, hand, strict=True))
        soft = hand[ACE] > 0 and total <= 11
        return Points(total + 10 * soft, soft)

    def dealer_draws(self, points: Points) -> bool:
        return points.total < 17 or (self.soft_17 == "hit" and points == (17, True))

    def actions(self, hand: Hand, split: bool) -> list[str]:
        points, may = self.points(hand), [STAND, HIT]
        if sum(hand) > 2:
            return may
        hard = not points.soft or self.double == "any"
        if hard and points.total in DOUBLED[self.double] and (not split or self.double_after_split == "yes"):
            may.append(DOUBLE)
        if max(hand) == 2 and not split:
            may.append(SPLIT)
        if self.surrender == "yes" and not split:
            may.append(SURRENDER)
        return may

    def most_hands(self, rank: int) -> int:
        return 2 if rank == ACE and self.resplit_aces == NO else int(self.resplit)

    def one_card(self, rank: int) -> bool:
        return rank == ACE and self.hit_split_aces == NO
