"""Check the files of a results folder: find missing and foreign files, and those that differ from datapackage.json."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from dicebase.catalog.datapackage import describe, measured, schema_text
from dicebase.show.pictures.gallery import PICTURES as GALLERY
from dicebase.tables.layout import (
    AUDIT,
    CATALOG,
    CERTIFICATES,
    DATAPACKAGE,
    EXPLORER,
    FOLDERS,
    LOGS,
    MAPPED,
    PAGES,
    PICTURES,
    REPORT,
    SCHEMAS,
    SITE,
    UNFINISHED,
    VALUES,
    SliceFiles,
    SliceName,
    slices_in,
)
from dicebase.tables.names import find_table
from dicebase.vocabulary import DicebaseError, Json, Layout, in_one_line

STAMP = ".snakemake_timestamp"
"""The empty file that Snakemake leaves in each folder that a rule writes."""

COPIES = (CATALOG, MAPPED, EXPLORER)
"""Copies of the tables that both `make` and `dicebase solve` write."""

WORKFLOW = (DATAPACKAGE, SCHEMAS, AUDIT, PAGES)
"""Outputs that only the workflow writes; a folder has all of them or none."""

FREE = (LOGS, SITE, REPORT, f"{CATALOG}.tmp")
"""Files that `make` and DuckDB leave in the folder; verification ignores them."""

COMPARED = (MAPPED, AUDIT, PAGES, EXPLORER)
"""Folders whose files are made again and compared one by one."""

MISSING, FOREIGN = "missing", "does not belong here"


class Finding(NamedTuple):
    """A file or folder that was checked, and its problem, or None if there is none."""

    place: str
    problem: str | None = None


def wrong(look: Callable[[], str | None], damaged: str = "damaged") -> str | None:
    """Return the problem that `look` finds, or the error it fails with, because damaged files may contain anything."""
    try:
        return look()
    except DicebaseError as error:
        return str(error)
    except Exception as error:
        return f"{damaged}: {in_one_line(error)}"


def is_stamp(path: Path) -> bool:
    """Return whether a file is Snakemake's time stamp of a folder."""
    return path.name == STAMP and path.lstat().st_size == 0


def verify_files(results: Path) -> Iterator[Finding]:
    """Find missing and foreign files, and compare the others with datapackage.json, if there is one."""
    expected = COPIES + (WORKFLOW if any((results / name).exists() for name in WORKFLOW) else ())
    problems = {name: MISSING for name in expected if not (results / name).exists()}
    descriptor: Json = {}

    def look() -> None:
        descriptor.update(json.loads((results / DATAPACKAGE).read_text(encoding="utf-8")))
        for place, problem in _changed(results, {r["path"]: r for r in descriptor["resources"]}):
            problems.setdefault(place, problem)

    if (results / DATAPACKAGE).exists() and (problem := wrong(look, "damaged: it is not a Data Package descriptor")):
        problems[DATAPACKAGE] = problem
        descriptor = {}
    problems |= _foreign(results, descriptor)
    yield from (Finding(*found) for found in problems.items())
    if descriptor and not problems:
        yield Finding(DATAPACKAGE, wrong(partial(_said_otherwise, results, descriptor)))


def listed_slices(results: Path) -> set[SliceName] | None:
    """Return the slices that datapackage.json lists; None if it is missing or cannot be read."""
    try:
        return _slices_of(json.loads((results / DATAPACKAGE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _slices_of(descriptor: Json) -> set[SliceName]:
    places = (Path(r["path"]).with_suffix("").parts for r in descriptor["resources"] if r["path"].endswith(".parquet"))
    return {place[1:3] for place in places if place[0] in FOLDERS}


# --- foreign files ----------------------------------------------------------------------------------------------------


def _foreign(results: Path, descriptor: Json) -> dict[str, str]:
    """Return {place: problem} for files and folders that do not belong; schemas are checked only with a descriptor."""
    slices = {s: _files_of(SliceFiles(results, *s)) for s in slices_in(results, certified=True)}
    pictures = (f"{PICTURES}/{picture.name}.{kind}" for picture in GALLERY for kind in ("png", "txt"))
    known = {CATALOG, DATAPACKAGE}.union(*slices.values(), pictures)
    if descriptor:
        known |= {str(r.get("schema")) for r in descriptor["resources"]}
        listed, asked = {r["path"] for r in descriptor["resources"]}, _slices_of(descriptor)
        # A slice removed from the configuration leaves the package, but its files stay.
        left = [s for s in slices.keys() - asked if SliceFiles(results, *s).certificate.exists()]
        listed = listed.union(*(slices[s] for s in left))
    problems = {}
    for path in sorted(_files(results)):
        place = path.relative_to(results).as_posix()
        top = place.split("/")[0]
        if place not in known and (descriptor or top != SCHEMAS):
            problems[place] = FOREIGN
        elif descriptor and top in (*FOLDERS, CATALOG) and place not in listed:
            problems[place] = f"not listed in {DATAPACKAGE}"
    return problems


def _files(results: Path) -> Iterator[Path]:
    """Yield the files that must belong to a slice or a picture, and unknown files and folders at the top."""
    for top in results.iterdir():
        if top.name in (*FOLDERS, SCHEMAS, PICTURES):
            yield from (p for p in top.rglob("*") if not (p.is_dir() or is_stamp(p) or UNFINISHED.fullmatch(p.name)))
        # A subfolder may hold other results.
        elif not (top.name.startswith(".") or top.name in (*FREE, *COMPARED) or (top / CERTIFICATES).is_dir()):
            yield top


def _files_of(files: SliceFiles) -> set[str]:
    """Return the places of the files of a slice that readers use."""
    of_pairs = False
    with suppress(DicebaseError):  # another check reports missing rules
        of_pairs = find_table(files.table).match_class.layout is Layout.PAIRS
    read = (files.rows, files.within(VALUES) if of_pairs else files.actions, files.certificate)
    return {path.relative_to(files.results).as_posix() for path in read}


# --- the data package -------------------------------------------------------------------------------------------------


def _changed(results: Path, listed: Mapping[str, Mapping]) -> Iterator[tuple[str, str]]:
    for place, said in listed.items():
        file = results / place
        if not file.resolve().is_relative_to(results.resolve()) or not file.is_file():
            yield (place, f"missing: {DATAPACKAGE} lists it")
            continue
        size = file.stat().st_size
        if size != said.get("bytes"):
            yield (place, f"changed: it has {size} bytes, {DATAPACKAGE} says {said.get('bytes')}")
        elif measured(file)["hash"] != said.get("hash"):
            yield (place, f"changed: its sha256 is not that in {DATAPACKAGE}")


def _said_otherwise(results: Path, descriptor: Json) -> str | None:
    """Return how the descriptor or a schema differs from a new description of the files; None if they agree."""
    ours, schemas = describe(results, sorted(_slices_of(descriptor)))
    for place, schema in schemas.items():
        if not (file := results / place).is_file() or file.read_text(encoding="utf-8") != schema_text(schema):
            return f"{place} does not match the files"
    theirs = {r["path"]: r for r in descriptor["resources"]}
    pairs = [(r["path"], theirs.get(r["path"], {}), r) for r in ours["resources"]] + [("it", descriptor, ours)]
    for place, said, true in pairs:
        if differing := sorted(key for key in {*said, *true} if said.get(key) != true.get(key)):
            return f"{place}: {', '.join(differing)} differs from what dicebase writes"
    return None
