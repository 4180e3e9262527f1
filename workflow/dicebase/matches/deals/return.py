"""A machine or a house that deals and pays: maximise the expected return."""

from dicebase.matches.deals.dealer import ByCards
from dicebase.matches.deals.draws import DrawReturn
from dicebase.vocabulary import DealerGame, Draw

FORMATS = {Draw: DrawReturn, DealerGame: ByCards}
