"""Deliberate faults in tables of single throws: each is something that a certificate must rule out."""

from dicebase.tables.layout import ACTIONS, TABLES
from support.faults import change, choice, exchanged, plus, put


def mixed(rows, i):
    return rows[i]["action"] == "mixed"


def mixing(rows, i):
    return 0 < rows[i]["probability"] < 1


def _moved(amount):
    """Move probability from one throw of a mix to the next."""

    def fault(rows):
        i, j = [i for i in range(len(rows)) if mixing(rows, i)][:2]
        rows[i]["probability"] -= amount
        rows[j]["probability"] += amount
        return rows

    return fault


def _pure(rows):
    """Replace a mix by the throw that it uses most."""
    i = next(i for i in range(len(rows)) if mixing(rows, i))
    key = [(k, rows[i][k]) for k in ("me", "opponent")]
    state = [row for row in rows if all(row[k] == v for k, v in key)]
    most = max(state, key=lambda row: row["probability"])
    for row in state:
        row["probability"], row["optimal"] = float(row is most), row is most
    return rows


def _uniform(rows):
    """Replace every mix by one that uses its throws equally often."""
    support = {}
    for row in rows:
        if row["probability"] > 0:
            support[row["me"], row["opponent"]] = support.get((row["me"], row["opponent"]), 0) + 1
    for row in rows:
        if row["probability"] > 0:
            row["probability"] = 1 / support[row["me"], row["opponent"]]
    return rows


MIX_FAULTS = {
    "a probability 1e-9 too high": (ACTIONS, change("probability", plus(1e-9), mixing)),
    "probability moved between throws of a mix": (ACTIONS, _moved(1e-9)),
    "a mix replaced by a pure choice": (ACTIONS, _pure),
    "mixes of the right throws equally often": (ACTIONS, _uniform),
    "two probabilities exchanged": (ACTIONS, exchanged("probability", mixing)),
    "a throw of a mix not marked optimal": (ACTIONS, change("optimal", put(False), mixing)),
    "a throw of a mix called undecided": (ACTIONS, change("undecided", put(True), mixing)),
    "a throw of a mix with a regret": (ACTIONS, change("regret", put(1e-6), mixing)),
    "a mix called by one of its throws": (TABLES, change("action", put("2"), mixed)),
    "a margin of a mix": (TABLES, change("margin", put(0.0), mixed)),
    "a mix called one of several": (TABLES, change("unique", put(False), mixed)),
    "a choice called one of several": (TABLES, change("unique", put(False), choice)),
}
