"""The tables of audited_grid.yaml, which have published counterparts, and their audit."""

from pathlib import Path
from typing import Any

import duckdb
import yaml

from dicebase.audit.page import audit_of
from support import grids

TABLES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


def build(results: Path) -> Path:
    """Solve, certify and catalogue the tables of audited_grid.yaml with the default definitions."""
    return grids.build_shared(results, yaml.safe_dump({"definitions": grids.DEFAULT["definitions"], "tables": TABLES}))


def audit(results: Path) -> list[dict[str, Any]]:
    """The rows of the audit in the catalogue of a results folder."""
    with duckdb.connect(str(results / "dicebase.duckdb"), read_only=True) as connection:
        return audit_of(connection).to_pylist()
