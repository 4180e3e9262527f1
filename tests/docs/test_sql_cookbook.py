"""docs/use/sql.md shows the answers of its queries.

A ```sql block is a query; the ```text block after it is its result over the default grid."""

import re

import duckdb
import pytest

from dicebase.show.text import rows_text
from support import commands

PAGE = (commands.ROOT / "docs/use/sql.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```sql\n(.*?)^```\n\n```text\n(.*?)\n```$", PAGE, flags=re.M | re.S)


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
    """The heading above a query."""
    return re.findall(r"^##+ (.*)$", PAGE[: PAGE.index(query)], flags=re.M)[-1]


TITLES = [title(query) for query, _ in SHOWN]


def test_every_query_shows_its_result():
    assert len(SHOWN) == PAGE.count("```sql\n")
    assert len(set(re.findall(r"^### .*$", PAGE, flags=re.M))) >= 3


def test_other_pages_have_the_value_of_the_versus_table(connection):
    played = "name = 'ten_times_eighteen_versus' AND parameters->>'distribution' = '3d6'"
    ((value,),) = connection.sql(f"SELECT value FROM tables WHERE {played}").fetchall()
    pages = [(commands.ROOT / f"docs/{page}.md").read_text() for page in ("games/ten_times_eighteen", "why/audit")]
    assert all(f"{value:.6f}" in page for page in pages)


@pytest.mark.parametrize("query, shown", SHOWN, ids=TITLES)
def test_the_page_shows_the_answer_of_a_query(connection, query, shown):
    cursor = connection.execute(query)
    assert "".join(rows_text([d[0] for d in cursor.description], [cursor.fetchall()])) == f"{shown}\n"
