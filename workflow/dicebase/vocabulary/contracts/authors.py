"""Calls into the code of a rules file's author: any exception becomes one line that says where it was raised."""

import os
import sys
from collections.abc import Callable
from traceback import walk_tb
from types import FrameType
from typing import NoReturn, TypeVar

from dicebase.vocabulary.errors import ConfigurationError, DicebaseError

Answer = TypeVar("Answer")

RULES = "dicebase.games"
"""The package of all rules files."""


def answered(place: str, ask: Callable[..., Answer], *question: object) -> Answer:
    """Return `ask(*question)`, a call into an author's code. Raises ConfigurationError, in one line that begins with
    `place`, for any exception except DicebaseError and KeyboardInterrupt, which pass unchanged."""
    try:
        return ask(*question)
    except (DicebaseError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ConfigurationError(f"{place} fails: {in_one_line(error)}") from error


def in_one_line(error: BaseException) -> str:
    """Return the type, message and place of an exception from an author's code, such as `KeyError: 7 (pig.py, line 3)`.
    The place is the innermost line in a rules file or in a module beside it."""
    try:
        said = ": ".join(filter(None, (type(error).__name__, " ".join(str(error).split()))))
    except Exception:  # `str` of the author's exception fails
        said = type(error).__name__
    if isinstance(error, SyntaxError) and os.path.isfile(error.filename or ""):
        return said  # Python's message names file and line
    line = line_of_rules(error) or line_of_rules(error.__cause__)
    return f"{said} ({line})" if line else said


def line_of_rules(error: BaseException | None) -> str:
    """Return the innermost location in rules, or in a module beside them, such as `pig.py, line 3`; empty if none."""
    frames = list(walk_tb(error.__traceback__)) if error else []
    folders = {os.path.dirname(frame.f_code.co_filename) for frame, _ in frames if _is_of_rules(frame)}
    for frame, line in reversed(frames):
        folder, name = os.path.split(frame.f_code.co_filename)
        if folder in folders:
            return f"{name}, line {line}"
    return ""


def _is_of_rules(frame: FrameType) -> bool:
    return f"{frame.f_globals.get('__package__')}.".startswith(f"{RULES}.")


def refuse_to_exit(end: Callable[[int], NoReturn] = os._exit) -> None:
    """Make `os._exit` raise SystemExit when rules call it; otherwise rules could end the process with code 0 before
    anything is written. Other callers still end the process."""

    def _exit(status: int) -> NoReturn:
        frame: FrameType | None = sys._getframe(1)
        while frame and not _is_of_rules(frame):
            frame = frame.f_back
        if frame:
            raise SystemExit(f"rules call os._exit({status})")
        end(status)

    os._exit = sys.modules[os.name]._exit = _exit
