"""benchmarks/tools/readers.py in short: no lookup fails, or says anything else, while tables are built and killed."""

import random
from importlib import import_module

import pytest

from support import commands


def test_readers_are_answered_whatever_is_built_and_killed_beside_them(tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(commands.ROOT / "benchmarks" / "tools")
        found = import_module("readers").soak(tmp_path, 100, 2, random.Random(1))
    assert found["failed"] == []
    assert [(reader["wrong"], reader["failed"]) for reader in found["readers"]] == [([], [])] * 2
    assert all(reader["lookups"] >= 50 for reader in found["readers"])
