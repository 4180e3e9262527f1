"""The best cards of a few numbers: the search of each language."""
