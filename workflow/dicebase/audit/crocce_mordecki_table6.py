"""Table 6 of Crocce and Mordecki (2014) and its notes: values and optimal actions of states (tau, i, n).

tau is in chips after the roll, including the score of configuration i; n dice are left to roll.
"""

from collections import Counter
from functools import cache

from dicebase.audit.catalogue import VARIANTS, Catalogue, Question
from dicebase.audit.crocce_mordecki import CHIP, RULES, Configuration, configuration, cutoff, rolls, scoring
from dicebase.audit.record import BLANK, DASH, Ours, Row, follows, one, text
from dicebase.games.ten_thousand import Rules

DICE = 5
ONE_DIE = [(1, 0, 0), (0, 1, 0)]
COLUMNS: dict[str, tuple[int, list[Configuration]]] = {
    "n5": (5, [i for n in range(1, 6) for i in rolls(n) if len(scoring(i)[0]) == n]),
    "n4": (4, ONE_DIE),
    "n3_200_110": (3, [(2, 0, 0), (1, 1, 0)]),
    "n3_020": (3, [(0, 2, 0)]),
    "n3_other": (3, ONE_DIE),
    "n2_210": (2, [(2, 1, 0)]),
    "n2_120": (2, [(1, 2, 0)]),
    "n2_200_110": (2, [(2, 0, 0), (1, 1, 0)]),
}
"""For each column, the dice left to roll and the configurations that share the column."""
MOVES = {"": "r", "5": "m5", "1": "m1", "55": "m55", "15": "m51"}
"""The paper's letters for actions, by the scoring dice that the player gives up."""


def letter(roll: str, action: str) -> str:
    """The paper's letter for one of our actions."""
    kept = action.removeprefix("keep ").split(",")[0]
    resigned = "".join(sorted((Counter(scoring(configuration(roll))[0]) - Counter(kept)).elements()))
    if action.endswith("bank"):
        return "less than s" if resigned else "s"
    return MOVES.get(resigned, f"m{resigned}")


def before(tau: int, i: Configuration, n: int) -> tuple[int, list[str]]:
    """Return (points before the roll, the rolls that lead to (tau, i, n))."""
    thrown = len(scoring(i)[0]) + n % DICE
    return (tau - scoring(i)[1]) * CHIP, list(rolls(thrown).get(i, ()))


class Turn:
    """The paper's turn: our rows by turn total and roll; for states that play cannot reach, equation (3*)."""

    query = "equation (3*) over ten_thousand_turn: dicebase.audit.crocce_mordecki_table6.Turn"

    def __init__(self, catalogue: Catalogue) -> None:
        self.named = catalogue.named(VARIANTS["TURN_ALL"])
        asked = f"SELECT turn_total, roll, value, action FROM ten_thousand_turn WHERE {self.named}"
        found = catalogue.connection.execute(asked).fetchall()
        self.rows: dict[tuple[int, str], tuple[float, str]] = {row[:2]: row[2:] for row in found}
        self.rolled = cache(self._rolled)

    def question(self, column: str, points: int, roll: str) -> str:
        """The SQL for a column of a state's row."""
        where = f"{self.named} AND turn_total = {points} AND roll = {roll!r}"
        return f"SELECT {column} FROM ten_thousand_turn WHERE {where}"

    def states(self, tau: int, n: int, configurations: list[Configuration]) -> list[tuple[int, str]]:
        """The states (tau, i, n) that have rows, for these configurations i, as (points, roll)."""
        found = []
        for i in configurations:
            points, possible = before(tau, i, n)
            found += [(points, roll) for roll in possible if (points, roll) in self.rows]
        return found

    def _rolled(self, points: int, dice: int) -> float:
        """V_r, the value of rolling this number of dice."""
        if points >= cutoff():
            return float(points)
        found = list(Rules(RULES).rolls(0, dice))
        return sum(r.weight * self._seen(points, r) for r in found if r.options) / 6**dice

    def _seen(self, points: int, roll) -> float:
        """V, the value after a scoring roll."""
        if (points, roll.dice) in self.rows:
            return self.rows[points, roll.dice][0]
        return max(max(points + o.gain, self.rolled(points + o.gain, o.mode)) for o in roll.options)

    def q_values(self, tau: int, i: Configuration, n: int) -> dict[str, float]:
        """Return the value of each action, in points, by the paper's letters."""
        points, possible = before(tau, i, n)
        options = next(r.options for r in Rules(RULES).rolls(0, len(possible[0])) if r.dice == possible[0])
        q = {"s": float(tau * CHIP), "r": self.rolled(tau * CHIP, n)}
        for option in options:
            if option.keep != scoring(i)[0] and points + option.gain >= 0:
                q[letter(possible[0], f"keep {option.keep}")] = self.rolled(points + option.gain, option.mode)
        return q


def turn_of(catalogue: Catalogue) -> Turn:
    """The turn, read once per catalogue."""
    if Turn not in catalogue.known:
        catalogue.known[Turn] = Turn(catalogue)
    return catalogue.known[Turn]


def told(catalogue: Catalogue, row: Row) -> Ours | None:
    """The value or action of a cell; raises ValueError if the states of a cell differ."""
    turn = turn_of(catalogue)
    tau, (n, configurations) = int(row["tau"]), COLUMNS[row["column"]]
    reached, asks_value = turn.states(tau, n, configurations), row["asked"] == "value"
    if row["status"] == "unreachable":
        ours = Ours("a state" if reached else DASH, "no row of ten_thousand_turn has such a roll at such a total")
        return ours if asks_value else None
    if reached:
        worth, question = one(turn.rows[state][0] for state in reached), turn.question("value / 50", *reached[0])
        value = Ours(worth / CHIP, question, turn.named.bound / CHIP)
        action = one(letter(roll, turn.rows[points, roll][1]) for points, roll in reached)
        ours = follows(action, turn.question("action", *reached[0]))
    elif tau == 0:
        question = Question(f"value / {CHIP}", f"tables WHERE {turn.named.row}", f"error_bound / {CHIP}")
        (value,) = catalogue.ask([question])
        ours = Ours("r", "the first roll is compulsory")
    else:
        q = [turn.q_values(tau, i, n) for i in configurations]
        value = Ours(one(round(max(x.values()), 9) for x in q) / CHIP, Turn.query)
        ours = Ours(one(max(x, key=x.get) for x in q), Turn.query)
    if asks_value and row["status"] == "stop":
        stops = abs(value.value - tau) <= (value.bound or 0)
        return follows(BLANK if stops else text(value.value), value.query)
    return value if asks_value else ours


def note(catalogue: Catalogue, row: Row) -> Ours:
    """The action that a note states for the columns that the table omits, with the states where ours differs."""
    turn = turn_of(catalogue)
    shown = [i for n, some in COLUMNS.values() if n == 2 for i in some]
    n, found = int(row["n"]), {}
    omitted = {i for thrown in range(n + 1, 6) for i in rolls(thrown) if i not in shown and scoring(i)[1]}
    for tau in range(cutoff() // CHIP):
        for points, roll in turn.states(tau, n, sorted(omitted)):
            state = f"({tau},{list(configuration(roll))},{n})".replace(" ", "")
            found.setdefault(letter(roll, turn.rows[points, roll][1]), set()).add(state)
    always = [row["action"]] if found.pop(row["action"], None) else []
    ours = "; ".join([*always, *(f"{action} at {', '.join(sorted(where))}" for action, where in found.items())])
    return follows(ours, f"SELECT turn_total, roll, action FROM ten_thousand_turn WHERE {turn.named}")
