"""Expand a configuration (config/README.md) into slices, each with a key that says what it is made from."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from dicebase.audit.record import PRINTED
from dicebase.pipeline.keys import digest
from dicebase.show.explorer import PAGE
from dicebase.show.pictures.gallery import LISTED
from dicebase.tables.layout import SliceFiles, SliceName, table_digest
from dicebase.tables.names import Definitions, Table, Variant, find_table
from dicebase.tables.templates import TEMPLATES
from dicebase.vocabulary import ROWS, ConfigurationError, Json, Layout, MissingTableError, answered, need, words

# A key is an argument of a job's command, and Linux refuses arguments of more than 128 KiB.
MAX_KEY = 100_000
MOST_VARIANTS = 20_000


@dataclass(frozen=True)
class Slice:
    """The variants of a table that one job solves: those that share the parameters in `slice_by`."""

    table: Table
    name: str
    variants: tuple[Variant, ...]
    definitions: Definitions  # of the names that these variants use
    store: str = ROWS  # or STARTS
    ahead: tuple[Sequence[Variant], ...] = ()  # for each variant, the changed parameters of those it is solved from
    needs: Mapping[str, str] = field(default_factory=dict)  # {a variant in `ahead`, in words: the slice that holds it}

    @cached_property
    def key(self) -> str:
        """Everything that determines the rows, as one line of JSON. A table whose key differs from it is stale."""
        family = self.table.tabulator.rpartition(".")[0]
        roots = [*self.table.rules_modules, self.table.match_class.__module__, family, "dicebase.tabulate.slices"]
        return _line(
            {
                "table": self.table.name,
                "slice": self.name,
                "parameters": [p.name for p in self.table.parameters],
                "variants": [list(v.values()) for v in self.variants],
                "definitions": self.definitions,
                "store": self.store,
                "needs": self.needs,
                "solver": self.table.tabulator.removeprefix("dicebase."),
                "code": digest(roots),
            }
        )

    @cached_property
    def sized(self) -> list[Variant]:
        """The variants, each with a further parameter `bytes`: the memory that its format needs (Listing.bytes)."""
        return [v | {"bytes": self.table.build(v, self.definitions).bytes} for v in self.variants]

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders with files of the slice, besides certificates."""
        listing = self.table.match_class
        if listing.follows_from:
            listing = self.table.build(self.variants[0], self.definitions).stored
        return self.table.folders(listing)

    @property
    def files(self) -> list[str]:
        """Paths of the slice's files besides the certificate, relative to the results folder."""
        files = SliceFiles(Path(), self.table.name, self.name)
        return [files.within(folder).as_posix() for folder in self.folders]

    def needed(self, folder: str) -> list[str]:
        """Paths of the files in `folder` of the slices that this one needs, relative to the results folder."""
        return [SliceFiles(Path(), self.table.name, n).within(folder).as_posix() for n in self.needs.values()]

    @cached_property
    def certificate_key(self) -> str:
        """Everything that determines the certificate: the digest of the table's key, and of the certifier's code."""
        match = self.table.match_class
        roots = [
            *self.table.rules_modules,
            self.table.match_class.__module__,
            "dicebase.certify.slices",
            *(self.table.certifier(listing) for listing in (match, match.follows_from) if listing),
        ]
        return _line({"table": table_digest(json.loads(self.key)), "certifier": digest(roots)})


@dataclass(frozen=True)
class Reader:
    """A rule that reads all slices, after they are certified. Its output also depends on the code of `modules` and the
    files in `folders`."""

    after: tuple[str, ...]  # other readers
    modules: tuple[str, ...]
    folders: tuple[Path, ...] = ()


READERS = {
    "catalog": Reader((), ("dicebase.catalog.sql.build", "dicebase.audit.store"), (PRINTED, TEMPLATES)),
    "map": Reader((), ("dicebase.catalog.rows.row_arrays_writer",)),
    "datapackage": Reader(("catalog",), ("dicebase.catalog.datapackage",)),
    "audit": Reader(("catalog",), ("dicebase.audit.page",), (PRINTED, TEMPLATES)),
    "report": Reader(("catalog", "map"), ("dicebase.show.report",), (TEMPLATES, LISTED)),
    "explorer": Reader(("map",), ("dicebase.show.explorer.site",), (PAGE,)),
}


@dataclass(frozen=True)
class Plan:
    """All slices of a configuration."""

    slices: dict[tuple[str, str], Slice]

    def find(self, table: str, name: str) -> Slice:
        """Return a slice; raises MissingTableError if the configuration does not ask for it."""
        if (table, name) not in self.slices:
            raise MissingTableError(f"the configuration does not ask for {table}/{name}")
        return self.slices[table, name]

    def tables_with(self, *folders: str) -> str:
        """Return a pattern of the tables that have a slice with files in exactly these folders. If there are none, the
        pattern matches nothing."""
        names = {piece.table.name for piece in self.slices.values() if piece.folders == folders}
        return "|".join(sorted(names)) or "(?!)"

    def digest(self, rule: str) -> str:
        """A digest that changes whenever the output of a rule of READERS does: if a slice, a certificate or the code of
        the rule changes, or if a slice is removed."""
        keys = [line for s in self.slices.values() for line in (s.key, s.certificate_key)]
        return hashlib.sha256(
            "\n".join([*keys, digest(READERS[rule].modules, READERS[rule].folders)]).encode()
        ).hexdigest()[:16]


