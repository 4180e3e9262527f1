"""Evaluation of policies: value of a pair in a duel, best response, and the most costly mistakes; for one player, the
value of a policy and what it loses. Nothing is simulated.

A policy is a name of duel_matchups.py, a formula, or the user's own (user_policies.py, text_policies.py).
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.lookup import Catalog
from dicebase.families import family_of
from dicebase.matches.duels.duel_matchups import BEST_RESPONSE, OPTIMAL
from dicebase.policies.boards import BoardBench
from dicebase.policies.duels import DuelBench, ThrowBench, TurnBench
from dicebase.policies.hidden import HiddenBench
from dicebase.policies.returns import report_return
from dicebase.policies.user_policies import Given
from dicebase.tables.names import known_tables
from dicebase.vocabulary import ConfigurationError, Json, MissingTableError

Results = Catalog | str | Path
"""An open catalogue, or a results folder."""

BANDS = 5  # number of bands into which habits divide each total
TOLD = 10  # number of mistakes, and of habits, in a report


def evaluate(results: Results, table: str, row: Given, column: Given = OPTIMAL, /, **parameters: int | str) -> Json:
    """Return the probability that one policy wins against another, or the points that it wins.

    results : a results folder or an open catalogue with the solved duel.
    table : a duel such as pig_duel; parameters choose its variant.
    row, column : a name or formula (optimal, hold_at 20 ...), a file (.csv or .parquet), a frame, or `NAME except FILE`
        for a file that lists only exceptions; `row` may be best_response.

    Returns {table, parameters, policy, against, unit, first, second, average, cost}; `first` is what the row policy
    wins if it moves first, `cost` how much more the other policy wins on average. Raises MissingTableError if the duel
    is not solved, ConfigurationError for a wrong policy. For a table of one player the result is that of
    `report_return`, and there is no `column`.
    """
    if is_of_one_player(table):
        if not isinstance(column, str) or column != OPTIMAL:
            raise ConfigurationError(f"{table}: has one player; leave out the policy of an opponent (--against)")
        with opened(results) as catalog:
            return report_return(catalog, table, row, parameters)
    bench = bench_of(results, table, parameters)
    column_name, theirs = bench.policy(column)
    name, mine = (row, None) if isinstance(row, str) and row == BEST_RESPONSE else bench.policy(row)
    first, second = bench.earns(mine, theirs)
    found = {"table": table, "parameters": dict(bench.variant), "policy": name, "against": column_name}
    results = {"first": first, "second": second, "average": (first + second) / 2, "cost": bench.total - first - second}
    return found | {"unit": bench.unit} | results


def respond(results: Results, table: str, policy: Given, /, **parameters: int | str) -> Json:
    """Evaluate the best response to a policy: the result of `evaluate` with `exploitability`, the average result of the
    best response minus that of two equal players, which is a probability of 1/2 or 0 points."""
    answer = evaluate(results, table, BEST_RESPONSE, policy, **parameters)
    # A policy wins half of its matches against itself, so only rounding can make the difference negative.
    even = 0.5 if answer["unit"] == "probability" else 0.0
    return answer | {"exploitability": max(0.0, answer["average"] - even)}


def response(results: Results, table: str, policy: Given, /, **parameters: int | str) -> pa.Table:
    """Return the best response to a policy as rows of a policy file. For Ten Thousand the rows say when to roll and
    when to bank. The response keeps dice to beat that policy; policies from files keep dice as optimal play does."""
    bench = bench_of(results, table, parameters)
    order = [(c.name, "ascending") for c in bench.listing.columns]
    return bench.response(bench.policy(policy)[1]).sort_by(order)


def report(results: Results, table: str, policy: Given, against: Given = OPTIMAL, /, **parameters: int | str) -> Json:
    """Return the result of `evaluate` with `exploitability`, `worst_first` and `worst_second` (the results against a
    best response), and the TOLD most costly `mistakes` and `habits`; for one player, that of `report_return`."""
    with opened(results) as catalog:
        answer = evaluate(catalog, table, policy, against, **parameters)
        if "best" in answer:
            return answer
        found = mistakes(catalog, table, policy, against, **parameters)
        response_to = respond(catalog, table, policy, **parameters)
    even = int(answer["unit"] == "probability")  # the sum of both players' results
    return answer | {
        "exploitability": response_to["exploitability"],
        "worst_first": even - response_to["second"],
        "worst_second": even - response_to["first"],
        "mistakes": found.slice(0, TOLD).to_pylist(),
        "habits": habits(found, answer["parameters"]["target"]).slice(0, TOLD).to_pylist() if of_points(found) else [],
    }


def mistakes(
    results: Results, table: str, policy: Given, against: Given = OPTIMAL, /, **parameters: int | str
) -> pa.Table:
    """Return the states in which a policy's action is not optimal, most costly first.

    Columns: the state, `action` (of the policy), `optimal` (of the table), `cost` (the action's regret), `frequency`
    (expected occurrences per match against the other policy, if each begins half of the matches) and `loss`, their
    product. Against `optimal`, losses add up to the policy's average loss. The choice of dice to keep is not included.
    """
    bench = bench_of(results, table, parameters)
    found = bench.mistakes(bench.policy(policy)[1], bench.policy(against)[1])
    return pa.table(found).sort_by([("loss", "descending")])


def of_points(found: pa.Table) -> bool:
    """Whether mistakes have the columns of totals that habits need."""
    return {"me", "opponent"} <= {*found.column_names}


def habits(found: pa.Table, target: int) -> pa.Table:
    """Group mistakes by action and by fifths of both totals, most costly first. `me_from`, `me_to` ... are the least
    and greatest totals, `frequency` and `loss` are sums, `cost` is loss / frequency."""
    size = -(-target // BANDS)
    bands = {f"{name}_band": pc.divide(found[name], size) for name in ("me", "opponent")}
    for name, band in bands.items():
        found = found.append_column(name, band)
    ranges = [name for name in ("me", "opponent", "turn_total") if name in found.column_names]
    grouped = found.group_by(["action", *bands]).aggregate(
        [*((name, how) for name in ranges for how in ("min", "max")), ("frequency", "sum"), ("loss", "sum")]
    )
    columns = {"action": grouped["action"]}
    for name in ranges:
        columns |= {f"{name}_from": grouped[f"{name}_min"], f"{name}_to": grouped[f"{name}_max"]}
    columns["cost"] = pc.divide(grouped["loss_sum"], grouped["frequency_sum"])
    columns |= {"frequency": grouped["frequency_sum"], "loss": grouped["loss_sum"]}
    return pa.table(columns).sort_by([("loss", "descending")])


def opened(results: Results) -> Catalog | nullcontext[Catalog]:
    """Return an open catalogue for a `with` statement, which closes it unless it was open before."""
    return nullcontext(results) if isinstance(results, Catalog) else Catalog(Path(results))


def duels() -> set[str]:
    """Return the names of the tables in which policies of two players are evaluated."""
    families = {name: of.rules_class.family for name, of in known_tables().items()}
    leagues = {name for name in families if name.endswith("_duel_matchups")}
    leagues |= {name for name, family in families.items() if family == "boards" and name.endswith("_matchups")}
    hidden = {name for name, family in families.items() if family == "hidden"}
    return hidden - leagues | {name.removesuffix("_matchups") for name in leagues}


def is_of_one_player(table: str) -> bool:
    """Return whether a table has the decisions of one player."""
    return table in known_tables() and known_tables()[table].match_class.layout.decides and table not in duels()


def bench_of(results: Results, table: str, parameters: Json) -> DuelBench | BoardBench | HiddenBench:
    """Return one variant of a duel, ready to evaluate policies."""
    if table in known_tables() and table not in duels():
        raise MissingTableError(f"{table}: policies can be evaluated in duels: {', '.join(sorted(duels()))}")
    with opened(results) as catalog:
        variant = read_variant(solved := catalog.solved(table), parameters)
        found = solved.require(variant)
        if getattr(found.game, "hides", False):
            return HiddenBench(table, found.game, variant)
        if family_of(found.game.rules).is_board:
            return BoardBench(table, found.game, variant)
        kind = ThrowBench if found.game.rules.family == "throws" else TurnBench
        return kind(table, found.game, variant, catalog)
