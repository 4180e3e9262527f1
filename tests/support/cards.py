"""Small tables of cards, solved and certified once a test run, and altered tables that must be refused."""

from importlib import import_module

import pyarrow.parquet as pq

from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import find_table
from support import grids
from support.faults import fail

JACKS = grids.DEFAULT["definitions"]["video_poker"]["pays"]["jacks_or_better_9_6"]
SHORT = JACKS | {"ranks": "9TJQKA", "flush": 20, "four_of_a_kind": 8}
POCKET = {"dice": 3, "combinations": {"1": 100, "5": 50, "11": 300}}
SHEET = {
    "dice": 3,
    "sides": 3,
    "boxes": [
        {"ones": {"face": 1}},
        {"threes": {"face": 3}},
        {"yahtzee": {"of": "aaa", "points": 20}},
        {"small_straight": {"run": 3, "points": 30}},
        {"chance": {"points": "all"}},
    ],
    "upper_bonus": {"at": 8, "points": 35},
}
TABLES = {
    "boards": ("shut_the_box_score_cards", {"tiles": 6, "numbers": 2}, {}),
    "dealer": ("blackjack_return_cards", {"numbers": 2}, {}),
    "draws": ("video_poker_return_cards", {"pays": "short", "numbers": 3}, {"pays": {"short": SHORT}}),
    "duel": ("pig_duel_cards", {"sides": 3, "dice": 1, "target": 15, "numbers": 2}, {}),
    "sheets": ("yahtzee_score_cards", {"rules": "plain", "numbers": 2}, {"rules": {"plain": SHEET}}),
    "turn": ("ten_thousand_turn_cards", {"rules": "pocket", "numbers": 2}, {"rules": {"pocket": POCKET}}),
}
"""{name: (table, parameters, definitions)}."""


def certified(name, factory):
    """(files, rows) of a table."""
    table, given, definitions = TABLES[name]
    folder = grids.once(factory, f"cards_{name}", lambda folder: grids.certified(table, given, folder, definitions))
    files = SliceFiles(folder, table, "all")
    return files, pq.read_table(files.rows).to_pylist()


def claims(name):
    """The losses of the cards of a table, as the certifier computes them."""
    table, given, definitions = TABLES[name]
    listing = find_table(table).build(find_table(table).variant(given, definitions, ""), definitions)
    certifier = import_module(f"dicebase.certify.{listing.certified_by}")
    kind = {"duel": "Duel", "turn": "OneTurn", "dealer": "_Totals"}.get(name, "_Play")
    return getattr(certifier, kind)(listing, fail)
