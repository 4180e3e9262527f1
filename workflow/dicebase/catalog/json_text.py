"""Write answers and rows of SQL as JSON."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from dicebase.vocabulary import ConfigurationError


def as_json(content: Any) -> str:
    """Return JSON text. Numbers that are not finite become null; types unknown to JSON, such as dates, become text."""
    return json.dumps(_plain(content))


def json_rows(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as JSON objects, separated by commas. Raises ConfigurationError if two columns share a name, because
    an object would keep only the last."""
    if len(set(names)) < len(names):
        twice = max(names, key=names.count)
        raise ConfigurationError(f"SQL: two columns are called '{twice}'; give each its own name with AS")
    return ", ".join(as_json(dict(zip(names, row, strict=True))) for row in rows)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | Decimal):
        return float(value) if math.isfinite(value) else None
    return str(value)
