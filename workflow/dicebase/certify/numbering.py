"""Numbers for millions of things, positions and what lies on the table, by the bytes that Python writes them as.

The second version of marshal writes tuples, texts and whole numbers each by itself, and can read them back: what has
equal bytes is equal, and 1, 1.0 and True are three. A dictionary of them takes several times the memory and time.
"""

from collections.abc import Callable, Hashable, Sequence
from marshal import dumps
from typing import Any

import numpy as np

from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.numbers import Numbers

HEAD = 5  # bytes of a list before the first thing in it
# What a thing begins with: a type, of most then four bytes of a number.
WHOLE, LONG, TEXT, TUPLE, LIST, NONE, FALSE, TRUE = b"ilu([NFT"
NUMBERED, OF_PARTS, SINGLE = (WHOLE, LONG, TEXT, TUPLE, LIST), (TUPLE, LIST), (NONE, FALSE, TRUE)
MIX = -7046029254386353131  # odd, of 64 bits: the golden ratio


class Numbering:
    """Whatever is new gets the next number, from 0."""

    def __init__(self, room: int = 0, otherwise: Callable[[Any], Any] | None = None) -> None:
        """room : for how many things there is to be at once. otherwise : makes something of a thing that is written,
        where it is of other types; by default they are equal as a dictionary has it."""
        others, self.count = Numbers(), 0
        self.otherwise = otherwise or (lambda thing: [others[thing]])  # which nothing is that can be looked up
        self.bytes, self.ends = np.empty(0, np.uint8), np.zeros(1, np.int64)  # of all that have numbers, in turn
        self.slots = np.empty(0, np.int64)
        self._make_room(room, 0)

    def numbers(self, things: Sequence[Hashable], add: bool = True) -> np.ndarray:
        """(things,); what has none, and is not to get one, has -1."""
        data, ends, hashes = _written(things) or _written([*map(self.otherwise, things)])
        self._make_room(len(ends), len(data))
        found = np.empty(len(ends), np.int32)
        self.count = _number(data, HEAD, ends, hashes, self.bytes, self.ends, self.slots, self.count, found, add)
        return found

    def _make_room(self, more: int, size: int) -> None:
        count = self.count
        self.bytes = _longer(self.bytes, int(self.ends[count]) + size)
        self.ends = _longer(self.ends, count + more + 1)
        if 2 * (count + more) > len(self.slots):
            self.slots = np.zeros(1 << (2 * (count + more)).bit_length(), np.int64)
            ends, hashes = self.ends[1 : count + 1].copy(), np.empty(count, np.int64)
            _cut(self.bytes, 0, ends, hashes)
            _number(self.bytes, 0, ends, hashes, self.bytes, self.ends, self.slots, 0, np.empty(count, np.int32), True)


def _longer(numbers: np.ndarray, size: int) -> np.ndarray:
    if size <= len(numbers):
        return numbers
    longer = np.empty(2 * size, numbers.dtype)
    longer[: len(numbers)] = numbers
    return longer


def _written(things: Sequence) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """(their bytes, where each ends, a hash of each), unless they are of other types."""
    try:
        data = np.frombuffer(dumps(things, 2), np.uint8)
    except ValueError:
        return None
    ends, hashes = np.empty((2, len(things)), np.int64)
    return (data, ends, hashes) if _cut(data, HEAD, ends, hashes) else None


@kernel
def _cut(data, at, ends, hashes):
    """Fill in where things end, and a hash of each; whether all are of the types that are known here."""
    for i in range(len(ends)):
        parts, hashed = 1, 0
        while parts > 0:
            tag, number, more = data[at], 0, 0
            at, parts = at + 1, parts - 1
            if tag in NUMBERED:
                for k in range(4):
                    number += np.int64(data[at + k]) << 8 * k
                at += 4
            elif tag not in SINGLE:
                return False
            if tag in OF_PARTS:
                parts += number
            elif tag == TEXT:
                more = number
            elif tag == LONG:  # so many pairs of bytes, less than none where it is negative
                more = 2 * min(number, 2**32 - number)
            hashed = (hashed ^ tag ^ number << 8) * MIX
            hashed ^= hashed >> 32
            for k in range(at, at + more):
                hashed = (hashed ^ data[k]) * MIX
            at += more
        ends[i], hashes[i] = at, hashed ^ hashed >> 32
    return True


@kernel
def _number(data, begin, ends, hashes, known, known_ends, slots, count, found, add):
    """Fill in the number of each thing, or -1, and the slots by which they are found; how many are known then.

    slots : of what is known the upper half of its hash, and below its number from 1.
    """
    last = len(slots) - 1
    for i in range(len(ends)):
        found[i] = slots[hashes[i] & last]  # fetched at once, where one after another would have to be waited for
    for i in range(len(ends)):
        size, slot, upper = ends[i] - begin, hashes[i] & last, hashes[i] >> 32 << 32
        while slots[slot] != 0:
            number = slots[slot] - upper - 1
            if 0 <= number < count and _is(data, begin, size, known, known_ends, number):
                break
            slot = slot + 1 & last
        if slots[slot] == 0 and add:
            for k in range(size):
                known[known_ends[count] + k] = data[begin + k]
            slots[slot], count = upper + count + 1, count + 1
            known_ends[count] = known_ends[count - 1] + size
        found[i] = slots[slot] - upper - 1 if slots[slot] else -1
        begin = ends[i]
    return count


@inner
def _is(data, begin, size, known, known_ends, number):
    first, k = known_ends[number], 0
    if known_ends[number + 1] - first != size:
        return False
    while k < size and data[begin + k] == known[first + k]:
        k += 1
    return k == size
