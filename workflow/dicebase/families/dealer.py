"""Games against a dealer: positions drawn as cards."""

from collections.abc import Mapping

from dicebase.families.family import Family
from dicebase.vocabulary import KINDS, DealerGame, Json, draw_cards, read_cards


class DealerGames(Family):
    """Games of one player against a dealer."""

    def export(self, rules: DealerGame) -> Json:
        hands = {"hand": 0, "dealer": 1}  # 0: any number of cards
        drawing = [
            {"kind": "hand", "column": n, "ranks": rules.ranks, "suits": False, "cards": k} for n, k in hands.items()
        ]
        return super().export(rules) | {"drawing": drawing}

    def chart_place(self, rules: DealerGame, state: Mapping[str, int | str]) -> tuple[tuple, tuple, bool]:
        """Rows are hard totals, soft totals and pairs; the hands of two cards decide."""
        rank, hand = {name: i for i, name in enumerate(rules.ranks)}, str(state["hand"])
        column = (-rank[str(state["dealer"])], str(state["dealer"]))
        if (cards := hand.split())[0] in rank:
            counts = tuple(map([rank[card] for card in cards].count, range(len(rank))))
            points, two = rules.points(counts), len(cards) == 2
            hand = f"pair {cards[0]}" if two and max(counts) == 2 else f"{KINDS[points.soft]} {points.total}"
        else:
            two = state["cards"] == 2
        kind, size = hand.split()
        row = (("hard", "soft", "pair").index(kind), -rank[size] if kind == "pair" else int(size), hand)
        return row, column, two

    def picture(self, rules: DealerGame, state: Mapping[str, int | str]) -> list[str]:
        """The dealer's card, and the player's hand if its cards are known."""
        cards = {words: str(state.get(name, "")) for words, name in (("dealer", "dealer"), ("you", "hand"))}
        known = {words: text for words, text in cards.items() if text.partition(" ")[0] in rules.ranks}
        return [f"{words:6}  {draw_cards(read_cards(text))}" for words, text in known.items()]
