"""CSV files as people have them: what is wrong in one is named by its line."""

import csv
import re
from codecs import getincrementaldecoder
from contextlib import suppress
from itertools import islice
from pathlib import Path

from dicebase.vocabulary import ConfigurationError, shown

AT_ONCE = 1 << 20  # bytes
WRONG = re.compile(r"In CSV column #(\d+): CSV conversion error to (\w+): invalid value '(.*)'")


def check_csv(path: Path) -> None:
    """Raise ConfigurationError for a file that is not UTF-8, or whose columns are not separated by commas; OSError for
    one that cannot be read."""
    if path.exists() and not path.is_file():
        raise ConfigurationError(f"{path}: is no file")  # of a pipe, PyArrow reads nothing
    decoder, line = getincrementaldecoder("utf-8")(), 1
    with open(path, "rb") as file:
        names = file.readline()
        file.seek(0)
        try:
            while block := file.read(AT_ONCE):
                decoder.decode(block)
                line += block.count(b"\n")
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            byte = f"the byte 0x{error.object[error.start]:02x}"
            raise ConfigurationError(f"{path}: line {line}: {byte} is not UTF-8; save the file as UTF-8") from error
    for separator, name in ((b";", "semicolons"), (b"\t", "tabs")):
        if separator in names and b"," not in names:
            raise ConfigurationError(f"{path}: line 1: columns are separated by {name}; separate them by commas")


def place_of(path: Path, row: int) -> str:
    """Return where a row, counted from 0, stands in a file, as people count: `in.csv: line 3`, `in.parquet: row 2`."""
    if path.suffix.lower() != ".csv":
        return f"{path}: row {row + 1}"
    with open(path, newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)  # a cell may have several lines
        next(islice(filter(None, lines), row + 1, None), None)
        return f"{path}: line {lines.line_num}"


def why_not_read(path: Path, error: Exception) -> str:
    """Return PyArrow's reason for not reading a CSV file, or the line that differs from those before."""
    reason = str(error).splitlines()[0]
    with suppress(csv.Error, OSError, UnicodeDecodeError), open(path, newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        names, wrong = next(lines, []), WRONG.search(reason)
        for cells in filter(None, lines):
            if len(cells) != len(names):
                return f"line {lines.line_num}: has {len(cells)} cells; there are {len(names)} columns"
            if wrong and cells[column := int(wrong[1])] == wrong[3]:
                return f"line {lines.line_num}: {names[column]}={shown(wrong[3])}, and the rows before have {wrong[2]}"
    return reason
