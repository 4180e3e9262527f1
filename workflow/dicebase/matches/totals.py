"""A strategy by totals against a dealer, and what it costs."""

from dicebase.matches.dealer import ByTotals
from dicebase.vocabulary import DealerGame

FORMATS = {DealerGame: ByTotals}
