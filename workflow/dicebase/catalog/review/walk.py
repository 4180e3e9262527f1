"""Follow one play of a game, move by move: the position, the player to move, and the payoff so far."""

from collections.abc import Hashable, Mapping

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.families import family_of
from dicebase.tables.follow.rolls import DICE, ROLL
from dicebase.vocabulary import ConfigurationError, Controller, Game, Json, Outcome, State


class Walk:
    """A play of a solved variant. Next comes a roll from `after` or a decision at `state`; if both are None, the play
    is over.

    role : 1 while the first player moves, -1 while the second does.
    paid : the payoff so far, to the first player.
    decided : the last state in which a player acted, and that player's role.
    """

    def __init__(self, tables: SolvedTables, name: str, given: Mapping[str, object]) -> None:
        """Raises MissingTableError if the variant is not solved, and ConfigurationError if the game has no decisions or
        both players decide at once."""
        self.tables, table = tables, tables[name]
        variant = table.require(read_variant(table, given))
        self.table, self.variant, self.game = table, variant, variant.game.play
        decides = isinstance(self.game, Game)
        first = next(iter(self.game.outcomes(self.game.start()))).state if decides else None
        if not decides or self.game.controller(first) is Controller.BOTH:
            raise ConfigurationError(f"{name}: cannot be played or reviewed: no player decides alone or in turn")
        self.after: Hashable | None = self.game.start()
        self.state: State | None = None
        self.role, self.paid = 1, 0
        self.decided: tuple[State, int] | None = None

    @property
    def is_board(self) -> bool:
        return family_of(self.game.rules).is_board

    @property
    def position(self) -> dict[str, int | str]:
        """The state as arguments of a lookup, with `roll` in place of `dice` if the player now keeps dice."""
        position = dict(zip((c.name for c in self.game.columns), self.game.row(self.state), strict=False))
        rolled = {} if self.game.listed(self.state) else {ROLL: self.state[-1]}
        return {n: x for n, x in position.items() if n != DICE or not rolled} | rolled

    @property
    def turn(self) -> tuple[int, int, int] | None:
        """(the mover's points, the opponent's, turn total) in a match to a target: now or, before a roll, where the
        player decided to roll. With one player the opponent's points are 0. None for other games."""
        if not self.game.record_columns or not (now := (self.state, self.role) if self.state else self.decided):
            return None
        state, columns = now[0], self.game.columns
        points = [x for x, column in zip(state, self.game.record_columns, strict=False) if column.unit == "points"]
        total = next((x for x, column in zip(state, columns, strict=False) if column.name == "turn_total"), 0)
        return (*points, 0)[0], (*points, 0)[1], total

    def answer(self) -> Json:
        """Look up the state."""
        return self.tables.look_up(self.table.name, self.variant.parameters | self.position).as_dict()

    def roller(self, outcome: Outcome) -> int:
        """Return the role of the roller: on a board the player to move afterwards, otherwise the player to move now."""
        return self.role * outcome.sign if self.is_board and outcome.state is not None else self.role

    def fall(self, outcome: Outcome) -> None:
        """Apply the outcome of a roll."""
        self.paid += self.role * outcome.reward
        self.role *= outcome.sign
        self.after, self.state = None, outcome.state

    def act(self, action: str) -> None:
        """Take an action by its name in a lookup; `keep 15, roll 3` decides both to keep and to roll."""
        actions, self.decided = self.game.actions(self.state), (self.state, self.role)
        first, _, rest = (action, "", "") if action in actions else action.partition(", ")
        self.after, self.state = self.game.afterstate(self.state, first), None
        if rest:
            self.fall(*self.game.outcomes(self.after))
            if self.state and (second := next((a for a in self.game.actions(self.state) if rest.startswith(a)), "")):
                self.act(second)
