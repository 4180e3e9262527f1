"""Review a recorded game: the loss of each decision and the luck of each roll.

The table gives the first player's expected payoff before and after every step. The luck of a roll or the loss of a
decision is the difference. Differences are exact fractions, so the first expectation plus their sum is the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.catalog.review.record import KEEP, PLAYER, Cell, Record, begins, dice, words_of
from dicebase.catalog.review.walk import Walk
from dicebase.tables.follow.rolls import ROLL
from dicebase.tables.names import Variant
from dicebase.vocabulary import TIE, ConfigurationError, DicebaseError, Json, shown, some

ACTION = "action"


class Step(NamedTuple):
    """A roll or a decision."""

    line: int  # in the file
    role: int  # 1: the first player, -1: the second
    what: str  # `roll` or `action`
    text: str
    expected: float  # the first player's expected payoff after the step
    change: Fraction  # the luck of a roll, or the loss of a decision as a negative number
    best: str = ""  # the best action, if the player chose a worse one

    def as_dict(self, players: Sequence[str]) -> Json:
        """Return the step as JSON content; luck and loss are rounded once."""
        said = {"line": self.line, "player": players[self.role < 0], "what": self.what, "text": self.text}
        luck, loss = (self.change, None) if self.what == "roll" else (None, -self.change)
        rounded = {n: None if x is None else float(x) for n, x in (("luck", luck), ("loss", loss))}
        return said | rounded | {"best": self.best, "expected": self.expected}


@dataclass(frozen=True)
class Review:
    """The review of a record; expectation and result are the first player's payoff."""

    table: str
    parameters: Variant
    unit: str
    sense: int  # 1: more is better, -1: less is better
    players: tuple[str, ...]  # the first player, then the second
    expectation: Fraction
    result: Fraction  # the present expectation if the game has not ended
    ended: bool
    steps: tuple[Step, ...]

    def sum(self, role: int, what: str) -> Fraction:
        """Return the total luck of a player's rolls, or minus the total loss of the player's decisions."""
        return sum((s.change for s in self.steps if (s.role, s.what) == (role, what)), Fraction())

    def as_dict(self) -> Json:
        """Return the review as JSON content; each number is rounded once."""
        sums = [(self.sum(role, "roll"), -self.sum(role, "action")) for role in (1, -1)]
        return {
            "table": self.table,
            "parameters": self.parameters,
            "unit": self.unit,
            "sense": self.sense,
            "expectation": float(self.expectation),
            "result": float(self.result),
            "ended": self.ended,
            "players": [
                {"player": name, "luck": float(luck), "loss": float(loss)}
                for name, (luck, loss) in zip(self.players, sums, strict=False)
            ],
            "steps": [step.as_dict(self.players) for step in self.steps],
        }


def review(tables: SolvedTables, path: str | Path) -> Review:
    """Review the record at `path`. Raises ConfigurationError, which names the file, the line, the wrong value and the
    allowed ones, and the errors of Walk."""
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not UTF-8 text") from error
    record = Record(path, lines)
    if ROLL not in record.columns and {ACTION, *_state(tables, record)} <= {*record.columns}:
        return _judged(tables, record)
    return Reading(tables, record).review()


def _state(tables: SolvedTables, record: Record) -> list[str]:
    """Return the state columns of a record's table; raises the error of a missing table with its place."""
    try:
        table = tables[record.table]
    except DicebaseError as error:
        raise type(error)(f"{record.path}, line {record.first}: {error}") from error
    return [name for name in table.columns if name not in table.parameters]


def _judged(tables: SolvedTables, record: Record) -> Review:
    """Review single decisions, one per line with all state columns and the action; expectation and result are sums."""
    table, names, steps, players = tables[record.table], _state(tables, record), [], ()
    spelled, now = table.match.spelling.get(ACTION, str), Fraction()
    for line, cells in groupby(record.cells, key=attrgetter("line")):
        of = list(cells)
        said = {cell.column: cell.text for cell in of}
        if missing := [name for name in (*names, ACTION) if name not in said]:
            raise record.wrong(line, f"'{missing[0]}' is missing")
        try:
            answer = tables.look_up(record.table, record.given | {name: said[name] for name in names})
            words = sorted(spelled(said[ACTION]).split())
        except DicebaseError as error:
            raise type(error)(f"{record.path}, line {line}: {error}") from error
        chosen = [action for action in answer.actions if sorted(action.action.split()) == words]
        if not chosen:
            allowed = some([action.action for action in answer.actions])
            raise record.wrong(line, f"{ACTION} {shown(said[ACTION])} is not allowed; possible are {allowed}")
        players, now = players or (of[0].player or "first",), now + Fraction(chosen[0].value)
        best, change = "" if chosen[0].optimal else answer.actions[0].action, -Fraction(chosen[0].regret)
        steps.append(Step(line, 1, ACTION, chosen[0].action, float(now), change, best))
    begun = now - sum((step.change for step in steps), Fraction()) * table.match.sense
    said = answer.table, answer.parameters, answer.unit, table.match.sense
    return Review(*said, players, begun, now, False, tuple(steps))


