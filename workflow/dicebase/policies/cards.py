"""Cards to print: a policy simple enough to be played from a page, and what it gives up.

Such a card is played exactly: its turn by the recursion of a turn, and its duel against best play by the linear
equations of two policies (solvers/plays.py).
"""

from collections.abc import Callable, Mapping
from typing import Any

from dicebase.matches.duel_matchups import MAXIMISE_TURN, OPTIMAL
from dicebase.policies.card_of_turns import CardOfTurns
from dicebase.solvers.plays import Play, evaluate
from dicebase.tables.names import Definitions, Table, Variant, find_game
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import ConfigurationError, Definition, Json, RepeatedTurn, Throw, parameters_of, weighted_mean


def make_card(game: str, given: Mapping[str, object], definitions: Definitions) -> Json:
    """The card of a game's duel with these parameters, and what it gives up:

    game, parameters, rules : the title, a Variant of the duel, and the lines of the names that are defined.
    stop : the word. opening : points it takes to stop while nothing is banked, or 0. stop_at : [{hand, from}], `from`
        None where one never stops. keep : [{scores, of: {hand: dice}}], rolls by the dice that score in them; those
        that are not there keep all that scores. throw : or how many dice.
    turn : {card, best}, expected points. duel : {target, first, second, average, best}, the card's probability to win
        against best play, and that of the best player who begins; or {target, why} where none is played.

    Raises MissingTableError for what is no game, ConfigurationError for wrong parameters and games that have no card.
    """
    made = {table.match: table for table in find_game(game) if table.rules_class.family in ("turns", "throws")}
    if "duel" not in made:
        raise ConfigurationError(f"{game}: cards are of games of turns, or throws, that are played as duels")
    table = made["duel"]
    variant = table.variant(given, definitions, game)
    rules = table.build_rules(variant, definitions)
    own = (p.name for p in parameters_of(table.rules_class) if p.defined)
    about = {"game": rules.title, "parameters": variant, "rules": {n: rules.in_words(n) for n in own}}
    return about | (_throws if rules.family == "throws" else _turns)(table, rules, variant)


def _turns(table: Table, rules: RepeatedTurn, variant: Variant) -> Json:
    found = CardOfTurns.of(rules)
    told = {"stop": rules.stop, "opening": rules.opening, "stop_at": found.stops, "keep": found.kept}
    told |= {"turn": {"card": found.worth, "best": found.best}}
    return told | {"duel": _duel(table, rules, variant, TurnPlayers, lambda p: found.play(p.turn.unit, p.T))}


def _throws(table: Table, rules: Throw, variant: Variant) -> Json:
    gains = {dice: rules.gains(dice) for dice in rules.choices}
    means = {dice: weighted_mean([*weights.values()], [*weights]) for dice, weights in gains.items()}
    dice = max(means, key=means.__getitem__)
    told = {"stop": "", "stop_at": [], "keep": [], "throw": dice}
    told |= {"turn": dict.fromkeys(("card", "best"), float(means[dice]))}
    duel = _duel(table, rules, variant, ThrowPlayers, lambda p: p.play_of(p.policy(MAXIMISE_TURN)))
    return told | {"duel": duel}


def _duel(
    table: Table,
    rules: RepeatedTurn | Throw,
    variant: Variant,
    kind: type[TurnPlayers] | type[ThrowPlayers],
    play: Callable[[Any], Play],
) -> Json:
    """What the card earns in a duel against best play; `play` gives its play from the players of the duel."""
    target = variant["target"]
    duel = table.match_class(rules, target)
    if why := duel.why_not_solved or duel.why_not_played_out:
        return {"target": target, "why": why}
    matchups = next(t for t in find_game(table.game) if t.match == "duel_matchups").match_class
    players = kind(matchups(rules, target, Definition("", [OPTIMAL])))
    X, Y = evaluate(play(players), players.play_of(players.policy(OPTIMAL)))
    first, second = float(X[0, 0]), float(1 - Y[0, 0])
    best = float(players.values[0, 0])
    return {"target": target, "first": first, "second": second, "average": (first + second) / 2, "best": best}
