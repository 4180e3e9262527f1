"""The variance of a machine's payments, for one hand and for several hands from one deal."""

from dicebase.matches.deals.draws import DrawVariance
from dicebase.vocabulary import Draw

FORMATS = {Draw: DrawVariance}
