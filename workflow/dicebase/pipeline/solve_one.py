"""One variant of one table, from the rules to the catalogue, without the pipeline."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dicebase.catalog import datapackage
from dicebase.catalog.build import build_catalog
from dicebase.certify.slices import certify_slice
from dicebase.pipeline import configuration
from dicebase.pipeline.plan import make_slice, slice_name
from dicebase.pipeline.verify import slices_in
from dicebase.tables.layout import files
from dicebase.tables.names import find_table
from dicebase.tabulate.slices import solve_slice
from dicebase.vocabulary.errors import ConfigurationError

DEFAULT = Path("config/config.yaml")


def solve_one(name: str, given: Mapping[str, Any], results: Path, config: Sequence[Path] = (DEFAULT,)) -> None:
    """Solve, certify and catalogue a variant in `results`, beside what is there.

    Names that a configuration defines are looked up in `config`, which is needed for nothing else. It may be missing
    where every name can also be text that needs no definition, such as dice.
    """
    table = find_table(name)
    definitions: Mapping[str, Any] = {}
    defined = [p for p in table.parameters if p.defined]
    # A configuration that was asked for is read, whatever it is; the usual one if it is there or needed.
    if list(config) != [DEFAULT] or any(not p.text for p in defined) or (defined and DEFAULT.is_file()):
        definitions = configuration.read(list(config)).get("definitions", {}).get(table.game, {})
    variant = table.variant(given, definitions, name)
    piece = make_slice(table, slice_name(variant), [variant], definitions)
    _refuse_a_second_copy(results, name, piece.name, variant)
    folder, certificate = files(results, name, piece.name)
    solve_slice(json.loads(piece.key), folder)
    certify_slice(folder, certificate, json.loads(piece.certificate_key))
    build_catalog(results, slices_in(results))
    if (results / datapackage.NAME).exists():
        datapackage.write_datapackage(results, slices_in(results))


def _refuse_a_second_copy(results: Path, table: str, name: str, variant: Mapping[str, Any]) -> None:
    """A variant in two slices would be there twice in every view."""
    from dicebase.tables.parquet import read_footer

    for other in sorted((results / "tables" / table).glob("*/states.parquet")):
        variants = [v["parameters"] for v in read_footer(other)["variants"]]
        if other.parent.name != name and variant in variants:
            raise ConfigurationError(f"{results}: {other.parent} already holds this variant; write to another folder")
