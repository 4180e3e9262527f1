"""What can go wrong for a user. Each message is one line: the place, the value, what is allowed."""

from collections.abc import Iterable

MOST = 2000
"""Characters of a message; what was given may have any number."""

LONGEST, CANDIDATES, NAMED = 64, 1000, 12
"""Limits of the search for a similar name, which takes time in the square of the length: characters of a name, names
compared, and names listed in a message."""


class DicebaseError(Exception):
    """Wrong input or missing data, in one line; the command line prints it and exits with 2."""

    def __str__(self) -> str:
        # The values quoted may be long, have several lines, or characters that terminals and JSON do not take.
        text = " ".join(line.strip() for line in _cut(super().__str__()).splitlines())
        return _cut("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))


class ConfigurationError(DicebaseError):
    """An entry of the configuration, or a parameter of a variant, is not allowed."""


class InfiniteValueError(ConfigurationError):
    """Under these rules the expected payoff has no upper bound."""


class MissingTableError(DicebaseError, LookupError):
    """No such table, or not with these parameters."""


class MissingStateError(DicebaseError, LookupError):
    """The table has no decision at this position."""


class DamagedFileError(DicebaseError):
    """A published file cannot be read, or is not what its certificate says."""


class QueryError(DicebaseError):
    """The engine's message of SQL, in its lines: they show the place."""

    def __str__(self) -> str:
        return _cut(Exception.__str__(self))


class RefusedError(DicebaseError):
    """A stranger's statement that the sandbox does not run."""


class LimitError(DicebaseError):
    """A stranger's query needs more time, memory or rows than the sandbox gives."""


class TimeLimitError(LimitError):
    """A stranger's query needs more time."""


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[: MOST // 2]} ... {text[-MOST // 2 :]}"


def shown(value: object) -> str:
    """What was given, for a message: the beginning of what is long; numbers may have more digits than Python writes."""
    # So many bits are 4000 digits; Python writes 4300.
    text = "a number too long to be written" if isinstance(value, int) and value.bit_length() > 13_288 else repr(value)
    return text if len(text) <= 100 else f"{text[:90]}... ({len(text)} characters)"


def similar(word: str, known: Iterable[str]) -> str:
    """The known name most like a word; an empty text if none is close, or if the word is too long to be compared."""
    from difflib import get_close_matches

    candidates = [name for name in sorted(known) if len(name) <= LONGEST][:CANDIDATES] if len(word) <= LONGEST else []
    return next(iter(get_close_matches(word, candidates, n=1)), "")


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` if a known name is close, else `; known: ...`; for the end of a message."""
    known = sorted(known)
    if close := similar(word, known):
        return f"; did you mean '{close}'?"
    listed = known if len(known) <= NAMED else [*known[:NAMED], f"and {len(known) - NAMED} more"]
    return f"; known: {', '.join(listed)}" if known else ""


def nearest_table(word: str, tables: Iterable[str]) -> str:
    """Return the same for the name of no table; for that of a game, or for its beginning, the tables of the game."""
    tables = list(tables)
    found = sorted(table for table in tables if table.startswith(f"{word}_"))
    return f"; did you mean {', '.join(found)}?" if found else nearest(word, tables)
