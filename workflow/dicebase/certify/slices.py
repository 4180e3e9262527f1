"""Certify a slice: check every published table against the rules, reading only the rules and the Parquet files.

decisions.py checks tables of decisions; the module named after the match format checks any other listing. If games can
be played by the table, the published value must also lie in the confidence interval of their mean. No solver code is
imported, so an error in a solver cannot repeat itself here.
"""

import json
import math
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa

from dicebase.certify import ask_again
from dicebase.certify.certificate import Certificate, certificate_rows, checked_key
from dicebase.certify.finding import Certifier, Fail
from dicebase.certify.graph.transitions import transitions_of
from dicebase.certify.play.simulation import Simulation, seed_of
from dicebase.certify.published import ROWS, CertificationError, File, Published, Rows, named
from dicebase.matches.boards.board import BoardGame
from dicebase.tables.layout import SliceFiles, replacing
from dicebase.tables.names import Table, Variant, find_table
from dicebase.tables.parquet import beside_schema, open_parquet, read_slice, states_schema
from dicebase.tables.rules_files import fresh_copy, reversed_copy
from dicebase.tables.writer import parquet_writer
from dicebase.vocabulary import (
    ConfigurationError,
    Json,
    Layout,
    Listing,
    State,
    check_again,
    check_rules,
    number,
    read_rational,
    words,
)
from dicebase.vocabulary.arithmetic.garbage_collection import without_garbage_collection


@without_garbage_collection()
def certify_slice(files: SliceFiles, certificate: Path | None, key: Json | None) -> list[Certificate]:
    """Certify the variants of a slice; write the certificates to `certificate`, if given, only if every variant passes.

    Raises CertificationError at the first false claim, and DamagedFileError if a file cannot be read.
    """
    footer = read_slice(files)
    table = find_table(footer["key"]["table"])
    certificates = []
    for claim, game, published, place in published_in(files):
        certificates.append(_certify(game, published, place, claim, footer, table))
        found = certificates[-1]
        value = f"value {number(found.value)} {found.unit}"
        print(f"{place}: holds, {value}, error bound {found.error_bound:.3g}", file=sys.stderr)
    if certificate:
        rows = certificate_rows(certificates, table, key)
        with replacing(certificate) as temporary, parquet_writer(temporary, rows) as writer:
            writer.write_table(rows)
    return certificates


def published_in(files: SliceFiles) -> Iterator[tuple[Json, Listing, Any, str]]:
    """Yield (footer entry, listing, published rows, name for messages) of each variant of a slice."""
    footer = read_slice(files)
    table = find_table(footer["key"]["table"])
    _check_footer(footer, table, files)
    _ask_of_another_variant(files, footer, table)
    states, beside = File(files.rows), File(files.beside) if files.beside.exists() else None
    for claim in footer["variants"]:
        variant, game, place = _listed(files, footer, table, claim)
        rows = _following(states, variant, states_schema(table, game), place)
        folders = table.folders(game)
        if files.within(folders[0]) != files.rows:
            raise CertificationError(f"{files}: {files.rows} does not belong in this folder")
        if bool(beside) != bool(folders[1:]):
            raise CertificationError(f"{files}: {files.beside} {'says nothing more' if beside else 'is missing'}")
        more = beside and _following(beside, variant, beside_schema(table, game), place)
        rows.ahead = [_solved_from(files, footer, table, variant | needed) for needed in game.needs]
        yield claim, game, _whole(game, rows, more, place), place
    if any(file.read < file.count for file in (states, beside) if file):
        raise CertificationError(f"{files}: has rows of variants that its footer does not name")


def _ask_of_another_variant(files: SliceFiles, footer: Json, table: Table) -> None:
    """Build the rules of the variant that differs most from the first one, to expose rules with hidden state.

    Rules may keep state in a vocabulary class or a standard module, which a fresh copy of the rules does not reset. The
    solver built the first variant first; building another one before it here makes such state change the answers.
    """
    claims = footer["variants"]
    if len(claims) > 1:
        said = claims[0]["parameters"]
        unlike = max(claims, key=lambda claim: sum(said.get(n) != x for n, x in claim["parameters"].items()))
        _listed(files, footer, table, unlike)


def _check_footer(footer: Json, table: Table, files: SliceFiles) -> None:
    """Raise CertificationError unless the footer agrees with the rules and its key; claims are checked elsewhere."""
    key, variants = footer["key"], [list(claim["parameters"].values()) for claim in footer["variants"]]
    follows = {
        "parameters": (key["parameters"], [p.name for p in table.parameters]),
        "title": (footer["title"], table.title),
        "citation": (footer["citation"], table.rules_class.citation),
        "solver": (key["solver"], table.tabulator.removeprefix("dicebase.")),
        "variants": (variants, key["variants"]),
    }
    for name, (said, ours) in follows.items():
        if said != ours:
            raise CertificationError(f"{files}: the footer gives the {name} as {said!r:.200}, but it is {ours!r:.200}")


def _listed(files: SliceFiles, footer: Json, table: Table, claim: Json) -> tuple[Variant, Listing, str]:
    """Return (variant, listing, name for messages) of a footer entry; raise CertificationError if the rules break their
    contract."""
    definitions = footer["key"]["definitions"]
    variant = table.variant(claim["parameters"], definitions, str(files))
    place = " ".join([table.name, *(f"{name}={value}" for name, value in variant.items())])
    try:
        game = table.build(variant, definitions, claim["continuation"])
        check_rules(game.rules, table.build_rules(variant, definitions, reversed_copy))
        return variant, game.stored_by(footer["key"]["store"]), place
    except (ConfigurationError, ValueError) as error:
        raise CertificationError(f"{place}: {error}") from error


