"""docs/why/audit.md, its tables, and the sources behind its codes."""

import re

from dicebase.audit.record import PRINTED
from support.commands import ROOT

PAGE = (ROOT / "docs/why/audit.md").read_text(encoding="utf-8")
FINDINGS = " ".join((PRINTED / "findings.yaml").read_text(encoding="utf-8").split())
"""Why printed numbers differ, as the generated page says it."""
SOURCES = {
    "CM": "Crocce and Mordecki (2014)",
    "FM": "Rolling Dice Game and Value Functions",
    "TE": "Böcker (2015)",
    "TW": "Tijms and van der Wal (2005)",
    "NP": "Neller and Presser (2004)",
    "PL": "Neller, Piglet",
    "PW": "Possibly Wrong (2014)",
    "FA": "Neller, First-Player Advantage",
    "AT": "Neller, Average Pig Turns",
    "PH": "Neller, Hold-at-20 Outcomes",
    "HR": "Haigh and Roters (2000)",
    "DB": "Butler",
    "AM": "Amund211",
    "MB": "Busche (2010)",
    "KF": "KCD Farkle Solver",
    "FO": "farkle.games",
    "SB": "Butler, Shut the Box",
    "UP": "UnaryPlus",
    "PE": "Project Euler 640",
    "KU": "Heled",
    "RU": "Lamont",
    "OU": "Olieslagers",
    "MJ": "Jiang",
    "JO": "Osborne (2003)",
    "FD": "Derepas",
    "BP": "Batten (2015)",
    "JB": "Bader",
    "VS": "Verhoeff and Scheffers (1999)",
    "JG": "Glenn (2006)",
    "YE": "jdh8",
    "YS": "Precisit",
    "LS": "Larsson and Sjöberg (2012)",
    "TK": "teemukoukkari",
    "YD": "ho94949",
    "CT": "CaseyTewey",
    "HP": "Peelle",
}


def table(heading, page=PAGE):
    """The rows of the first table below a heading of a page, as dicts."""
    (block, *_) = re.findall(r"(?:^\|.*\n)+", page.split(f"## {heading}\n")[1] + "\n", re.M)
    rows = [line.strip("|").split("|") for line in block.splitlines()]
    names, _, *rows = [[entry.strip() for entry in row] for row in rows]
    return [dict(zip(names, row, strict=True)) for row in rows]
