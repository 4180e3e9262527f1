"""Cards Up: in each turn throw two dice, a and b, and turn over card a, card b or card a + b.

Cards are numbered from 1, and all lie face up at first. Choosing a card that lies face down turns it up again. The game
ends when all cards lie face down, in as few turns as possible.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, ConfigurationError, Dice, Objective, Outcome, Tiles, multisets, parameter

LABELS = "123456789ABC"


@dataclass(frozen=True)
class Rules(Board):
    """Problem 640 of Project Euler: Alice plays with four cards and two coins, Bob with twelve cards and two dice."""

    cards: int = parameter(4, "cards, numbered from 1", low=2, high=12)
    sides: int = parameter(2, "sides of each die, numbered from 1: 2 is a coin", low=2, high=6)

    title = "Cards Up"
    citation = "Project Euler, problem 640, Shut the Box"
    objectives = {"turns": Objective("expected number of turns until all cards lie face down", "turns", -1)}
    columns = (
        Column("up", str, "cards that lie face up, one character each: A is 10, B 11, C 12"),
        Column("roll", str, "the two dice, as sorted digits"),
    )

    def __post_init__(self) -> None:
        if not self.sides <= self.cards <= 2 * self.sides:
            few, many = self.sides, 2 * self.sides
            raise ConfigurationError(f"cards: two dice of {few} sides turn {few} to {many} cards, not {self.cards}")

    @property
    def drawing(self) -> tuple[Tiles | Dice, ...]:
        return Tiles("up", LABELS[: self.cards]), Dice("roll")

    def start(self) -> tuple[str, int]:
        return LABELS[: self.cards], 0

    def actions(self, state: tuple[str, str]) -> list[str]:
        a, b = map(int, state[1])
        return [f"turn {card}" for card in dict.fromkeys((a, b, a + b)) if card <= self.cards]

    def afterstate(self, state: tuple[str, str], action: str) -> tuple[str, int]:
        """The cards that lie face up, and the turns spent on the action."""
        card = LABELS[int(action.removeprefix("turn ")) - 1]
        return "".join(sorted({*state[0]} ^ {card})), 1

    def outcomes(self, afterstate: tuple[str, int]) -> Iterator[Outcome]:
        up, turns = afterstate
        if not up:
            yield Outcome(1, None, turns)
        else:
            for (a, b), weight in multisets(self.sides, 2):
                yield Outcome(weight, (up, f"{a}{b}"), turns)
