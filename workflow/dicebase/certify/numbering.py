"""Numbers for millions of things, states and afterstates, by the bytes that Python writes them as.

The second version of marshal writes tuples, texts, whole numbers, True, False and None each by itself, and can read
them back: things with equal bytes are equal, and 1 and True are two. A dictionary of them takes several times the
memory and time.
"""

from collections.abc import Callable, Hashable, Sequence
from marshal import dumps, loads
from typing import Any

import numpy as np

from dicebase.vocabulary.conditions import need
from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.numbers import HEAD

# What a thing begins with: a type, of most then four bytes of a number.
WHOLE, LONG, TEXT, TUPLE, LIST, NONE, FALSE, TRUE = b"ilu([NFT"
NUMBERED, BOOLS = (WHOLE, LONG, TEXT, TUPLE), (FALSE, TRUE)
MIX = -7046029254386353131  # odd, of 64 bits: the golden ratio


class Numbering:
    """Give each new thing the next number, from 0."""

    def __init__(self, check: Callable[[Any], object], room: int = 0) -> None:
        """check : raises ConfigurationError for a thing that is not built of such parts. room : for how many things
        there is space at once."""
        self.check, self.count = check, 0
        self.bytes, self.ends = np.empty(0, np.uint8), np.zeros(1, np.int64)  # of all that have numbers, in turn
        self.slots = np.empty(0, np.int64)
        self._make_room(room, 0)

    def numbers(self, things: Sequence[Hashable], add: bool = True) -> np.ndarray:
        """Return (things,), the number of each; -1 for a thing that has none and is not to get one."""
        if not (written := _written(things)):
            for thing in things:
                self.check(thing)
        data, ends, hashes = written
        self._make_room(len(ends), len(data))
        found, alike = np.empty(len(ends), np.int32), np.full(2, -1)
        self.count = _number(data, HEAD, ends, hashes, self._known, self.count, found, alike, add)
        i, number = alike
        if number >= 0:  # a hash in common, which different things may have by chance
            other = loads(self.bytes[self.ends[number] : self.ends[number + 1]].tobytes())
            need(other != things[i], f"{other!r:.80} and {things[i]!r:.80} are equal, and not the same")
        return found

    @property
    def _known(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.bytes, self.ends, self.slots

    def _make_room(self, more: int, size: int) -> None:
        count = self.count
        self.bytes = _longer(self.bytes, int(self.ends[count]) + size)
        self.ends = _longer(self.ends, count + more + 1)
        if 2 * (count + more) > len(self.slots):
            self.slots = np.zeros(1 << (2 * (count + more)).bit_length(), np.int64)
            ends, hashes = self.ends[1 : count + 1].copy(), np.empty(count, np.int64)
            _cut(self.bytes, 0, ends, hashes)
            _number(self.bytes, 0, ends, hashes, self._known, 0, np.empty(count, np.int32), np.empty(2, int), True)


def _longer(numbers: np.ndarray, size: int) -> np.ndarray:
    if size <= len(numbers):
        return numbers
    longer = np.empty(2 * size, numbers.dtype)
    longer[: len(numbers)] = numbers
    return longer


def _written(things: Sequence) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """(their bytes, where each ends, a hash of each); None if they are of other types."""
    try:
        data = np.frombuffer(dumps(things, 2), np.uint8)
    except ValueError:
        return None
    ends, hashes = np.empty((2, len(things)), np.int64)
    return (data, ends, hashes) if _cut(data, HEAD, ends, hashes) else None


@kernel
def _cut(data, at, ends, hashes):
    """Fill in where things end, and a hash of each, the same of things that are equal; return whether all parts are of
    the types that are known here."""
    for i in range(len(ends)):
        parts, hashed = 1, 0
        while parts > 0:
            tag, number, more = data[at], 0, 0
            at, parts = at + 1, parts - 1
            if tag in NUMBERED:
                for k in range(4):
                    number += np.int64(data[at + k]) << 8 * k
                at += 4
            elif tag in BOOLS:
                tag, number = WHOLE, int(tag == TRUE)
            elif tag != NONE:
                return False
            if tag == TUPLE:
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
def _number(data, begin, ends, hashes, known, count, found, alike, add):
    """Fill in the number of each thing, or -1, and the slots by which they are found; return how many are known then.

    known : (bytes of known things, where each ends, slots: the upper half of its hash, and below its number from 1).
    alike : filled in with (index of a thing, number of a known one) that have a hash in common and are not the same.
    """
    written, written_ends, slots = known
    last = len(slots) - 1
    for i in range(len(ends)):
        found[i] = slots[hashes[i] & last]  # fetched at once, where one after another would have to be waited for
    for i in range(len(ends)):
        size, slot, upper = ends[i] - begin, hashes[i] & last, hashes[i] >> 32 << 32
        while slots[slot] != 0:
            number = slots[slot] - upper - 1
            if 0 <= number < count:
                if _is(data, begin, size, written, written_ends, number):
                    break
                alike[0], alike[1] = i, number
            slot = slot + 1 & last
        if slots[slot] == 0 and add:
            for k in range(size):
                written[written_ends[count] + k] = data[begin + k]
            slots[slot], count = upper + count + 1, count + 1
            written_ends[count] = written_ends[count - 1] + size
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
