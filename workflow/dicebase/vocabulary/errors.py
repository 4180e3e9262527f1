"""Errors that a user can cause. Each message is one line: the place, the value, the values allowed."""

from collections.abc import Iterable

MOST = 2000
"""The longest message in characters; values that users give can have any length."""

LONGEST, CANDIDATES, NAMED = 64, 1000, 12
"""Limits of the search for a similar name, whose time grows with the square of the length: characters per name, names
compared, names listed in a message."""

NO_PLAY = "no play leads there"


class DicebaseError(Exception):
    """Wrong input or missing data, in one line; the command line prints it and exits with code 2."""

    def __str__(self) -> str:
        # Quoted values may be long, have several lines, or hold characters that terminals and JSON reject.
        text = " ".join(line.strip() for line in _cut(super().__str__()).splitlines())
        return _cut("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))


class ConfigurationError(DicebaseError):
    """An entry of the configuration, or a parameter of a variant, is not allowed."""


class InfiniteValueError(ConfigurationError):
    """Under these rules the expected payoff is unbounded."""


class MissingTableError(DicebaseError, LookupError):
    """The table does not exist, or not with these parameters."""


class MissingStateError(DicebaseError, LookupError):
    """The table has no decision at this position."""


class DamagedFileError(DicebaseError):
    """A published file cannot be read, or does not match its certificate."""


class QueryError(DicebaseError):
    """DuckDB's message about a query, with its lines kept because they point to the error."""

    def __str__(self) -> str:
        return _cut(Exception.__str__(self))


class RefusedError(DicebaseError):
    """An untrusted statement that the sandbox does not run."""


class LimitError(DicebaseError):
    """An untrusted query exceeds the sandbox's limit of time, memory or rows."""


class TimeLimitError(LimitError):
    """An untrusted query exceeds the time limit."""


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[: MOST // 2]} ... {text[-MOST // 2 :]}"


def shown(value: object) -> str:
    """The repr of a value for a message, shortened if it is long."""
    # 13,288 bits are 4000 digits; Python refuses to print more than 4300.
    text = "a number too long to be written" if isinstance(value, int) and value.bit_length() > 13_288 else repr(value)
    return text if len(text) <= 100 else f"{text[:90]}... ({len(text)} characters)"


def similar(word: str, known: Iterable[str]) -> str:
    """The known name most similar to a word; empty if none is close, or if the word is too long to compare."""
    from difflib import get_close_matches

    candidates = [name for name in sorted(known) if len(name) <= LONGEST][:CANDIDATES] if len(word) <= LONGEST else []
    return next(iter(get_close_matches(word, candidates, n=1)), "")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the end of a message: `; did you mean 'x'?` if a known name is close, else `; known: ...`."""
    known = sorted(known)
    if close := similar(word, known):
        return f"; did you mean '{close}'?"
    listed = known if len(known) <= NAMED else [*known[:NAMED], f"and {len(known) - NAMED} more"]
    return f"; known: {', '.join(listed)}" if known else ""


def nearest_table(word: str, tables: Iterable[str]) -> str:
    """As `nearest`, for a table's name; if tables begin with the word and an underscore, suggest them all."""
    tables = list(tables)
    found = sorted(table for table in tables if table.startswith(f"{word}_"))
    return f"; did you mean {', '.join(found)}?" if found else nearest(word, tables)
