"""The rows of a table, or of its actions, written as CSV, JSON or an Excel workbook.

Rows go to the file part by part as DuckDB finds them, so memory does not grow with the table.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from dicebase.catalog.lookup import Catalog
from dicebase.catalog.sql.queries import quoted
from dicebase.show.text import rows_csv, rows_json
from dicebase.tables.layout import replacing
from dicebase.vocabulary import ConfigurationError, need

SHEET_ROWS = 1_048_576
"""Rows that an Excel sheet has, including the header."""
FORMS = {"csv": rows_csv, "json": rows_json, "xlsx": None}


def export(
    catalog: Catalog, table: str, given: Mapping[str, str], form: str, target: Path | TextIO, actions: bool = False
) -> int:
    """Write the variants of a table that have the given parameters; returns the number of rows.

    form : "csv", "json" or "xlsx".
    target : a path, where the file appears whole or not at all, or an open text stream for CSV and JSON.
    actions : write one row per state and action instead of one row per state.

    Raises ConfigurationError for an unknown parameter, a table without such rows and more rows than an Excel sheet
    holds, and MissingTableError if no variant has these parameters.
    """
    if form == "xlsx" and (not isinstance(target, Path) or target.suffix.lower() != ".xlsx"):
        raise ConfigurationError("an Excel workbook needs a file: give -o with a name that ends in .xlsx")
    writable = not isinstance(target, Path) or target.is_file() or not target.exists()
    need(writable, f"{target}: is not a file")
    view, where = f"{table}{'_actions' if actions else ''}", condition(catalog, table, given)
    columns = "SELECT column_name, comment FROM duckdb_columns() WHERE schema_name = 'main' AND table_name = $1"
    described = catalog.rows(columns, [view])[1]
    need(described, f"{table}: has no {'actions' if actions else 'rows'} to export")
    ((count,),) = catalog.rows(f"SELECT count(*) FROM {view}{where}")[1]
    limit = f"an Excel sheet has {SHEET_ROWS:,} rows, including the header"
    fits = form != "xlsx" or count < SHEET_ROWS
    need(fits, f"{view}: {count:,} rows; {limit}: give parameters, or use --csv")
    names, parts = catalog.stream(f"FROM {view}{where}")
    if not isinstance(target, Path):
        target.writelines(FORMS[form](names, parts))
        return count
    with replacing(target) as temporary:
        if form == "xlsx":
            _write_workbook(temporary, names, parts, described)
        else:
            with open(temporary, "w", encoding="utf-8", newline="") as file:
                file.writelines(FORMS[form](names, parts))
    return count


def condition(catalog: Catalog, name: str, given: Mapping[str, str]) -> str:
    """Return the SQL condition for the variants with the given parameters."""
    catalog.solved(name).having(given)
    return "".join(f' {"AND" if i else "WHERE"} "{n}" = {quoted(x)}' for i, (n, x) in enumerate(given.items()))


def _write_workbook(
    path: Path, names: Sequence[str], parts: Iterator[Sequence[tuple]], described: Iterable[tuple[Any, ...]]
) -> None:
    """Write the rows to one sheet and the descriptions of the columns to another, row by row: in XlsxWriter's mode of
    constant memory a finished row goes to disk."""
    import xlsxwriter
    from xlsxwriter.exceptions import FileCreateError

    as_they_are = dict.fromkeys(("strings_to_formulas", "strings_to_urls", "strings_to_numbers"), False)
    try:
        with xlsxwriter.Workbook(path, {"constant_memory": True, "nan_inf_to_errors": True, **as_they_are}) as book:
            bold = book.add_format({"bold": True})
            rows, columns = book.add_worksheet("rows"), book.add_worksheet("columns")
            rows.freeze_panes(1, 0)
            for sheet, header, content in (
                (rows, names, chain.from_iterable(parts)),
                (columns, ("column", "description [unit]"), described),
            ):
                sheet.write_row(0, 0, header, bold)
                for number, row in enumerate(content, start=1):
                    sheet.write_row(number, 0, row)
    except FileCreateError as error:  # wraps the error of the operating system
        raise error.args[0] from error
