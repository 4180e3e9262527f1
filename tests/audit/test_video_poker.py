"""The printed numbers of video poker, compared with the solver's values; certifying all pay tables takes minutes."""

import json
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import yaml

from dicebase.audit.record import read
from dicebase.audit.store import audit_table
from dicebase.solvers.draws.holds import Holds
from dicebase.tables.names import find_table
from dicebase.vocabulary import HOLDS
from support.commands import ROOT
from support.printed import agrees

PAYS = yaml.safe_load((ROOT / "config/cards.yaml").read_text(encoding="utf-8"))["definitions"]["video_poker"]
PRINTED = read("video_poker")
ROYAL_ACES = "royal_aces_10_5"


def holds(pays):
    """The solved holds of a pay table."""
    return Holds(find_table("video_poker_return").build_rules({"pays": pays}, PAYS))


def variance(solved):
    squares = sum(n * c * c for n, c in zip(solved.ends, solved.coins.tolist(), strict=True))
    return float(Fraction(squares, solved.games) - solved.moment(1) ** 2)


@pytest.fixture(scope="module")
def audited():
    """The audit of a catalogue with the tables that printed numbers are about; hands have the values of 9/6 only."""
    tables, ranks, variances, hands = [], [], [], []
    for pays in dict.fromkeys(row["pays"] for row in PRINTED):
        solved = holds(pays)
        values = {
            "return": float(solved.moment(1)),
            "distribution": float(solved.moment(1)),
            "variance": variance(solved),
        }
        said = {
            "parameters": json.dumps({"pays": pays}),
            "definitions": json.dumps({"pays": {pays: PAYS["pays"][pays]}}),
        }
        tables += [
            {"name": f"video_poker_{match}", "value": value, "error_bound": 1e-15, "store": "rows"} | said
            for match, value in values.items()
        ]
        variances.append({"pays": pays, "hands": 1, "value": values["variance"]})
        ends = zip(solved.names, solved.ends, strict=True)
        ranks += [{"pays": pays, "rank": n, "probability": m / solved.games, "combinations": m} for n, m in ends]
        if pays == "jacks_or_better_9_6":
            best = solved.values.max(axis=1) / solved.classes.common
            hands = [{"pays": pays, "value": value} for value in best.tolist()]
    with duckdb.connect() as connection:
        found = {"tables": tables, "video_poker_distribution": ranks, "video_poker_variance": variances}
        for name, rows in (found | {"video_poker_return": hands}).items():
            connection.register(name, pa.Table.from_pylist(rows))
        connection.execute(
            "CREATE MACRO video_poker_return_at(hand, pays := '') AS TABLE SELECT * FROM (VALUES "
            "('Ah Qs Jd 7h 5c', 'Qs Jd', 8095 / 16215), ('Ah Qs Jd 7h 5c', 'Ah Qs Jd', 493 / 1081), "
            "('3s 7h Th Jh Kh', '7h Th Jh Kh', 60 / 47), ('3s 7h Th Jh Kh', 'Th Jh Kh', 1495 / 1081)) "
            "AS v(said, action, q_value) WHERE said = hand"
        )
        yield {(row["source"], row["place"], row["cell"]): row for row in audit_table(connection).to_pylist()}


@pytest.mark.slow
def test_every_printed_number_of_video_poker_is_audited(audited):
    assert audited.keys() == {(r["source"], r["place"], f"{r['pays']}, {r['name']}") for r in PRINTED}


@pytest.mark.slow
def test_the_printed_counts_of_royal_aces_are_those_of_another_best_policy():
    solved = holds(ROYAL_ACES)
    printed = [int(row["printed"]) for row in PRINTED if (row["pays"], row["kind"]) == (ROYAL_ACES, "count")]
    coins = sum(n * c for n, c in zip(printed, solved.coins.tolist(), strict=True))
    assert Fraction(coins, solved.games) == solved.moment(1) and printed != solved.ends
    highest = np.array([sum((hold >> i & 1) << 4 - i for i in range(5)) for hold in HOLDS])
    tied = solved.values == solved.values.max(axis=1, keepdims=True)
    solved.best = np.where(tied, highest, -1).argmax(axis=1)
    del solved.ends
    assert solved.ends == printed


@pytest.mark.slow
def test_the_printed_variance_of_deuces_wild_is_the_least_among_the_best_policies():
    solved = holds("deuces_wild_full_pay")
    assert not agrees("25.83", variance(solved))
    squares = holds("deuces_wild_full_pay")
    squares.coins = solved.coins**2
    tied = solved.values == solved.values.max(axis=1, keepdims=True)
    solved.best = np.where(tied, squares.values, np.iinfo(np.int64).max).argmin(axis=1)
    del solved.ends
    assert agrees("25.83", variance(solved))


@pytest.mark.slow
def test_the_shares_of_double_bonus_add_up_to_more_than_the_return_printed_beside_them():
    shares = ["1.665", ".566", "15.411", "11.190", "10.467", "7.510", "21.660", "12.466", "19.238"]
    assert sum(map(Fraction, shares)) == Fraction("100.173")
    assert agrees("100.173", 100 * float(holds("double_bonus_10_7").moment(1)))
