"""Putting: reach the hole exactly with a short or a long club; a stroke that is too long rolls as far beyond it."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective

CLUBS = {"short": (1, 1, 2), "long": (3, 4, 5, 6)}


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Putting", "a test"
    objectives = {"strokes": Objective("expected strokes", "strokes", sense=-1)}
    columns = (Column("left", int, "distance to the hole"),)

    def start(self):
        return (17, "")

    def actions(self, state):
        return [*CLUBS]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        left, club = afterstate
        for length in CLUBS.get(club, (0,)):
            there = abs(left - length)
            yield 1, (there,) if there else None, int(club != ""), 1
