"""Small duels, and files of policies."""

import pytest

from support import grids

CONFIG = f"""{grids.CROCCE_MORDECKI.rstrip()}
      last: {{dice: 2, combinations: {{"1": 100, "5": 50}}, opening: 100, last_turn: others}}
tables:
  pig_duel: [{{target: [12, 30], slice_by: [sides]}}, {{dice: 2, target: 10}}]
  pig_duel_cards: [{{sides: 3, target: 12, numbers: 1}}]
  pig_turn: [{{}}]
  pig_race: [{{target: 10}}]
  hog_duel: [{{target: 12, max_dice: 4}}, {{target: 7, max_dice: 3, on_one: all}}]
  ten_thousand_duel: [{{target: 300}}, {{rules: last, target: 250}}]
  royal_ur_duel: [{{pieces: 2, before: 1, middle: 2, after: 1, dice: 2}}]
  bear_off_duel: [{{checkers: 1}}]
"""


@pytest.fixture(scope="module")
def duels(tmp_path_factory):
    return grids.of("duels", CONFIG)(tmp_path_factory)


@pytest.fixture
def file(tmp_path):
    """Write lines to a file and return its name."""

    def write(*lines):
        (tmp_path / "own.csv").write_text("\n".join([*lines, ""]))
        return str(tmp_path / "own.csv")

    return write
