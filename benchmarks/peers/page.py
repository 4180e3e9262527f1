"""The tables of docs/why/peers.md from the results."""

import re
from collections.abc import Sequence
from pathlib import Path

from _measure import number
from catalogue import OURS, PEERS, PROBLEM_SIZES, TITLES, UNITS

MARKS = "<!-- from here on by benchmarks/peers/run.py -->", "<!-- up to here by benchmarks/peers/run.py -->"
Rows = dict[str, list[dict]]
Table = tuple[list[str], list[list[str]]]


def at_largest_size(rows: Rows) -> Table:
    """A line a solver: the largest size it manages, how it compares with dicebase there, and what ends it."""
    ours = {row["size"]: row for row in solved(rows[OURS.name])}
    header = ["solver", "size", *NUMBERS, "stopped by"]
    lines = []
    for name, all_rows in rows.items():
        managed = solved(all_rows)
        if managed:
            last = managed[-1]
            stopped = next((row["stopped"] for row in all_rows if "stopped" in row), "largest tried")
            lines.append([name, str(last["size"]), *numbers(last, ours.get(last["size"])), stopped])
        else:
            lines.append([name, "none", *[""] * len(NUMBERS), all_rows[-1]["stopped"] if all_rows else ""])
    return header, lines


def at_common_size(rows: Rows) -> Table:
    """A line a solver: the largest size that all manage who manage any."""
    managed = {name: {row["size"]: row for row in solved(all_rows)} for name, all_rows in rows.items()}
    managed = {name: by_size for name, by_size in managed.items() if by_size}
    common = set.intersection(*map(set, managed.values()))
    if not common:
        return ["solver", "size", *NUMBERS], []
    size = max(common)
    ours = managed[OURS.name][size]
    return ["solver", "size", *NUMBERS], [
        [name, str(size), *numbers(by_size[size], ours)] for name, by_size in managed.items()
    ]


NUMBERS = ["model, ms", "solved, ms", "MB", "time", "solving", "memory", "difference"]


def numbers(row: dict, ours: dict | None) -> list[str]:
    """Under NUMBERS: CPU time, memory, three ratios to dicebase's, and the largest difference of a value."""
    texts = [milliseconds(row["build_cpu"]), milliseconds(row["solve_cpu"]), number(row["peak"])]
    if ours is None or ours is row:
        return [*texts, "", "", "", ""]
    solving = row["solve_cpu"] / ours["solve_cpu"]
    whole = (row["build_cpu"] + row["solve_cpu"]) / (ours["build_cpu"] + ours["solve_cpu"])
    texts += [number(whole), number(solving), number(row["peak"] / ours["peak"])]
    return [*texts, f"{row['difference']:.0e}" if row["difference"] else "0"]


def milliseconds(seconds: float) -> str:
    return number(seconds * 1e3) if seconds > 1e-6 else "0"


def solved(rows: list[dict]) -> list[dict]:
    return [row for row in rows if "stopped" not in row]


def markdown(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table, its first column to the left and the others to the right, the last too unless it is text."""
    sides = ["-", *("-:" if name != "stopped by" else "-" for name in header[1:])]
    return "\n".join(f"| {' | '.join(line)} |".replace("  ", " ") for line in (header, *lines)).replace(
        "\n", f"\n|{'|'.join(sides)}|\n", 1
    )


def generated(found: dict) -> str:
    """All that depends on a run."""
    peers = {peer.name: peer for peer in PEERS}
    text = [
        f"Measured on {found['date']}, {found['cores']} cores, Python {found['python']}; at most "
        f"{found['seconds']:g} CPU seconds to build and to solve, and {found['megabytes']:g} MB.",
        markdown(
            ["solver", "version", "as used here", "what it cannot express"],
            [[n, v, peers[n].settings, peers[n].cannot or "-"] for n, v in found["versions"].items() if n in peers],
        ).replace("-:", "-"),
    ]
    for problem in PROBLEM_SIZES:
        rows = found["rows"].get(problem)
        if rows:
            text += [
                f"### {TITLES[problem]}",
                f"The largest size each manages; size is: {UNITS[problem][0]}. Differences are in: "
                f"{UNITS[problem][1]}.",
                markdown(*at_largest_size(rows)),
                "The largest size that all manage:",
                markdown(*at_common_size(rows)),
            ]
    return "\n\n".join(text)


def write_page(found: dict, page: Path) -> None:
    """Put the tables between the two marks."""
    text = page.read_text()
    pattern = re.escape(MARKS[0]) + ".*" + re.escape(MARKS[1])
    if not re.search(pattern, text, re.DOTALL):
        raise SystemExit(f"error: {page} lacks the marks {MARKS[0]} and {MARKS[1]}")
    between = "\n\n".join((MARKS[0], generated(found), MARKS[1]))
    page.write_text(re.sub(pattern, lambda match: between, text, flags=re.DOTALL))
