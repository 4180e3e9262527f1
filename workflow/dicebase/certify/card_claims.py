"""Claims about cards of a few numbers that do not depend on the game."""

from collections.abc import Iterator

from dicebase.certify.finding import Fail
from dicebase.matches.card_listing import Language
from dicebase.vocabulary import TIE


def check_proved(name: str, cost: float, least: float, proved: bool, fail: Fail) -> None:
    """Fail unless a card is called proved exactly if no card costs less than it does."""
    if not least <= cost or proved != (least >= cost - TIE):
        fail((name,), f"proved is {bool(proved)}, but no card costs less than {float(least)!r}")


def neighbours(language: Language, numbers: dict[str, int]) -> Iterator[str]:
    """Yield the formulas of cards that differ by one step in one number."""
    for name, (low, high, by) in language.numbers.items():
        for number in (numbers[name] - by, numbers[name] + by):
            if low <= number <= high:
                yield language.filled(numbers | {name: number})