def make_plan(config: Json) -> Plan:
    """Expand a configuration that fits the schema. Raises ConfigurationError, which names the wrong entry."""
    slices: dict[tuple[str, str], Slice] = {}
    for table_name, entries in config["tables"].items():
        try:
            table = find_table(table_name)
        except MissingTableError as error:
            raise ConfigurationError(f"tables: {error}") from error
        definitions = config.get("definitions", {}).get(table.game, {})
        grouped: dict[str, list[Variant]] = {}
        stores: dict[str, str] = {}
        seen: dict[tuple, str] = {}
        for number, entry in enumerate(entries):
            place = f"tables.{table_name}[{number}]"
            for variant in _variants(table, entry, definitions, place):
                point = tuple(variant.values())
                need(point not in seen, f"{place}: {variant} is already in {seen.get(point)}")
                seen[point] = place
                name, store = _slice_name(table, entry, variant, place), entry.get("store", ROWS)
                grouped.setdefault(name, []).append(variant)
                same = stores.setdefault(name, store) == store
                need(same, f"{place}.store: slice '{name}' is stored by {stores[name]} as well")
        for name, variants in sorted(grouped.items()):
            try:
                slices[table_name, name] = make_slice(table, name, variants, definitions, stores[name])
            except ConfigurationError as error:
                raise ConfigurationError(f"tables.{table_name}: {error}") from error
            many = f"slice '{name}' has {len(variants)} variants, too many for one job"
            small = len(slices[table_name, name].key) <= MAX_KEY
            need(small, f"tables.{table_name}: {many}; name more parameters in slice_by")
    need(slices, "tables: names no variant; give at least one table with one entry")
    return Plan(connected(slices))


def connected(slices: dict[SliceName, Slice]) -> dict[SliceName, Slice]:
    """Return the slices with `needs` filled in; raises ConfigurationError if a slice that needs others has several
    variants."""
    where = {(piece.table.name, words(v)): piece.name for piece in slices.values() for v in piece.variants}
    found = {}
    for (name, _), piece in slices.items():
        variants = zip(piece.variants, piece.ahead, strict=True)
        needs = {(other := words(v | needed)): where[name, other] for v, of in variants for needed in of}
        alone = not needs or len(piece.variants) == 1
        need(alone, f"tables.{name}: slice '{piece.name}': each of its variants is a job of its own")
        found[name, piece.name] = replace(piece, needs=needs)
    return found


def make_slice(table: Table, name: str, variants: list[Variant], definitions: Mapping, store: str = ROWS) -> Slice:
    """Return a slice of checked variants, in sorted order. Raises ConfigurationError if the rules refuse a variant or
    fail, or if the table cannot be stored as `store`."""
    return answered(f"{table.game}.py", _make_slice, table, name, variants, definitions, store)


def _make_slice(table: Table, name: str, variants: list[Variant], definitions: Mapping, store: str) -> Slice:
    variants = sorted(variants, key=lambda v: tuple(v.values()))
    used = {
        p.name: {v[p.name]: definitions[p.name][v[p.name]] for v in variants if v[p.name] in definitions[p.name]}
        for p in table.parameters
        if p.defined and p.name in definitions
    }
    games = []
    for variant in variants:
        # A definition may not suit the rules, or be too large. Refuse it here rather than in the middle of a run.
        games.append(game := table.build(variant, used))
        try:
            need(not (why := game.why_not_solved), why)
            game.stored_by(store)
        except ConfigurationError as error:
            raise ConfigurationError(f"{table.name} {words(variant)}: {error}") from error
    if table.match_class.follows_from:
        _refuse_two_layouts(name, variants, [game.stored.layout is Layout.FOLLOWED for game in games])
    return Slice(table, name, tuple(variants), used, store, tuple(game.needs for game in games))


def _refuse_two_layouts(name: str, variants: list[Variant], large: list[bool]) -> None:
    """Refuse variants that store decisions together with larger ones that store only values: one file has one set of
    columns."""
    if any(large) and not all(large):
        small, too_large = (slice_name(variants[large.index(kind)]) for kind in (False, True))
        raise ConfigurationError(
            f"slice '{name}' mixes variants that store decisions, such as {small}, with variants too large for that, "
            f"such as {too_large}; name more parameters in slice_by"
        )


def _variants(table: Table, entry: Json, definitions: Mapping, place: str) -> list[Variant]:
    grid = {
        name: _values(value, f"{place}.{name}") for name, value in entry.items() if name not in ("slice_by", "store")
    }
    # Check both ends first, so that a range that is far too long is refused before it is expanded.
    for end in (0, -1):
        table.variant({name: values[end] for name, values in grid.items()}, definitions, place)
    many = math.prod(map(len, grid.values()))
    need(many <= MOST_VARIANTS, f"{place}: {many:,} variants; at most {MOST_VARIANTS:,}")
    given = [
        table.variant(dict(zip(grid, point, strict=True)), definitions, place) for point in product(*grid.values())
    ]
    return [variant for each in given for variant in table.expanded(each, definitions)]


def _values(value: Any, place: str) -> Sequence:
    if isinstance(value, Mapping):
        first, last, step = (int(value.get(name, 1)) for name in ("from", "to", "step"))
        need(first <= last, f"{place}: the range from {first} to {last} is empty")
        return range(first, last + 1, step)
    return value if isinstance(value, list) else [value]


def _slice_name(table: Table, entry: Json, variant: Variant, place: str) -> str:
    outer = entry.get("slice_by", list(variant))
    for name in outer:
        need(name in variant, f"{place}.slice_by: '{name}' is not a parameter; allowed: {', '.join(variant)}")
    return slice_name({name: variant[name] for name in variant if name in outer})


def slice_name(outer: Mapping[str, int | str]) -> str:
    """Return a file name such as `sides=6_dice=1`, or `all` without outer parameters."""
    return "_".join(f"{name}={value}" for name, value in outer.items()) or "all"


def _line(content: Json) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"))
