"""Match formats of two players who take turns, or who throw at once."""
