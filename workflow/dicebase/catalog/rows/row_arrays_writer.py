"""Write the mapped rows (row_arrays.py) from the published files and their certificates."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import chain, groupby, pairwise, takewhile
from operator import itemgetter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.catalog.rows.mapped_file import digests
from dicebase.catalog.rows.records_writer import bits, pack
from dicebase.catalog.rows.row_arrays import DECISIONS, FLAGS, LONGER, TABLES, VALUES, contents_name
from dicebase.catalog.rows.row_numbers_writer import RowNumbersBuilder
from dicebase.catalog.sql.follow_tables import by_length, followed_fields
from dicebase.certify.certificate import checked_key, variants_of
from dicebase.tables.layout import MAPPED, SliceFiles, SliceName, by_table, naming, replacing_folder
from dicebase.tables.names import Table, find_table
from dicebase.tables.parquet import open_parquet
from dicebase.vocabulary import MANY_ROWS, STARTS, Json, Layout
from dicebase.vocabulary.arithmetic.garbage_collection import return_memory

Span = tuple[tuple, pa.Table]
"""The parameters of a variant, and some of its rows."""

AT_ONCE = 2**14  # states

SQL_TYPES = {pa.int32(): "INTEGER", pa.int64(): "BIGINT", pa.string(): "VARCHAR"}


def write_mapped(results: Path | str, slices: Iterable[SliceName]) -> Path:
    """Write results/mapped for exactly these slices; return its path. Readers see the old files until all new ones are
    complete, and a reader that has opened old files keeps them.

    Raises DamagedFileError if a file is missing, damaged or differs from the certified file.
    """
    folder, digests_of = Path(results) / MAPPED, {}
    with replacing_folder(folder) as temporary:
        for name, of in by_table(slices).items():
            (temporary / name).mkdir(parents=True)
            with naming(folder / name):
                files = [SliceFiles(Path(results), name, s) for s in of]
                digests_of[name] = _write_table(temporary / name, find_table(name), files)
        (temporary / TABLES).write_text(json.dumps(digests_of), encoding="utf-8")
    return folder


def _write_table(folder: Path, table: Table, slices: Sequence[SliceFiles]) -> str:
    """Write a table from its slices; return the SHA-256 of its contents."""
    certificates = {s.name: checked_key(s) for s in slices}
    valued = [s for s in slices if table.followed and "action" not in open_parquet(s.rows).schema_arrow.names]
    decided, longer = by_length([s for s in slices if s not in valued])
    variants = variants_of([s.certificate for s in slices])
    starts = {
        tuple(v["parameters"].values())
        for v in variants
        if v["store"] == STARTS or (table.match_class.layout is Layout.TWO_ACTIONS and v["states"] > MANY_ROWS)
    }
    contents = {
        "certificates": certificates,
        "columns": _columns(table, longer or decided),
        "variants": variants,
        "starts": sorted(starts),
        "parts": {
            name: _write_part(folder, name, table, of, starts)
            for name, of in ((DECISIONS, decided), (LONGER, longer), (VALUES, valued))
            if of
        },
    }
    text = json.dumps(contents).encode()
    digest = hashlib.sha256(text).hexdigest()
    (folder / contents_name(digest)).write_bytes(text)
    return digest


def _columns(table: Table, decided: Sequence[SliceFiles]) -> dict[str, str]:
    """Return the parameter and state columns of the table's view with their SQL types."""
    schema = open_parquet(decided[0].rows).schema_arrow if decided else pa.schema(followed_fields(table, asked=True)[0])
    keys = takewhile(lambda f: f.name != table.match_class.value.name, schema)
    return {f.name: SQL_TYPES[f.type] for f in keys}


