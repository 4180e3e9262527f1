"""Play against a dealer by the cards of a hand, or by its total."""

from functools import cached_property
from graphlib import TopologicalSorter

from dicebase.vocabulary import KINDS, Column, DealerGame, Hand, Layout, Listing, State, read_cards, value_column

AGAIN = (
    "pairs are split again whenever the rules allow it, or never if that is better; the value of a split is that of "
    "exactly this play"
)
BY_CARDS = (
    "first hands are solved by their cards; after a split each hand is played as is best without a split if the "
    "dealer's card and both cards of the pair are gone"
)
MOST_DECKS = 8  # suits do not count, so several decks may have given a card twice
TENS = dict.fromkeys("TJQK", "10")
ORDER = ["A", "10", *"98765432"]


def read_ranks(text: str) -> str:
    """Return the ranks of some cards, highest first, where court cards are tens: `A 10` for `Qh,Ah`."""
    ranks = [TENS.get(rank, rank) for rank, _ in read_cards(text, MOST_DECKS)]
    return " ".join(sorted(ranks, key=ORDER.index))


class ByCards(Listing):
    """The most that a hand is expected to win, by its cards."""

    layout = Layout.DECISIONS
    tabulated_by, certified_by = "dealer.hands", "dealer.hands"
    averaged = False  # whether play depends on totals only
    columns = (
        Column("hand", str, "your cards, highest first, such as 10 6; court cards are 10"),
        Column("dealer", str, "the card that the dealer shows"),
    )
    value = value_column(
        "your expected winnings per bet; if the dealer peeks, given that there is no blackjack", "bets"
    )
    spelling = {"hand": read_ranks, "dealer": read_ranks}  # noqa: RUF012

    def __init__(self, rules: DealerGame) -> None:
        self.rules = rules
        self.note = f"{BY_CARDS}; {AGAIN}"

    @cached_property
    def groups(self) -> list[list[Hand]]:
        """All hands, also of one card, in groups of the same total and kind: hands of a group lead to earlier groups.
        Pairs and other hands of two cards are apart; hands of one card come last."""
        points = {hand: self.rules.points(hand) for hand in self.rules.hands()}
        ahead = {point: set() for point in points.values()}
        for hand, point in points.items():
            if sum(hand) > 1:
                more = (points.get((*hand[:r], n + 1, *hand[r + 1 :])) for r, n in enumerate(hand))
                ahead[point] |= {*more} - {None}
        order = {point: i for i, point in enumerate(TopologicalSorter(ahead).static_order())}
        found: dict[tuple, list[Hand]] = {}
        for hand, point in points.items():
            size = sum(hand)
            apart = hand if size == 1 or max(hand) == size == 2 else ()
            found.setdefault((size == 1, order[point], min(size, 3), apart), []).append(hand)
        return [found[key] for key in sorted(found)]

    def key(self, hand: Hand) -> tuple:
        """The entries of a row about a hand, without the dealer's card."""
        return (self.rules.named(hand),)

    @cached_property
    def decided(self) -> list[Hand]:
        """The hands with a decision, in the order of `groups`."""
        hands = (hand for group in self.groups for hand in group)
        return [hand for hand in hands if sum(hand) > 1 and not self.rules.is_natural(hand)]

    def has(self, hand: Hand, up: int) -> bool:
        """Whether the shoe has another card of rank `up` than those of a hand."""
        return self.rules.infinite or hand[up] < self.rules.shoe[up]

    @cached_property
    def rows(self) -> dict[State, list[tuple[Hand, int]]]:
        """The hands of each row and the rank of the dealer's card, by the key of the row, in order."""
        found: dict[State, list[tuple[Hand, int]]] = {}
        for hand in self.decided:
            key = self.key(hand)
            for up, name in enumerate(self.rules.ranks):
                if self.has(hand, up):
                    found.setdefault((*key, name), []).append((hand, up))
        return dict(sorted(found.items()))

    def why_missing(self, state: State) -> str:
        try:
            cards, up = ([self.rules.ranks.index(c) for c in str(text).split()] for text in (state[0], state[-1]))
        except ValueError:
            return f"cards are {' '.join(self.rules.ranks)}"
        hand = tuple(map(cards.count, range(len(self.rules.ranks))))
        if len(up) != 1 or len(cards) < 2:
            return "give two or more cards of yours, and one of the dealer"
        if self.rules.points(hand).total > self.rules.limit:
            return f"the cards count more than {self.rules.limit}, so the hand is lost"
        if self.rules.is_natural(hand):
            return f"two cards that count {self.rules.limit} are settled at once"
        return "the shoe does not have these cards"


class ByTotals(ByCards):
    """The strategy by totals: the play that is best on average over the cards that make a total.

    Totals are decided from the highest down; each average weighs hands by the probability that these cards are dealt.
    It need not be the best strategy by totals.
    """

    averaged = True
    columns = (
        Column("hand", str, "kind and total of your cards, such as hard 16 or soft 18, or a pair, such as pair 8"),
        Column("cards", int, "the number of your cards: 2, or 3 for three or more"),
        Column("dealer", str, "the card that the dealer shows"),
    )
    value = value_column(
        "your expected winnings per bet, on average over the cards that make the total, if you play by totals", "bets"
    )
    defaults = {"cards": 2}  # noqa: RUF012
    spelling = {"dealer": read_ranks}  # noqa: RUF012

    def __init__(self, rules: DealerGame) -> None:
        super().__init__(rules)
        self.note = f"the value of the table is that of the strategy by totals, also after splits; {AGAIN}"

    def key(self, hand: Hand) -> tuple:
        if max(hand) == sum(hand) == 2:
            return f"pair {self.rules.ranks[hand.index(2)]}", 2
        total, soft = self.rules.points(hand)
        return f"{KINDS[soft]} {total}", min(sum(hand), 3)

    def why_missing(self, state: State) -> str:
        return "hands are such as hard 16, soft 18 or pair 8, with 2 or 3 cards, where 3 stands for three or more"
