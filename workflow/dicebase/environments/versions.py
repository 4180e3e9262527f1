"""The versions of the environments: versions.json maps each one and its parameters to a digest of its certificate.
`make values` writes it."""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from math import floor
from pathlib import Path

from dicebase.certify.certificate import variants_of
from dicebase.tables.layout import SliceFiles, SliceName, by_table, replacing
from dicebase.vocabulary import Controller, DicebaseError, Game, Json, words

COMMITTED = Path(__file__).with_name("versions.json")
VERSION = "-v1"
CERTIFIED = ("parameters", "unit", "continuation", "exact", "states", "actions")
"""The fields of a certificate, beside the value, that are the same on every machine and for every solver."""


@cache
def versions() -> dict[str, dict[str, str]]:
    """Return {version, such as pig_turn-v1: {parameters in words: digest}}."""
    return json.loads(COMMITTED.read_text(encoding="utf-8"))


def digest_of(row: Json) -> str:
    """Return a digest of a variant's row in the view `tables`, with its value to nine decimals.

    Adding 0.3 keeps values with few binary digits, which are exact, away from the limits of rounding.
    """
    certified = [row[name] for name in CERTIFIED] + [floor(row["value"] * 1e9 + 0.3)]
    return hashlib.sha256(json.dumps(certified).encode()).hexdigest()[:16]


def variant_of(row: Json) -> str:
    """Return a variant in words, with a digest of the definitions of its names, if it has any: others may give a name
    another meaning."""
    defined = row["definitions"] not in (None, "{}")
    digest = hashlib.sha256(row["definitions"].encode()).hexdigest()[:8] if defined else ""
    return f"{words(row['parameters'])}{f' ({digest})' if digest else ''}"


def check_version(table: str, row: Json) -> None:
    """Raise DicebaseError if a variant that has a version differs from it."""
    committed = versions().get(table + VERSION, {}).get(said := variant_of(row))
    if committed not in (None, digest_of(row)):
        raise DicebaseError(
            f"{table} {said}: its certificate differs from that of {table}{VERSION}; if the game changed, "
            f"give its environments a new version and run `make values`"
        )


def check_versions(results: Path, slices: Iterable[SliceName]) -> None:
    """Raise DicebaseError if a variant of these slices differs from its version."""
    for table, names in by_table(slices).items():
        if table + VERSION in versions():
            for row in variants_of([SliceFiles(results, table, name).certificate for name in names]):
                check_version(table, row)


def write_versions(results: Path, committed: Path = COMMITTED) -> None:
    """Write the digests of all variants in a results folder that have a model, one line per variant."""
    from dicebase.catalog.lookup import Catalog

    found = []
    with Catalog(results) as catalog:
        for table in sorted(catalog.solved_tables):
            rows = [v.row for v in catalog.solved(table).variants if _has_model(v)]
            lines = [f"  {json.dumps(variant_of(row))}: {json.dumps(digest_of(row))}" for row in rows]
            if lines:
                found.append(f" {json.dumps(table + VERSION)}: {{\n" + ",\n".join(lines) + "\n }")
    with replacing(committed) as temporary:
        temporary.write_text("{\n" + ",\n".join(found) + "\n}\n", encoding="utf-8")


def _has_model(variant) -> bool:
    """Return whether an environment can play a variant: players move by turns, and its states are not too many."""
    from dicebase.show.model import MOST_OUTCOMES

    game = variant.game
    return (
        isinstance(game, Game)
        and not game.hides
        and variant.row["actions"] <= MOST_OUTCOMES
        and not any(o.state and game.controller(o.state) is Controller.BOTH for o in game.outcomes(game.start()))
    )
