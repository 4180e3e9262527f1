"""Grade a file of decisions, such as a pupil's answers to a worksheet: which are wrong, and what they lose."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.csv_files import place_of
from dicebase.catalog.lookup import Catalog
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.policies.evaluation import Results, evaluate, opened
from dicebase.policies.returns import BENCHES
from dicebase.policies.user_policies import ACTION, EXCEPT, PROBABILITY, read_policy
from dicebase.vocabulary import ConfigurationError, Json, LimitError, MissingTableError, need


def grade(results: Results, path: str | Path, table: str = "", /, **parameters: int | str) -> Json:
    """Grade the decisions of a policy file.

    path : a file with the state columns of a table and `action`; it may list only some positions.
    table : the table; if empty, the only solved one with the columns of the file.

    Returns {table, parameters, policy, unit, positions, right: numbers, wrong: [{state columns, action, optimal, cost}]
    with the most costly first, loss: the sum of the costs, cost: how much worse than optimal play the policy is, if it
    plays optimally in positions that the file leaves out; None if the file has several actions for a position or
    policies of this table are not evaluated}. Every optimal action is right, also in a tie. Raises ConfigurationError
    for a wrong file.
    """
    with opened(results) as catalog:
        rows, place = read_policy(path)
        table = table or _table_of(catalog, rows.column_names, place)
        solved = catalog.solved(table)
        columns = [name for name in solved.columns if name not in solved.parameters]
        for name in (*columns, ACTION):
            has = name in rows.column_names
            need(has, f"{place}: has no column '{name}'; {table} has {', '.join(columns)}")
        if PROBABILITY in rows.column_names:
            rows = rows.filter(pc.greater(rows[PROBABILITY], 0))
        asked = rows.select([n for n in rows.column_names if n in solved.columns])
        for name, value in parameters.items():
            asked = asked.append_column(name, pa.repeat(pa.scalar(value), len(asked)))
        best = catalog.lookup_many(table, asked)
        said = [str(text) for text in rows[ACTION].to_pylist()]
        if (missing := np.flatnonzero(best["value"].is_null().to_numpy())).size:
            row = int(missing[0])
            raise ConfigurationError(f"{place_of(Path(place), row)}: {best['status'][row]}: not a position of {table}")
        wrong = []
        for row, (mine, optimal) in enumerate(zip(said, best[ACTION].to_pylist(), strict=True)):
            if mine == optimal:
                continue
            answer = catalog.lookup(table, **asked.slice(row, 1).to_pylist()[0])
            actions = {a["action"]: a for a in answer["actions"]}
            where, allowed = place_of(Path(place), row), ", ".join(actions)
            need(mine in actions, f"{where}: action={mine} is not one of {allowed}")
            if not actions[mine]["optimal"]:
                state = {name: answer["state"].get(name) for name in columns}
                wrong.append(state | {"action": mine, "optimal": optimal, "cost": actions[mine]["regret"]})
        wrong.sort(key=lambda row: -row["cost"])
        cost, state = None, [name for name in rows.column_names if name not in (ACTION, PROBABILITY)]
        several = PROBABILITY not in rows.column_names and len(rows.group_by(state).aggregate([])) < len(rows)
        with suppress(MissingTableError, LimitError):  # policies of this table are not evaluated
            if not several and solved.table.rules_class.family not in BENCHES:  # these evaluate another kind of file
                cost = evaluate(catalog, table, f"{OPTIMAL}{EXCEPT}{path}", **parameters)["cost"]
    found = {"table": table, "parameters": parameters, "policy": place, "unit": solved.variants[0].unit}
    sums = {"positions": len(said), "right": len(said) - len(wrong), "loss": sum(row["cost"] for row in wrong)}
    return found | sums | {"cost": cost, "wrong": wrong}


def _table_of(catalog: Catalog, given: list[str], place: str) -> str:
    """Return the only solved table whose states have these columns."""
    known = {name: catalog.solved(name) for name in catalog.solved_tables}
    fits = [
        name
        for name, solved in known.items()
        if solved.match.layout.decides
        and {*given} - {*solved.parameters, PROBABILITY} == {*solved.columns, ACTION} - {*solved.parameters}
    ]
    if len(fits) != 1:
        which = f"its columns fit {', '.join(fits)}" if fits else "its columns fit no solved table"
        raise ConfigurationError(f"{place}: {which}; name the table: dicebase grade {place} TABLE")
    return fits[0]
