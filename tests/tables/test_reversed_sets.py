"""Sets whose order differs between processes iterate in the opposite order; otherwise they are Python's sets."""

import pytest

from dicebase.tables.reversed_sets import REVERSED, with_reversed_sets

TEXTS = ["one", "two", "three", "four", "five"]


def run(expression):
    names = dict(REVERSED, TEXTS=TEXTS)
    exec(compile(with_reversed_sets(f"found = {expression}".encode(), "made_up.py"), "made_up.py", "exec"), names)
    return names["found"]


@pytest.mark.parametrize(
    "expression",
    [
        "{'one', 'two'}",
        "{text for text in TEXTS}",
        "{(text, 1) for text in TEXTS}",
        "set(TEXTS)",
        "frozenset(TEXTS)",
        "set(TEXTS) - {'one'}",
        "{'one'} | {'two', 'three'}",
        "set(TEXTS).union(['six'])",
        "set(TEXTS) & frozenset(TEXTS[1:])",
        "{'one', 1}",
    ],
)
def test_a_set_of_texts_is_in_the_opposite_order(expression):
    ours, theirs = run(expression), eval(expression)
    assert ours == theirs and len(ours) > 1
    assert [*ours] == [*type(theirs).__iter__(ours)][::-1]


@pytest.mark.parametrize(
    "expression", ["{3, 1, 2}", "{(1, 2), (3, 4), (5, 6)}", "frozenset([0.5, 7])", "{'one'}", "set()"]
)
def test_sets_with_the_same_order_in_every_process_keep_it(expression):
    assert [*run(expression)] == [*eval(expression)]


def test_reversed_sets_are_sets():
    assert run("isinstance(TEXTS and {*TEXTS}, set) and isinstance(frozenset(), frozenset) and not isinstance(1, set)")
    assert run("sorted({*TEXTS})") == sorted(TEXTS) and run("'one' in {'one', 'two'}") is True
    assert run("hash((1, 2))") == hash((1, 2)) and run("hash('one')") == ~hash("one")
    with pytest.raises(KeyError):
        run("set().pop()")
