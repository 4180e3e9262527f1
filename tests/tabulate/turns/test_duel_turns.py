"""The turns of a duel against plain iteration: expected turns left, probability of a lost turn, expected points."""

from fractions import Fraction

import pytest

from reference.matches import BUST, WIPE, duel
from support.duel_turns import DUELS, plays, solved


@pytest.mark.parametrize(("game", "given", "reference"), DUELS, ids=lambda x: x if isinstance(x, str) else "")
def test_the_table_equals_plain_play(tmp_path, game, given, reference):
    rows = {(r["me"], r["opponent"]): r for r in solved(f"{game}_duel_turns", given, tmp_path)[1]}
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
