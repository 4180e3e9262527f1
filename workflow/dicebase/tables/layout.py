"""Where the files of a results folder lie."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CATALOG = "dicebase.duckdb"
"""The catalogue: one self-contained file."""


def files(results: Path | str, table: str, name: str) -> tuple[Path, Path]:
    """Where a slice lives: (the folder of its states and actions, its certificate)."""
    root = Path(results)
    return root / "tables" / table / name, root / "certificates" / table / f"{name}.parquet"


def table_digest(key: Mapping[str, Any]) -> str:
    """The digest of a table's key, by which its certificate names it."""
    return hashlib.sha256(json.dumps(key, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
