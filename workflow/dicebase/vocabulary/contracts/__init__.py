"""What rules files promise, and the checks of it before anything is solved."""
