"""What docs/use/sql.md shows is what its queries answer.

A ```sql block is a query; the ```text block after it is its result. The variants that the queries name are solved here,
as the default configuration has them, so that the results are those of the default tables.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import yaml

from dicebase.pipeline.plan import make_plan
from dicebase.show.text import rows_text
from support import commands, grids

PAGE = (commands.ROOT / "docs/use/sql.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```sql\n(.*?)^```\n\n```text\n(.*?)\n```$", PAGE, flags=re.M | re.S)
CLIENT = shutil.which("duckdb", path=Path(sys.executable).parent) or shutil.which("duckdb")

# Of the default grid, what the queries name; and no more, as it is solved for this test.
TABLES = """
pig_turn: [{sides: [2, 4, 6, 8, 10, 12, 20], dice: [1, 2], slice_by: []}]
pig_race: [{sides: 6}]
pig_reach: [{dice: 1}]
pig_duel: [{target: 100}]
pig_duel_turns: [{target: 100}]
forbidden_multiple_turn: [{multiple: {from: 5, to: 14}, sides: 6, slice_by: []}]
ten_thousand_turn: [{moves: [stop_roll, all]}]
ten_thousand_duel: [{target: 2000}]
hog_race: [{target: 40, max_dice: 5}]
hog_duel: [{target: 40, max_dice: 10, on_one: [nothing, all]}]
hog_simultaneous: [{target: 40, max_dice: [5, 10]}]
hog_simultaneous_matchups: [{target: 40, throws: 6, max_dice: [5, 10]}]
hog_hidden: [{target: 40, max_dice: 5}]
ten_times_eighteen_score: [{distribution: 3d6, slots: 10}]
ten_times_eighteen_exceed: [{distribution: 3d6, slots: 10}]
ten_times_eighteen_versus: [{distribution: 3d6, slots: 10}]
ten_times_eighteen_distribution: [{distribution: 3d6, slots: 10}]
"""


def grid() -> dict:
    """The configuration of the tables above, with the definitions of the default one."""
    return default() | {"tables": yaml.safe_load(TABLES)}


def default() -> dict:
    return yaml.safe_load((commands.ROOT / "config/config.yaml").read_text(encoding="utf-8"))


def variants(config: dict) -> set[tuple]:
    return {(table, *v.items()) for (table, _), piece in make_plan(config).slices.items() for v in piece.variants}


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    """The catalogue of these tables."""
    made = grids.once(
        tmp_path_factory, "cookbook", lambda folder: grids.build_shared(folder / "results", yaml.safe_dump(grid()))
    )
    return made / "results/dicebase.duckdb"


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
    assert len(set(re.findall(r"^### .*$", PAGE, flags=re.M))) >= 15


def test_the_tables_solved_here_are_of_the_default_grid():
    assert variants(grid()) <= variants(default())


def test_what_beats_the_score_optimal_strategy_is_what_other_pages_say(connection):
    ((value,),) = connection.sql("SELECT value FROM tables WHERE name = 'ten_times_eighteen_versus'").fetchall()
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
