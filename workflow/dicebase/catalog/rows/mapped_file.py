"""Files mapped into memory, of which each block is compared with its digest when it is first read."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path

from dicebase.vocabulary import DamagedFileError, Json

BLOCK = 2**16  # bytes: a digest of 64 digits for each adds a thousandth, and takes 0.05 ms


class MappedFile:
    """A file in memory. It is opened at once: later builds delete such files, which whoever has them open keeps."""

    def __init__(self, folder: Path, said: Json) -> None:
        """said : its name, how many bytes it has, the sha256 of each block.

        Raises DamagedFileError where it cannot be read or has another size.
        """
        self.path, self._digests = folder / said["name"], said["sha256"]
        try:
            with open(self.path, "rb") as opened:
                self.memory = memoryview(mmap(opened.fileno(), 0, access=ACCESS_READ))
        except (OSError, ValueError) as error:
            raise DamagedFileError(f"{self.path}: cannot be read; build it again") from error
        self.checked = bytearray(len(self._digests))  # 1 for a block that is what was written
        if len(self) != said["bytes"] or len(self._digests) != -(-len(self) // BLOCK):
            raise damaged(self.path)

    def __len__(self) -> int:
        return len(self.memory)

    def read(self, low: int = 0, end: int | None = None) -> memoryview:
        """Bytes of it, all by default; raises DamagedFileError where they are not what was written."""
        for block in range(low // BLOCK, len(self.checked) if end is None else -(-end // BLOCK)):
            if not self.checked[block]:
                content = self.memory[block * BLOCK : (block + 1) * BLOCK]
                if sha256(content).hexdigest() != self._digests[block]:
                    raise damaged(self.path)
                self.checked[block] = 1
        return self.memory[low:end]


def digests(path: Path) -> list[str]:
    """The sha256 of each block of a file."""
    with open(path, "rb") as file:
        return [sha256(block).hexdigest() for block in iter(partial(file.read, BLOCK), b"")]


def damaged(file: Path) -> DamagedFileError:
    return DamagedFileError(f"{file}: damaged; build it again")
