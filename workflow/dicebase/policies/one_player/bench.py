"""Policies of one player in any game by turns: what they lose, and the positions that cost them most."""

import sys
from copy import copy

import pyarrow as pa

from dicebase.catalog.ask.many_positions import lookup_states
from dicebase.catalog.ask.solved_table import SolvedVariant
from dicebase.catalog.lookup import Catalog
from dicebase.policies.bench import Bench, Losses
from dicebase.policies.one_player.followed_play import Policy, follow
from dicebase.policies.one_player.text_policies import FilePolicy, listed_game, named_policy
from dicebase.policies.user_policies import MISSING
from dicebase.vocabulary import TIE


class OnePlayerBench(Bench):
    """One variant of a game by turns of one player."""

    def __init__(self, catalog: Catalog, solved: SolvedVariant) -> None:
        game, self.tables, self.solved = listed_game(solved), catalog.solved_tables, solved
        if game.continuation:  # past the last total, values are those of optimal play; a policy may go on there
            game = copy(game)
            game.last = sys.maxsize
        super().__init__(solved.table.name, solved.parameters, game)

    def named(self, name: str) -> Policy:
        return named_policy(self.tables, self.solved, self.listing, name)

    def filed(self, table: pa.Table, place: str, base: Policy | None) -> FilePolicy:
        return FilePolicy(self.tables, self.solved, self.listing, table, place, base)

    def losses(self, decided: Policy) -> Losses:
        """Return what a policy loses, by position."""
        game, solved = self.listing, self.solved
        play = follow(self.name, game, decided)
        if isinstance(decided, FilePolicy):
            decided.rows.refuse(MISSING, sorted(decided.missing))
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
