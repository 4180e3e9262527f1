"""docs/why/audit.md and its tables."""

import re

from dicebase.audit.record import PRINTED
from support.commands import ROOT

PAGE = (ROOT / "docs/why/audit.md").read_text(encoding="utf-8")
FINDINGS = " ".join((PRINTED / "findings.yaml").read_text(encoding="utf-8").split())
"""The explanations of printed numbers that differ, as the generated page words them."""


def table(heading, page=PAGE):
    """The rows of the first table below a heading of a page, as dicts."""
    (block, *_) = re.findall(r"(?:^\|.*\n)+", page.split(f"## {heading}\n")[1] + "\n", re.M)
    rows = [line.strip("|").split("|") for line in block.splitlines()]
    names, _, *rows = [[entry.strip() for entry in row] for row in rows]
    return [dict(zip(names, row, strict=True)) for row in rows]
