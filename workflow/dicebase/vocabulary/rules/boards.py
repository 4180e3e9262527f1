"""Rules of a board: any finite game of perfect information, for one player or for two who alternate, whose rules define
its positions. The solver finds the order in which to solve them.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from dicebase.vocabulary.drawings import Drawing
from dicebase.vocabulary.errors import NO_PLAY, ConfigurationError
from dicebase.vocabulary.game import Outcome
from dicebase.vocabulary.listing import Column, State
from dicebase.vocabulary.rules.chance import Chance
from dicebase.vocabulary.rules.rulebook import Rulebook


class Objective(NamedTuple):
    """The goal of play; each objective has its own table."""

    words: str  # the meaning of the value, such as `chance to shut the box`; follows `the best` or `the least`
    unit: str  # of the value and of rewards: points, turns or probability
    sense: int = 1  # 1 if the mover wants more, -1 if the mover wants less
    players: int = 1  # 2 if players alternate and what one wins the other loses; policies then play each other too
    denominator: int = 1  # rewards are whole multiples of 1 / denominator; distributions count these


def afterstate_by_action(pairs: Iterable[tuple[str, Hashable]]) -> dict[str, Hashable]:
    """Return {action: afterstate} in the order of the pairs. Raises ConfigurationError if an action leads to two
    different afterstates; a dict would silently keep the last one."""
    found: dict[str, Hashable] = {}
    for action, afterstate in pairs:
        known = found.setdefault(action, afterstate)
        if known is not afterstate and (known != afterstate or repr(known) != repr(afterstate)):
            raise ConfigurationError(f"action {action!r:.80} leads to {known!r:.80} and to {afterstate!r:.80}")
    return found


@dataclass(frozen=True)
class PositionRules(Rulebook):
    """The rules of a game that defines its own positions and objectives: a board, or a game of hidden information.

    Play begins in the afterstate `start`. `outcomes` may depend on `objective`, the name of the current objective.
    """

    objective: str = field(default="", kw_only=True)
    reward_factor: int = field(default=1, kw_only=True)  # multiplies all rewards

    objectives: ClassVar[Mapping[str, Objective]] = MappingProxyType({})  # each has its own table, <game>_<name>
    columns: ClassVar[tuple[Column, ...]]  # of a position as the mover sees it: texts, integers, or bools (0 and 1)
    drawing: ClassVar[tuple[Drawing, ...]] = ()
    most_positions: ClassVar[int] = 5_000_000
    note: ClassVar[str] = ""  # positions that the rules leave out, and why that changes no value
    discount: ClassVar[int | Fraction] = 1  # multiplies the value of the next position after every decision
    chained: ClassVar[bool] = False  # whether outcomes may lead to another afterstate, After(afterstate)

    @abstractmethod
    def start(self) -> Hashable:
        """The afterstate before the first decision."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[str]:
        """The legal actions as texts; there is at least one. If several are optimal, the policy takes the first."""

    @abstractmethod
    def afterstate(self, state: State, action: str) -> Hashable:
        """The position after an action, before the dice fall."""

    @abstractmethod
    def outcomes(self, afterstate: Hashable) -> Iterable[Outcome]:
        """The outcomes of the dice; weights are positive integers. Plain tuples of the four fields also work, and are
        created five times as fast."""

    def labels(self, afterstate: Hashable) -> Sequence[str]:
        """Return a text for each of `outcomes`, in order, that names the roll. If empty, people see the columns that
        differ."""
        return ()

    @property
    def chance(self) -> Chance:
        """The outcomes up to the next decision, with the discount."""
        return Chance(self)

    def seen(self, state: State) -> State:
        """The position as the mover sees it, one entry per column."""
        return state

    def picture(self, state: State) -> str:
        """A position as lines of text; if empty, the position is shown as `drawing` says."""
        return ""

    def why_missing(self, state: State) -> str:
        """The reason why a position has no decision, for the message of a lookup."""
        return NO_PLAY


@dataclass(frozen=True)
class Board(PositionRules):
    """The rules of a game of perfect information that defines its own positions.

    A state is the mover's view of the position, one entry per column. The reward of an outcome goes to the player who
    moved. An outcome with sign -1 changes roles: if the value is a probability p for the next mover, the previous mover
    gets 1 - p, which is reward 1 and sign -1.
    """

    family = "boards"

    # What a player can count in an afterstate, by name; policies of the form `prefer FORMULA` use it.
    features: ClassVar[Mapping[str, Callable[[Hashable], int]]] = MappingProxyType({})

    # The reward of play that never ends, to the mover of every position that it returns to; such play pays nothing else
    # from some move on. If None, a game is refused in which optimal play need not end.
    unending: ClassVar[int | Fraction | None] = None


class CompiledBoard(Board):
    """A board with compiled rules (games/compiled), which number its positions before a throw; its tables have the
    values of all of these, and decisions follow. Whose values they are, the compiled rules say."""

    numbered: ClassVar[tuple[Column, ...]]  # of a position before a throw

    @abstractmethod
    def size(self, layer: str) -> int:
        """The number of positions before a throw in a layer, by a formula rather than by enumeration."""

    @property
    def layers(self) -> Mapping[str, tuple[str, ...]]:
        """The layers that play can enter from each layer, all listed before it; play begins in the last layer."""
        return {"all": ()}

    def described(self, afterstate: Hashable) -> tuple[int | str, ...]:
        """The columns `numbered` of an afterstate."""
        return afterstate


class LayeredBoard(CompiledBoard):
    """A board whose play passes from layer to layer, which are solved and stored one by one."""
