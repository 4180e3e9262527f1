"""Compare the values of another build with the committed ones in values.json.

For tables solved in rationals, which are equal on every machine, values.json holds a digest of the values in each tenth
of the rows. For other tables it holds ten values and their error bound.

python -m dicebase.pipeline.checks.second_build RESULTS   (write it again, and the versions of the environments)
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from dicebase.certify.certificate import checked_key
from dicebase.certify.published import File, Rows
from dicebase.certify.rationals import IN_RATIONALS
from dicebase.environments.versions import write_versions
from dicebase.pipeline.checks.folder import Finding
from dicebase.tables.layout import SliceFiles, by_table, replacing, slices_in
from dicebase.tables.names import Variant
from dicebase.tables.parquet import open_parquet, read_footer
from dicebase.vocabulary import ROWS, DicebaseError, Json, words

COMMITTED = Path(__file__).with_name("values.json")
PARTS = 10
"""Number of parts of a variant's rows. An entry of values.json is {rows, digests} or {rows, error_bound, values}."""


def compare_values(results: Path, committed: Path = COMMITTED) -> Iterator[Finding]:
    """Compare each committed variant with its rows here: digests, or values to within the sum of both error bounds.

    A finding names table, variant and row of a difference. Tables without committed variants are skipped; raises
    DicebaseError if that leaves none.
    """
    others = json.loads(committed.read_text(encoding="utf-8"))
    compared = 0
    for table, names in by_table(slices_in(results)).items():
        here = {variant: found for name in names for variant, found in _variants(SliceFiles(results, table, name))}
        both = [variant for variant in here if variant in others.get(table, {})]
        different = [(v, problem) for v in both if (problem := _difference(*here[v], others[table][v]))]
        yield from (Finding(f"{table} {variant}".rstrip(), problem) for variant, problem in different)
        if both and not different:
            yield Finding(f"{table}: values of {len(both)} of {len(here)} variants")
        compared += len(both)
    if not compared:
        raise DicebaseError(f"{results}: none of its variants is in {committed.name}")


def write_values(results: Path, committed: Path = COMMITTED) -> None:
    """Write the values of all certified tables of a results folder to `committed`, one line per variant."""
    tables = []
    for table, names in by_table(slices_in(results)).items():
        here = (found for name in names for found in _variants(SliceFiles(results, table, name)))
        lines = [
            f"  {json.dumps(variant)}: {json.dumps(_said(*found, found[1]['error_bound_proof'] == IN_RATIONALS))}"
            for variant, found in here
        ]
        tables.append(f" {json.dumps(table)}: {{\n" + ",\n".join(lines) + "\n }")
    with replacing(committed) as temporary:
        temporary.write_text("{\n" + ",\n".join(tables) + "\n}\n", encoding="utf-8")


def named(parameters: Variant, store: str) -> str:
    """Return a variant in words, followed by `store` unless it is ROWS."""
    return words({**parameters, **({} if store == ROWS else {"store": store})})


def _variants(files: SliceFiles) -> Iterator[tuple[str, tuple[Rows, Json]]]:
    """Yield (variant, (rows, certificate)) for each variant of a slice; raises DamagedFileError if the slice is not
    certified."""
    checked_key(files)
    file = File(files.rows)
    certificates = open_parquet(files.certificate).read().to_pylist()
    for claim, certificate in zip(read_footer(files.rows)["variants"], certificates, strict=True):
        variant = named(claim["parameters"], certificate["store"])
        yield variant, (file.following(claim["parameters"], f"{files} {variant}"), certificate)


def _said(rows: Rows, certificate: Json, exactly: bool) -> Json:
    """Return the entry of values.json for a variant: digests, or the middle value of each part."""
    values = rows.columns(names=(_answer(rows),))[_answer(rows)].astype("<f8")
    if exactly:
        digests = [hashlib.sha256(values[first:end].tobytes()).hexdigest()[:8] for first, end in _parts(rows)]
        return {"rows": rows.count, "digests": digests}
    sample = values[[(first + end) // 2 for first, end in _parts(rows)]].tolist()
    return {"rows": rows.count, "error_bound": certificate["error_bound"], "values": sample}


def _difference(rows: Rows, certificate: Json, other: Json) -> str | None:
    if rows.count != other["rows"]:
        return f"has {rows.count} rows, but {other['rows']} elsewhere"
    exactly = "digests" in other
    ours, theirs = (said["digests" if exactly else "values"] for said in (_said(rows, certificate, exactly), other))
    bound = 0 if exactly else certificate["error_bound"] + other["error_bound"]
    for (first, end), one, another in zip(_parts(rows), ours, theirs, strict=True):
        if exactly and one != another:
            others = "" if end - first == 1 else f", or one of the {end - first - 1} after it"
            return f"row{_row(rows, first, certificate)}{others}: has another value elsewhere"
        if not exactly and not abs(one - another) <= bound:
            apart = f"{one!r}, but {another!r} elsewhere, further apart than the bounds, {bound:.3g}"
            return f"row{_row(rows, (first + end) // 2, certificate)}: {apart}"
    return None


def _parts(rows: Rows) -> list[tuple[int, int]]:
    """Return (first row, end) of each of ten parts, or of each row if there are fewer rows."""
    return [*pairwise(np.unique(np.linspace(0, rows.count, PARTS + 1).astype(int)).tolist())]


def _answer(rows: Rows) -> str:
    """Return the name of the first column of answers; the columns before it identify a row."""
    return next(field.name for field in rows.file.file.schema_arrow if pa.types.is_floating(field.type))


def _row(rows: Rows, number: int, certificate: Json) -> str:
    """Return the columns that identify a row, in the words of a lookup."""
    keys = rows.file.names[: rows.file.names.index(_answer(rows))]
    names = tuple(name for name in keys if name not in json.loads(certificate["parameters"]))
    return "".join(f" {name}={column[0]}" for name, column in rows.columns(number, number + 1, names).items())


if __name__ == "__main__":
    write_values(Path(sys.argv[1]))
    write_versions(Path(sys.argv[1]))
