"""The reason why a command failed, in one line."""

import os
from errno import EDQUOT, EFBIG, ENOSPC

from dicebase.vocabulary.contracts.authors import in_one_line, line_of_rules
from dicebase.vocabulary.errors import DicebaseError

FULL = {ENOSPC: "the disk is full", EDQUOT: "the quota of the disk is used up", EFBIG: "the file is too large"}


def failure(error: BaseException, command: str, folder: object) -> str | None:
    """Return why a command that writes to a folder failed; None for a bug in dicebase, which deserves a traceback."""
    if isinstance(error, DicebaseError):
        return str(error)
    if line_of_rules(error) and not isinstance(error, KeyboardInterrupt):
        return f"{command}: {in_one_line(error)}"
    if isinstance(error, OSError):
        # Without the file names that libraries add to the operating system's reason.
        why = FULL.get(error.errno) or (os.strerror(error.errno) if error.errno else in_one_line(error))
        return f"{error.filename or folder}: {why}"
    return f"{command}: {in_one_line(error)}" if isinstance(error, ArithmeticError | MemoryError) else None
