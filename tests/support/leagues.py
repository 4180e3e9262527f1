"""Helpers for matchups: leagues, and a variant's certified rows."""

import pyarrow.parquet as pq

from support import grids
from support.papers_crocce_mordecki import TABLE

SMALL = ["optimal", "hold_at_3", "hold_at_5", "maximise_turn", "minimise_turns"]
LEAGUES = {
    "small": SMALL,
    "league": ["optimal"],
    "points": ["optimal", "hold_at_200", "maximise_turn", "minimise_turns"],
    "throws": ["optimal", "always_2", "maximise_turn", "minimise_turns"],
    "racers": ["minimise_turns"],
    "wiped": ["optimal", "always_1", "always_2", "maximise_turn"],
}
DEFINITIONS = {"rules": {"crocce_mordecki": TABLE}, "policies": LEAGUES}


def solved(name, given, folder):
    """(certified files of one variant, {(row, column, first): probability}, certificate)."""
    place, (certificate,) = grids.certified(name, given, folder, DEFINITIONS)
    rows = pq.read_table(place.rows).to_pylist()
    return place, {(r["row_policy"], r["column_policy"], r["first"]): r["probability"] for r in rows}, certificate


def both(found, row, column):
    """The probabilities of a pair: (if the row policy begins, if the column policy begins)."""
    return found[row, column, "row"], found[row, column, "column"]
