"""The turns of a duel: how many are to come, how often one is lost, what one banks; against plain iteration."""

import json
from fractions import Fraction

import pyarrow.parquet as pq
import pytest

from crocce_mordecki import TABLE
from dicebase import certify, tabulate
from dicebase.find import find_table
from dicebase.plan import files, make_slice, slice_name
from dicebase.published import CertificationError
from faults import change, rewrite
from reference.matches import BUST, WIPE, duel, pig
from reference.matches_ten_thousand import ten_thousand

TABLES = [
    ("pig_duel_turns", {"sides": 6, "dice": 1, "target": 12}, pig()),
    ("pig_duel_turns", {"sides": 2, "dice": 1, "target": 8}, pig(2)),
    ("pig_duel_turns", {"sides": 6, "dice": 2, "target": 10}, pig(6, 2)),
    ("ten_thousand_duel_turns", {"rules": "crocce_mordecki", "target": 200}, ten_thousand()),
]


def solved(name, given, folder, definitions):
    """The rows of one variant, certified, by (me, opponent)."""
    table = find_table(name)
    variant = table.variant(given, definitions, name)
    piece = make_slice(table, slice_name(variant), [variant], definitions)
    place, _ = files(folder, name, piece.name)
    tabulate.solve_slice(json.loads(piece.key), place)
    certify.certify_slice(place, None, None)
    return place, {(r["me"], r["opponent"]): r for r in pq.read_table(place / "states.parquet").to_pylist()}


def plays(turn, decisions, me, opponent, target):
    """{what a turn ends in: probability} under the better decision, banking where both are as good."""

    def worth(option):
        total, mode = option
        return 1.0 if me + total >= target else max(decisions[me, opponent, total, mode])

    ends, here = {}, {(0, turn.start): 1.0}
    while here:
        after = {}
        for (total, mode), p in here.items():
            weights = sum(weight for weight, _ in turn.rolls[mode])
            for weight, outcome in turn.rolls[mode]:
                chance, place = p * weight / weights, after
                if outcome in (BUST, WIPE):
                    end, place = outcome, ends
                else:
                    end = max(((total + gain, following) for gain, following in outcome), key=worth)
                    roll, bank = (0.0, 1.0) if me + end[0] >= target else decisions[(me, opponent, *end)]
                    if roll - bank <= 1e-12:
                        end, place = min(end[0], target - me), ends
                place[end] = place.get(end, 0.0) + chance
        here = after
    return ends


@pytest.fixture
def definitions():
    return {"rules": {"crocce_mordecki": TABLE}}


@pytest.mark.parametrize(("name", "given", "reference"), TABLES, ids=lambda x: x if isinstance(x, str) else "")
def test_the_table_is_what_plain_play_gives(tmp_path, definitions, name, given, reference):
    _, rows = solved(name, given, tmp_path, definitions)
    target = given["target"]
    values, decisions = duel(reference, target, number=Fraction)
    ends = {(a, b): plays(reference, decisions, a, b, target) for a, b in rows}
    turns = dict.fromkeys(ends, 0.0)
    for _ in range(3000):
        turns = {
            (a, b): 1
            + sum(
                p * (turns[b, a] if e == BUST else turns[b, 0] if e == WIPE else turns.get((b, a + e), 0.0))
                for e, p in of.items()
            )
            for (a, b), of in ends.items()
        }
    for pair, of in ends.items():
        row = rows[pair]
        assert row["value"] == pytest.approx(float(values[pair]), abs=1e-12)
        assert row["turns"] == pytest.approx(turns[pair], rel=1e-9)
        assert row["lost"] == pytest.approx(of.get(BUST, 0) + of.get(WIPE, 0), abs=1e-12)
        assert row["points"] == pytest.approx(sum(e * p for e, p in of.items() if not isinstance(e, str)), rel=1e-12)


@pytest.mark.parametrize("column", ["value", "turns", "lost", "points"])
def test_a_shifted_number_is_refused(tmp_path, definitions, column):
    place, _ = solved(*TABLES[0][:2], tmp_path, definitions)
    rewrite(place / "states.parquet", change(column, lambda x: x + 1e-6, lambda rows, i: i == 40))
    with pytest.raises(CertificationError, match="pig_duel_turns sides=6 dice=1 target=12"):
        certify.certify_slice(place, None, None)
