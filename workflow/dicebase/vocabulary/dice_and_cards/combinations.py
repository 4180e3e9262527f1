"""Scoring combinations of dice: given as dice, such as `222`, or as patterns, such as `aabbcc` for three pairs."""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations

PATTERN = re.compile("a+(b+(c+(d+(e+f*)?)?)?)?|straight|nothing|nothing_first")
EXAMPLE = str.maketrans("abcdef", "234561")
OTHERS = {
    "straight": "a straight of all dice",
    "nothing": "a roll of all dice of which none scores, all kept",
    "nothing_first": "the first roll of a turn, if none of its dice scores, all kept",
}


def scores(table: Mapping) -> dict[str, int]:
    """Return {dice as sorted digits: points of the best split into combinations that uses every die}.

    table : {dice, combinations: {text: points}, of_a_kind: fixed, doubled or added}.
    """
    found: dict[str, int] = {}
    for text, points in table["combinations"].items():
        for dice in matching_dice(text, table["dice"]):
            found[dice] = max(points, found.get(dice, 0))
    for face in "123456" if table.get("of_a_kind", "fixed") != "fixed" else "":
        for more in range(1, table["dice"] - 2 if 3 * face in found else 0):
            points = found[3 * face] * (2**more if table["of_a_kind"] == "doubled" else 1 + more)
            found[(3 + more) * face] = max(points, found.get((3 + more) * face, 0))
    single = tuple(found.items())
    for length in range(1, table["dice"]):
        for kept in [kept for kept in found if len(kept) == length]:
            for dice, points in single:
                if length + len(dice) <= table["dice"]:
                    both = "".join(sorted(kept + dice))
                    found[both] = max(found[kept] + points, found.get(both, 0))
    return found


def matching_dice(text: str, dice: int) -> set[str]:
    """The dice that a combination matches: in a pattern, equal letters are equal faces, different letters differ."""
    if text == "straight":
        return {"123456"[low : low + dice] for low in range(7 - dice)}
    if text in OTHERS or text.isdecimal():
        return {text} - {*OTHERS}
    letters = sorted(set(text))
    return {
        "".join(sorted(text.translate(str.maketrans("".join(letters), "".join(faces)))))
        for faces in permutations("123456", len(letters))
    }


def called(text: str) -> str:
    """A pattern in words with an example, such as `3 pairs, such as 223344`."""
    sizes = Counter(sorted(Counter(text).values(), reverse=True)).items()
    names = {1: ("another die", "{} other dice"), 2: ("a pair", "{} pairs")}
    kinds = (
        names.get(size, (f"{size} of a kind", f"{{}} times {size} of a kind"))[n > 1].format(n) for size, n in sizes
    )
    return OTHERS.get(text, f"{' and '.join(kinds)}, such as {text.translate(EXAMPLE)}")


def parts(rolled: str) -> set[str]:
    """The non-empty parts of a roll, each as sorted digits."""
    return {"".join(part) for dice in range(len(rolled)) for part in combinations(rolled, dice + 1)}
