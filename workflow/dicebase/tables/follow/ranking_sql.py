"""Ranked actions as queries.

In a macro a bare name that is an argument's too would be the argument, so every name here has its relation before it.
"""

from collections.abc import Iterable, Sequence

ANSWERS = ("action", "q_value", "regret", "probability", "optimal", "undecided")
"""The columns of ranked actions after those of their position."""


def ranked_query(choices: str, position: Sequence[str], tolerance: str, sense: int = 1, certain: bool = False) -> str:
    """`choices` with ANSWERS: of each position, actions within the tolerance of the best are optimal, the first of them
    is taken, and they are undecided if several are that do not lead to the same.

    choices : a query with the columns of `position` and action, q_value, number (in the game's order) and leads_to.
    tolerance : SQL, the relation being p. sense : 1 where more is better, -1 where less is.
    certain : whether q-values of 0 and 1 are exact, being probabilities.
    """
    found = columns("c", [*position, "action", "q_value", "regret"])
    by, again = (f"(PARTITION BY {columns(r, position)})" if position else "()" for r in "pc")
    worth = "p.q_value" if sense > 0 else "-p.q_value"
    unproved = "c.q_value > 0 AND c.q_value < 1 AND " if certain else ""
    return (
        f"WITH compared AS (SELECT p.*, max({worth}) OVER position - {worth} AS regret, "
        f"max({worth}) OVER position - {worth} <= {tolerance} AS optimal FROM ({choices}) AS p "
        f"WINDOW position AS {by}) SELECT {found}, "
        "CAST(row_number() OVER (position ORDER BY c.optimal DESC, c.number) = 1 AS DOUBLE) AS probability, c.optimal, "
        f"c.optimal AND {unproved}min(c.leads_to) FILTER (c.optimal) OVER position "
        "<> max(c.leads_to) FILTER (c.optimal) OVER position AS undecided "
        f"FROM compared AS c WINDOW position AS {again}"
    )


def columns(relation: str, names: Iterable[str]) -> str:
    """These columns of a relation."""
    return ", ".join(f'{relation}."{name}"' for name in names)


def same(one: str, other: str, names: Iterable[str]) -> str:
    """Whether two relations have the same in these columns."""
    return " AND ".join(f'{one}."{name}" = {other}."{name}"' for name in names)


def renamed(source: str, names: Iterable[str], relation: str) -> str:
    """Columns of a relation under names that nobody outside uses: _<relation>."_<column>"."""
    listed = ", ".join(f'r."{name}" AS "_{name}"' for name in names)
    return f"(SELECT {listed} FROM {source} AS r) AS _{relation}"
