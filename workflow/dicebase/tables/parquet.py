"""Parquet files of slices, and the provenance that they carry."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.tables.schemas import ACTIONS, STATES
from dicebase.vocabulary import DamagedFileError


def read_footer(path: Path) -> dict[str, Any]:
    """The provenance of a published file: key, variants, citation; raises DamagedFileError if it cannot be read."""
    stored = open_parquet(path).metadata.metadata or {}
    footer = {k.decode().removeprefix("dicebase."): v.decode() for k, v in stored.items() if k.startswith(b"dicebase.")}
    try:
        return footer | {name: json.loads(footer[name]) for name in ("key", "variants", "versions")}
    except (KeyError, ValueError) as error:
        raise DamagedFileError(f"{path}: its footer does not say where the file came from") from error


def check_pair(folder: Path) -> dict[str, Any]:
    """The footer of a slice's two files; raises DamagedFileError if one is missing, or of another solve."""
    footers = [read_footer(folder / name) for name in (STATES, ACTIONS)]
    if footers[0] != footers[1]:
        raise DamagedFileError(f"{folder}: {STATES} and {ACTIONS} do not come from the same solve")
    return footers[0]


def open_parquet(path: Path) -> pq.ParquetFile:
    """Open a Parquet file; raises DamagedFileError in one line instead of the library's own."""
    try:
        return pq.ParquetFile(path)
    except FileNotFoundError as error:
        raise DamagedFileError(f"{path}: missing") from error
    except (pa.ArrowException, OSError) as error:
        raise DamagedFileError(f"{path}: damaged: {str(error).splitlines()[0]}") from error
