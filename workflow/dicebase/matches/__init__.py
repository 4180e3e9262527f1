"""One file a match format: it makes a Game out of the rules of a turn, or of a scorecard.

Found by the name of its file; its class `Match` is a Game whose constructor takes the rules and then its own
parameters.
"""
