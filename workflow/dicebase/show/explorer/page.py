"""The page itself: as it is shipped, or made anew from its sources where the packages it needs are installed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from dicebase.tables.layout import EXPLORER
from dicebase.vocabulary import DicebaseError

SOURCE = Path(__file__).resolve().parents[3] / "explorer"
"""The sources of the page; `dist` is what is made of them."""


DATA = "data"
"""The folder of the tables, beside the page."""


def write_page(folder: Path, source: Path = SOURCE) -> None:
    """Fill a folder with the page; raises DicebaseError where it cannot."""
    node, shipped = shutil.which("node"), source / "dist"
    if node and (source / "node_modules").is_dir():
        command = [node, "build.mjs", str(folder.resolve())]
        made = subprocess.run(command, cwd=source, capture_output=True, text=True)
        if made.returncode:
            raise DicebaseError(f"explorer: the page cannot be made in {source}: {made.stderr.strip()}")
    elif (shipped / "index.html").is_file():
        why = "its packages are not installed (npm ci)" if node else "there is no node"
        print(f"explorer: the page as shipped in {shipped}; {why} to make it anew", file=sys.stderr)
        shutil.copytree(shipped, folder)
    else:
        raise DicebaseError(f"{shipped}: there is no page; make it in {source} with 'npm ci && npm run build'")


def is_whole(results: Path) -> bool:
    """Whether the page is there, and a file of each table and variant that the list of tables leads to."""
    folder = results / EXPLORER / DATA
    try:
        tables = [folder / found["table"] for found in json.loads((folder / "tables.json").read_bytes())["tables"]]
        counts = [len(json.loads((table / "table.json").read_bytes())["variants"]) for table in tables]
    except OSError:
        return False
    files = (table / f"{i}.bin" for table, n in zip(tables, counts, strict=True) for i in range(n))
    return all(path.exists() for path in (results / EXPLORER / "index.html", *files))
