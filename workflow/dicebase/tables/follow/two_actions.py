"""States of two actions at the most, of which the row says everything: the optimal action and, where there is a margin,
the other, worse by as much."""

import math

from dicebase.tables.follow.ranking_sql import columns
from dicebase.tables.names import Table
from dicebase.vocabulary.ranking import TIE, Ranked


def rank_two(value: float, margin: float, sense: int) -> Ranked:
    """The best action, then the other; margin NaN: there is none."""
    if math.isnan(margin):
        return Ranked(value, None, [value], [0.0], [True], [1.0], [False])
    tie = margin <= TIE
    q_values, regrets = [value, value - sense * margin], [0.0, margin]
    return Ranked(value, margin, q_values, regrets, [True, tie], [1.0, 0.0], [tie, tie])


def two_actions_query(table: Table, keys: list[str]) -> str:
    """The rows of `<table>_actions` that follow."""
    optimal = f"s.margin IS NOT NULL AND s.margin <= {TIE!r}"  # of both: a tie, or not told apart
    sign = "-" if table.match_class.sense > 0 else "+"
    other = f"CASE s.action WHEN 'roll' THEN '{table.rules_class.stop}' ELSE 'roll' END"
    return (
        f"SELECT {columns('s', keys)}, s.action, s.value AS q_value, 0e0 AS regret, 1e0 AS probability, "
        f"true AS optimal, {optimal} AS undecided FROM data.{table.name} AS s UNION ALL "
        f"SELECT {columns('s', keys)}, {other} AS action, s.value {sign} s.margin AS q_value, s.margin AS regret, "
        f"0e0 AS probability, {optimal} AS optimal, {optimal} AS undecided "
        f"FROM data.{table.name} AS s WHERE s.margin IS NOT NULL"
    )
