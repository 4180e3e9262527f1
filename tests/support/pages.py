"""The blocks of a page of the documentation."""

import re

from support import commands

BLOCK = re.compile(r"(?:^<!-- file: (?P<file>\S+) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)


def blocks(page: str, kind: str) -> list[str]:
    """The blocks of a kind that do not name a file."""
    text = (commands.ROOT / page).read_text(encoding="utf-8")
    return [block["text"] for block in BLOCK.finditer(text) if block["kind"] == kind and not block["file"]]


def session(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with its output. A backslash at the end continues a command."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block, flags=re.M)
    assert not parts[0], f"a console block begins with a command: {parts[0]!r}"
    return [(command, printed.strip("\n")) for command, printed in zip(parts[1::2], parts[2::2], strict=True)]
