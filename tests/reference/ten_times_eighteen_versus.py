"""Two players of Ten Times Eighteen (section 10), for tiny games: every sequence of rolls is played.

A game is (weights, multipliers), as in ten_times_eighteen. Sets of free slots are frozensets of slot numbers. The
policies are defined in the docstring of dicebase's matchups; those that maximise a probability compute in whole
numbers, where `one` means certain, and drop the remainder after every roll.
"""

from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations, product
from math import factorial, gcd, prod

from reference.ten_times_eighteen import subset_table
from reference.ten_times_eighteen_scores import score_distribution

HALF = Fraction(1, 2)


def best_response(weights, multipliers):
    """Section 10: the function chance(free, scored) -> (best, score-optimal), as fractions.

    Each is P(more) + P(equal) / 2 against an unseen opponent who plays by (3) with rolls of his own.
    """
    opponent = score_distribution(weights, multipliers, "optimal")

    def payoff(scored):
        return sum(p for s, p in opponent.items() if s < scored) + opponent.get(scored, 0) * HALF

    return best_and_score_optimal(weights, multipliers, payoff)


def best_and_score_optimal(weights, multipliers, payoff):
    """The function chance(free, scored) -> (best, score-optimal) of a payoff of final scores, as fractions."""
    total = sum(weights.values())
    M = subset_table(weights, multipliers)

    @cache
    def chance(A, scored):
        if not A:
            return (Fraction(payoff(scored)),) * 2
        best = fixed = Fraction(0)
        for x, weight in weights.items():
            after = {i: chance(A - {i}, scored + multipliers[i - 1] * x) for i in sorted(A)}
            best += Fraction(weight, total) * max(b for b, _ in after.values())
            place = max(sorted(A), key=lambda i, x=x: multipliers[i - 1] * x + M[A - {i}])
            fixed += Fraction(weight, total) * after[place][1]
        return best, fixed

    return lambda free, scored: chance(frozenset(free), scored)


