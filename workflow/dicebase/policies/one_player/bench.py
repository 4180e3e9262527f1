"""Policies of one player in any game by turns: what they lose, and the positions that cost them most."""

import sys
from copy import copy

import pyarrow as pa

from dicebase.catalog.ask.many_positions import lookup_states
from dicebase.catalog.ask.solved_table import SolvedVariant
from dicebase.catalog.lookup import Catalog
from dicebase.policies.hold_lists import Losses
from dicebase.policies.one_player.followed_play import follow
from dicebase.policies.one_player.text_policies import FilePolicy, listed_game, named_policy
from dicebase.policies.user_policies import MISSING
from dicebase.vocabulary import TIE


class OnePlayerBench:
    """One variant of a game by turns of one player."""

    def __init__(self, catalog: Catalog, solved: SolvedVariant) -> None:
        self.tables, self.solved, self.name = catalog.solved_tables, solved, solved.table.name
        game = listed_game(solved)
        if game.continuation:  # past the last total, values are those of optimal play; a policy may go on there
            game = copy(game)
            game.last = sys.maxsize
        self.listing = game

    def losses(self, base: str, table: pa.Table | None, place: str) -> Losses:
        """Return what a policy loses, by position. The rows of a table decide in their positions."""
        game, solved = self.listing, self.solved
        policy = named_policy(self.tables, solved, game, base) if base else None
        if table is not None:
            policy = FilePolicy(self.tables, solved, game, table, place, policy)
        play = follow(self.name, game, policy)
        if table is not None and policy.missing:
            policy.rows.refuse(MISSING, sorted(policy.missing))
        values, best = lookup_states(self.tables, solved, play.states)
        cost = game.sense * (values - play.action_values(values))
        cost[cost <= max(TIE, 2 * solved.error_bound)] = 0.0
        names = [c.name for c in game.columns]
        rolled = [not game.listed(state) for state in play.states]
        columns = [*zip(*(s[: len(names)] for s in play.states), strict=True)] if names else []
        said = dict(zip(names, columns, strict=True))
        if any(rolled):
            said["roll"] = [state[-1] if is_roll else "-" for state, is_roll in zip(play.states, rolled, strict=True)]
        said |= {"action": play.actions, "optimal": best.tolist()}
        return Losses(said, play.met, cost * play.met, play.value, play.error_bound + solved.error_bound)
