"""Read the rows of numbers that records_writer.py packs. Reading one row does not import NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from struct import Struct
from typing import TYPE_CHECKING, Any

from dicebase.catalog.rows.mapped_file import BLOCK, MappedFile, damaged

if TYPE_CHECKING:
    import numpy as np

Fields = Sequence[tuple[str, str, str, int]]
"""The fields of a row, without gaps: (name, type code of its numbers in `struct` and NumPy, type code of what the rows
hold, size of the list of distinct numbers). If the size is 0 the rows hold the numbers themselves, otherwise indices
into the list."""


class Records:
    """The rows of a file."""

    def __init__(self, file: MappedFile, fields: Fields, lists: memoryview) -> None:
        """lists : the bytes of the distinct numbers of all fields that hold indices, one field after another."""
        self.file, self._checked, self._fields = file, file.checked, fields
        self._struct = Struct("<" + "".join(kind for _, _, kind, _ in fields))
        self._size = self._struct.size
        spans = pairwise(accumulate((8 * count for *_, count in fields), initial=0))
        self._lists = [
            lists[low:high].cast(kind) if high > low else None
            for (low, high), (_, kind, *_) in zip(spans, fields, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.file) // self._size

    def __getitem__(self, row: int) -> list[float]:
        """Return a row; raises DamagedFileError if its bytes do not match their digest."""
        low, end = row * self._size, (row + 1) * self._size
        try:
            if not (self._checked[low // BLOCK] and self._checked[(end - 1) // BLOCK]):
                self.file.read(low, end)
            said = self._struct.unpack_from(self.file.memory, low)
            return [x if of is None else of[x] for x, of in zip(said, self._lists, strict=True)]
        except IndexError as error:
            raise damaged(self.file.path) from error

    def between(self, first: int, end: int) -> list[list[float]]:
        """Return rows first to end - 1."""
        return [self[row] for row in range(first, end)]

    def column(self, name: str, at: Any) -> np.ndarray:
        """Return the numbers of a field in some rows; `at` is any index of NumPy."""
        import numpy as np

        found = self._array[name][at]
        of = next(of for (field, *_), of in zip(self._fields, self._lists, strict=True) if field == name)
        return found if of is None else np.asarray(of)[found]

    @cached_property
    def _array(self) -> np.ndarray:
        import numpy as np

        return np.frombuffer(self.file.read(), [(name, f"<{kind}") for name, _, kind, _ in self._fields])
