"""A table as it is solved: its rules, and the mapped rows that answer for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dicebase.catalog.rolls import DICE, ROLL, takes_rolls, why_no_roll
from dicebase.catalog.row_arrays import VALUES, Mapped, Part
from dicebase.tables.follow.choices import Choices
from dicebase.tables.follow.keeps import keeps
from dicebase.tables.follow.placements import placements
from dicebase.tables.names import Table, Variant
from dicebase.vocabulary.ranking import TIE
from dicebase.vocabulary.words import words

State = Mapping[str, int | str]
LARGE = 2**53


class Ranking(NamedTuple):
    """What a position is worth, and its actions, best first."""

    value: float
    actions: list[dict[str, Any]]
    values: dict[str, float] = {}  # noqa: RUF012  further values of a row that decides nothing


class Solved:
    """The variants of a table, and the answers at their positions."""

    def __init__(self, table: Table, mapped: Mapped, results: Path) -> None:
        self.table, self.mapped, self.results = table, mapped, results
        self.name, self.match, self.columns, self.variants = (
            table.name,
            table.match_class,
            mapped.columns,
            mapped.variants,
        )
        self.parameters = {p.name: p for p in table.parameters}
        self.rolls = takes_rolls(table, mapped.columns)
        self._by_point = {tuple(row["parameters"].values()): row for row in mapped.variants}
        self._games: dict[tuple, Any] = {}
        self._parts: dict[tuple, Part] = {}

    def certified(self, variant: Variant) -> dict[str, Any] | None:
        """The row of a variant in the view `tables`, if it is solved."""
        return self._by_point.get(tuple(variant.values()))

    def game(self, certified: Mapping[str, Any]) -> Any:
        """What a solved variant lists."""
        point = tuple(certified["parameters"].values())
        if point not in self._games:
            definitions = json.loads(certified["definitions"])
            self._games[point] = self.table.build(certified["parameters"], definitions, certified["continuation"])
        return self._games[point]

    def part(self, variant: Variant) -> Part:
        """The rows of a solved variant."""
        point = tuple(variant.values())
        if point not in self._parts:
            self._parts[point] = self.mapped.part(variant)
        return self._parts[point]

    def is_rolled(self, given: Mapping) -> bool:
        """Whether a position is a roll from which the player keeps dice, and not what the table lists."""
        return self.rolls and ROLL in given

    def describe(self) -> dict[str, Any]:
        """See Catalog.describe."""
        match = self.match
        listed = {c.name: c for c in self.game(self.variants[0]).columns}
        listed |= {c.name: c for c in self.table.followed.state_columns} if self.table.followed else {}
        state = [listed[name] for name in self.columns if name not in self.parameters]
        return {
            "table": self.name,
            "title": self.table.title,
            "unit": match.value.unit,
            "value_is": match.value.description,
            "decides": match.layout.decides,
            "parameters": [
                {
                    "name": p.name,
                    "kind": "integer" if p.kind is int else "string",
                    "default": p.default,
                    "description": p.description,
                    "allowed": p.allowed,
                }
                for p in self.parameters.values()
            ],
            "columns": [
                {
                    "name": c.name,
                    "kind": "string" if self.columns[c.name] == "VARCHAR" else "integer",
                    "description": c.description,
                    "unit": c.unit,
                }
                for c in state
            ],
            "roll": self.rolls,
        }

    # --- answers ------------------------------------------------------------------------------------------------------

    def ranking(self, certified: Mapping[str, Any], state: State) -> Ranking | None:
        """The value of a position of a solved variant and its actions; None if the table does not have it."""
        variant = certified["parameters"]
        part = self.part(variant)
        if self.is_rolled(state) or self.follows(part):
            # No row has a number as large as the limits, and no sum with one overflows.
            arrays = {n: np.array([max(-LARGE, min(LARGE, x))]) for n, x in state.items() if not isinstance(x, str)}
            chosen = self.choices(certified, arrays, str(state.get(ROLL, "")))
            return _chosen(*chosen) if chosen and chosen[1][0] else None
        if (row := part.row(variant | state)) < 0:
            return None
        value, *more = part.rows[row].item()
        if not self.match.layout.decides:
            return Ranking(value, [], dict(zip(part.rows.dtype.names[1:], more, strict=True)))
        if part.actions is None:
            return Ranking(value, self._two(part.names, value, more[0]))
        stored = (ranked(part.names[action], *rest) for action, *rest in part.actions_of(row).tolist())
        return Ranking(value, sorted(stored, key=_order))

    def follows(self, part: Part) -> bool:
        """Whether these rows are values, from which decisions follow."""
        return part is self.mapped.parts.get(VALUES)

    def choices(
        self, certified: Mapping[str, Any], state: Mapping[str, np.ndarray], roll: str
    ) -> tuple[Choices, np.ndarray] | None:
        """The actions that follow from rows at n positions of a variant, and which of them exist."""
        variant, game = certified["parameters"], self.game(certified)
        part = self.part(variant)
        if self.follows(part):
            values = self.table.followed(game.rules)
            return placements(values, part, variant, state, 2 * certified["error_bound"])
        return keeps(game, part, variant, state, roll)

    def _two(self, names: list[str], value: float, margin: float) -> list[dict[str, Any]]:
        best, other = names if np.signbit(margin) else names[::-1]
        if np.isnan(margin):
            return [ranked(best, value, 0.0, 1.0, True, False)]
        regret = abs(margin)
        tie = regret <= TIE
        return [
            ranked(best, value, 0.0, 1.0, True, tie),
            ranked(other, value - self.match.sense * regret, regret, 0.0, tie, tie),
        ]

    # --- messages -----------------------------------------------------------------------------------------------------

    def not_solved(self, variant: State) -> str:
        """The message that says which values exist, by parameter."""
        solved = [row["parameters"] for row in self.variants]
        texts = []
        for name in variant:
            values = sorted({parameters[name] for parameters in solved})
            shown = [*map(str, values[:12]), *(["..."] if len(values) > 12 else [])]
            texts.append(f"{name}: {' '.join(shown)}")
        return (
            f"{self.results}: {self.name} is not solved for {words(variant)}; "
            f"solved are {', '.join(texts)} (not all combinations need be)"
        )

    def why_missing(self, game: Any, state: State, there: State | None = None) -> str:
        """Why nobody decides anything at a position; `there` is where it would be stored, parameters and state."""
        what = "decision" if self.match.layout.decides else "row"
        place = f"{self.name}: no {what} at {words(state)}"
        if not self.is_rolled(state):
            return f"{place}: {game.why_missing(tuple(state.values()))}"
        before = {name: value for name, value in (there or {}).items() if name != ROLL}
        part = self.part({name: before[name] for name in self.parameters}) if before else None
        possible = part.ranks.following(part.key(before)) if part else []
        assert part is None or part.columns[-1] == DICE
        return f"{place}: {why_no_roll(game, tuple(state.values()), possible)}"


def ranked(
    action: str, value: float, regret: float, probability: float, optimal: bool, undecided: bool
) -> dict[str, Any]:
    """One action of an answer; only a tie that is not proved says so."""
    known = {"action": action, "value": value, "regret": regret, "probability": probability, "optimal": optimal}
    return known | ({"undecided": True} if undecided else {})


def _order(action: Mapping[str, Any]) -> tuple:
    """Best first, as the macros order them."""
    return not action["optimal"], -action["probability"], action["regret"], action["action"]


def _chosen(choices: Choices, _: np.ndarray) -> Ranking:
    """The answer at the first position."""
    names, *columns = choices
    first = choices.best[0]
    q_values, regrets, optimal, undecided = (column[0].tolist() for column in columns)
    actions = [
        ranked(name, q, regret, float(i == first), best, unsure)
        for i, (name, q, regret, best, unsure) in enumerate(
            zip(names, q_values, regrets, optimal, undecided, strict=True)
        )
        if q == q
    ]
    return Ranking(float(choices.values[0]), sorted(actions, key=_order))
