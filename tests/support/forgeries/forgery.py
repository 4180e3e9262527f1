"""A forgery, the folder that it changes, and the copies that a forger makes again."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from dicebase.pipeline import steps
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


def edited(place: str, change: Callable[[bytes], bytes], named: str, described: bool = True) -> Forgery:
    """Change the content of a file; `verify` must name the place `named`."""

    def alter(results: Path) -> None:
        before = (results / place).read_bytes()
        (results / place).write_bytes(change(before))
        assert (results / place).read_bytes() != before

    return Forgery(alter, (named,), described)


def written(place: str, text: str, named: str, described: bool = True) -> Forgery:
    return Forgery(lambda results: (results / place).write_text(text), (named,), described)


def make_copies(results: Path, slices: Iterable[tuple[str, str]]) -> None:
    """Make the copies of these slices again as the workflow does, except pictures."""
    for step in (steps.catalog, steps.map_rows, steps.datapackage):
        step(results, slices)
    for step in (steps.audit, steps.pages, steps.explorer):
        step(results)
