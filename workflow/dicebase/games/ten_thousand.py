"""Ten Thousand, also known as Zilch or Farkle: roll, keep scoring dice, then roll the rest or bank.

A roll that does not score loses the turn. Otherwise keep at least one scoring combination: its points are added to the
turn total, and its dice leave the hand. Other scoring dice may be rolled again with the rest, but if all dice of a roll
score, all must be kept, and the next roll uses all dice again. A rule set may change this, and may require a minimum of
points to bank, or for the first bank.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import prod
from types import MappingProxyType
from typing import Any

from dicebase.vocabulary import (
    BOUNCE,
    BUST,
    OTHERS,
    PATTERN,
    WINS,
    Definition,
    Loss,
    Option,
    RepeatedTurn,
    Roll,
    called,
    check_choice,
    check_line,
    check_whole,
    multisets,
    nearest,
    need,
    parameter,
    parts,
    scores,
    shown,
)

# The restricted games of Table 4: the scoring dice that a player may resign in one decision. Resignations do not
# compose: if only single dice may be resigned, a pair may not.
RESIGNED: dict[str, tuple[str, ...] | None] = {
    "stop_roll": (),
    "m5": ("5",),
    "m5_m1": ("5", "1"),
    "m5_m1_m55": ("5", "1", "55"),
    "m5_m1_m55_m51": ("5", "1", "55", "15"),
    "all": None,
}

# The switches of a rule set; the first choice is the default.
SWITCHES = {
    "of_a_kind": {
        "fixed": "more than three of a kind score only by combinations of their own",
        "doubled": "each further die doubles the points of three of a kind",
        "added": "each further die adds the points of three of a kind once more",
    },
    "keep": {
        "all_when_all_score": "any scoring dice may be kept, but if all dice score, all must be kept",
        "any": "any scoring dice may be kept",
        "all": "all scoring dice must be kept",
    },
    "hot_dice": {
        "free": "when all dice have scored, the player may roll all of them again or bank",
        "forced": "when all dice have scored, all of them must be rolled again",
        "none": "when all dice have scored, the turn ends and is banked",
    },
}
# Switches that apply to matches only.
ENDS = {
    "target": {
        "at_least": "reaching or passing the target ends a match",
        "bust": "the target must be met exactly: a turn that passes it is lost",
        "bounce": "the target must be met exactly: points beyond it are subtracted from it",
    },
    "last_turn": {
        "none": "the first player to reach the target wins",
        "others": "reaching the target ends the turn; the other player has one last turn, and wins with more points",
    },
}
LEAST = {"least_bank": "least points to bank a turn", "opening": "least points to bank while nothing is banked"}
NOT_SOLVED = {"piggyback": "going on with the previous player's dice"}
MOST_POINTS = 100_000
MOST_LEAST = 10_000
MOST_IN_ROW = 10
MOST_WEIGHT = 1000  # of a face
_WORDS = {moves: "any" if dice is None else " or ".join(dice) or "none" for moves, dice in RESIGNED.items()}


@dataclass(frozen=True)
class Rules(RepeatedTurn):
    """One turn of Ten Thousand by the rules of Crocce & Mordecki (2014, sections 2 and 5.1), or by house rules."""

    rules: Definition = parameter("crocce_mordecki", "rule set: the points of each combination, and more", defined=True)
    moves: str = parameter("all", "scoring dice that may be resigned (not kept)", choices=_WORDS, only=("turn",))

    title = "Ten Thousand"
    citation = "F. Crocce and E. Mordecki (2014), A finite exact algorithm to solve a dice game"
    stop = "bank"
    keeps = True
    defaults = MappingProxyType({"target": 10_000})
    switches = MappingProxyType({"rules": SWITCHES | LEAST})

    def __post_init__(self) -> None:
        check_rule_set(self.rules)

    def in_words(self, parameter: str) -> list[str]:
        content = self.rules.content
        dice, combinations = content["dice"], sorted(content["combinations"].items(), key=lambda c: (len(c[0]), c[0]))
        faces = content.get("faces", {}).items()
        lines = [
            content.get("label", ""),
            f"{dice} {'die' if dice == 1 else 'dice'}",
            ", ".join(f"{text} = {points}" for text, points in combinations if text.isdecimal()),
            *(f"{called(text)} = {points}" for text, points in combinations if not text.isdecimal()),
            *(words[_said(content, switch)] for switch, words in SWITCHES.items()),
            *(words[content[switch]] for switch, words in ENDS.items() if switch in content),
            *(f"{words}: {content[least]}" for least, words in LEAST.items() if content.get(least)),
            "lost turns in a row cost " + ", ".join(map(str, self.lost_in_row)) if self.lost_in_row else "",
            ", ".join(f"{face} falls {weight}" for face, weight in faces) + " times" if faces else "",
            f"source: {content['source']}" if "source" in content else "",
        ]
        return [line for line in lines if line]

    @property
    def modes(self) -> tuple[int, ...]:
        """The numbers of dice to roll. A turn starts with all of them, or with mode 0 if its first roll differs."""
        first = (0,) if "nothing_first" in self.rules.content["combinations"] else ()
        return (*first, *range(self.rules.content["dice"], 0, -1))

    @property
    def least_stop(self) -> int:
        return self.rules.content.get("least_bank", 0)

    @property
    def opening(self) -> int:
        return self.rules.content.get("opening", 0)

    @property
    def lost_in_row(self) -> tuple[int, ...]:
        return tuple(self.rules.content.get("lost_in_row", ()))

    @property
    def beyond(self) -> str:
        return {"at_least": WINS, "bust": BUST, "bounce": BOUNCE}[_said(self.rules.content, "target")]

    @property
    def last_turn(self) -> bool:
        return _said(self.rules.content, "last_turn") == "others"

    @property
    def must_roll(self) -> tuple[int, ...]:
        """The mode of all dice, which occurs at the start of a turn and when all dice have scored."""
        return (self.rules.content["dice"],) if self.rules.content.get("hot_dice") == "forced" else ()

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        return iter(_rolls(self.rules, self.moves, mode))

    def why_missing(self, total: int, dice: str | None = None) -> str:
        if dice is not None:
            most = self.rules.content["dice"]
            if not 1 <= len(dice) <= most or set(dice) - set("123456"):
                return f"a roll is 1 to {most} digits from 1 to 6"
            roll = next(r for r in self.rolls(total, self.mode_at(total, len(dice))) if r.dice == dice)
            if roll.loss:
                return f"a roll of {dice} scores nothing: the turn is lost, there is nothing to decide"
        return super().why_missing(total, dice)


@cache
def _rolls(rules: Definition, moves: str, mode: int) -> list[Roll]:
    table, found = rules.content, []
    dice, combinations = mode or table["dice"], table["combinations"]
    keep, hot_dice = (_said(table, switch) for switch in ("keep", "hot_dice"))
    weights = {int(face): weight for face, weight in table.get("faces", {}).items()}
    points, nothing = scores(table), combinations.get("nothing") if dice == table["dice"] else None
    nothing = nothing if mode else combinations["nothing_first"]
    for faces, orders in multisets(6, dice):
        rolled = "".join(map(str, faces))
        weight = orders * prod(weights.get(face, 1) for face in faces)
        keeps = {kept: points[kept] for kept in parts(rolled) if kept in points}
        if not keeps and nothing:
            keeps = {rolled: nothing}
        if not keeps:
            found.append(Roll(weight, rolled, loss=Loss.BUST))
            continue
        after_all = None if hot_dice == "none" else table["dice"]
        options = [
            Option(gain, after_all if kept == rolled else dice - len(kept), kept)
            for kept, gain in keeps.items()
            if (kept == rolled or rolled not in keeps or keep != "all_when_all_score")
            and _may_keep(kept, keeps, () if keep == "all" else RESIGNED[moves])
        ]
        # Most dice first, so that among equally good keeps the policy takes the one that resigns the fewest dice.
        options.sort(key=lambda option: (-len(option.keep), -option.gain, option.keep))
        found.append(Roll(weight, rolled, tuple(options)))
    return found


def _said(table: Mapping, switch: str) -> Any:
    """The choice of a rule set for a switch."""
    return table.get(switch, next(iter((SWITCHES | ENDS)[switch])))


def _may_keep(kept: str, keeps: dict[str, int], resigned: tuple[str, ...] | None) -> bool:
    """Rules (ii) to (iv) of section 2.2: keep all scoring dice, except those that may be resigned."""
    if resigned is None:
        return True
    largest = [k for k in keeps if not any(k != other and not Counter(k) - Counter(other) for other in keeps)]
    less = (Counter(k) - Counter(kept) for k in largest if not Counter(kept) - Counter(k))
    return any("".join(sorted(dice.elements())) in ("", *resigned) for dice in less)


def check_rule_set(rules: Definition) -> None:
    """Raise ConfigurationError, naming the entry and the values allowed, unless it is a rule set (config/README.md)."""
    place = f"definitions.ten_thousand.rules.{rules}"
    table = rules.content
    made = isinstance(table, dict) and {"dice", "combinations"} <= set(table)
    need(made, f"{place}: needs 'dice' and 'combinations'")
    for rule in table.keys() & NOT_SOLVED.keys():
        need(False, f"{place}.{rule}: {NOT_SOLVED[rule]} is not solved; leave it out")
    others = ("faces", "label", "source", "lost_in_row", *SWITCHES, *ENDS, *LEAST)
    for rule in set(table) - {"dice", "combinations", *others}:
        need(False, f"{place}: {rule!r} is not a rule{nearest(str(rule), others)}")
    dice, combinations, faces = table["dice"], table["combinations"], table.get("faces", dict.fromkeys("123456", 1))
    check_whole(f"{place}.dice", dice, 1, 6)
    for switch, allowed in (SWITCHES | ENDS).items():
        check_choice(f"{place}.{switch}", _said(table, switch), allowed)
    ties = _said(table, "last_turn") != "none" and _said(table, "target") != "at_least"
    need(not ties, f"{place}.last_turn: needs target at_least; two players who meet a target exactly tie")
    for name in ("label", "source"):
        check_line(f"{place}.{name}", table.get(name, ""))
    for least in LEAST:
        check_whole(f"{place}.{least}", table.get(least, 0), 0, MOST_LEAST)
        forced = table.get(least) and table.get("hot_dice") == "none"
        need(not forced, f"{place}.{least}: needs hot_dice free or forced; with none, any turn is banked")
    costs = table.get("lost_in_row", [])
    listed = isinstance(costs, list) and len(costs) <= MOST_IN_ROW
    need(listed, f"{place}.lost_in_row: {shown(costs)} is not a list of up to {MOST_IN_ROW} costs")
    for number, cost in enumerate(costs):
        check_whole(f"{place}.lost_in_row[{number}]", cost, max(costs[:number], default=0), MOST_LEAST)
    all_faces = isinstance(faces, dict) and sorted(map(str, faces)) == [*"123456"]
    need(all_faces, f"{place}.faces: needs the weight of each face from 1 to 6, and no other")
    for face, weight in faces.items():
        check_whole(f"{place}.faces.{face}", weight, 1, MOST_WEIGHT)
    made = isinstance(combinations, dict) and combinations
    need(made, f"{place}.combinations: the table scores nothing; give at least one combination")
    forms = f"sorted digits from 1 to 6 such as '222', a pattern such as 'aabbcc', or one of {', '.join(OTHERS)}"
    for text, points in combinations.items():
        made = text and isinstance(text, str) and (PATTERN.fullmatch(text) or re.fullmatch("1*2*3*4*5*6*", text))
        need(made, f"{place}.combinations: {shown(text)} is not a combination: quoted, {forms}")
        fits = len(text) <= dice or text in OTHERS
        need(fits, f"{place}.combinations: '{text}' needs more than the {dice} dice of this table")
        check_whole(f"{place}.combinations.{text}", points, 1, MOST_POINTS)
