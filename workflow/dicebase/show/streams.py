"""The standard streams of a command that may be closed, or whose reader may have left."""

import os
import sys
from contextlib import suppress
from io import UnsupportedOperation
from typing import TextIO


def open_streams() -> None:
    """Open the null device in place of closed standard streams, here and in child processes, because otherwise the next
    files opened would get their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
            os.set_inheritable(getattr(sys, name).fileno(), True)


def discard(*streams: TextIO) -> None:
    """Redirect streams to the null device, so that nothing is flushed at exit."""
    for stream in streams:
        with suppress(UnsupportedOperation):  # the stream may have no file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
