"""A machine that deals and pays: maximise the expected return."""

from dicebase.matches.draws import DrawReturn
from dicebase.vocabulary import Draw

FORMATS = {Draw: DrawReturn}
