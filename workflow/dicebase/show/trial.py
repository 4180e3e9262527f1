"""Try the rules of a board or of a game of hidden information without solving it: play random moves, and count the
positions that play reaches."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from dicebase.families import family_of
from dicebase.tables.names import find_game
from dicebase.tables.rules_files import add_folder
from dicebase.vocabulary import ConfigurationError, Game, PositionRules, check_rules, words

MOVES, DEEPEST, MOST = 10, 10, 100_000  # random moves; decisions and positions after which the count stops


def trial(file: str, given: Mapping[str, object], seed: int | None) -> Iterator[str]:
    """Yield lines about a rules file: random moves from the start, and how many positions are new after each decision.
    Raises ConfigurationError if the file has no such game, or if its rules break the contract."""
    path = Path(file)
    if path.suffix != ".py" or not path.is_file():
        raise ConfigurationError(f"{file}: is not a rules file (.py)")
    add_folder(path.parent)
    table = find_game(path.stem)[0]
    if not issubclass(table.rules_class, PositionRules):
        raise ConfigurationError(f"{file}: only games that state their own positions can be tried")
    game = table.build(variant := table.variant(given, {}, table.name), {})
    check_rules(game.rules)
    if game.asked_as:  # compiled rules: play by the plain ones
        game = game.asked_as(game.rules)
    yield f"{game.rules.title}: {MOVES} random moves of {table.name} {words(variant)}".rstrip()
    yield from _moves(game, random.Random(seed))
    yield from _positions(game)


def _moves(game: Game, dice: random.Random) -> Iterator[str]:
    """Yield random moves: what is rolled, the position, and the action taken."""
    after, player, paid = game.start(), 1, 0
    for _ in range(MOVES + 1):
        outcomes = [*game.outcomes(after)]
        labels = game.falls(after) if game.hides else game.rules.chance.labels(after)
        ((i, outcome),) = dice.choices([*enumerate(outcomes)], [o.weight for o in outcomes])
        paid += player * outcome.reward
        player *= outcome.sign
        rolled = f"{labels[i]}: " if labels else ""
        if outcome.state is None:
            yield f"   {rolled}the end; the first player has {float(paid):g}"
            return
        state = dict(zip((c.name for c in game.columns), game.row(outcome.state), strict=True))
        yield f"   {rolled}{words(state)}"
        yield from (f"      {line}" for line in family_of(game.rules).picture(game.rules, state))
        action = dice.choice([*game.actions(outcome.state)])
        yield f"   {'first' if player > 0 else 'second'} player: {action}"
        after = game.afterstate(outcome.state, action)


def _positions(game: Game) -> Iterator[str]:
    """Yield the number of positions that play reaches for the first time after each number of decisions."""
    yield "positions reached first after so many decisions:"
    known, ahead = set(), {game.start()}
    for depth in range(DEEPEST + 1):
        new = {o.state for after in ahead for o in game.outcomes(after)} - known - {None}
        known |= new
        if not new:
            yield f"{len(known):,} in all"
            return
        yield f"   {depth:2}  {len(new):9,}"
        if len(known) > MOST:
            break
        ahead = {game.afterstate(state, action) for state in new for action in game.actions(state)}
    yield f"{len(known):,} so far"
