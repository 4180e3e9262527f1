"""What docs/use/sql.md shows is what its queries answer.

A ```sql block is a query; the ```text block after it is its result, over the default grid.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from dicebase.show.text import rows_text
from support import commands

PAGE = (commands.ROOT / "docs/use/sql.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```sql\n(.*?)^```\n\n```text\n(.*?)\n```$", PAGE, flags=re.M | re.S)
CLIENT = shutil.which("duckdb", path=Path(sys.executable).parent) or shutil.which("duckdb")


@pytest.fixture
def catalogue(default_results):
    return default_results / "dicebase.duckdb"


@pytest.fixture
def connection(catalogue, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = {"memory_limit": "1GB", "threads": 2}
    with duckdb.connect(str(catalogue), read_only=True, config=config) as opened:
        yield opened


def title(query: str) -> str:
    """The heading a query is under."""
    return re.findall(r"^##+ (.*)$", PAGE[: PAGE.index(query)], flags=re.M)[-1]


TITLES = [title(query) for query, _ in SHOWN]


def test_every_query_of_the_page_shows_its_result():
    assert len(SHOWN) == PAGE.count("```sql\n")
    assert len(set(re.findall(r"^### .*$", PAGE, flags=re.M))) >= 3


def test_what_beats_the_score_optimal_strategy_is_what_other_pages_say(connection):
    played = "name = 'ten_times_eighteen_versus' AND parameters->>'distribution' = '3d6'"
    ((value,),) = connection.sql(f"SELECT value FROM tables WHERE {played}").fetchall()
    pages = [(commands.ROOT / f"docs/{page}.md").read_text() for page in ("games/ten_times_eighteen", "why/audit")]
    assert all(f"{value:.6f}" in page for page in pages)


@pytest.mark.parametrize("query, shown", SHOWN, ids=TITLES)
def test_a_query_answers_what_the_page_shows(connection, query, shown):
    cursor = connection.execute(query)
    assert "".join(rows_text([d[0] for d in cursor.description], [cursor.fetchall()])) == f"{shown}\n"


@pytest.mark.skipif(not CLIENT, reason="the client duckdb is not installed (package duckdb-cli)")
@pytest.mark.parametrize("query, shown", SHOWN, ids=TITLES)
def test_an_older_client_answers_the_same(catalogue, tmp_path, query, shown):
    done = subprocess.run(
        [CLIENT, "-readonly", "-list", "-nullvalue", "", catalogue, query],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    header, *rows = (line.split("|") for line in done.stdout.splitlines())
    typed = [[cell(text) for text in row] for row in rows]
    assert "".join(rows_text(header, [typed])) == f"{shown}\n"


def cell(text: str) -> object:
    """A cell as the client prints it: a number with a point is a double, and NULL is printed as nothing."""
    if text in ("true", "false"):
        return text.capitalize()
    return float(text) if re.fullmatch(r"-?\d+\.\d+(e[-+]\d+)?|-?\d+e[-+]\d+", text) else text or None
