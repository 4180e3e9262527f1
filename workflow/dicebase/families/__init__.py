"""Operations that each family of rules does in its own way when tables are queried, drawn or exported."""

from collections.abc import Mapping

from dicebase.families.boards import Boards
from dicebase.families.dealer import DealerGames
from dicebase.families.draws import Draws
from dicebase.families.family import Family
from dicebase.families.hidden import HiddenInformation
from dicebase.families.sheets import OneRoll, Sheets
from dicebase.families.throws import Throws
from dicebase.families.turns import Turns
from dicebase.vocabulary.rules.rulebook import Rulebook

FAMILIES: Mapping[str, Family] = {
    "turns": Turns(),
    "throws": Throws(),
    "sheets": Sheets(),
    "sheets.one_roll": OneRoll(),
    "boards": Boards(),
    "hidden": HiddenInformation(),
    "draws": Draws(),
    "dealer": DealerGames(),
}


def family_of(rules: Rulebook | type[Rulebook]) -> Family:
    """Return the family of rules or of a class of rules."""
    return FAMILIES[rules.family]
