"""Memory-mapped files that check each block against its SHA-256 when they first read it."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path

from dicebase.vocabulary import DamagedFileError, Json

BLOCK = 2**16  # bytes; the 64-digit digests add a thousandth to the size, and checking a block takes 0.05 ms

AGAIN = "delete the folder 'mapped' and build it again"
"""What a reader can do about a damaged file. A build does not notice the damage."""


class MappedFile:
    """A memory-mapped file. It is opened at once, so that it stays readable if a later build deletes it."""

    def __init__(self, folder: Path, said: Json) -> None:
        """said : {name, bytes (its size), sha256: [the digest of each block]}.

        Raises DamagedFileError if the file cannot be read or has another size.
        """
        self.path, self._digests = folder / said["name"], said["sha256"]
        try:
            with open(self.path, "rb") as opened:
                self.memory = memoryview(mmap(opened.fileno(), 0, access=ACCESS_READ))
        except (OSError, ValueError) as error:
            raise DamagedFileError(f"{self.path}: cannot be read; {AGAIN}") from error
        self.checked = bytearray(len(self._digests))  # 1 for each block whose digest was right
        if len(self) != said["bytes"] or len(self._digests) != -(-len(self) // BLOCK):
            raise damaged(self.path)

    def __len__(self) -> int:
        return len(self.memory)

    def read(self, low: int = 0, end: int | None = None) -> memoryview:
        """Return bytes low to end, by default all. Raises DamagedFileError if a block does not match its digest."""
        for block in range(low // BLOCK, len(self.checked) if end is None else -(-end // BLOCK)):
            if not self.checked[block]:
                content = self.memory[block * BLOCK : (block + 1) * BLOCK]
                if sha256(content).hexdigest() != self._digests[block]:
                    raise damaged(self.path)
                self.checked[block] = 1
        return self.memory[low:end]


def digests(path: Path) -> list[str]:
    """Return the SHA-256 of each block of a file."""
    with open(path, "rb") as file:
        return [sha256(block).hexdigest() for block in iter(partial(file.read, BLOCK), b"")]


def damaged(file: Path) -> DamagedFileError:
    return DamagedFileError(f"{file}: damaged; {AGAIN}")
