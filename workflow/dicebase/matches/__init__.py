"""One file a match format: it makes a Game out of the rules of a turn, or of a scorecard.

Found by the name of its file; of its classes the one that `accepts` the rules is the format's: a Listing, most often a
Game, whose constructor takes the rules and then its own parameters.
"""

LEAST = 1e-250
"""What is less likely than this is no row of a distribution."""
