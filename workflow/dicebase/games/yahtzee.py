"""Yahtzee, Yatzy, Kniffel: roll five dice, reroll any of them up to twice, and fill a box of the sheet.

A turn fills one open box with the score of its five dice there, which may be 0. When all boxes are filled, the points
are added up, with a bonus if the upper section has scored enough. Under some rules a further Yahtzee, once its own box
is filled, earns a bonus and may be used in another box as a joker. With joker rule `free` any box may be filled, and
the joker scores once the upper box of its face is filled. With `forced` that upper box must be filled if it is open; if
it is not, the joker fills a lower box, or an upper box with 0 if all lower boxes are full. A rule set may give jokers
another bonus; in Kniffel they earn none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations

from dicebase.vocabulary import (
    Definition,
    Entry,
    Sheet,
    check_choice,
    check_line,
    check_whole,
    nearest,
    need,
    parameter,
    shown,
)

# Other entries of a rule set, with their defaults.
OTHERS = {"label": "", "dice": 5, "sides": 6, "rolls": 3, "upper_bonus": None, "further": None, "saved_throws": False}
JOKERS = ("none", "free", "forced")
MOST_POINTS = 1000
WAYS = "{face: 1}, {of: aaabb, points: 25}, {run: 4, points: 30}, {points: all} or {any: [a list of such ways]}"


@dataclass(frozen=True)
class Rules(Sheet):
    """One player's game, under a rule set of the configuration."""

    rules: Definition = parameter("forced", "rule set: the boxes of the sheet, its bonuses, the jokers", defined=True)

    title = "Yahtzee"
    citation = "T. Verhoeff and E. Scheffers (1999), Optimal solitaire Yahtzee strategies, Eindhoven"

    def __post_init__(self) -> None:
        _check(self.rules)

    def in_words(self, parameter: str) -> list[str]:
        upper, further = self._said("upper_bonus"), self._said("further")
        return [
            *filter(None, [self._said("label")]),
            f"{self.dice} dice with {self.sides} sides, {self.rolls} rolls per turn",
            *(f"{name}: {_in_words(says)}" for name, says in self._boxes.items()),
            *([f"{upper['at']} points in the upper section earn {upper['points']} more"] if upper else []),
            *([f"a further {further['box']} earns {further['points']}; joker: {further['joker']}"] if further else []),
        ]

    @cached_property
    def _boxes(self) -> dict[str, dict]:
        return {name: says for box in self.rules.content["boxes"] for name, says in box.items()}

    def _said(self, name: str) -> object:
        return self.rules.content.get(name, OTHERS[name])

    dice = property(lambda self: self._said("dice"))
    sides = property(lambda self: self._said("sides"))
    rolls = property(lambda self: self._said("rolls"))
    saved_throws = property(lambda self: self._said("saved_throws"))
    boxes = property(lambda self: tuple(self._boxes))
    upper_at = property(lambda self: (self._said("upper_bonus") or {"at": 0})["at"])
    upper_bonus = property(lambda self: (self._said("upper_bonus") or {"points": 0})["points"])

    def entries(self, dice: tuple[int, ...]) -> Iterator[Entry]:
        further = self._said("further")
        own = self.boxes.index(further["box"]) if further and len({*dice}) == 1 else None
        for box, says in enumerate(self._boxes.values()):
            points = _points(says, dice)
            upper = points if "face" in says and self.upper_at else 0
            if own is None:
                yield Entry(box, points, upper)
                continue
            # While the Yahtzee box is open, five equal dice have no special role.
            yield Entry(box, points, upper, earns=box == own and further["points"] > 0, among=1 << own, opened=1 << own)
            if box != own:
                yield from self._as_joker(Entry(box, points, upper, further["points"], among=1 << own), dice)

    def _as_joker(self, entry: Entry, dice: tuple[int, ...]) -> Iterator[Entry]:
        """The ways to use a further Yahtzee in a box, once its own box is filled."""
        boxes, further, joker = list(self._boxes.values()), self._said("further"), self._said("further")["joker"]
        says, face = boxes[entry.box], sum(1 << i for i, b in enumerate(boxes) if b.get("face") == dice[0])
        lower = sum(1 << i for i, b in enumerate(boxes) if "face" not in b) & ~entry.among
        if joker == "none":
            yield entry
            return
        if face and (joker == "free" or face == 1 << entry.box):
            yield entry._replace(among=entry.among | face, opened=face)
        if face == 1 << entry.box:
            return
        entry = entry._replace(further=further.get("joker_points", further["points"]))
        if "face" not in says:
            given = [way["points"] for way in says.get("any", [says])]
            full = max({"all": sum(dice), "those": entry.points}.get(points, points) for points in given)
            yield entry._replace(points=full, among=entry.among | face)
        elif joker == "free":
            yield entry._replace(among=entry.among | face)
        else:
            yield entry._replace(among=entry.among | face | lower)


def _in_words(says: Mapping) -> str:
    """The score of a box, in words."""
    if "face" in says:
        return f"the sum of all {says['face']}"
    if "any" in says:
        return ", or ".join(map(_in_words, says["any"]))
    pattern = f"{says['run']} in a row" if "run" in says else says.get("of", "any dice")
    points = {"all": "the sum of all dice", "those": "the sum of these dice"}.get(says["points"], says["points"])
    return f"{pattern} = {points}"


