"""A strategy by totals against a dealer, and what it costs."""

from dicebase.matches.deals.dealer import ByTotals
from dicebase.vocabulary import DealerGame

FORMATS = {DealerGame: ByTotals}
