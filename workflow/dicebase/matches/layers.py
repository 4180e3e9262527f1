"""The value of each position of a layered board before the throw; the board may be too large for one job.

Layers are solved one after another, from the end of play back. Decisions follow: for any throw, each move leads to a
stored position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dicebase.vocabulary import (
    Column,
    ConfigurationError,
    LayeredBoard,
    Layout,
    Listing,
    State,
    nearest,
    parameter,
    value_column,
)

ALL = "all"


@dataclass(frozen=True)
class LayerValues(Listing):
    """The mover's probability of winning in every position of a layer, before the throw."""

    rules: LayeredBoard
    layer: str = parameter(ALL, "the layer; layers that it is solved from are added")

    layout = Layout.VALUES
    numbered = True
    certified_by = "layers"
    tabulated_by = "boards.layers"
    value = value_column("probability that the mover wins, before the throw", "probability")
    columns = (Column("number", int, "number of the position in its layer"),)
    note = "positions before a throw, including those that play cannot reach"

    def __post_init__(self) -> None:
        if self.layer not in (names := self.rules.layers):
            allowed = f"{', '.join(names)} or {ALL}{nearest(self.layer, names)}"
            raise ConfigurationError(f"layer: {self.layer!r} is not one of {allowed}")

    @property
    def described(self) -> tuple[Column, ...]:
        return tuple(c for c in self.rules.columns if c.name not in self.rules.fallen)

    @property
    def needs(self) -> tuple[Mapping[str, str], ...]:
        return tuple({"layer": layer} for layer in self.rules.layers[self.layer])

    @property
    def bytes(self) -> int:
        return 160 * self.rules.size(self.layer)

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

    def why_missing(self, state: State) -> str:
        return f"layer {self.layer} has no position with this number"


FORMATS = {LayeredBoard: LayerValues}
