"""Games against a dealer: positions drawn as cards."""

from collections.abc import Mapping

from dicebase.families.family import Family
from dicebase.vocabulary import DealerGame, draw_cards, read_cards


class DealerGames(Family):
    """Games of one player against a dealer."""

    def picture(self, rules: DealerGame, state: Mapping[str, int | str]) -> list[str]:
        """The dealer's card, and the player's hand if its cards are known."""
        cards = {words: str(state.get(name, "")) for words, name in (("dealer", "dealer"), ("you", "hand"))}
        known = {words: text for words, text in cards.items() if text.partition(" ")[0] in rules.ranks}
        return [f"{words:6}  {draw_cards(read_cards(text))}" for words, text in known.items()]
