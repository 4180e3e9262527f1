"""What H. Tijms and J. van der Wal, Dynamic Programming in Real Life (2005), print that follows from the rules of Hog.

In the show, of which Tables 2 to 4 are, a throw has up to ten dice.
"""

import math
from fractions import Fraction
from functools import cache

from dicebase.audit.catalogue import Catalogue
from dicebase.audit.record import Row
from dicebase.games.hog import Rules

SHOW = 10


@cache
def chances(dice: int) -> dict[int, Fraction]:
    """{gain: probability} of one throw."""
    weights = Rules(max_dice=dice).gains(dice)
    return {gain: Fraction(weight, sum(weights.values())) for gain, weight in weights.items()}


def moment(dice: int, power: int) -> Fraction:
    """The mean of a power of the gain of one throw."""
    return sum(gain**power * p for gain, p in chances(dice).items())


@cache
def replies() -> dict[int, dict[int, Fraction]]:
    """{d: {l: V^(d,l)(G-1, G-1)}}: both throw the same again until somebody scores, which ends the game."""
    found: dict[int, dict[int, Fraction]] = {}
    for d in range(1, SHOW + 1):
        for reply in range(1, SHOW + 1):
            mine, theirs = chances(d), chances(reply)
            won = sum(p * q * ((i > j) - (i < j)) for i, p in mine.items() for j, q in theirs.items())
            found.setdefault(d, {})[reply] = won / (1 - mine[0] * theirs[0])
    return found


def deviation(catalogue: Catalogue, row: Row) -> float:
    """Table 1: the standard deviation of a throw."""
    return math.sqrt(moment(int(row["d"]), 2) - moment(int(row["d"]), 1) ** 2)


def chance(catalogue: Catalogue, row: Row) -> Fraction:
    """Table 1: of a throw that scores."""
    return 1 - chances(int(row["d"]))[0]


def worst(catalogue: Catalogue, row: Row) -> Fraction:
    """Table 4: the value of a number of dice against the best reply."""
    return min(replies()[int(row["d"])].values())


def reply(catalogue: Catalogue, row: Row) -> tuple[int, ...]:
    """Table 4: the best replies."""
    return tuple(dice for dice, worth in replies()[int(row["d"])].items() if worth == worst(catalogue, row))


def number(catalogue: Catalogue, row: Row) -> int | Fraction | None:
    """A number of the text, by its name."""
    return numbers().get(row["name"])


@cache
def numbers() -> dict[str, int | Fraction]:
    """Sections 1 to 3.1 and 4, and section 3.4 after Table 4."""
    faces = [face for face in chances(1) if face]
    scores = 1 - chances(1)[0]
    squares = {d: moment(d, 2) / (1 - chances(d)[0]) for d in (1, 2)}
    (tied,) = (d for d in range(1, 30) if moment(d + 1, 1) == moment(d, 1))
    least = {d: min(of.values()) for d, of in replies().items()}
    answer = {d: min(of, key=of.get) for d, of in replies().items()}
    best = max(least, key=least.get)
    return {
        "show_dice_max": Rules().max_dice,
        "losing_face": next(face for face in range(1, 7) if face not in faces),
        "mean_face_without_1": Fraction(sum(faces), len(faces)),
        "faces_min_without_1": min(faces),
        "faces_max_without_1": max(faces),
        "probability_no_1_one_die": scores,
        "mean_gain_factor": moment(1, 1) / scores,
        "second_moment_d2_factor": squares[2] / 2 - squares[1],
        "second_moment_d_factor": 2 * squares[1] - squares[2] / 2,
        "difference_zero_at_d": tied,
        "remark_lose_probability": 1 - scores,
        "remark_win_probability": scores,
        "remark_win_points": moment(1, 1) / scores,
        "race_target": Rules.defaults["target"],
        "reach_target": Rules.defaults["target"],
        "distance_decrease_min": min(faces),
        "deterministic_best_dice": best,
        "deterministic_best_value": least[best],
        "one_more_below_dice": next(d for d in answer if answer[d] != d + 1),
        "one_die_reply": answer[SHOW],
    }
