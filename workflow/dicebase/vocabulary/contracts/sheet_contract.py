"""The contract of score sheets and scorecards; see contract.py."""

from itertools import combinations
from math import comb

from dicebase.vocabulary.contracts.conditions import LARGEST, NAME, check_weights, is_whole, need
from dicebase.vocabulary.dice_and_cards.dice import multisets
from dicebase.vocabulary.rules.sheets import Entry, Faces, MultiplierScorecard, Scorecard, Sheet

MOST_BOXES = 20
MOST_SETS = 5_000  # the most multisets of dice, of all sizes
MOST_POINTS = 100_000  # the most points of a box


def check_sheet(rules: Sheet) -> list[Faces]:
    """Raise ConfigurationError unless a sheet keeps the contract; returns the rolls."""
    boxes = rules.boxes
    named = type(boxes) is tuple and all(type(b) is str and NAME.fullmatch(b) for b in boxes)
    distinct = named and len({*boxes}) == len(boxes) and 0 < len(boxes) <= MOST_BOXES
    need(distinct, f"boxes: {boxes!r:.80} are not 1 to {MOST_BOXES} different names, in a tuple")
    numbers = {"dice": (1, 9), "sides": (2, 9), "rolls": (1, 9)}
    numbers |= {"upper_at": (0, MOST_POINTS), "upper_bonus": (0, MOST_POINTS)}
    for name, (low, high) in numbers.items():
        n = getattr(rules, name)
        need(is_whole(n, low, high), f"{name}: {n!r} is not a whole number from {low} to {high}")
    sets = comb(rules.dice + rules.sides, rules.sides)
    need(sets <= MOST_SETS, f"dice: {rules.dice} dice of {rules.sides} sides make {sets} sets; at most {MOST_SETS}")
    rolls = [faces for faces, _ in multisets(rules.sides, rules.dice)]
    for roll in rolls:
        entries, full = rules.entries(roll), (1 << len(boxes)) - 1
        for entry in entries:
            wrong = _wrong(rules, entry, full)
            need(not wrong, f"entries{roll}: {entry!r:.80} {wrong}")
        alike = (pair for pair in combinations(entries, 2) if pair[0].box == pair[1].box)
        apart = all(a.among & b.among & (a.opened ^ b.opened) for a, b in alike)
        need(apart, f"entries{roll}: a box can be filled in two ways")
        if any(e.among for e in entries):
            can = all(any(e.fits(card) for e in entries) for card in range(1, full + 1))
            need(can, f"entries{roll}: on some card nothing can be filled")
        else:
            need({e.box for e in entries} == {*range(len(boxes))}, f"entries{roll}: a box has no entry")
    return rolls


def check_scorecard(rules: Scorecard) -> range:
    """Raise ConfigurationError unless a scorecard keeps the contract; returns the slots."""
    check_weights("weights", rules.weights, -LARGEST)
    need(all(is_whole(x, -LARGEST) for of_slot in rules.gains for x in of_slot), "gain: is not a whole number")
    if isinstance(rules, MultiplierScorecard) and rules.multiplies:
        factors = rules.factors
        whole = type(factors) is tuple and all(is_whole(f, -LARGEST) for f in factors) and len(factors) == rules.slots
        need(whole and [*factors] == sorted(factors), "factors: are not one whole number per slot that never fall")
        products = tuple(tuple(factor * roll for roll in rules.weights) for factor in factors)
        need(rules.gains == products, "gain: is not the factor times the roll")
    return range(1, rules.slots + 1)


def _wrong(rules: Sheet, entry: Entry, full: int) -> str:
    """The error in an entry, in words; empty if it is correct."""
    if type(entry) is not Entry:
        return "is not an Entry"
    if not is_whole(entry.box, 0, len(rules.boxes) - 1):
        return "fills a box that does not exist"
    if not all(is_whole(points, 0, MOST_POINTS) for points in (entry.points, entry.upper, entry.further)):
        return f"scores something other than a whole number from 0 to {MOST_POINTS}"
    if type(entry.earns) is not bool or not all(is_whole(mask, 0, full) for mask in (entry.among, entry.opened)):
        return "has a flag that is not a bool, or names boxes that do not exist"
    if entry.opened & ~entry.among:
        return "has boxes in `opened` that are not in `among`"
    return "counts towards an upper total that earns nothing" if entry.upper and not rules.upper_at else ""