class Reading:
    """Replays a record step by step; `walk` is the play at the end of what `review` has replayed."""

    def __init__(self, tables: SolvedTables, record: Record) -> None:
        """Raises the same errors as `review`."""
        record.check_rolls()
        self.record, self.cells = record, list(reversed(record.cells))
        try:
            self.walk = Walk(tables, record.table, record.given)
        except DicebaseError as error:
            raise type(error)(f"{record.path}, line {record.first}: {error}") from error
        self.names: dict[int, str] = {}
        self.steps: list[Step] = []
        # The first player's expected payoff at the start and now.
        self.begun = self.now = Fraction(self.walk.variant.row["value"])

    def review(self, more: Sequence[Cell] = ()) -> Review:
        """Replay the rest of the record, and `more` cells at its end; return the review of all that was replayed. After
        an error the reading cannot be used."""
        self.cells[:0] = reversed(more)
        walk = self.walk
        while self._falls() if walk.after is not None else walk.state is not None and self._acts():
            pass
        ended = walk.after is None and walk.state is None
        if ended and walk.game.hides:
            self._learn("all is shown", walk.paid)
        if self.cells:
            what = "the game has ended before" if ended else "a roll comes first"
            raise self._wrong(self.cells[-1], what)
        two = -1 in self.names or any(step.role < 0 for step in self.steps)
        players = tuple(self._name(role) for role in ((1, -1) if two else (1,)))
        said = walk.table.name, walk.variant.parameters, walk.variant.unit, walk.game.sense
        return Review(*said, players, self.begun, self.now, ended, tuple(self.steps))

    def _name(self, role: int) -> str:
        return self.names.get(role, "first" if role > 0 else "second")

    def _wrong(self, cell: Cell, what: str) -> ConfigurationError:
        return self.record.wrong(cell.line, f"{cell.column} {shown(cell.text)}: {what}")

    def _taken(self, role: int) -> Cell:
        """Take the next cell; raises ConfigurationError if it names another player than `role`."""
        cell = self.cells.pop()
        if cell.player and cell.player != self.names.setdefault(role, cell.player):
            raise self._wrong(cell._replace(column=PLAYER, text=cell.player), f"it is {self._name(role)}'s turn")
        if cell.player and cell.player == self.names.get(-role):
            raise self._wrong(cell._replace(column=PLAYER, text=cell.player), "it is the other player's turn")
        return cell

    def _falls(self) -> bool:
        """Replay a roll; return False if the record does not have it."""
        walk = self.walk
        outcomes, written = list(walk.game.outcomes(walk.after)), walk.game.falls(walk.after)
        dice_fall = self.cells and self.cells[-1].column == ROLL
        if not written or (len(written) == 1 and not (dice_fall and dice(self.cells[-1].text) == dice(written[0]))):
            walk.fall(*outcomes)
            return True
        if not dice_fall:
            return False
        cell = self.cells[-1]
        found = {o[1:]: (name, o) for name, o in zip(written, outcomes, strict=True) if dice(name) == dice(cell.text)}
        if len(found) != 1:
            rolls = some(sorted(set(written), key=lambda name: (len(name), name)))
            raise self._wrong(cell, f"{'is ambiguous' if found else 'cannot be rolled'} here; rolls are {rolls}")
        ((name, outcome),) = found.values()
        role = walk.roller(outcome)
        self._taken(role)
        walk.fall(outcome)
        self._step(cell, role, name, walk.answer()["value"] if walk.state is not None else 0)
        return True

    def _acts(self) -> bool:
        """Replay a decision; return False if the record ends before it."""
        walk, answer = self.walk, self.walk.answer()
        names = [a["action"] for a in answer["actions"]]
        words, cell, found = [], None, []
        while self.cells and self.cells[-1].column != ROLL:
            more = [*words, *words_of(self.cells[-1])]
            if not (matching := [name for name in names if begins(name, more)]):
                break
            cell, words, found = self._taken(walk.role), more, matching
        left = words_of(self.cells[-1]) if self.cells and self.cells[-1].column != ROLL else [KEEP]
        if not found and not left[0].startswith(KEEP) and (stay := f"{KEEP} {walk.position.get(ROLL)}") in names:
            # A player who fills a box before the last roll keeps all dice until then.
            cell, found = self.cells[-1], [stay]
        if not found and len(names) == 1:
            walk.act(*names)
            return True
        if not self.cells and not found:
            return False
        if len(found) != 1:
            cell = cell or self.cells[-1]
            what = "is ambiguous" if found else "is missing before it" if cell.column == ROLL else "is not allowed"
            raise self._wrong(cell, f"the action {what}; allowed are {', '.join(found or names)}")
        if walk.game.hides:
            self._learn("what this player knows", walk.paid + walk.role * Fraction(answer["value"]))
        chosen, role = next(a for a in answer["actions"] if a["action"] == found[0]), walk.role
        # An optimal action costs nothing, even if its value differs in the last digit; nor does an action that the
        # opponent's mix does not punish.
        right = chosen["optimal"] or not chosen["regret"]
        value, best = (answer["value"], "") if right else (chosen["value"], answer["actions"][0]["action"])
        self._step(cell, role, found[0], value, best)
        walk.act(found[0])
        return True

    def _learn(self, text: str, expected: Fraction) -> None:
        """Record what becomes known without a roll: with hidden information the expectation depends on who asks."""
        change = self.walk.game.sense * (expected - self.now)
        if abs(change) > TIE:
            self.steps.append(Step(self.steps[-1].line, 1, ROLL, text, float(expected), change))
        self.now = expected

    def _step(self, cell: Cell, role: int, text: str, value: float, best: str = "") -> None:
        """Record a step; `value` is the new position's value for the player who moves next."""
        walk, before = self.walk, self.now
        self.now = walk.paid + walk.role * Fraction(value)
        what = ROLL if cell.column == ROLL else "action"
        change = role * walk.game.sense * (self.now - before)
        self.steps.append(Step(cell.line, role, what, text, float(self.now), change, best))