def _write_part(folder: Path, name: str, table: Table, slices: Sequence[SliceFiles], starts: set[tuple]) -> Json:
    """Write the rows of some slices. For variants whose parameters are in `starts`, write only the starts of turns."""
    files = [s.rows for s in slices]
    schema = open_parquet(files[0]).schema_arrow
    parameters = [p.name for p in table.parameters]
    answer = min(schema.names.index(n) for n in ("value", table.match_class.value.name) if n in schema.names)
    keys = schema.names[:answer]
    texts = {n: _texts(files, n) for n in keys if schema.field(n).type == pa.string()}
    decides = "action" in schema.names
    stored = decides and table.match_class.layout is Layout.DECISIONS
    two = [table.rules_class.stop, "roll"] if decides and not stored else []
    actions = {action: number for number, action in enumerate(two)}
    rows_of = [n for n in schema.names[answer:] if pa.types.is_floating(schema.field(n).type)]
    if stored:
        rows_of.remove("margin")
    kind = [("value" if n == schema.names[answer] else n, "d") for n in rows_of]
    kind += [("second", "Q"), ("best", "I"), ("first", "Q")] if stored else []
    paths = {kind: folder / f"{name}-{kind}.bin" for kind in ("rows", "numbers", "lists", "actions")}
    counted: list[int] = []
    counts = table.match_class.numbered
    numbers, first = RowNumbersBuilder(len(parameters), len(keys) - counts), None
    if stored:
        kinds, first = _write_actions(paths["actions"], [s.actions for s in slices], parameters, keys, actions)
        return_memory()
    at = 0
    with open(paths["rows"], "wb") as file:
        used = [*keys, *rows_of, *(["margin"] if stored else []), *(["action"] if decides else [])]
        for variant, spans in groupby(_spans(files, parameters, used), key=itemgetter(0)):
            parts = (rows for _, rows in spans)
            if variant in starts:
                parts = (rows.filter(pa.compute.equal(rows["turn_total"], 0)) for rows in parts)
            part = pa.concat_tables(parts)
            if counts:
                counted.append(at)
            numbers.add([_numbers(part[n], texts.get(n)) for n in keys[: len(keys) - counts]])
            firsts = None if first is None else first[at : at + part.num_rows]
            file.write(rows := _rows(part, kind, rows_of, actions, firsts))
            at += len(rows)
    if stored:
        del part, rows, first
        return_memory()
        _derive(np.memmap(paths["actions"], kinds, "r+"), np.memmap(paths["rows"], kind, "r+"))
    packed = {"rows": pack(paths["rows"], kind)} | ({"actions": pack(paths["actions"], kinds)} if stored else {})
    lists, levels = np.concatenate([numbers for _, numbers in packed.values()]), numbers.finish()
    if len(lists):  # an empty file cannot be mapped
        lists.tofile(paths["lists"])
    np.concatenate([*chain.from_iterable(levels)]).astype(np.int32).tofile(paths["numbers"])
    written = {
        kind: {"name": path.name, "bytes": path.stat().st_size, "sha256": digests(path)}
        for kind, path in paths.items()
        if path.exists()
    }
    sizes = [(len(level.first) - 1, len(level.label)) for level in levels]
    read = {"columns": keys, "counted": counted, "texts": texts, "actions": list(actions)}
    fields = {kind: said for kind, (said, _) in packed.items()}
    return read | {"fields": fields, "levels": sizes, "files": written}


def _rows(
    part: pa.Table, kind: list[tuple[str, str]], names: Sequence[str], actions: dict[str, int], first: np.ndarray | None
) -> np.ndarray:
    """Return the rows of a variant as records; `names` are the columns of the first fields.

    actions : {text: number}, empty if rows have no decisions. first : (rows,), the first action of each state, if
    actions are stored.
    """
    rows = np.empty(part.num_rows, kind)
    for (field, _), name in zip(kind, names, strict=False):
        rows[field] = part[name].to_numpy()
    if first is not None:
        rows["second"] = bits(part["margin"].to_numpy())
        rows["best"], rows["first"] = _codes(part["action"], actions), first
    elif actions:
        rows["margin"] = np.copysign(rows["margin"], np.where(_codes(part["action"], actions) == 0, -1.0, 1.0))
    return rows


