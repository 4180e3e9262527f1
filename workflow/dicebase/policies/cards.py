"""Cards to print: a policy simple enough to play from a page, with its exact cost.

The turn is evaluated by backward recursion, and the duel against optimal play by the linear equations of two fixed
policies (solvers/plays.py).
"""

from collections.abc import Callable, Mapping
from typing import Any

from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import MAXIMISE_TURN, OPTIMAL
from dicebase.policies.card_of_turns import CardOfTurns
from dicebase.solvers.plays import Play, evaluate
from dicebase.tables.names import Definitions, Table, Variant, find_game
from dicebase.tabulate.cards import turns
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import ConfigurationError, Definition, Json, RepeatedTurn, Throw, parameters_of, weighted_mean

MATCH_NUMBERS = 3


def make_card(game: str, given: Mapping[str, object], definitions: Definitions) -> Json:
    """Return the card of a game's duel and its cost, as a dict:

    game, parameters, rules, labels : the title, the variant, and lines and labels of the definitions that it names.
    stop : the game's word for stopping. opening : the fewest points with which a player who banked nothing may stop.
    stop_at : [{hand, from}]; `from` is None if the player never stops.
    keep : [{scores, of: {hand: dice}}], by the scoring dice of a roll; rolls not listed keep all scoring dice.
    throw : number of dice, for games of throws.
    match : {card, cost, worst_case}, the best card of MATCH_NUMBERS numbers for the duel, in words, with what it loses
        (see matches/duels/duel_cards.py); None if a player keeps dice or a roll can lose banked points.
    turn : {card, best}, expected points.
    duel : {target, first, second, average, best}: the card's winning probability against optimal play, and that of
        optimal play moving first; or {target, why} if the duel is not evaluated.

    Raises MissingTableError for an unknown game, ConfigurationError for wrong parameters and games without cards.
    """
    made = {table.match: table for table in find_game(game) if table.rules_class.family in ("turns", "throws")}
    if "duel" not in made:
        raise ConfigurationError(f"{game}: cards exist for games of turns or throws that have a duel")
    table = made["duel"]
    variant = table.variant(given, definitions, game)
    rules = table.build_rules(variant, definitions)
    own = [p.name for p in parameters_of(table.rules_class) if p.defined]
    about = {"game": rules.title, "parameters": variant, "rules": {n: rules.in_words(n) for n in own}}
    about["labels"] = {n: getattr(rules, n).label for n in own}
    return about | (_throws if rules.family == "throws" else _turns)(table, rules, variant)


def _turns(table: Table, rules: RepeatedTurn, variant: Variant) -> Json:
    found = CardOfTurns.of(rules)
    told = {"stop": rules.stop, "opening": rules.opening, "stop_at": found.stops, "keep": found.kept}
    told |= {"turn": {"card": found.worth, "best": found.best}}
    told |= {"match": _match(rules, variant["target"])}
    return told | {"duel": _duel(table, rules, variant, TurnPlayers, lambda p: found.play(p.turn.unit, p.T))}


def _match(rules: RepeatedTurn, target: int) -> Json | None:
    listing = DuelCards(rules, target, MATCH_NUMBERS)
    if rules.keeps or len(rules.modes) > 1 or listing.why_not_solved:
        return None
    (rows,) = turns.duel(listing)
    found = zip(*(rows.states[name] for name in ("cost", "worst_case", "card")), strict=True)
    return dict(zip(("cost", "worst_case", "card"), min(found), strict=True))


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
    """The card's result in a duel against optimal play; `play` makes the card's play from the players of the duel."""
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
