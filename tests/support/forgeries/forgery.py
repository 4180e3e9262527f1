"""A forgery, the folder that it changes, and the copies that a forger makes again."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from dicebase.catalog.datapackage import write_datapackage
from dicebase.pipeline import steps
from dicebase.tables.layout import slices_in
from support.grids import CROCCE_MORDECKI

CONFIG = (
    CROCCE_MORDECKI
    + """
tables:
  pig_turn:
    - {sides: 4}
  pig_duel:
    - {target: 12, store: starts}
  ten_thousand_duel:
    - {target: 300}
  risk_win:
    - {attackers: 2, defenders: 1}
  ten_times_eighteen_exceed:
    - {slots: [2, 3], slice_by: []}
  ten_times_eighteen_distribution:
    - {slots: 3}
"""
)
PIG, DUEL = ("pig_turn", "sides=4_dice=1"), ("pig_duel", "sides=6_dice=1_target=12")
EXCEED, RISK = ("ten_times_eighteen_exceed", "all"), ("risk_win", "attackers=2_defenders=1")


class Forgery(NamedTuple):
    """An alteration of a folder and the places that `verify` must name. If `described`, the digests in
    datapackage.json are made again afterwards."""

    alter: Callable[[Path], object]
    places: tuple[str, ...]
    described: bool = True


def of(place: tuple[str, str]) -> tuple[str, ...]:
    """The places of a forgery that changes one slice."""
    return ("/".join(place),)


def make_copies(results: Path, slices: list[tuple[str, str]]) -> None:
    """Make the copies of these slices again as the workflow does, except pictures."""
    for step in (steps.catalog, steps.map_rows):
        step(results, slices)
    for step in (steps.audit, steps.pages, steps.explorer):
        step(results)
    write_datapackage(results, slices_in(results))
