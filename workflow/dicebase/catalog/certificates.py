"""Certificates as the catalogue and the mapped rows take them: only those that are of the very files beside them."""

import json
from pathlib import Path
from typing import Any

from dicebase.certify.certificate import FIELDS
from dicebase.tables.layout import table_digest
from dicebase.tables.parquet import check_pair, open_parquet
from dicebase.vocabulary import DamagedFileError

VARIANT_FIELDS = {f.name: "name" if f.name == "table" else f.name for f in FIELDS if f.name != "slice"}
"""What the view `tables` says of a variant: columns of the certificates, and what they are called there."""


def stored_key(certificate: Path) -> str:
    """The key that a certificate carries, as JSON."""
    return (open_parquet(certificate).schema_arrow.metadata or {}).get(b"dicebase.key", b"null").decode()


def checked_key(certificate: Path, folder: Path) -> str:
    """The same; raises DamagedFileError where the certificate is not of the files in this folder."""
    key = stored_key(certificate)
    if key == "null" or json.loads(key)["table"] != table_digest(check_pair(folder)["key"]):
        raise DamagedFileError(f"{certificate}: certifies another table than the one in {folder}; certify again")
    return key


def variants_of(certificates: list[Path]) -> list[dict[str, Any]]:
    """The variants of a table as the view `tables` has them, in its order, their parameters as a dict."""
    rows = [row for path in certificates for row in open_parquet(path).read(columns=[*VARIANT_FIELDS]).to_pylist()]
    rows.sort(key=lambda row: row["parameters"])
    return [
        {name: row[column] for column, name in VARIANT_FIELDS.items()} | {"parameters": json.loads(row["parameters"])}
        for row in rows
    ]
