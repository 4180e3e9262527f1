"""A machine or a house that deals and pays: maximise the expected return."""

from dicebase.matches.dealer import ByCards
from dicebase.matches.draws import DrawReturn
from dicebase.vocabulary import DealerGame, Draw

FORMATS = {Draw: DrawReturn, DealerGame: ByCards}