def _write_actions(
    path: Path, files: Sequence[Path], parameters: Sequence[str], keys: Sequence[str], numbers: dict[str, int]
) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Write the stored actions, with the bits of their regrets as `rest`; return (their fields, the first action of
    each state). If no policy is mixed, the probability is a flag instead of a field."""
    columns = (open_parquet(path).read(columns=["probability"])["probability"].to_numpy() for path in files)
    pure = all(np.isin(probability, (0.0, 1.0)).all() for probability in columns)
    fields = [("action", "I"), ("q_value", "d"), ("rest", "q"), *([] if pure else [("probability", "d")])]
    first, at, last = [], 0, None
    with open(path, "wb") as file:
        for _, part in _spans(files, parameters):
            rows = np.empty(part.num_rows, fields)
            rows["rest"] = bits(part["regret"].to_numpy())
            for name, _ in fields[1::2]:
                rows[name] = part[name].to_numpy()
            flags = sum(flag * (part[name].to_numpy() == 1) for name, flag in FLAGS.items())
            rows["action"] = 8 * _codes(part["action"], numbers) + flags
            file.write(rows)
            changed = _changed(part, keys)
            changed[0] = [part[n][0].as_py() for n in keys] != last
            last = [part[n][-1].as_py() for n in keys]
            first.append(at + np.flatnonzero(changed))
            at += len(rows)
            del part, rows  # before the next rows are read
    return fields, np.concatenate(first)


def _derive(actions: np.ndarray, rows: np.ndarray) -> None:
    """Replace what follows from other fields. The bits of the difference between value and q-value are subtracted from
    `rest`, which is then 0 or a few units in the last place, because a regret is this difference or rounds the exact
    one. `second`, the bits of the margin, becomes the place of an action with this regret."""
    for low in range(0, len(rows), AT_ONCE):
        high = low + AT_ONCE
        some = rows[low:high]
        first = some["first"].astype(np.int64)
        end = int(rows["first"][high]) if high < len(rows) else len(actions)
        of, counts = actions[first[0] : end], np.diff(first, append=end)
        value, margin = (np.repeat(some[name], counts) for name in ("value", "second"))
        place = 1 + np.arange(len(of)) - np.repeat(first - first[0], counts)
        second = np.maximum.reduceat(place * (of["rest"] == margin.view(np.int64)), first - first[0])
        assert ((second == 0) == np.isnan(some["second"].view(np.float64))).all()
        some["second"] = second
        of["rest"] -= bits(np.abs(value - of["q_value"]))


def _spans(files: Sequence[Path], parameters: Sequence[str], used: Sequence[str] | None = None) -> Iterator[Span]:
    """Yield the rows of all variants in order of their parameters; a variant may take several spans. Each file must be
    in this order. `used` names the columns to read, by default all."""
    return merge(*(_spans_of(open_parquet(file), parameters, used) for file in files), key=lambda span: span[0])


def _spans_of(file: pq.ParquetFile, parameters: Sequence[str], used: Sequence[str] | None) -> Iterator[Span]:
    for group in range(file.num_row_groups):
        rows = file.read_row_group(group, used, use_threads=False)  # each thread would keep memory of its own
        starts = [*np.flatnonzero(_changed(rows, parameters)).tolist(), rows.num_rows]
        for first, end in pairwise(starts):
            yield tuple(rows[name][first].as_py() for name in parameters), rows.slice(first, end - first)
        del rows  # before the next group is read


def _changed(rows: pa.Table, columns: Sequence[str]) -> np.ndarray:
    """Return an array of shape (n,) that is true for the first row and for each row that differs from the previous one
    in these columns."""
    changed = np.zeros(rows.num_rows, bool)
    changed[0] = True
    for name in columns:
        codes = rows[name].combine_chunks().dictionary_encode().indices.to_numpy()
        changed[1:] |= codes[1:] != codes[:-1]
    return changed


def _texts(files: Sequence[Path], column: str) -> list[str]:
    """Return the distinct texts of a column, sorted."""
    found: set[str] = set()
    for path in files:
        file = open_parquet(path)
        for group in range(file.num_row_groups):
            found |= set(file.read_row_group(group, columns=[column])[column].unique().to_pylist())
    return sorted(found)


def _numbers(column: pa.ChunkedArray, texts: list[str] | None) -> np.ndarray:
    if texts is None:
        return column.to_numpy().astype(np.int64)
    return pa.compute.index_in(column, pa.array(texts)).to_numpy().astype(np.int64)


def _codes(column: pa.ChunkedArray, numbers: dict[str, int]) -> np.ndarray:
    """Return the numbers of actions, shape (n,); new actions are added to `numbers`."""
    encoded = column.combine_chunks().dictionary_encode()
    of = np.array([numbers.setdefault(text, len(numbers)) for text in encoded.dictionary.to_pylist()], np.int64)
    return of[encoded.indices.to_numpy()]
