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
    reading = _read(tables, path, lines)
    try:
        while (walk := reading.walk).after is not None or walk.state is not None:
            role = walk.role if walk.state is not None else walk.roller(next(iter(walk.game.outcomes(walk.after))))
            if role not in names:
                names[role] = input(f"Name of the {'first' if role > 0 else 'second'} player: ").strip()
            rolls = walk.state is None
            actions = [] if rolls else [a["action"] for a in walk.answer()["actions"]]
            if (text := input(f"{names[role]}: {' or '.join(actions) or ROLL}? ").strip()) == "q":
                break
            if text and len(begun := [action for action in actions if action.startswith(text)]) == 1:
                (text,) = begun
            cells = [names[role], text, ""] if rolls else [names[role], "", text]
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
            lines = more
            path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    except (EOFError, KeyboardInterrupt):
        print()
    print(f"{path}: {len(lines) - 2} entries" + f"; next: dicebase review {path}" * (len(lines) > 2))


def _read(tables: SolvedTables, path: Path, lines: list[str]) -> Reading:
    """Return the reading of a whole record."""
    reading = Reading(tables, Record(path, lines))
    reading.review()
    return reading


def _line(cells: list[str]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()
