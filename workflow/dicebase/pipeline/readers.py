"""The rules that read the tables of all slices: what each waits for, and what its outputs are made by."""

from dataclasses import dataclass
from pathlib import Path

from dicebase.audit.record import PRINTED
from dicebase.show.explorer.page import SOURCE
from dicebase.show.pictures.gallery import LISTED
from dicebase.tables.templates import TEMPLATES


@dataclass(frozen=True)
class Reader:
    """A rule after all certificates; what it makes is as old as the code of `modules` and the files of `folders`."""

    after: tuple[str, ...]  # other readers
    modules: tuple[str, ...]
    folders: tuple[Path, ...] = ()


READERS = {
    "catalog": Reader((), ("dicebase.catalog.build", "dicebase.audit.store"), (PRINTED,)),
    "map": Reader((), ("dicebase.catalog.row_arrays_writer",)),
    "datapackage": Reader(("catalog",), ("dicebase.catalog.datapackage",)),
    "audit": Reader(("catalog",), ("dicebase.audit.page",), (PRINTED, TEMPLATES)),
    "report": Reader(("catalog", "map"), ("dicebase.show.report",), (TEMPLATES, LISTED)),
    "explorer": Reader(("map",), ("dicebase.show.explorer.site",), (SOURCE / "dist",)),
}
