"""Policies as lines `PLAY if CONDITION`, separated by semicolons; the first line that applies decides."""

from collections.abc import Callable, Sequence

from dicebase.vocabulary import ConfigurationError, nearest
from dicebase.vocabulary.formula import formula

LINES = "lines"  # the language of cards that are policies of this kind
IF, THEN = " if ", "; "

Line = tuple[str, str, Callable[..., int]]
"""(play, condition, the condition as a function of the features of a hand)."""


def read_lines(text: str, plays: Sequence[str], names: tuple[str, ...]) -> list[Line]:
    """Return the lines of a policy, whose conditions may use `names`. Raises ConfigurationError for a wrong line."""
    found = []
    for line in text.split(THEN.strip()):
        play, _, condition = (part.strip() for part in line.partition(IF))
        if play not in plays or not condition:
            example = f"give lines such as '{plays[0]}{IF}{names[0]} >= 1', separated by semicolons"
            raise ConfigurationError(
                f"policy: '{line.strip()}' is not PLAY if CONDITION{nearest(play, plays)}; {example}"
            )
        found.append((play, condition, formula(condition, names, "policy")))
    return found
