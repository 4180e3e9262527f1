"""docs/why/audit.md and its tables."""

import re

from support.commands import ROOT

PAGE = (ROOT / "docs/why/audit.md").read_text(encoding="utf-8")


def table(heading, number=1):
    """The rows of the first table below a heading, or of a later one, as dicts."""
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.split(f"## {heading}\n")[1] + "\n", re.M)
    rows = [line.strip("|").split("|") for line in blocks[number - 1].splitlines()]
    names, _, *rows = [[entry.strip() for entry in row] for row in rows]
    return [dict(zip(names, row, strict=True)) for row in rows]
