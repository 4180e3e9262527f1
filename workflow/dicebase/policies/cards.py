"""Cards to print: a policy simple enough to play from a page, with its exact cost.

The turn is evaluated by backward recursion, and the duel against optimal play by the linear equations of two fixed
policies (solvers/plays.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import MAXIMISE_TURN, OPTIMAL
from dicebase.policies.card_of_turns import CardOfTurns
from dicebase.solvers.plays import Play, changed, evaluate
from dicebase.tables.names import Definitions, Table, Variant, find_game
from dicebase.tabulate.cards import turns
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import ConfigurationError, Definition, Json, RepeatedTurn, Throw, weighted_mean

MATCH_NUMBERS = 3
TRIED = 16  # the number of totals that a search tries before it looks near the best


def make_card(game: str, given: Mapping[str, object], definitions: Definitions) -> Json:
    """Return the card of a game's duel and its cost, as a dict:

    game, setting : the title; the parameters that are numbers or choices, in words.
    rules, labels : {parameter: lines in words}, {parameter: label}, of the definitions that the variant names.
    stop : the game's word for stopping. opening : the fewest points with which a player who banked nothing may stop.
    last_turn : whether the opponent of a player who reaches the target has a last turn.
    stop_at : [{hand, from}]; `from` is None if the player never stops.
    keep : [{scores, of: {hand: dice}}], by the scoring dice of a roll; rolls not listed keep all scoring dice.
    throw : number of dice, for games of throws.
    turn : {card, best}, expected points.
    match : {target, cost, worst_case}, what the card loses in a duel against optimal play and against the best response
        to it, as in matches/duels/duel_cards.py; with `card`, the best card of MATCH_NUMBERS numbers in words, or with
        `race`, the total of either player from which on the card stops only at the target. {target, why} if the duel is
        not evaluated.

    Raises MissingTableError for an unknown game, ConfigurationError for wrong parameters and games without cards.
    """
    made = {table.match: table for table in find_game(game) if table.rules_class.family in ("turns", "throws")}
    if "duel" not in made:
        tables = ", ".join(table.name for table in find_game(game) if table.match_class.layout.decides)
        what = f"cards exist for games of turns or throws that have a duel; 'dicebase lookup' ranks actions: {tables}"
        raise ConfigurationError(f"{game}: {what}")
    table = made["duel"]
    variant = table.variant(given, definitions, game)
    rules = table.build_rules(variant, definitions)
    about = {"game": rules.title, "parameters": variant} | table.told(rules, variant)
    return about | (_throws if rules.family == "throws" else _turns)(table, rules, variant)


def _turns(table: Table, rules: RepeatedTurn, variant: Variant) -> Json:
    found = CardOfTurns.of(rules)
    told = {"stop": rules.stop, "opening": rules.opening, "last_turn": rules.last_turn}
    told |= {"stop_at": found.stops, "keep": found.kept, "turn": {"card": found.worth, "best": found.best}}
    target = variant["target"]
    if (match := _words(rules, target)) is None:

        def plays(players: TurnPlayers) -> tuple[Play, Play]:
            size = players.turn.unit, players.T, players.past
            return found.play(*size), replace(found, stop_at=dict.fromkeys(found.stop_at)).play(*size)

        match = _match(table, rules, target, TurnPlayers, plays)
    return told | {"match": {"target": target} | match}


def _throws(table: Table, rules: Throw, variant: Variant) -> Json:
    gains = {dice: rules.gains(dice) for dice in rules.choices}
    means = {dice: weighted_mean([*weights.values()], [*weights]) for dice, weights in gains.items()}
    dice = max(means, key=means.__getitem__)
    told = {"stop": "", "opening": 0, "last_turn": False, "stop_at": [], "keep": [], "throw": dice}
    told |= {"turn": dict.fromkeys(("card", "best"), float(means[dice]))}
    target = variant["target"]
    match = _match(table, rules, target, ThrowPlayers, lambda p: (p.play_of(p.policy(MAXIMISE_TURN)),))
    return told | {"match": {"target": target} | match}


def _words(rules: RepeatedTurn, target: int) -> Json | None:
    """The best card of a few numbers, if players keep no dice and such cards are searched."""
    listing = DuelCards(rules, target, MATCH_NUMBERS)
    if rules.keeps or len(rules.modes) > 1 or listing.why_not_solved:
        return None
    (rows,) = turns.duel(listing)
    found = zip(*(rows.states[name] for name in ("cost", "worst_case", "card")), strict=True)
    return dict(zip(("cost", "worst_case", "card"), min(found), strict=True))


def _match(
    table: Table,
    rules: RepeatedTurn | Throw,
    target: int,
    kind: type[TurnPlayers] | type[ThrowPlayers],
    plays: Callable[..., tuple[Play, ...]],
) -> Json:
    """The card's cost in a duel; `plays` makes the card's play from the players of the duel, and that of a card that
    never stops before the target, to change to when a player is near it."""
    duel = table.match_class(rules, target)
    if why := duel.why_not_played_out:
        return {"why": why}
    matchups = next(t for t in find_game(table.game) if t.match == "duel_matchups").match_class
    players = kind(matchups(rules, target, Definition("", [OPTIMAL])))
    optimal, (card, *never) = players.play_of(players.policy(OPTIMAL)), plays(players)
    nearest, found = np.maximum(*np.indices((players.T, players.T))), {}

    def cost(row: Play, column: Play) -> float:
        X, Y = evaluate(row, column)
        return float(Y[0, 0] - X[0, 0])

    if never:
        race = _least(lambda race: cost(changed(card, never[0], nearest >= race), optimal), players.T)
        if race < players.T:
            card, found = changed(card, never[0], nearest >= race), {"race": race * duel.unit_of_points}
    _, X, Y = players.respond(card)
    return found | {"cost": cost(card, optimal), "worst_case": float(X[0, 0] - Y[0, 0])}


def _least(cost: Callable[[int], float], high: int) -> int:
    """The number from 0 to `high` of the least cost, among some and then among their neighbours, ever closer."""
    step, near, found = -(-high // TRIED), range(high + 1), {}
    while True:
        found |= {at: cost(at) for at in near[::step] if at not in found}
        best = min(found, key=found.__getitem__)
        if step == 1:
            return best
        near, step = range(max(0, best - step), min(high, best + step) + 1), -(-step // 4)
