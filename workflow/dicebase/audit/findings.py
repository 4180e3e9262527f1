"""Verdicts on cells: computed if a cell agrees or is illegible, otherwise read from the findings, which must fit it."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from dicebase.audit.record import PRINTED, STANDARD_ERRORS, Cell, Ours, agrees, away, text, unit
from dicebase.vocabulary import DicebaseError

AGREES, ILLEGIBLE, ROUNDING, OTHER = "agrees", "illegible", "rounding", "different quantity"
FOUND = (ROUNDING, "misprint", OTHER, "unstated rules")
VERDICTS = (AGREES, *FOUND, ILLEGIBLE)

Name = tuple[str, str, str]
"""The name of a cell: (source, place, cell)."""


class Finding(NamedTuple):
    """The verdict on a printed cell, with the reason if it disagrees."""

    verdict: str
    note: str


@cache
def findings() -> Mapping[Name, Finding]:
    """Return the findings in printed/findings.yaml by cell. Raises DicebaseError if an entry is incomplete or a cell is
    repeated."""
    import yaml

    found: dict[Name, Finding] = {}
    for entry in yaml.safe_load((PRINTED / "findings.yaml").read_text(encoding="utf-8")):
        if entry["verdict"] not in FOUND or not entry["note"] or not entry["proof"]:
            raise DicebaseError(
                f"findings: {entry['source']}, {entry['place']}: needs a note, a proof and one of {FOUND}"
            )
        for cell in entry["cells"]:
            name = entry["source"], entry["place"], cell
            if name in found:
                raise DicebaseError(f"findings: {', '.join(name)}: occurs twice")
            found[name] = Finding(entry["verdict"], f"{entry['note']} ({entry['proof']})")
    return found


def judge(name: Name, cell: Cell, found: Mapping[Name, Finding]) -> Finding:
    """Return the verdict on a cell; raises DicebaseError if the findings do not fit the cell."""
    place, finding = ", ".join(name), found.get(name)
    if not cell.legible:
        verdict = Finding(ILLEGIBLE, f"the transcription has: {cell.raw}" if cell.raw else "lost in the transcription")
    elif agrees(cell.printed, cell.ours):
        verdict = Finding(AGREES, "")
    elif finding is None:
        ours = text(cell.ours.value)
        raise DicebaseError(f"audit: {place}: {cell.printed} is printed, ours is {ours}, and no finding explains it")
    else:
        _check(place, cell, finding.verdict)
        return finding
    if finding:
        raise DicebaseError(f"audit: {place}: a finding says '{finding.verdict}', but the cell is '{verdict.verdict}'")
    return verdict


def _check(place: str, cell: Cell, verdict: str) -> None:
    """Check the verdicts that can be checked: the cell is a rounding, or the value of the other quantity."""
    if verdict == ROUNDING and not is_rounding(cell.printed, cell.ours):
        raise DicebaseError(f"audit: {place}: {cell.printed} is not a rounding of {text(cell.ours.value)}")
    if verdict == OTHER and not (cell.ours.other and agrees(cell.printed, Ours(cell.ours.other, ""))):
        raise DicebaseError(f"audit: {place}: {cell.printed} is not the value of the other quantity either")


def is_rounding(printed: str, ours: Ours) -> bool:
    """Whether a cell is off by less than one unit of its last digit or, if it is a simulated mean, by no more than
    chance explains."""
    if isinstance(ours.value, str | tuple):
        return False
    if ours.standard_error is not None:
        return float(away(printed, ours.value)) <= STANDARD_ERRORS * ours.standard_error
    return away(printed, ours.value) < unit(printed)
