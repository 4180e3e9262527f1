"""A strategy chart: the best action of a table's positions as a coloured grid, and what its exceptions cost; or a list
of actions by rank with its cost.

The rules' family says in which cell of the grid a position belongs, and which positions decide. A cell shows the action
that is best on average over these; every position whose own best action differs is an exception.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import fmean

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.ask.solved_table import SolvedVariant
from dicebase.catalog.lookup import Catalog
from dicebase.families import family_of
from dicebase.show.export import condition
from dicebase.show.pictures.page import KINDS, Page, check_name
from dicebase.show.text import aligned
from dicebase.tables.names import find_game, is_table
from dicebase.vocabulary import ConfigurationError, Json, number, words

__all__ = ["as_text", "is_table", "write_chart"]

COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#CC79A7", "#D55E00", "#999999")
LISTED = 20
"""The most exceptions that a picture, a terminal or the title of a cell shows; pages and text files list all."""


def make_chart(catalog: Catalog, name: str, given: Mapping[str, str]) -> Json:
    """Return the chart of a variant as a dict:

    table, parameters, unit : of the variant.
    actions : {action: its letter}. rows, columns : the labels of the grid. cells : {row: {column: action}}.
    exceptions : [{row, column, position, action, chart, cost}], those that decide first, then the dearest; `chart` is
        the action of the chart.

    Raises ConfigurationError if the game's positions have no chart, and MissingTableError if nothing is solved.
    """
    table = catalog.solved(name)
    variant = read_variant(table, given)
    solved = table.require(variant)
    rules, columns = solved.game.rules, [c.name for c in solved.game.columns]
    if ranked := family_of(rules).ranked_list(solved.game, solved.part, variant):
        return _as_list(solved, *ranked)
    place = family_of(rules).chart_place
    names, found = catalog.rows(
        f"FROM {name}_actions{condition(catalog, name, {n: str(x) for n, x in variant.items()})}"
    )
    positions: dict[tuple, dict[str, float]] = {}
    for row in found:
        said = dict(zip(names, row, strict=True))
        positions.setdefault(tuple(said[c] for c in columns), {})[said["action"]] = said["q_value"]
    cells: dict[tuple, list[tuple[bool, tuple, dict[str, float]]]] = {}
    for position, q in positions.items():
        if where := place(rules, dict(zip(columns, position, strict=True))):
            cells.setdefault(where[:2], []).append((where[2], position, q))
    if not cells:
        instead = f"'dicebase lookup {name}' ranks the actions of a position"
        if any(t.match == "duel" and t.rules_class.family in ("turns", "throws") for t in find_game(table.table.game)):
            instead = f"'dicebase card {table.table.game}' makes a card of the game, and {instead}"
        raise ConfigurationError(f"{name}: the positions of this table have no chart; {instead}")
    rows, across = (sorted({where[i] for where in cells}) for i in (0, 1))
    actions = dict.fromkeys(action for q in positions.values() for action in q)
    chart = {"table": name, "parameters": variant, "unit": solved.unit, "actions": _letters([*actions])}
    chart |= {"rows": [row[-1] for row in rows], "columns": [column[-1] for column in across], "cells": {}}
    exceptions = []
    for (row, column), there in sorted(cells.items()):
        means = _means([q for first, _, q in there if first] or [q for _, _, q in there])
        chart["cells"].setdefault(row[-1], {})[column[-1]] = max(means, key=means.__getitem__)
        for first, position, q in there:
            ours = max(q.keys() & means.keys(), key=means.__getitem__)
            best = max(q, key=q.__getitem__)
            if q[best] - q[ours] > 2 * solved.error_bound:
                said = {"position": words(dict(zip(columns, position, strict=True))), "action": best, "chart": ours}
                said |= {"row": row[-1], "column": column[-1], "cost": q[best] - q[ours]}
                exceptions.append((not first, -said["cost"], said))
    return chart | {"exceptions": [said for *_, said in sorted(exceptions, key=lambda e: e[:2])]}


def _as_list(solved: SolvedVariant, lines: Sequence[Mapping[str, str]], cost: Fraction) -> Json:
    """A ranked list as a chart without actions, whose cells are texts; `cost` is exact, as text."""
    chart = {"table": solved.table.name, "parameters": solved.parameters, "unit": solved.unit, "actions": {}}
    cells = {str(i): dict(line) for i, line in enumerate(lines, start=1)}
    chart |= {"rows": [*cells], "columns": [*lines[0]], "cells": cells, "exceptions": [], "cost": str(cost)}
    return chart


def _means(values: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean value of each action that is legal in all of some positions."""
    shared = [action for action in values[0] if all(action in q for q in values)]
    return {action: fmean(q[action] for q in values) for action in shared}


