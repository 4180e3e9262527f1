"""The value of each position of a board before the throw; the board may be too large to list with its dice, or for one
job.

Layers are solved one after another, from the end of play back. Decisions follow: for any throw, each move leads to a
stored position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from dicebase.matches.boards.board import derive_format, for_objective
from dicebase.vocabulary import (
    Column,
    CompiledBoard,
    ConfigurationError,
    LayeredBoard,
    Layout,
    Listing,
    Objective,
    State,
    nearest,
    parameter,
    value_column,
)

ALL = "all"


@dataclass(frozen=True)
class PositionValues(Listing):
    """The value of every position of a board before the throw."""

    rules: CompiledBoard

    layout = Layout.VALUES
    numbered = True
    certified_by = "layers"
    tabulated_by = "boards.layers"
    columns = (Column("number", int, "number of the position in its layer"),)
    note = "positions before a throw, including those that play cannot reach"

    @property
    def layer(self) -> str:
        (layer,) = self.rules.layers
        return layer

    @property
    def total(self) -> int:
        """What the values of both players sum to."""
        return int(self.value.unit == "probability")

    @property
    def described(self) -> tuple[Column, ...]:
        return self.rules.numbered

    @property
    def needs(self) -> tuple[Mapping[str, str], ...]:
        return tuple({"layer": layer} for layer in self.rules.layers[self.layer])

    bytes = property(lambda self: 450 * self.rules.size(self.layer))

    def why_missing(self, state: State) -> str:
        return f"layer {self.layer} has no position with this number"


@dataclass(frozen=True)
class LayerValues(PositionValues):
    """The mover's probability of winning in every position of a layer, before the throw."""

    layer: str = parameter(ALL, "the layer; layers that it is solved from are added")

    value = value_column("probability that the mover wins, before the throw", "probability")

    def __post_init__(self) -> None:
        if self.layer not in (names := self.rules.layers):
            allowed = f"{', '.join(names)} or {ALL}{nearest(self.layer, names)}"
            raise ConfigurationError(f"layer: {self.layer!r} is not one of {allowed}")

    bytes = property(lambda self: 160 * self.rules.size(self.layer))

    @classmethod
    def expanded(
        cls, build_rules: Callable[[], LayeredBoard], parameters: Mapping[str, int | str]
    ) -> list[dict[str, int | str]]:
        layers, chosen = build_rules().layers, parameters["layer"]
        if chosen not in {ALL, *layers}:
            return [dict(parameters)]  # building the game raises the error
        found = {*layers} if chosen == ALL else {chosen}
        for layer in reversed(layers):
            found.update(layers[layer] if layer in found else ())
        return [parameters | {"layer": layer} for layer in layers if layer in found]


@cache
def values_of(objective: Objective) -> type[PositionValues]:
    """The format of an objective of a compiled board: the values of all its positions."""
    game = for_objective(objective)
    value = value_column(f"{game.words}, before the throw", objective.unit)
    return derive_format(
        PositionValues, f"{game.__doc__}", words=game.words, sense=objective.sense, value=value, asked_as=game
    )


FORMATS = {LayeredBoard: LayerValues}
