"""A short run of benchmarks/tools/readers.py."""

import random

import pytest


@pytest.mark.slow
def test_readers_get_right_answers_while_tables_are_built_and_builds_are_killed(tmp_path, script):
    found = script("readers").soak(tmp_path, 100, 2, random.Random(1))
    assert found["failed"] == []
    assert [(reader["wrong"], reader["failed"]) for reader in found["readers"]] == [([], [])] * 2
    assert all(reader["lookups"] >= 50 for reader in found["readers"])
