"""What can go wrong for a user. Each message is one line: the place, the value, what is allowed."""

from collections.abc import Iterable

MOST = 2000
"""Characters of a message; what was given may have any number."""


class DicebaseError(Exception):
    """Wrong input or missing data, in one line; the command line prints it and exits with 2."""

    def __str__(self) -> str:
        text = " ".join(line.strip() for line in super().__str__().splitlines())  # what was given may have several
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)  # nor do terminals and JSON take all
        return _cut(text)


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


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[: MOST // 2]} ... {text[-MOST // 2 :]}"


def shown(value: object) -> str:
    """What was given, for a message: the beginning of what is long; numbers may have more digits than Python writes."""
    # So many bits are 4000 digits; Python writes 4300.
    text = "a number too long to be written" if isinstance(value, int) and value.bit_length() > 13_288 else repr(value)
    return text if len(text) <= 100 else f"{text[:90]}... ({len(text)} characters)"


def in_one_line(error: BaseException) -> str:
    """What an author's code raised, for a message."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` if a known name is close, else `; known: ...`; for the end of a message."""
    from difflib import get_close_matches

    known = sorted(known)
    close = get_close_matches(word, known, n=1)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; known: {', '.join(known)}" if known else ""
