"""Games of hidden information: the mover's view of a position, drawn as a board is."""

from dicebase.families.boards import Boards
from dicebase.vocabulary import Hidden, Outcome


class HiddenInformation(Boards):
    """Games that state their own positions and what each player sees of them."""

    is_board = False

    def first_position(self, rules: Hidden) -> dict[str, int | str]:
        """The first decision after the most likely throw."""
        throws = map(Outcome._make, rules.chance.outcomes(rules.chance.start()))
        state = max((throw for throw in throws if throw.state is not None), key=lambda throw: throw.weight).state
        columns = ("player", *(c.name for c in rules.columns))
        return dict(zip(columns, (rules.mover(state), *rules.seen(state)), strict=True))
