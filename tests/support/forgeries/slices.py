"""Forgeries of the files of a slice: rows, footers, metadata of columns, certificates."""

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.certify.certificate import FIELDS, TRANSITIONS
from dicebase.tables.layout import SliceFiles
from support.forgeries.forgery import DUEL, EXCEED, PIG, RISK, Forgery, of


def rewrite(path, change=lambda table: table, footer=None, fields=lambda f: f):
    """Write a Parquet file again with other rows, another footer or other metadata of its columns."""
    table = pq.ParquetFile(path).read()
    metadata = dict(table.schema.metadata)
    for name, said in (footer or {}).items():
        metadata[name.encode()] = said(metadata[name.encode()].decode()).encode()
    schema = pa.schema(map(fields, table.schema), metadata)
    pq.write_table(pa.Table.from_arrays(change(table).columns, schema=schema), path)


def other(said):
    """Another value of the same type, or a text for None."""
    return said + "x" if isinstance(said, str) else "x" if said is None else said + 1


def changed(column, row=0, to=other):
    def change(table):
        i, said = table.schema.get_field_index(column), table[column].to_pylist()
        said[row] = to(said[row])
        return table.set_column(i, table.schema.field(i), pa.array(said, table.schema.field(i).type))

    return change


def plus_one(column):
    """Add 1 to the last entry of a column of the transitions."""
    return lambda said: said | {column: [*said[column][:-1], said[column][-1] + 1]}


def in_slice(folder, change, place=PIG):
    return Forgery(lambda results: rewrite(SliceFiles(results, *place).within(folder), change), of(place))


def in_words(folder, key):
    """Change the metadata of a column."""

    def fields(f):
        return f.with_metadata(f.metadata | {key: b"coins"}) if f.name in ("value", "q_value") else f

    return Forgery(lambda results: rewrite(SliceFiles(results, *PIG).within(folder), fields=fields), of(PIG))


def in_footers(name, said, place=PIG):
    """Change a claim in the footers of all files with rows."""

    def alter(results):
        files = SliceFiles(results, *place)
        for path in {files.rows, files.actions} & {*results.rglob("*.parquet")}:
            rewrite(path, footer={f"dicebase.{name}": said})

    return Forgery(alter, of(place))


def exact(shift):
    """Change the exact value in the footers and in the certificate."""

    def moved(text):
        numerator, denominator = map(int, text.split("/"))
        return f"{numerator * 10**60 + shift}/{denominator * 10**60}"

    def claimed(text):
        first, *others = json.loads(text)
        return json.dumps([first | {"exact": moved(first["exact"])}, *others])

    def alter(results):
        in_footers("variants", claimed).alter(results)
        rewrite(SliceFiles(results, *PIG).certificate, changed("exact", to=moved))

    return Forgery(alter, of(PIG))


def another_certificate(results):
    shutil.copy(SliceFiles(results, *DUEL).certificate, SliceFiles(results, *PIG).certificate)


def values_beside_rows(results):
    """Add values beside the rows; readers would use them instead."""
    shutil.copytree(results / "tables/pig_turn", results / "values/pig_turn")


def swapped(table):
    return pa.concat_tables([table.slice(1, 1), table.slice(0, 1), table.slice(2)])


def twice(table):
    return pa.concat_tables([table, table])


def by_a_billionth(column, row):
    return changed(column, row, lambda value: value + 1e-9)


def other_action(said):
    return "roll" if said == "hold" else "hold"


def roll_past_the_last(text):
    return text.replace("stop", "roll").replace("hold", "roll")


def by_rows(text):
    return text.replace('"store": "starts"', '"store": "rows"')


ROWS, ACTIONS = (f"{folder}/{'/'.join(PIG)}.parquet" for folder in ("tables", "actions"))
TO = {"parameters": lambda _: '{"sides": 5, "dice": 1}', "definitions": lambda _: '{"x": 1}'}
SAID = [(folder, key) for folder in ("tables", "actions", "certificates") for key in (b"unit", b"description")]
CONTINUES = [f.name for f in TRANSITIONS.type]
FORGERIES = {
    **{f"certificate: {f.name}": in_slice("certificates", changed(f.name, to=TO.get(f.name, other))) for f in FIELDS},
    **{f"certificate: {n}": in_slice("certificates", changed("transitions", to=plus_one(n)), RISK) for n in CONTINUES},
    "certificate: no transitions": in_slice("certificates", changed("transitions", to=lambda _: None), RISK),
    "certificate: sides as a column": in_slice("certificates", changed("sides")),
    "certificate: its rows twice": in_slice("certificates", twice),
    "certificate: no rows": in_slice("certificates", lambda table: table.slice(0, 0)),
    "certificate: half the bound": in_slice("certificates", changed("error_bound", to=lambda bound: bound / 2)),
    "certificate: variants swapped": in_slice("certificates", swapped, EXCEED),
    "certificate: a variant less": in_slice("certificates", lambda table: table.slice(1), EXCEED),
    "certificate: that of another table": Forgery(another_certificate, of(PIG)),
    **{f"words: {key.decode()} in {folder}": in_words(folder, key) for folder, key in SAID},
    "footer: title": in_footers("title", other),
    "footer: citation": in_footers("citation", other),
    "footer: beyond the last total": in_footers("variants", roll_past_the_last),
    "footer: solver": in_footers("key", lambda text: text.replace("tabulate.turns.turn", "tabulate.an_oracle")),
    "footer: a variant twice": in_footers("variants", lambda text: json.dumps(json.loads(text) * 2)),
    "footer: variants swapped": in_footers("variants", lambda text: json.dumps(json.loads(text)[::-1]), EXCEED),
    "footer: starts called rows": in_footers("key", by_rows, DUEL),
    "exact: by a unit in the 60th place": exact(1),
    "exact: by a multiple of 2^61 - 1": exact(2**61 - 1),
    "rows: a value": in_slice("tables", by_a_billionth("value", 3)),
    "rows: an action": in_slice("tables", changed("action", 3, other_action)),
    "rows: a margin": in_slice("tables", by_a_billionth("margin", 3)),
    "rows: a state": in_slice("tables", changed("turn_total", 3)),
    "rows: one twice": in_slice("tables", lambda table: pa.concat_tables([table, table.slice(0, 1)])),
    "rows: two swapped": in_slice("tables", swapped),
    "rows: the first missing": in_slice("tables", lambda table: table.slice(1)),
    "rows: none": in_slice("tables", lambda table: table.slice(0, 0)),
    "rows: the start of a turn": in_slice("tables", by_a_billionth("value", 5), DUEL),
    "rows: one of a score sheet": in_slice("tables", by_a_billionth("value", 3), EXCEED),
    "rows: values beside them": Forgery(values_beside_rows, (f"values/{'/'.join(PIG)}.parquet", *of(PIG))),
    "actions: a q-value": in_slice("actions", by_a_billionth("q_value", 5)),
    "actions: a regret": in_slice("actions", by_a_billionth("regret", 5)),
    "actions: the last missing": in_slice("actions", lambda table: table.slice(0, len(table) - 1)),
    "actions: called optimal": in_slice("actions", changed("optimal", 2, lambda optimal: not optimal)),
    "actions: all missing": Forgery(lambda results: (results / ACTIONS).unlink(), of(PIG)),
}
