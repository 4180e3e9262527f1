"""Numbers by bytes beside those of a dictionary, which takes what is equal for one."""

from fractions import Fraction
from random import Random

import pytest

from dicebase.certify.numbering import Numbering
from dicebase.vocabulary.numbers import Numbers


def entry(random):
    whole = random.choice((3, 2**8, 2**31, 2**64))
    return random.choice((random.randrange(-whole, whole), "äb"[: random.randrange(3)], None))


@pytest.mark.parametrize("other", [(), (Fraction(1, 3),)])
def test_plain_things_get_the_numbers_of_a_dictionary(other):
    random, numbering, numbers = Random(1), Numbering(), Numbers()
    for _ in range(30):
        things = [tuple(entry(random) for _ in range(random.randrange(3))) + other for _ in range(400)]
        things += [(thing, 7) for thing in things]
        ours = [numbers.get(thing, -1) for thing in things]
        assert numbering.numbers(things, add=False).tolist() == ours
        assert numbering.numbers(things).tolist() == [numbers[thing] for thing in things]
    assert numbering.count == len(numbers) > 2000
