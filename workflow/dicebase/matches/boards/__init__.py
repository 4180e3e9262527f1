"""Match formats of boards and of games of hidden information."""
