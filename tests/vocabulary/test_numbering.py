"""Numbering by bytes agrees with a dictionary, but refuses equal things of different types, which it merges."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from dicebase.vocabulary import ConfigurationError, Loss, Outcome
from dicebase.vocabulary.arithmetic.numbering import Numbering
from dicebase.vocabulary.arithmetic.numbers import Numbers
from dicebase.vocabulary.contracts.board_contract import check_afterstate


def entry(random):
    whole = random.choice((3, 2**8, 2**31, 2**64))
    return random.choice((random.randrange(-whole, whole), "äb"[: random.randrange(3)], None))


def test_plain_things_are_numbered_as_by_a_dictionary():
    random, numbering, numbers = Random(1), Numbering(check_afterstate), Numbers()
    for _ in range(30):
        things = [tuple(entry(random) for _ in range(random.randrange(3))) for _ in range(400)]
        things += [(thing, 7) for thing in things]
        ours = [numbers.get(thing, -1) for thing in things]
        assert numbering.numbers(things, add=False).tolist() == ours
        assert numbering.numbers(things).tolist() == [numbers[thing] for thing in things]
    known = [*numbers]
    assert len(numbering) == len(known) > 2000
    assert (numbering[:], numbering[-7:], numbering[1500:1500], numbering[99]) == (known, known[-7:], [], known[99])


@pytest.mark.parametrize("add", [True, False])
@pytest.mark.parametrize(
    "one, other", [(1, True), (0, False), ((2, ("a", 1)), (2, ("a", True))), (((True,),), ((1,),))]
)
def test_equal_things_of_different_types_are_refused(one, other, add):
    numbering = Numbering(check_afterstate)
    assert numbering.numbers([*range(2, 5000), one]).tolist() == [*range(4999)]
    assert numbering.numbers([one, 7], add).tolist() == [4998, 5]
    with pytest.raises(ConfigurationError, match=r"are equal but have different bytes$"):
        numbering.numbers([3, other, 4], add)


def test_true_and_1_at_different_places_are_different_things():
    things = [(1, True), (True, 0), (0, 0), (False, 1, 1), ("1", True)]
    assert Numbering(check_afterstate).numbers(things).tolist() == [0, 1, 2, 3, 4]


OTHERS = [0.5, (1, -0.0), frozenset(), Fraction(1), b"", (1, [2]), Loss.BUST, np.int64(1), Outcome(1, None)]


@pytest.mark.parametrize("thing", OTHERS, ids=repr)
def test_things_of_other_types_are_refused(thing):
    with pytest.raises(ConfigurationError, match=r"of the type \w+, not int, str, bool, None or a tuple of these"):
        Numbering(check_afterstate).numbers([1, thing])
