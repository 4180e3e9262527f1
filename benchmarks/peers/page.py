"""Write the page benchmarks/peers/results.md from the results of a run."""

from collections.abc import Sequence
from pathlib import Path

from _measure import number
from catalogue import OURS, PEERS, PROBLEM_SIZES, TITLES, UNITS

TITLE = """# Results of other solvers on the same problems

Written by `benchmarks/peers/run.py`; [other solvers](../../docs/why/peers.md) explains problems and columns.
"""
Rows = dict[str, list[dict]]
Table = tuple[list[str], list[list[str]]]


def at_largest_size(rows: Rows) -> Table:
    """Return a line per solver: the largest size it solves, figures compared with dicebase at this size, and the reason
    why it goes no further."""
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


NUMBERS = ["model, ms", "solved, ms", "MB", "time", "solving", "memory", "difference"]


def numbers(row: dict, ours: dict | None) -> list[str]:
    """Return the columns NUMBERS: CPU times, memory, three ratios to dicebase, and the largest difference of values."""
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
    """Return a Markdown table with the first column and text aligned left, and numbers aligned right."""
    sides = ["-", *("-:" if name != "stopped by" else "-" for name in header[1:])]
    return "\n".join(f"| {' | '.join(line)} |".replace("  ", " ") for line in (header, *lines)).replace(
        "\n", f"\n|{'|'.join(sides)}|\n", 1
    )


def generated(found: dict) -> str:
    """Return the generated part of the page."""
    peers = {peer.name: peer for peer in PEERS}
    text = [
        f"Measured on {found['date']}, {found['cores']} cores, Python {found['python']}; at most "
        f"{found['seconds']:g} CPU seconds to build and to solve, and {found['megabytes']:g} MB.",
        markdown(
            ["solver", "version", "what it cannot express"],
            [[n, v, peers[n].cannot or "-"] for n, v in found["versions"].items() if n in peers],
        ).replace("-:", "-"),
    ]
    for problem in PROBLEM_SIZES:
        rows = found["rows"].get(problem)
        if rows:
            text += [
                f"## {TITLES[problem]}",
                f"The largest size each manages; size is: {UNITS[problem][0]}. Differences are in: "
                f"{UNITS[problem][1]}.",
                markdown(*at_largest_size(rows)),
            ]
    return "\n\n".join(text)


def write_page(found: dict, page: Path) -> None:
    """Write the tables of a run as a page."""
    page.write_text(f"{TITLE}\n{generated(found)}\n", encoding="utf-8")