def _following(file: File, variant: Variant, schema: pa.Schema, place: str) -> Rows:
    """Return the rows of the next variant; raise CertificationError if the file's columns differ from the schema."""
    if file.names != schema.names:
        raise CertificationError(f"{file.path}: has the columns {file.names}, not {schema.names}")
    for theirs, ours in zip(file.schema, schema, strict=True):
        if not theirs.equals(ours, check_metadata=True):
            said = {key.decode(): text.decode(errors="replace") for key, text in (theirs.metadata or {}).items()}
            raise CertificationError(f"{file.path}: column {ours.name}: type {theirs.type} or metadata {said} is wrong")
    rows = file.following(variant, place)
    if not rows.count:
        raise CertificationError(f"{place}: has no rows in {file.path} at row {rows.first}, where they should begin")
    return rows


def _whole(game: Listing, states: Rows, beside: Rows | None, place: str) -> Published | Rows:
    """Load the rows of a variant, or return them unread if there may be millions."""
    if game.layout is Layout.TWO_ACTIONS or game.numbered:
        return states
    more = beside.columns() if beside and beside.count <= ROWS else beside or {}
    published = Published(game, states.columns(), more)
    published.check_order(place)
    return published


def _solved_from(files: SliceFiles, footer: Json, table: Table, variant: Variant) -> tuple[np.ndarray, float]:
    """Return the values and error bound of the certified variant, alone in its slice, that this one was solved from."""
    there = SliceFiles(files.results, table.name, footer["key"]["needs"][words(variant)])
    checked_key(there)
    (row,) = open_parquet(there.certificate).read().to_pylist()
    said = (read_slice(there)["key"]["code"], json.loads(row["parameters"]), json.loads(row["definitions"]))
    if said != (footer["key"]["code"], variant, footer["key"]["definitions"]):
        raise CertificationError(f"{there}: is not the {words(variant)} that {files} was solved from")
    values = open_parquet(there.rows).read(columns=["value"])["value"].to_numpy()
    if named(values) not in row["error_bound_proof"]:
        raise CertificationError(f"{there}: its values are not those that were certified; certify it again")
    return values, row["error_bound"]


def _certify(
    game: Listing, published: Published | Rows, place: str, claim: Json, footer: Json, table: Table
) -> Certificate:
    def fail(row: State | None, what: str) -> NoReturn:
        names = [c.name for c in game.columns]
        where = "" if row is None else " at " + " ".join(f"{n}={v}" for n, v in zip(names, row, strict=True))
        raise CertificationError(f"{place}{where}: {what}")

    try:
        exact = published.exact = None if claim["exact"] is None else read_rational(claim["exact"])
    except ValueError as error:
        raise CertificationError(f"{place}: the exact value: {error}") from error
    checks: Certifier = import_module(table.certifier(game))
    found = checks.check(game, published, fail)
    if exact is not None and abs(float(exact) - found.value) > found.value_bound + math.ulp(found.value):
        fail(None, f"the exact value is given as {float(exact)!r}, the rules give {found.value!r}")
    value = found.value if exact is None else float(exact)
    seed = seed_of(table.name, claim["parameters"], footer["key"]["definitions"])
    games = checks.simulated(game, published, seed) if hasattr(checks, "simulated") else None
    check_simulation(value, games, fail)
    said = claim["parameters"], footer["key"]["definitions"], claim["continuation"]
    copies = (table.build(*said, read) for read in (fresh_copy, fresh_copy, reversed_copy))
    try:
        check_again(game.rules, next(copies).rules)
        if game.layout is Layout.DECISIONS and published.positions:
            ask_again.check_again(copies, published, fail)
    except ConfigurationError as error:
        fail(None, str(error))
    if claim["note"] != game.note:
        fail(None, f"the note is '{claim['note']}', it should be '{game.note}'")
    # Copied from the footer: the solver's claims and its description of itself.
    said = {name: claim[name] for name in ("parameters", "exact", "continuation", "seconds", "note")}
    said |= {name: footer["key"][name] for name in ("slice", "definitions", "store", "solver")}
    return Certificate(
        **said,
        table=table.name,
        citation=footer["citation"],
        value=value,
        unit=game.unit_of_game,
        error_bound=found.bound,
        error_bound_proof=found.proof,
        states=published.count if found.states is None else found.states,
        actions=len(published.actions.get("optimal", ())) if found.actions is None else found.actions,
        residual=found.residual,
        simulated=games and games.mean,
        simulated_low=games and games.low,
        simulated_high=games and games.high,
        games=games and games.games,
        transitions=transitions_of(published.positions) if isinstance(game, BoardGame) else None,
    )


def check_simulation(value: float, games: Simulation | None, fail: Fail) -> None:
    """Fail if the value lies outside the interval of the simulated mean, or above the interval against random play."""
    if games and not games.low <= value <= games.high:
        between = f"{games.mean:.6g} on average, which is consistent with {games.low:.6g} to {games.high:.6g}"
        fail(None, f"the value is {value!r}, but {games.games} games by the table earn {between}")
    if games and games.against_chance is not None and value > games.against_chance:
        fail(None, f"the value is {value!r}, but against chance the table earns {games.against_chance:.6g} at most")
