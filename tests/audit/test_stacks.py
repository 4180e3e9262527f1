"""Peelle's stacks on the ace points of the bear-off, compared with the solver's values.

Solving and certifying a duel of three checkers takes half a minute; stacks on ace points lead only to such stacks."""

import json

import duckdb
import pyarrow as pa

from dicebase.audit.record import read
from dicebase.audit.store import audit_table
from dicebase.tables.names import find_table
from dicebase.tabulate.slices import tabulator


def test_every_printed_probability_of_stacks_agrees(monkeypatch):
    table = find_table("bear_off_duel")
    game = table.build(table.variant({"checkers": 3}, {}, ""), {})
    monkeypatch.setattr(type(game.rules), "_placements", ["100000", "200000", "300000"])
    found = next(tabulator(table)(game)).states
    row = {"name": table.name, "parameters": json.dumps({"checkers": 3}), "definitions": "{}", "value": 0.5}
    row |= {"error_bound": 1e-12, "store": "rows"}
    with duckdb.connect() as connection:
        connection.register("tables", pa.Table.from_pylist([row]))
        states = pa.table(dict(found))
        connection.register("bear_off_duel", states.append_column("checkers", pa.array([3] * len(states))))
        audited = audit_table(connection).to_pylist()
    printed = [cell["printed"] for cell in read("boards") if cell["source"] == "Peelle"]
    assert [(cell["printed"], cell["verdict"]) for cell in audited] == [(p, "agrees") for p in printed]
