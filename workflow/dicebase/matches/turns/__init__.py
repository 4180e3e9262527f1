"""Match formats of one player's turns and throws, and the positions that all formats of turns share."""
