"""Error messages: their length, and the search for similar names."""

import difflib
import tracemalloc

import pytest

from dicebase.vocabulary import ConfigurationError, nearest

NAMES = [f"name_{i:03}" for i in range(500)]


@pytest.mark.parametrize(
    ("word", "known", "end"),
    [
        ("targt", ["sides", "target"], "; did you mean 'target'?"),
        ("x", [], ""),
        ("x", ["beta", "alpha"], "; known: alpha, beta"),
        ("x", NAMES, f"; known: {', '.join(NAMES[:12])}, and 488 more"),
        ("a" * 65, ["a" * 64], f"; known: {'a' * 64}"),
        ("a" * 64, ["a" * 65], f"; known: {'a' * 65}"),
        ("a" * 64, ["a" * 63], f"; did you mean '{'a' * 63}'?"),
    ],
)
def test_an_unknown_name_gets_a_similar_one_or_the_first_known_ones(word, known, end):
    assert nearest(word, known) == end


def test_the_search_compares_a_limited_number_of_names(monkeypatch):
    compared = []
    monkeypatch.setattr(difflib, "get_close_matches", lambda word, names, n: compared.append(len(names)) or [])
    nearest("k", {f"k{i}" for i in range(100_000)})
    assert compared == [1000]


def test_a_long_message_takes_little_memory():
    error = ConfigurationError("\x00" * 10**6)
    tracemalloc.start()
    try:
        text = str(error)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(text) == 2000 + len(" ... ") and text.startswith("\\x00\\x00")
    assert most < 1_000_000
