"""The cards of the named rule sets of Ten Thousand, scored from their words.

A card yields claims (points, dice) of dice that lie on the table. The player claims every kept die, for as many points
as possible. Nothing here reads the definitions of the configuration.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product

import numpy as np

Claim = tuple[int, tuple[int, ...]]
Card = Callable[[Counter], Iterator[Claim]]


def singles(dice):
    """Each 1 is worth 100 points and each 5 is worth 50."""
    yield from [(100, (1,))] * (dice[1] > 0) + [(50, (5,))] * (dice[5] > 0)


def equal(dice, many, worth):
    """`many` equal dice score worth(face)."""
    yield from ((worth(face), (face,) * many) for face in dice if dice[face] >= many)


def run(dice, low, high, points):
    if all(dice[face] for face in range(low, high + 1)):
        yield points, tuple(range(low, high + 1))


def hundreds(face, of_ones=1000):
    """The points of three equal dice: 100 times the face, or `of_ones`."""
    return of_ones if face == 1 else 100 * face


def three_pairs(dice, points, *, different):
    pairs = [face for face in dice for _ in range(dice[face] // 2)]
    for three in combinations(pairs, 3):
        if not different or len(set(three)) == 3:
            yield points, (*three, *three)


def farkle(dice):
    yield from singles(dice)
    yield from equal(dice, 3, lambda face: hundreds(face, 300))
    for many, points in ((4, 1000), (5, 2000), (6, 3000)):
        yield from equal(dice, many, lambda face, points=points: points)
    yield from run(dice, 1, 6, 1500)
    yield from three_pairs(dice, 1500, different=True)
    for four, two in product(dice, dice):
        if four != two and dice[four] >= 4 and dice[two] >= 2:
            yield 1500, (four,) * 4 + (two,) * 2
    for one, other in combinations(dice, 2):
        if dice[one] >= 3 and dice[other] >= 3:
            yield 2500, (one,) * 3 + (other,) * 3


def doubling(dice, of_ones=1000):
    """Ones, fives, and three of a kind, whose points double with every further equal die."""
    yield from singles(dice)
    for many in range(3, 7):
        yield from equal(dice, many, lambda face, many=many: hundreds(face, of_ones) * 2 ** (many - 3))


def facebook_farkle(dice):
    yield from doubling(dice)
    yield from run(dice, 1, 6, 1500)
    yield from three_pairs(dice, 750, different=True)


def zilch(dice):
    """Three pairs need not differ; six dice score 500 points if nothing else scores."""
    found = [*doubling(dice), *run(dice, 1, 6, 1500), *three_pairs(dice, 1500, different=False)]
    yield from found
    if dice.total() == 6 and not found:
        yield 500, tuple(dice.elements())


def hot_dice(dice):
    yield from doubling(dice)
    yield from run(dice, 1, 6, 1500)
    yield from three_pairs(dice, 500, different=True)


def kingdom_come(dice):
    yield from doubling(dice)
    yield from run(dice, 1, 5, 500)
    yield from run(dice, 2, 6, 750)
    yield from run(dice, 1, 6, 1500)


def six_dice(dice):
    yield from doubling(dice)
    yield from run(dice, 1, 6, 2000)
    yield from three_pairs(dice, 1500, different=True)


def five_thousand(dice):
    yield from doubling(dice, 1100)
    yield from run(dice, 1, 5, 1500)
    yield from run(dice, 2, 6, 1500)


def dix_mille(dice):
    """Three pairs need not differ; six equal dice score a thousand times their face, or 8000 for 1s."""
    yield from doubling(dice)
    yield from equal(dice, 6, lambda face: 8000 if face == 1 else 1000 * face)
    yield from run(dice, 1, 6, 1200)
    yield from three_pairs(dice, 600, different=False)


def dice_10000(dice):
    yield from doubling(dice)
    yield from run(dice, 1, 6, 1500)
    yield from three_pairs(dice, 1000, different=True)


def farkle_forced(dice):
    yield from singles(dice)
    yield from equal(dice, 3, hundreds)
    yield from run(dice, 1, 6, 1000)
    yield from three_pairs(dice, 1000, different=True)


def greed(dice):
    """Singles and triples."""
    yield from singles(dice)
    yield from equal(dice, 3, hundreds)


CARDS: dict[str, Card] = {
    "farkle": farkle,
    "facebook_farkle": facebook_farkle,
    "zilch": zilch,
    "hot_dice": hot_dice,
    "kingdom_come": kingdom_come,
    "kingdom_come_odd": kingdom_come,
    "six_dice": six_dice,
    "five_thousand": five_thousand,
    "farkle_opening": farkle,
    "zilch_bank_300": zilch,
    "zilch_in_row": zilch,
    "dix_mille": dix_mille,
    "dice_10000": dice_10000,
    "farkle_forced": farkle_forced,
    "greed": greed,
    "farkle_last_turn": farkle,
    "five_thousand_exact": five_thousand,
    "greed_last_turn": greed,
    "farkle_knizia": greed,
}
ALL_THAT_SCORE = {"five_thousand", "greed", "five_thousand_exact", "greed_last_turn"}
FIRST = {"dice_10000": 500}
"""Points of six dice that do not score, on the first roll of a turn."""
HANDS = {name: 5 if name in ALL_THAT_SCORE else 6 for name in CARDS}
"""The dice of a first throw by card. A further throw uses only the dice that did not score."""


@cache
def claimed(name: str, dice: tuple[int, ...]) -> int | None:
    """The most points for which all dice can be claimed; None if some cannot be."""
    if not dice:
        return 0
    found = []
    for points, taken in CARDS[name](Counter(dice)):
        rest = claimed(name, tuple(sorted((Counter(dice) - Counter(taken)).elements())))
        if rest is not None:
            found.append(points + rest)
    return max(found, default=None)


def options(name: str, roll: tuple[int, ...], first: bool = False) -> set[tuple[str, int, int]]:
    """{(dice kept, points, dice to roll next)} of a sorted roll, empty if it is lost; `first` in a turn or not."""
    parts = {part for many in range(1, len(roll) + 1) for part in combinations(roll, many)}
    kept = {part: points for part in parts if (points := claimed(name, part)) is not None}
    if name in FIRST and first and not kept:
        kept = {roll: FIRST[name]}
    if name in ALL_THAT_SCORE and kept:
        most = max(map(len, kept))
        kept = {part: points for part, points in kept.items() if len(part) == most}
    return {("".join(map(str, p)), points, len(roll) - len(p) or HANDS[name]) for p, points in kept.items()}


MUST_ROLL = {"dix_mille", "farkle_forced"}
"""Cards whose hot dice must be rolled again."""
TO_BANK = {"zilch_bank_300": 300, "zilch_in_row": 300, "farkle_forced": 550}
""""only if they are more than 500" means at least 550."""
ODD_DICE = {"kingdom_come_odd": (4, 1, 4, 1, 4, 1)}
TO_OPEN = {"farkle_opening": 500, "farkle_last_turn": 500, "greed": 300, "greed_last_turn": 300}
FAR = 40_000
MOST = 401  # more than any roll gains, in units of 50 points


def rolled(name: str, dice: int, first: bool) -> dict[frozenset[tuple[int, int]], float]:
    """{set of ways to go on, as (points, dice to roll next): chance} of a throw of `dice` dice."""
    falls, found = {(): 1.0}, Counter()
    weights = ODD_DICE.get(name, (1,) * 6)
    for _ in range(dice):
        thrown = Counter()
        for roll, chance in falls.items():
            for face, weight in enumerate(weights, start=1):
                thrown[tuple(sorted((*roll, face)))] += chance * weight / sum(weights)
        falls = thrown
    for roll, chance in falls.items():
        found[frozenset((points, left) for _, points, left in options(name, roll, first))] += chance
    return found


def within(name: str, rolls: int, hot: bool = True) -> float:
    """The most expected points of a turn of at most `rolls` rolls; `hot` says whether hot dice are rolled again."""
    ways = {dice: rolled(name, dice, False) for dice in range(1, HANDS[name] + 1)}

    @cache
    def roll(left, points, dice):
        return sum(
            chance * max((use(left, points + p, n) for p, n in way), default=0) for way, chance in ways[dice].items()
        )

    def use(left, points, dice):
        return max(points, roll(left - 1, points, dice)) if left > 1 and (hot or dice < HANDS[name]) else points

    return roll(rolls, 0, HANDS[name])


@cache
def throws(name: str) -> dict[int, tuple]:
    """{dice to throw, 0 for the first throw of a turn: (points of each way to keep, dice left of each way, index of the
    first way of each roll that is not lost, chances of these rolls)}."""
    found = {}
    for dice in range(HANDS[name] + 1):
        used = [(chance, sorted(way)) for way, chance in rolled(name, dice or HANDS[name], not dice).items() if way]
        places = [(points // 50, left) for _, way in used for points, left in way]
        firsts = np.cumsum([0, *(len(way) for _, way in used[:-1])])
        found[dice] = *np.array(places).T, firsts, np.array([chance for chance, _ in used])
    return found


def played(name: str, ends: np.ndarray, need: int, lost: float = 0.0, least: int = 0, best=np.maximum) -> float:
    """The value of a turn that ends at `need` fifties, from the values of its final totals; banking takes `least`."""
    all_dice = HANDS[name]
    worth = np.repeat(ends[:, np.newaxis], all_dice + 1, axis=1)

    def roll(total, dice):
        points, left, firsts, chances = throws(name)[dice]
        return chances @ best.reduceat(worth[total + points, left], firsts) + (1 - chances.sum()) * lost

    for total in range(need - 1, 0, -1):
        for dice in range(1, all_dice + 1):
            must = total * 50 < least or (name in MUST_ROLL and dice == all_dice)
            thrown = roll(total, dice)
            worth[total, dice] = thrown if must else best(thrown, ends[total])
    return roll(0, 0)


def turn(name: str) -> float:
    """The most expected points of a turn; the player banks at far totals."""
    return played(name, np.arange(FAR // 50 + MOST) * 50.0, FAR // 50, least=TO_BANK.get(name, 0))


def race(name: str, target: int) -> float:
    """The fewest expected turns to a target; the secant method finds the value after a lost turn."""
    turns = np.zeros(target // 50 + MOST)
    for banked in range(target // 50 - 1, -1, -1):
        need, least = target // 50 - banked, max(TO_BANK.get(name, 0), 0 if banked else TO_OPEN.get(name, 0))
        x, step = 0.0, 1.0
        while abs(step) > 1e-12:
            y = 1 + played(name, turns[banked:], need, x, least, np.minimum)
            z = 1 + played(name, turns[banked:], need, y, least, np.minimum)
            step = -((y - x) ** 2) / (z - 2 * y + x) if abs(z - 2 * y + x) > 1e-14 else y - x
            x += step
        turns[banked] = x
    return turns[0]
