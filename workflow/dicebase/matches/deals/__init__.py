"""Match formats of cards dealt by a machine or a dealer."""
