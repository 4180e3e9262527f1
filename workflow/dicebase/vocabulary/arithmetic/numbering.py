"""Number millions of states and afterstates with a hash table over the bytes that marshal writes for them.

Version 2 of marshal writes tuples, strings, integers, booleans and None without references and can read them back, so
equal bytes mean equal objects, and 1 differs from True. A Python dictionary takes several times the memory and time.
"""

from collections.abc import Callable, Hashable, Sequence
from marshal import dumps, loads
from typing import Any

import numpy as np

from dicebase.vocabulary.arithmetic.numbers import HEAD
from dicebase.vocabulary.contracts.conditions import need
from dicebase.vocabulary.kernels import inner, kernel

# Type tags of marshal, most of which are followed by a number of four bytes.
WHOLE, LONG, TEXT, TUPLE, LIST, NONE, FALSE, TRUE = b"ilu([NFT"
NUMBERED, BOOLS = (WHOLE, LONG, TEXT, TUPLE), (FALSE, TRUE)
MIX = -7046029254386353131  # odd 64-bit multiplier from the golden ratio


class Numbering:
    """Give each new object the next number, from 0."""

    def __init__(self, check: Callable[[Any], object], room: int = 0) -> None:
        """check : raises ConfigurationError for an object with unsupported parts. room : expected number of objects."""
        self.check, self.count = check, 0
        self.bytes, self.ends = np.empty(0, np.uint8), np.zeros(1, np.int64)  # of all numbered objects, in order
        self.slots = np.empty(0, np.int64)
        self._make_room(room, 0)

    def numbers(self, things: Sequence[Hashable], add: bool = True) -> np.ndarray:
        """Return the number of each object, (things,), or -1 for a new one if `add` is false. Raises ConfigurationError
        for objects with unsupported parts, and for objects that are equal but not the same, such as 1 and True."""
        if not (written := _written(things)):
            for thing in things:
                self.check(thing)
        data, ends, hashes = written
        self._make_room(len(ends), len(data))
        found, alike = np.empty(len(ends), np.int32), np.full(2, -1)
        self.count = _number(data, HEAD, ends, hashes, self._known, self.count, found, alike, add)
        i, number = alike
        if number >= 0:  # the hashes are equal, which may happen by chance
            other = loads(self.bytes[self.ends[number] : self.ends[number + 1]].tobytes())
            need(other != things[i], f"{other!r:.80} and {things[i]!r:.80} are equal but have different bytes")
        return found

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, place: int | slice) -> Any:
        """Return the object of a number, or the objects of consecutive numbers as a list."""
        some = range(self.count)[place]
        if isinstance(some, int):
            return self[some : some + 1][0]
        written = self.bytes[self.ends[some.start] : self.ends[some.stop]].tobytes()
        return loads(bytes([LIST]) + len(some).to_bytes(4, "little") + written)

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
    """Return the bytes of the objects, where each ends, and its hash; or None if a part has an unsupported type."""
    try:
        data = np.frombuffer(dumps(things, 2), np.uint8)
    except ValueError:
        return None
    ends, hashes = np.empty((2, len(things)), np.int64)
    return (data, ends, hashes) if _cut(data, HEAD, ends, hashes) else None


@kernel
def _cut(data, at, ends, hashes):
    """Fill `ends` and `hashes`, (things,), from the bytes `data` after `at`; return False at an unsupported type. Equal
    objects have equal hashes, even 1 and True."""
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
            elif tag == LONG:  # followed by the number of two-byte digits, negated if the integer is negative
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
    """Fill `found`, (things,), with the number of each object or -1; add new ones if `add`; return the new count.

    data, begin, ends, hashes : bytes of the objects, where the first begins, where each ends, and the hash of each.
    known : (bytes of known objects, where each ends, slots: upper half of the hash plus the number counted from 1).
    alike : filled with (index of an object, number of a known one) if these have equal hashes and different bytes.
    """
    written, written_ends, slots = known
    last = len(slots) - 1
    for i in range(len(ends)):
        found[i] = slots[hashes[i] & last]  # independent loads, so that cache misses overlap
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