def _points(says: Mapping, dice: tuple[int, ...]) -> int:
    """The score of dice in a box; if there are several ways to score, the best one."""
    if "any" in says:
        return max(_points(way, dice) for way in says["any"])
    if "face" in says:
        return says["face"] * dice.count(says["face"])
    if "run" in says:
        steps = "".join("x" if b == a + 1 else " " for a, b in pairwise(sorted({*dice})))
        there, those = "x" * (says["run"] - 1) in steps, 0
    else:
        there, those = _found(str(says.get("of", "")), Counter(dice))
    return (sum(dice) if says["points"] == "all" else those if says["points"] == "those" else says["points"]) * there


def _found(pattern: str, dice: Counter) -> tuple[bool, int]:
    """Return (whether dice match a pattern, most points of the matching dice). Equal letters stand for equal faces,
    different letters for different ones; digits stand for themselves."""
    if pattern.isdecimal():
        return not Counter(map(int, pattern)) - dice, sum(map(int, pattern))
    wanted = Counter(pattern).values()
    ways = [
        sum(face * many for face, many in zip(faces, wanted, strict=True))
        for faces in permutations(dice, len(wanted))
        if all(dice[face] >= many for face, many in zip(faces, wanted, strict=True))
    ]
    return bool(ways), max(ways, default=0)


def _check(rules: Definition) -> None:
    """Raise ConfigurationError, naming the entry and the values allowed, unless it is a rule set (config/README.md)."""
    place, table = f"definitions.yahtzee.rules.{rules}", rules.content
    listed = table.get("boxes") if isinstance(table, dict) else None
    made = isinstance(listed, list) and listed and all(isinstance(b, dict) and len(b) == 1 for b in listed)
    need(made, f"{place}: needs 'boxes', a list: each box of the sheet by its name")
    boxes = {name: says for box in listed for name, says in box.items()}
    need(len(boxes) == len(listed), f"{place}.boxes: two boxes have the same name")
    for name in boxes:
        named = re.fullmatch("[a-z][a-z0-9_]*", str(name)) and name != "all"
        what = "is not a name of a box; give small letters, digits or underscores"
        need(named, f"{place}.boxes: {shown(name)} {what}")
    for name in table.keys() - {"boxes", *OTHERS}:
        need(False, f"{place}: {name!r} is not a rule{nearest(str(name), OTHERS)}")
    said = OTHERS | table
    check_line(f"{place}.label", said["label"])
    for name, high in {"dice": 6, "sides": 9, "rolls": 6}.items():
        check_whole(f"{place}.{name}", said[name], 2 if name == "sides" else 1, high)
    saved = said["saved_throws"]
    need(isinstance(saved, bool), f"{place}.saved_throws: {shown(saved)} is neither true nor false")
    for name, says in boxes.items():
        _check_box(f"{place}.boxes.{name}", says, said["dice"], said["sides"])
    faces = [says["face"] for says in boxes.values() if "face" in says]
    need(len({*faces}) == len(faces), f"{place}.boxes: two boxes count the same face")
    if bonus := said["upper_bonus"]:
        made = isinstance(bonus, dict) and bonus.keys() == {"at", "points"} and faces
        need(made, f"{place}.upper_bonus: needs 'at' and 'points', and boxes that count a face")
        most = sum(faces) * said["dice"]
        check_whole(f"{place}.upper_bonus.at", bonus["at"], 1, most)
        check_whole(f"{place}.upper_bonus.points", bonus["points"], 0, MOST_POINTS)
    if further := said["further"]:
        made = isinstance(further, dict) and further.keys() - {"joker_points"} == {"box", "points", "joker"}
        need(made, f"{place}.further: needs 'box', 'points' and 'joker', and may have 'joker_points'")
        equal = boxes.get(str(further["box"]), {}).get("of", "") == "a" * said["dice"]
        need(equal, f"{place}.further.box: {shown(further['box'])} is not a box of equal dice")
        for name in further.keys() & {"points", "joker_points"}:
            check_whole(f"{place}.further.{name}", further[name], 0, MOST_POINTS)
        check_choice(f"{place}.further.joker", further["joker"], JOKERS)


def _check_box(place: str, says: object, dice: int, sides: int) -> None:
    known = {"face"}, {"of", "points"}, {"run", "points"}, {"points"}, {"any"}
    made = isinstance(says, dict) and says.keys() in known and isinstance(says.get("any", [0]), list)
    need(made and says != {"any": []}, f"{place}: {shown(says)} is not a way to score; give {WAYS}")
    if "any" in says:
        for way in says["any"]:
            one = not (isinstance(way, dict) and way.keys() & {"face", "any"})
            need(one, f"{place}: {shown(way)} cannot be one of several ways")
            _check_box(place, way, dice, sides)
        return None
    if "face" in says:
        return check_whole(f"{place}.face", says["face"], 1, sides)
    if "run" in says:
        check_whole(f"{place}.run", says["run"], 2, min(dice, sides))
    if "of" in says:
        letters = re.fullmatch("a+(b+(c+)?)?", str(says["of"]))
        digits = str(says["of"]).isdecimal() and all(1 <= int(d) <= sides for d in str(says["of"]))
        made = (letters or digits) and len(str(says["of"])) <= dice
        need(made, f"{place}.of: {shown(says['of'])} does not describe dice as aaabb or '12345' does")
    if says["points"] not in ("all", "those") or (says["points"] == "those" and "of" not in says):
        check_whole(f"{place}.points", says["points"], 0, MOST_POINTS)
