"""Write down a game by asking for its rolls and actions; each entry is checked by reviewing it."""

import csv
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.catalog.lookup import Catalog
from dicebase.catalog.review.record import PLAYER, Record
from dicebase.catalog.review.review import Reading
from dicebase.catalog.review.walk import Walk
from dicebase.families import family_of
from dicebase.show.play import numbered
from dicebase.tables.follow.rolls import ROLL
from dicebase.vocabulary import ConfigurationError, words

HELP = "Type what happened (the beginning of an action is enough); an empty line takes back the last entry, q stops."
COLUMNS = (PLAYER, ROLL, "action")


def record(catalog: Catalog, name: str, given: Mapping[str, object], path: Path) -> None:
    """Ask for a game of a solved variant and write it to a new file after each entry; raises the errors of Walk, and
    ConfigurationError if the file exists."""
    tables, names = catalog.solved_tables, {}
    walk = Walk(tables, name, given)
    if path.exists():
        raise ConfigurationError(f"{path}: exists; give the name of a new file")
    lines = [f"{name} {words(walk.variant.parameters)}", ",".join(COLUMNS)]
    print(f"{walk.table.table.title}\n{HELP}")
    reading, news = _read(tables, path, lines), _News()
    try:
        while (walk := reading.walk).after is not None or walk.state is not None:
            role = walk.role if walk.state is not None else walk.roller(next(iter(walk.game.outcomes(walk.after))))
            if role not in names:
                names[role] = input(f"Name of the {'first' if role > 0 else 'second'} player: ").strip()
            actions = [] if walk.state is None else [a["action"] for a in walk.answer()["actions"]]
            for line in news.lines(walk, names, role, actions):
                print(f"   {line}")
            shown, meant = numbered(actions)
            choice, roll = f"   {shown}\n{names[role]}'s choice: ", f"What did {names[role]} roll"
            question = choice if actions else f"{roll}{_dice(walk)}? "
            if (text := input(question).strip()) == "q":
                break
            if actions:
                begun = [action for action in actions if text and action.startswith(text)]
                text = begun[0] if len(begun) == 1 else meant.get(text, text)
            cells = [names[role], "", text] if actions else [names[role], text, ""]
            more = [*lines, _line(cells)] if text else lines[: max(2, len(lines) - 1)]
            try:
                if text:
                    reading.review([cell for cell in Record(path, more).cells if cell.line == len(more)])
                else:
                    reading = _read(tables, path, more)
            except ConfigurationError as error:
                print(f"   {str(error).partition(': ')[2]}")
                reading = _read(tables, path, lines)
                continue
            lines, news.last = more, "" if actions or not text else text
            path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    except (EOFError, KeyboardInterrupt):
        print()
    print(f"{path}: {len(lines) - 2} entries" + f"; next: dicebase review {path}" * (len(lines) > 2))


class _News:
    """The news of a match to a target that players get before a question, each once.

    turn : (role, {role: points}) of the present turn. last : the roll just entered, if the last entry was one.
    """

    def __init__(self) -> None:
        self.turn: tuple[int, dict[int, int]] | None = None
        self.last, self.told = "", False

    def lines(self, walk: Walk, names: Mapping[int, str], role: int, actions: list[str]) -> list[str]:
        """Return the lines to print: a lost turn, the score as a turn begins, and why a player may not stop."""
        if not (now := walk.turn):
            return []
        *points, total = now
        scores, before, found = dict(zip((role, -role), points, strict=True)), self.turn, []
        self.turn = role, scores
        begins = not total and (walk.state is None or walk.game.listed(walk.state))
        if before and begins and (self.last or before != self.turn):
            who, earlier = before
            if self.last and scores[who] <= earlier[who]:
                found.append(f"The roll {self.last} loses {names[who]}'s turn.")
            found.append(f"Score: {', '.join(f'{name} {scores[player]}' for player, name in names.items())}")
            self.told = False
        stop, least = family_of(walk.game.rules).least_stop(walk.game.rules, points[0])
        if total + len(actions) and least > 1 and not self.told and not any(stop in action for action in actions):
            found.append(f"To {stop}, {names[role]} needs {least} points in this turn.")
            self.told = True
        return found


def _read(tables: SolvedTables, path: Path, lines: list[str]) -> Reading:
    """Return the reading of a whole record."""
    reading = Reading(tables, Record(path, lines))
    reading.review()
    return reading


def _dice(walk: Walk) -> str:
    """Return how many dice are rolled, if rolls are written as several digits."""
    sizes = {len(roll) if roll.isdecimal() else 0 for roll in walk.game.falls(walk.after)}
    return f" with {max(sizes)} dice" if len(sizes) == 1 and max(sizes) > 1 else ""


def _line(cells: list[str]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()