def _letters(actions: Sequence[str]) -> dict[str, str]:
    """A different letter for each action: the first one of its name that is free."""
    found: dict[str, str] = {}
    for action in actions:
        free = (letter for letter in action.upper() if letter.isalnum() and letter not in found.values())
        found[action] = next(free, "?")
    return found


def notes(chart: Json, most: int | None = None) -> list[str]:
    """The legend of a chart and the cost of its exceptions, of at most `most` of them, or of a list, as lines."""
    if "cost" in chart:
        cost = f"{float(Fraction(chart['cost'])):.3g} {chart['unit']} less than best play"
        return ["Keep the first of these that you were dealt, any of several alike.", f"The list earns {cost}."]
    lines = [", ".join(f"{letter} {action}" for action, letter in chart["actions"].items())]
    exceptions, unit = chart["exceptions"], chart["unit"]
    if exceptions:
        shown = f", of which {most} are listed" if most is not None and len(exceptions) > most else ""
        lines.append(f"{len(exceptions)} exceptions{shown}, and what the chart's action costs ({unit}):")
    for e in exceptions[:most]:
        lines.append(f"{e['position']}: {e['action']}, not {e['chart']}; {number(e['cost'])}")
    return lines if exceptions else [*lines, "The chart has no exceptions."]


def as_text(chart: Json, most: int | None = LISTED) -> str:
    """Return a chart as a table of letters with notes."""
    letters, cells = chart["actions"], chart["cells"]
    grid = [[row, *(letters.get(x := cells[row].get(c, ""), x) for c in chart["columns"])] for row in chart["rows"]]
    return "\n".join([f"{chart['table']}  {words(chart['parameters'])}", "", *aligned([["", *chart["columns"]], *grid]),
                      "", *notes(chart, most)])  # fmt: skip


def write_chart(catalog: Catalog, name: str, given: Mapping[str, str], path: Path) -> Json:
    """Write a chart as a page or text, by the ending of the file's name, and return it; see make_chart."""
    check_name(path, (*KINDS, ".txt"))
    chart = make_chart(catalog, name, given)
    if path.suffix.lower() == ".txt":
        path.write_text(as_text(chart, None) + "\n", encoding="utf-8")
    else:
        _draw(chart, catalog.solved(name).table.title, path)
    return chart


def _draw(chart: Json, title: str, path: Path) -> None:
    colours = {action: COLOURS[i % len(COLOURS)] for i, action in enumerate(chart["actions"])}
    starred = {(e["row"], e["column"]) for e in chart["exceptions"]}
    page, rows, fills = Page(title), [["", *chart["columns"]]], {}
    page.add("small", words(chart["parameters"]))
    for i, row in enumerate(chart["rows"], start=1):
        said = [chart["cells"][row].get(column, "") for column in chart["columns"]]
        fills |= {(i, j): colours[action] for j, action in enumerate(said, start=1) if action in colours}
        letters = [chart["actions"].get(action, action) for action in said]
        stars = ["*" * ((row, column) in starred) for column in chart["columns"]]
        rows.append([row, *(letter + star for letter, star in zip(letters, stars, strict=True))])
    page.table(rows, fills)
    first, *more = notes(chart, None if path.suffix.lower() == ".html" else LISTED)
    page.add("p", first)
    page.add("small", *more)
    page.write(path)
