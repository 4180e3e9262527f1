"""The words in which rules are written: all that a rules file imports."""

from dicebase.vocabulary.dice import convolve, multisets, sums
from dicebase.vocabulary.errors import ConfigurationError
from dicebase.vocabulary.formula import formula
from dicebase.vocabulary.parameters import Definition, parameter
from dicebase.vocabulary.scorecards import MultiplierScorecard, Scorecard
from dicebase.vocabulary.throws import Throw
from dicebase.vocabulary.turns import Loss, Option, RepeatedTurn, Roll, Turn

__all__ = [
    "ConfigurationError",
    "Definition",
    "Loss",
    "MultiplierScorecard",
    "Option",
    "RepeatedTurn",
    "Roll",
    "Scorecard",
    "Throw",
    "Turn",
    "convolve",
    "formula",
    "multisets",
    "parameter",
    "sums",
]
