"""One file a match format: it makes a Game out of the rules of a turn, or of a scorecard.

A format is found by the name of its file, which ends with FORMATS: {rules that are accepted: the class that makes a
Listing, most often a Game, of them}. A class takes the rules and then its own parameters.
"""

LEAST = 1e-250
"""What is less likely than this is no row of a distribution."""