class Policies:
    """The named policies of one game. A policy is place(own free slots, own points, the other's, his points, roll)."""

    def __init__(self, weights, multipliers):
        divisor = gcd(*weights.values())
        self.weights = {x: weight // divisor for x, weight in weights.items()}
        self.multipliers = multipliers
        self.slots = frozenset(range(1, len(multipliers) + 1))
        self.total = sum(self.weights.values())
        self.M = subset_table(weights, multipliers)

    @cache  # noqa: B019
    def by_score(self, A, x):
        """The free slots, the best expected score first, and the lowest slot first among equals."""
        return sorted(A, key=lambda i: (-(self.multipliers[i - 1] * x + self.M[A - {i}]), i))

    def optimal(self, A, a, B, b, x):
        return self.by_score(A, x)[0]

    # --- each player rolls alone and sees nothing of the other -------------------------------------------------------

    def maximiser(self, payoff):
        """The policy that maximises payoff(final score), an integer."""

        @cache
        def value(A, a):
            if not A:
                return payoff(a)
            best = (w * max(value(*self.put(A, a, i, x)) for i in A) for x, w in self.weights.items())
            return sum(best) // self.total

        @cache
        def best(A, a, x):
            return max(self.by_score(A, x), key=lambda i: value(*self.put(A, a, i, x)))

        return lambda A, a, B, b, x: best(A, a, x)

    def put(self, A, a, i, x):
        return A - {i}, a + self.multipliers[i - 1] * x

    @cached_property
    def sequences(self):
        """Every game: (rolls, weight)."""
        games = product(self.weights, repeat=len(self.slots))
        return [(rolls, prod(self.weights[x] for x in rolls)) for rolls in games]

    def games(self, policy):
        """{final score: number of equally likely games}."""
        counted = {}
        for rolls, weight in self.sequences:
            A, a = self.slots, 0
            for x in rolls:
                A, a = self.put(A, a, policy(A, a, None, None, x), x)
            counted[a] = counted.get(a, 0) + weight
        return counted

    def random_games(self):
        """{final score: number of pairs of a game and an order of the slots}; all pairs are equally likely."""
        counted = {}
        for rolls, weight in self.sequences:
            for order in permutations(self.multipliers):
                score = sum(m * x for m, x in zip(order, rolls, strict=True))
                counted[score] = counted.get(score, 0) + weight
        return counted

    @cache  # noqa: B019
    def alone(self, name):
        """{final score: number of games} of a policy, by its name."""
        one = 1 << min(52, 62 - self.total.bit_length())
        word, _, number = name.partition("_")
        if word == "optimal":
            return self.games(self.optimal)
        if word == "random":
            return self.random_games()
        if word == "reach":
            return self.games(self.maximiser(lambda score: one if score >= int(number) else 0))
        handicap = {"ahead": 1, "behind": -1}.get(word, 0) * int(number or 0)
        rival = self.alone(before(name) if word == "response" else "optimal")
        games = sum(rival.values())

        def payoff(score):
            less = sum(n for s, n in rival.items() if s + handicap < score)
            return (2 * less + rival.get(score - handicap, 0)) * one // (2 * games)

        return self.games(self.maximiser(payoff))

    # --- both players place the same rolls and see everything --------------------------------------------------------

    @cache  # noqa: B019
    def same(self, name):
        """The policy of a name if both players place the same rolls."""
        word, _, number = name.partition("_")
        if word == "optimal":
            return self.optimal
        rival = self.same(before(name)) if word == "response" else self.optimal
        handicap = int(number) if word == "ahead" else 0
        one = 1 << 30

        @cache
        def value(A, B, d):
            if not A:
                return one * (d > 0) + one // 2 * (d == 0)
            return sum(w * max(follow(A, B, d, i, x) for i in A) for x, w in self.weights.items()) // self.total

        def follow(A, B, d, i, x):
            j = rival(B, -d, A, 0, x)
            return value(A - {i}, B - {j}, d + (self.multipliers[i - 1] - self.multipliers[j - 1]) * x)

        @cache
        def best(A, B, d, x):
            return max(self.by_score(A, x), key=lambda i: follow(A, B, d, i, x))

        return lambda A, a, B, b, x: best(A, B, a - b - handicap, x)

    def play_same(self, row, column):
        """(P(win), P(tie)) of the row policy; both policies are given by name, and neither may be `random`."""
        one, other = self.same(row), self.same(column)
        win = tie = 0
        for rolls, weight in self.sequences:
            A, a, B, b = self.slots, 0, self.slots, 0
            for x in rolls:
                i, j = one(A, a, B, b, x), other(B, b, A, a, x)
                (A, a), (B, b) = self.put(A, a, i, x), self.put(B, b, j, x)
            win += weight * (a > b)
            tie += weight * (a == b)
        games = self.total ** len(self.slots)
        return Fraction(win, games), Fraction(tie, games)

    def play_same_against_random(self, row):
        """(P(win), P(tie)) of a policy, or of `random`, against `random`."""

        @cache
        def chances(A, a, B, b):
            """(wins, ties), counted over all rolls and all slots that may be picked at random."""
            if not A:
                return a > b, a == b
            win = tie = 0
            for x, w in self.weights.items():
                own = sorted(A) if row == "random" else [place(A, a, B, b, x)]
                for i in own:
                    for j in B:
                        won, tied = chances(*self.put(A, a, i, x), *self.put(B, b, j, x))
                        win, tie = win + w * won, tie + w * tied
            return win, tie

        place = None if row == "random" else self.same(row)
        slots = len(self.slots)
        games = self.total**slots * factorial(slots) ** (2 if row == "random" else 1)
        return tuple(Fraction(n, games) for n in chances(self.slots, 0, self.slots, 0))


def before(name):
    """The policy to which a response responds."""
    number = int(name.partition("_")[2] or 1)
    return {1: "optimal", 2: "response"}.get(number, f"response_{number - 1}")


def matchup(ours, theirs):
    """(P(win), P(tie)) of two distributions {score: number of games}."""
    games = sum(ours.values()) * sum(theirs.values())
    win = sum(n * m for s, n in ours.items() for t, m in theirs.items() if s > t)
    return Fraction(win, games), Fraction(sum(n * theirs.get(s, 0) for s, n in ours.items()), games)
