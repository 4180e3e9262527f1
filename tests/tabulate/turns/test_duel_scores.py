"""The distribution of scores of a duel's turn: against plain play, against the table of turns, and with faults."""

from collections import defaultdict
from fractions import Fraction

import pytest

import dicebase
from reference.matches import duel
from support.duel_turns import DUELS, plays, scores, solved
from support.faults import change, refused, rewrite

SMALL = ("pig", {"sides": 6, "dice": 1, "target": 12})
PAIR = ("me", "opponent")


def by_pair(rows):
    """{(me, opponent): {score: probability}}."""
    found = defaultdict(dict)
    for row in rows:
        found[row["me"], row["opponent"]][row["score"]] = row["probability"]
    return found


@pytest.mark.parametrize(("game", "given", "reference"), DUELS, ids=lambda x: x if isinstance(x, str) else "")
def test_the_table_equals_plain_play(tmp_path, game, given, reference):
    found = by_pair(solved(f"{game}_duel_scores", given, tmp_path)[1])
    _, decisions = duel(reference, given["target"], number=Fraction)
    for me, opponent in found:
        again = scores(plays(reference, decisions, me, opponent, given["target"]), me)
        assert found[me, opponent] == pytest.approx(again, rel=1e-11)


# --- planted faults --------------------------------------------------------------------------------------------------


def at(me, opponent, score):
    return lambda rows, i: (rows[i]["me"], rows[i]["opponent"], rows[i]["score"]) == (me, opponent, score)


def beyond(rows):
    """Add a score beyond the target with a tiny probability."""
    i = next(k for k in range(len(rows)) if at(3, 4, 9)(rows, k))
    return [*rows[: i + 1], {**rows[i], "score": 10, "probability": 1e-15}, *rows[i + 1 :]]


def below(rows):
    """Add the loss of all banked points, which no roll causes."""
    i = next(k for k in range(len(rows)) if at(3, 4, 0)(rows, k))
    return [*rows[:i], {**rows[i], "score": -3, "probability": 1e-15}, *rows[i:]]


def flipped(rows):
    """Reverse one decision in the turn of a pair, with all that follows from it."""
    _, given, reference = DUELS[0]
    _, decisions = duel(reference, given["target"], number=Fraction)
    place = next(k for k, (roll, bank) in sorted(decisions.items()) if k[2] and abs(roll - bank) > Fraction(1, 1000))
    me, opponent, *_ = place
    turned = decisions | {place: decisions[place][::-1]}
    again = scores(plays(reference, turned, me, opponent, given["target"]), me)
    assert again.keys() != by_pair(rows)[me, opponent].keys()
    pair = [{**rows[0], "me": me, "opponent": opponent, "score": s, "probability": p} for s, p in again.items()]
    rest = [row for row in rows if (row["me"], row["opponent"]) != (me, opponent)]
    return sorted(rest + pair, key=lambda row: [row[name] for name in (*PAIR, "score")])


def endless(rows):
    """Two players who always lose their turns, so that nobody ever wins."""
    pairs = [(3, 4), (4, 3)]
    return [
        {**row, "probability": 1.0} if row["score"] == 0 and (row["me"], row["opponent"]) in pairs else row
        for row in rows
        if row["score"] == 0 or (row["me"], row["opponent"]) not in pairs
    ]


FAULTS = {
    "more than is needed": (beyond, "me=3 opponent=4 score=10: no turn ends with this score"),
    "a wipe without any": (below, "me=3 opponent=4 score=-3: probability is 1e-15, played forward it is 0.0"),
    "turns that are always lost": (endless, "played forward it is"),
    "a decision turned round": (flipped, "played forward it is"),
}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A certified table with its rows as stored."""
    place, _ = solved("pig_duel_scores", SMALL[1], tmp_path_factory.mktemp("scores"))
    return place, place.rows.read_bytes()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_refused(published, fault):
    place, before = published
    place.rows.write_bytes(before)
    wrong, message = FAULTS[fault]
    rewrite(place.rows, wrong)
    refused(place, f"pig_duel_scores sides=6 dice=1 target=12.*({message})")


def test_a_tiny_probability_is_checked_relative_to_itself(tmp_path):
    place, rows = solved("pig_duel_scores", {"sides": 2, "target": 100}, tmp_path)
    rare = min(rows, key=lambda row: row["probability"])
    assert rare["probability"] < 1e-9
    double = change("probability", lambda p: 2 * p, at(*(rare[name] for name in (*PAIR, "score"))))
    rewrite(place.rows, double)
    refused(place, "played forward it is")


# --- the summary -----------------------------------------------------------------------------------------------------


def test_the_summary_has_the_mean_and_the_extremes(tmp_path):
    with dicebase.solve("pig_duel_scores", results=tmp_path, dice=2, target=10):
        pass
    with dicebase.open(tmp_path) as db:
        table, where = "pig_duel_scores", "WHERE me = 4 AND opponent = 7"
        (row,) = db.sql(f"SELECT mean, least, greatest FROM {table}_summary {where}").fetchall()
        ((mean,),) = db.sql(f"SELECT sum(score * probability) FROM {table} {where}").fetchall()
        assert row == (pytest.approx(mean, rel=1e-12), -4, 6)
        ((first,),) = db.sql(f"SELECT mean FROM {table}_summary WHERE me = 0 AND opponent = 0").fetchall()
        (variant,) = db.tables()
        assert variant["value"] == pytest.approx(first, rel=1e-12) and variant["unit"] == "points"
