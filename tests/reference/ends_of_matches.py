"""Duels with a few dice by the rules of a card: each turn is searched completely, and the chances of all positions
between turns are improved until they no longer change. Nothing is imported from the package.

A card: {dice, points: {sorted dice: points}, target, how: wins, bust, bounce or last, ends: whether the turn ends when
all dice have scored, costs: points lost by the first, second ... lost turn in a row, first: points for a first roll
that scores nothing, opening: the fewest points to bank while nothing is banked}.
"""

from collections import Counter
from functools import cache
from itertools import combinations, product


def duel(card, rounds=400):
    """{(me, opponent, my lost turns in a row, the opponent's): the mover's chance} for every reachable position."""
    target, how, costs = card["target"], card.get("how", "wins"), card.get("costs", (0,))
    known = {}

    @cache
    def thrown(dice):
        """[(chance, ways to keep: {(points, dice left)})]."""
        found = Counter(kept(tuple(sorted(roll))) for roll in product("123456", repeat=dice))
        return [(many / 6**dice, ways) for ways, many in found.items()]

    def kept(roll):
        parts = {part for n in range(1, len(roll) + 1) for part in combinations(roll, n)}
        scored = {part: card["points"].get("".join(part)) for part in parts}
        scored = {part: points for part, points in scored.items() if points}
        if roll in scored:  # if all dice score, all must be kept
            scored = {roll: scored[roll]}
        return frozenset((points, len(roll) - len(part)) for part, points in scored.items())

    def lost(me, opponent, mine, other):
        if opponent >= target:  # that was the last turn
            return 0.0
        mine += 1
        return 1 - chance(opponent, max(0, me - costs[mine - 1]), other, mine % len(costs))

    def banked(me, opponent, mine, other, points):
        total = me + points
        if how == "last":
            return float(total > opponent) if opponent >= target else 1 - chance(opponent, total, other, 0)
        if total == target or (total > target and how == "wins"):
            return 1.0
        if total > target and how == "bust":
            return lost(me, opponent, mine, other)
        if total > target:
            total = max(0, target - (total - target))
        return 1 - chance(opponent, total, other, 0)

    def chance(*record):
        return known.setdefault(record, 0.0)

    def turn(record):
        me, opponent, *_ = record
        ends = opponent + 1 if how == "last" and opponent >= target else target
        seen = {}

        def roll(points, dice):
            if (points, dice) not in seen:
                seen[points, dice] = sum(p * use(points, ways) for p, ways in thrown(dice))
            return seen[points, dice]

        def use(points, ways):
            if not ways and not points and card.get("first"):
                ways = {(card["first"], 0)}
            return max((go_on(points + gain, left) for gain, left in ways), default=lost(*record))

        def go_on(points, left):
            bank = banked(*record, points)
            if me + points >= ends or (not left and card.get("ends")):
                return bank
            may_bank = me or points >= card.get("opening", 0)
            return max(bank if may_bank else 0.0, roll(points, left or card["dice"]))

        return roll(0, card["dice"])

    chance(0, 0, 0, 0)
    for _ in range(rounds):
        moved, there = 0.0, len(known)
        for record in sorted(known, key=lambda record: -record[0] - record[1]):
            found = turn(record)
            moved, known[record] = max(moved, abs(found - known[record])), found
        if moved < 1e-11 and len(known) == there:
            return known
    raise AssertionError("it does not settle")
