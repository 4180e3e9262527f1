"""Positions and numbers as people read them."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dicebase.vocabulary.errors import ConfigurationError

Json = dict[str, Any]
"""A JSON or YAML object: an answer to a program, the key or footer of a file, the configuration."""


def words(values: Mapping[str, object]) -> str:
    """Format values as `a=1 b=2`, as typed in a shell."""
    return " ".join(f"{k}={shlex.quote(str(v))}" for k, v in values.items())


def pairs(said: Sequence[str], place: str) -> dict[str, str]:
    """Parse `name=value` words. Raises ConfigurationError, which names `place`, for other words and repeated names."""
    parts = [word.partition("=") for word in said]
    for word in ("".join(part) for part in parts if not all(part)):
        raise ConfigurationError(f"{place}: '{word}' is not of the form name=value")
    return once(place, ((name, value) for name, _, value in parts))


def once(place: str, named: Iterable[tuple[str, Any]]) -> Json:
    """Make a dict of pairs. Raises ConfigurationError, which names `place`, if a name occurs twice."""
    given: Json = {}
    for name, value in named:
        if name in given:
            raise ConfigurationError(f"{place}: '{name}' is given twice")
        given[name] = value
    return given


def number(value: float) -> str:
    """A number with as many digits as a reader needs."""
    if value and abs(value) < 1e-4:
        return f"{value:.2e}"
    return f"{value:.6f}" if value and abs(value) < 10 else f"{value:.4f}"


def bound(error: float | None) -> str:
    """An error bound with two digits, because only its size matters; empty if there is none."""
    return "" if error is None else f"{error:.1e}"


def some(values: Sequence[int | str], most: int = 12) -> str:
    """List rising values with runs of integers as `1-9`; shows at most the first `most` runs."""
    runs: list[list] = []
    for x in values:
        if runs and isinstance(x, int) and x == runs[-1][-1] + 1:
            runs[-1].append(x)
        else:
            runs.append([x])
    texts = [t for run in runs for t in (map(str, run) if len(run) < 3 else [f"{run[0]}-{run[-1]}"])]
    return " ".join([*texts[:most], *(["..."] if len(texts) > most else [])])


def in_lines(content: object) -> list[str]:
    """A definition of the configuration as lines of text."""
    if isinstance(content, list):
        return [some([_entry(x) if isinstance(x, Mapping) else x for x in content])]
    if not isinstance(content, Mapping):
        return [str(content)]
    said = {key: words(what) if isinstance(what, Mapping) else what for key, what in content.items()}
    return [f"{key} {some(what) if isinstance(what, list) else what}" for key, what in said.items()]


def _entry(entry: Mapping[str, Any]) -> str:
    """A list entry {name: text or mapping with a label} as its name, followed by the label in brackets."""
    ((name, said),) = entry.items()
    return f"{name} ({said.get('label', '')})" if isinstance(said, Mapping) else f"{name}"
