"""Check CSV files written by people, and name the line of a mistake."""

import csv
import re
from contextlib import suppress
from itertools import islice
from pathlib import Path

from dicebase.vocabulary import ConfigurationError, shown

WRONG = re.compile(r"In CSV column #(\d+): CSV conversion error to (\w+): invalid value '(.*)'")


def check_csv(path: Path) -> None:
    """Raise ConfigurationError if a file is not UTF-8 or its columns are not separated by commas, and OSError if it
    cannot be read."""
    if path.exists() and not path.is_file():
        raise ConfigurationError(f"{path}: is not a file")  # PyArrow reads nothing from a pipe
    with open(path, "rb") as file:
        names = b""
        for line, text in enumerate(file, 1):
            names = names or text
            try:
                text.decode()
            except UnicodeDecodeError as error:
                byte = f"line {line}: the byte 0x{text[error.start]:02x}"
                raise ConfigurationError(f"{path}: {byte} is not UTF-8; save the file as UTF-8") from error
    for separator, name in ((b";", "semicolons"), (b"\t", "tabs")):
        if separator in names and b"," not in names:
            raise ConfigurationError(f"{path}: line 1: columns are separated by {name}; separate them by commas")


def place_of(path: Path, row: int) -> str:
    """Return the place of a row in a file, such as `in.csv: line 3` or `in.parquet: row 2`; `row` counts from 0."""
    if path.suffix.lower() != ".csv":
        return f"{path}: row {row + 1}"
    with open(path, newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)  # a cell may span several lines
        next(islice(filter(None, lines), row + 1, None), None)
        return f"{path}: line {lines.line_num}"


def why_not_read(path: Path, error: Exception) -> str:
    """Return the line that PyArrow failed on, if it can be found, or PyArrow's own message."""
    reason = str(error).splitlines()[0]
    with suppress(csv.Error, OSError, UnicodeDecodeError), open(path, newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        names, wrong = next(lines, []), WRONG.search(reason)
        for cells in filter(None, lines):
            if len(cells) != len(names):
                return f"line {lines.line_num}: has {len(cells)} cells; there are {len(names)} columns"
            if wrong and cells[column := int(wrong[1])] == wrong[3]:
                return f"line {lines.line_num}: {names[column]}={shown(wrong[3])}; earlier rows have {wrong[2]}"
    return reason
