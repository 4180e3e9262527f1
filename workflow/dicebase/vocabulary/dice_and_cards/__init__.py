"""Dice and cards: rolls and their weights, scoring combinations, decks, hands and draws."""
