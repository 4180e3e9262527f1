"""Deliberate faults in tables of single throws: each is something that a certificate must rule out."""

import math

from dicebase.tables.layout import ACTIONS, TABLES
from support.faults import change, plus, put, swapped, up


def choice(rows, i):
    """A state with one best action."""
    return (rows[i]["margin"] or 0) > 0


def mixed(rows, i):
    return rows[i]["action"] == "mixed"


def worse(rows, i):
    return rows[i]["regret"] > 0


def best(rows, i):
    return rows[i]["probability"] == 1


def mixing(rows, i):
    return 0 < rows[i]["probability"] < 1


def _other(action):
    return "1" if action != "1" else "2"


def _exchanged(rows, column, where):
    """Exchange the entries of two rows of one state; `where` names the first row."""
    i = next(i for i in range(len(rows)) if where(rows, i) and rows[i][column] != rows[i + 1][column])
    rows[i][column], rows[i + 1][column] = rows[i + 1][column], rows[i][column]
    return rows


def _players_exchanged(rows):
    found = [{**row, "me": row["opponent"], "opponent": row["me"]} for row in rows]
    return sorted(found, key=lambda row: (row["me"], row["opponent"]))


def _values_exchanged(column):
    """Exchange the entries of (me, opponent) and (opponent, me)."""

    def fault(rows):
        here = {(r["me"], r["opponent"], r["action"]): r[column] for r in rows}
        return [{**r, column: here[r["opponent"], r["me"], r["action"]]} for r in rows]

    return fault


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


def first(rows, i):
    return i == 0


FAULTS = {
    "a value 1e-9 too high": (TABLES, change("value", plus(1e-9), choice)),
    "the first value 1e-6 too low": (TABLES, change("value", plus(-1e-6), first)),
    "a value that is no number": (TABLES, change("value", put(math.nan), choice)),
    "an infinite value": (TABLES, change("value", put(math.inf), choice)),
    "another throw": (TABLES, change("action", _other, choice)),
    "a throw of too many dice": (TABLES, change("action", put("99"), choice)),
    "a mix where there is none": (TABLES, change("action", put("mixed"), choice)),
    "a margin that is not the second-best regret": (TABLES, change("margin", plus(1e-3), choice)),
    "a margin one unit in the last place off": (TABLES, change("margin", up, choice)),
    "a margin of zero without a tie": (TABLES, change("margin", put(0.0), choice)),
    "no margin where there is a choice": (TABLES, change("margin", put(None), choice)),
    "a margin that is no number": (TABLES, change("margin", put(math.nan), choice)),
    "a state removed": (TABLES, lambda rows: rows[:3] + rows[4:]),
    "a state twice": (TABLES, lambda rows: [*rows[:4], *rows[3:]]),
    "states out of order": (TABLES, swapped),
    "no states": (TABLES, lambda rows: []),
    "a q-value 1e-9 too low": (ACTIONS, change("q_value", plus(-1e-9), worse)),
    "a q-value that is no number": (ACTIONS, change("q_value", put(math.nan), worse)),
    "two q-values exchanged": (ACTIONS, lambda rows: _exchanged(rows, "q_value", worse)),
    "a negative regret": (ACTIONS, change("regret", put(-1e-300), best)),
    "a regret that its q-value contradicts": (ACTIONS, change("regret", plus(1e-9), worse)),
    "a regret that is no number": (ACTIONS, change("regret", put(math.nan), worse)),
    "a regret of zero for a worse throw": (ACTIONS, change("regret", put(0.0), worse)),
    "an optimal throw not marked": (ACTIONS, change("optimal", put(False), best)),
    "a worse throw marked optimal": (ACTIONS, change("optimal", put(True), worse)),
    "a worse throw called undecided": (ACTIONS, change("undecided", put(True), worse)),
    "the best throw called undecided": (ACTIONS, change("undecided", put(True), best)),
    "half a probability": (ACTIONS, change("probability", put(0.5), best)),
    "a probability for a worse throw": (ACTIONS, change("probability", put(1.0), worse)),
    "a negative probability": (ACTIONS, change("probability", put(-1e-9), worse)),
    "a probability that is no number": (ACTIONS, change("probability", put(math.nan), worse)),
    "a throw removed": (ACTIONS, lambda rows: rows[:3] + rows[4:]),
    "a throw twice": (ACTIONS, lambda rows: [*rows[:4], *rows[3:]]),
    "a throw the rules do not know": (ACTIONS, change("action", put("99"), worse)),
    "actions out of order": (ACTIONS, swapped),
    "no actions": (ACTIONS, lambda rows: []),
}

PLAYER_FAULTS = {
    "the players exchanged in the states": (TABLES, _players_exchanged),
    "the players exchanged in the actions": (ACTIONS, _players_exchanged),
    "the q-values of the other player": (ACTIONS, _values_exchanged("q_value")),
    "the policy of the other player": (ACTIONS, _values_exchanged("probability")),
}

MIX_FAULTS = {
    "a probability 1e-9 too high": (ACTIONS, change("probability", plus(1e-9), mixing)),
    "probability moved between throws of a mix": (ACTIONS, _moved(1e-9)),
    "a mix replaced by a pure choice": (ACTIONS, _pure),
    "mixes of the right throws equally often": (ACTIONS, _uniform),
    "two probabilities exchanged": (ACTIONS, lambda rows: _exchanged(rows, "probability", mixing)),
    "a throw of a mix not marked optimal": (ACTIONS, change("optimal", put(False), mixing)),
    "a throw of a mix called undecided": (ACTIONS, change("undecided", put(True), mixing)),
    "a throw of a mix with a regret": (ACTIONS, change("regret", put(1e-6), mixing)),
    "a mix called by one of its throws": (TABLES, change("action", put("2"), mixed)),
    "a margin of a mix": (TABLES, change("margin", put(0.0), mixed)),
    "a mix called one of several": (TABLES, change("unique", put(False), mixed)),
    "a choice called one of several": (TABLES, change("unique", put(False), choice)),
}
