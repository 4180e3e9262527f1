"""A BibTeX entry for a table or for the answer to a lookup."""

import hashlib
import re
from importlib.metadata import version

from dicebase.catalog.ask.question import POSITION, read_variant
from dicebase.catalog.json_text import as_json
from dicebase.catalog.lookup import Catalog
from dicebase.vocabulary import Json, words

YEAR = 2026
"""The year of the release, as in CITATION.cff."""


def certificate_digest(row: Json) -> str:
    """Return the sha256 of a variant's row in the view `tables`, without the solver's seconds."""
    return hashlib.sha256(as_json({n: x for n, x in row.items() if n != "seconds"}).encode()).hexdigest()


def cite(catalog: Catalog, table: str, position: str | None, given: Json) -> str:
    """Return a BibTeX entry with the version, the digest of the certificate and the value: of a position, if its text
    or columns are given, otherwise of the table. Raises MissingTableError for a variant without a certificate."""
    solved = catalog.solved(table)
    parameters = {n: x for n, x in given.items() if n in solved.parameters}
    variant = read_variant(solved, parameters)
    row, what = solved.require(variant).row, ""
    value, advice = row["exact"] or repr(row["value"]), ""
    if position is not None or len(parameters) < len(given):
        answer = catalog.lookup(table, position, **given)
        names = " ".join(n for n in solved.columns if n not in solved.parameters)
        what = f"position {answer[POSITION]} ({names}), " if names else ""
        value, advice = repr(answer["value"]), answer["advice"].rstrip(".")
    digest = certificate_digest(row)
    told = f"{what}value {value} ({row['unit']}), error at most {row['error_bound']:.2g}"
    note = [told, *filter(None, [advice]), f"certificate sha256:{digest}", f"the game: {row['citation']}"]
    fields = {
        "author": "{The dicebase authors}",
        "title": _escaped(f"{table} {words(variant)}".rstrip() + f" ({solved.table.title.rstrip('.')})"),
        "howpublished": _escaped(f"dicebase {version('dicebase')}, a tablebase for games of chance"),
        "year": YEAR,
        "note": _escaped("; ".join(note)),
    }
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items()]
    return "\n".join([f"@misc{{dicebase-{table}-{digest[:8]},", *lines, "}"])


def _escaped(text: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", text)
