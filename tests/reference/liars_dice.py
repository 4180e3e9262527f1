"""The plays of Liar's dice, from separately written rules."""

from itertools import combinations, product


def plays(faces, first, second, wild):
    """All plays, see plays.py; the payoff is 1 if player 1 wins and -1 otherwise."""
    dice = first + second
    bids = list(product(range(1, dice + 1), range(1, faces + 1)))
    jokers = {"none": set(), "ones": {1}, "top": {faces}}[wild]
    for thrown in product(range(1, faces + 1), repeat=dice):
        hands = tuple(sorted(thrown[:first])), tuple(sorted(thrown[first:]))
        for number in range(1, len(bids) + 1):
            for made in combinations(range(len(bids)), number):
                sequences = [], []
                for turn, act in enumerate((*made, "call")):
                    sequences[turn % 2].append(((hands[turn % 2], made[:turn]), act))
                count, face = bids[made[-1]]
                holds = sum(die == face or die in jokers for die in thrown) >= count
                bidder = 1 if number % 2 else -1
                yield 1 / faces**dice, *map(tuple, sequences), bidder if holds else -bidder
