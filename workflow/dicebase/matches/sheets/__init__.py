"""Match formats of score sheets and scorecards."""
