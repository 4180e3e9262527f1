"""A soak test of builds: kill the workflow repeatedly at random moments, then compare the final results.

python benchmarks/tools/soak.py UNDISTURBED [--config FILE] [--kills 20] [--seed 1] [--every SECONDS]

UNDISTURBED is the results folder of a complete run of the same configuration. The workflow runs in its own folder.
After a random time the test kills either only Snakemake, leaving its jobs as orphans, or all of its processes at once,
and starts the workflow again. After the last run every file must equal that of the undisturbed run, byte for byte
except for times.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import psutil
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[1]))  # for _measure

from _measure import heading, table

ROOT = Path(__file__).resolve().parents[2]
LOGS = ("logs", "benchmarks")  # folders that differ between runs
BUILD = re.compile(r"(?<=table-)[0-9a-f]{16}(?=.json)|(?<=decisions-)\d+(?=-)|(?<=values-)\d+(?=-)")
TIMES = {"seconds", "sha256", "hash", "bytes", "certificate_key"}  # times, and digests of files that contain times


def command(folder: Path, config: Path, *more: str) -> list[str]:
    """Return the command that runs Snakemake on the workflow, with results in folder/results."""
    words = ["--snakefile", ROOT / "Snakefile", "--directory", folder, "--cores", "all", "--quiet", "all"]
    words += ["--workflow-profile", ROOT / "workflow/profiles/default", "--configfile", config]
    return [sys.executable, "-m", "snakemake", *map(str, words), "--config", "results=results", *more]


def run(folder: Path, config: Path, *more: str) -> None:
    """Run Snakemake until it ends; if it fails, exit with its output."""
    done = subprocess.run(command(folder, config, *more), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        *_, log = sorted((folder / ".snakemake/log").glob("*.log"))
        raise SystemExit(f"snakemake {' '.join(more)} failed\n{done.stdout}{log.read_text()}")


def kill(folder: Path, config: Path, after: float, orphans: bool) -> bool:
    """Start the workflow and kill it after `after` seconds; return False if it ended before."""
    words = command(folder, config)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        process.wait(after)
        return False
    except subprocess.TimeoutExpired:
        if orphans:
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True


def orphans(folder: Path) -> int:
    """Return the number of jobs still running in a folder."""
    found = 0
    for process in psutil.process_iter(["cmdline", "cwd"]):
        is_job = any("dicebase.pipeline" in word for word in process.info["cmdline"] or [])
        found += is_job and process.info["cwd"] == str(folder)
    return found


def differences(ours: Path, theirs: Path) -> list[str]:
    """Return the names of files that differ between two results folders, ignoring times."""
    both = contents(ours), contents(theirs)
    names = sorted({name for found in both for name in found})
    return [name for name in names if not same(*(found.get(name, Path(os.devnull, name)) for found in both))]


def contents(results: Path) -> dict[str, Path]:
    """Return the files of a results folder by name, without logs and other configurations' results. Names omit the part
    that distinguishes builds of mapped rows."""
    found = [p.relative_to(results) for p in results.rglob("*") if p.is_file() and p.name != ".snakemake_timestamp"]
    others = {p.parent.relative_to(results) for p in results.glob("*/dicebase.duckdb")}
    kept = [p for p in found if p.parts[0] not in LOGS and not any(p.is_relative_to(other) for other in others)]
    return {BUILD.sub("", str(p)): results / p for p in kept}


def same(one: Path, other: Path) -> bool:
    """Return whether two files are equal, ignoring times."""
    if not (one.exists() and other.exists()):
        return False
    if one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes():
        return True
    texts = {".json": timeless_json, ".html": timeless_html, ".parquet": timeless_parquet, ".duckdb": timeless_database}
    reader = texts.get(one.suffix)
    return reader is not None and reader(one) == reader(other)


def timeless_json(path: Path) -> object:
    """Return the content of a JSON file without times and digests; for a file of digests, only the names."""
    content = json.loads(BUILD.sub("", path.read_text(encoding="utf-8")))
    return sorted(content) if path.name == "tables.json" else _timeless(content)


def _timeless(content: object) -> object:
    if isinstance(content, dict):
        return {key: _timeless(value) for key, value in content.items() if key not in TIMES}
    return [_timeless(value) for value in content] if isinstance(content, list) else content


def timeless_html(path: Path) -> str:
    """Return an HTML table without its last column."""
    return re.sub(r'<td class="number">[^<]*</td></tr>', "</tr>", path.read_text(encoding="utf-8"))


def timeless_parquet(path: Path) -> object:
    """Return the rows and the schema without the column of seconds."""
    rows = pq.read_table(path).replace_schema_metadata()
    return rows.select([name for name in rows.column_names if name != "seconds"])


def timeless_database(path: Path) -> object:
    """Return a digest of each table's rows in order, without times, and the texts of views."""
    with duckdb.connect(str(path), read_only=True, config={"memory_limit": "1GB"}) as connection:
        names = connection.sql("SELECT schema_name, table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
        found: list[object] = [
            connection.sql("SELECT sql FROM duckdb_views() WHERE NOT internal ORDER BY 1").fetchall()
        ]
        for schema, name in names:
            columns = connection.sql(f'SELECT * FROM "{schema}"."{name}" LIMIT 0').columns
            kept = ", ".join(f'"{column}"' for column in columns if column not in TIMES)
            digest = (
                f"SELECT count(*), sum(hash(row_number)) FROM (SELECT hash({kept}, row_number() OVER ()) AS row_number"
            )
            found.append((schema, name, connection.sql(f'{digest} FROM "{schema}"."{name}")').fetchall()))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("undisturbed", type=Path)
    parser.add_argument("--config", type=Path, default=ROOT / "config/atlas.yaml")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=20.0, help="seconds between kills at most, beyond the start")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder, config = Path(name).resolve(), options.config.resolve()
        rows, started = [], time.perf_counter()
        for number in range(1, options.kills + 1):
            after, alone = 3 + chance.random() * options.every, chance.random() < 0.5
            if not kill(folder, config, after, alone):
                print(f"the run ended before kill {number}")
                break
            left = orphans(folder)
            run(folder, config, "--unlock")
            done = len(list((folder / "results/certificates").rglob("*.parquet")))
            rows.append([f"{after:.1f} s", "Snakemake" if alone else "all", left, done])
            print(f"kill {number}: after {after:.1f} s, {left} orphans, {done} certificates", flush=True)
        run(folder, config)
        while orphans(folder):
            time.sleep(0.1)
        seconds = time.perf_counter() - started
        again = subprocess.run(command(folder, config, "-n"), capture_output=True, text=True)
        found = differences(folder / "results", options.undisturbed)
        count = len(contents(folder / "results"))
    heading(f"{len(rows)} kills in {seconds:.0f} s, then to the end")
    table(["after", "killed", "orphans", "certificates there"], rows)
    print(f"{count} files compared, {len(found)} different{': ' if found else ''}{', '.join(found[:20])}")
    if found or again.returncode:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
