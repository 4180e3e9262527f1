"""Positions and numbers as people read them."""

from collections.abc import Mapping
from typing import Any


def words(values: Mapping[str, Any]) -> str:
    """`a=1 b=2`, as one types it."""
    return " ".join(f"{k}={v}" for k, v in values.items())


def number(value: float) -> str:
    """A number with as many digits as a reader needs."""
    if value and abs(value) < 1e-4:
        return f"{value:.2e}"
    return f"{value:.6f}" if value and abs(value) < 10 else f"{value:.4f}"
