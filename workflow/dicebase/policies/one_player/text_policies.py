"""Policies of one player, as functions of the position: named ones, lines of text, and files of decisions.

docs/use/policies.md describes them. Formulas know the position's whole numbers by the names of the table's columns, the
parameters that are whole numbers, and for turns also `me`, the points banked, `dice`, the dice left, and `target`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import inf, lcm
from typing import Any

import numpy as np
import pyarrow as pa

from dicebase.catalog.ask.many_positions import lookup_states
from dicebase.catalog.ask.solved_table import SolvedVariant
from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.matches.boards.board_matchups import FIRST_LISTED, RANDOM
from dicebase.matches.boards.preferences import PREFER, preference
from dicebase.matches.deals.lines import IF, read_lines
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.turns.hold_at import WORD, parts_of
from dicebase.policies.one_player.followed_play import Mix, Policy
from dicebase.policies.user_policies import PolicyRows
from dicebase.tables.names import known_tables
from dicebase.vocabulary import ConfigurationError, Controller, Game, MissingTableError, Option, State
from dicebase.vocabulary.formula import formula

NUMBERS = {"turns": WORD, "throws": "always"}
"""The first word of policies that state a number, by family of rules."""

FILES = "a .csv or .parquet file, 'NAME except FILE'"
EXAMPLES = {"turns": f"{WORD} 20", "throws": "always 2"}

NUMBERED = re.compile(rf"({WORD}|always)(?:_(\d+)| (.+))")


def listed_game(solved: SolvedVariant) -> Game:
    """Return the game of a table. Raises MissingTableError unless it is a game by turns whose players see
    everything."""
    game = getattr(solved.game, "match", solved.game).play
    if not isinstance(game, Game) or game.hides:
        raise MissingTableError(f"{solved.table.name}: is not a game by turns, so policies are not evaluated")
    if any(o.state and game.controller(o.state) is Controller.BOTH for o in game.outcomes(game.start())):
        raise MissingTableError(f"{solved.table.name}: both players choose at once, so policies are not evaluated")
    return game


def named_policy(tables: SolvedTables, solved: SolvedVariant, game: Game, name: str) -> Policy:
    """Return the policy of a name or a line of text. Raises ConfigurationError for a wrong one."""
    if name == OPTIMAL:
        return Optimal(tables, solved)
    if name in (FIRST_LISTED, RANDOM):
        end = 1 if name == FIRST_LISTED else None
        return lambda state: tuple((action, 1) for action in game.actions(state)[:end])
    family, said = game.rules.family, NUMBERED.fullmatch(name)
    if family == "boards" and name.startswith(PREFER):
        prefer = preference(name, game.rules)
        return lambda state: ((prefer(state), 1),)
    numbers = _numbers(solved, game)
    if said and said[1] == NUMBERS.get(family):
        return (_hold_at if said[1] == WORD else _always)(game, said[2] or said[3], numbers)
    if IF in name and not said and solved.part.names:
        return _lines(game, name, numbers, solved.part.names)
    feature = [f"{PREFER}{name}" for name in [*getattr(game.rules, "features", {})][:1]]
    lines = f"lines such as 'ACTION{IF}CONDITION; ACTION{IF}CONDITION'"
    known = ", ".join(filter(None, (EXAMPLES.get(family), *feature, OPTIMAL, FIRST_LISTED, RANDOM, lines, FILES)))
    raise ConfigurationError(f"{solved.table.name}: there is no policy '{name}' here; known: {known}")


class _Numbers:
    """The whole numbers that formulas may use, by name, in a position."""

    def __init__(self, columns: Mapping[str, int], fixed: Mapping[str, int]) -> None:
        self.columns, self.fixed = columns, {n: x for n, x in fixed.items() if n not in columns}
        self.names = (*columns, *self.fixed)

    def formula(self, text: str) -> Callable[[Sequence], int]:
        """Return a formula as a function of the entries of a position."""
        value, places = cache(formula(text, self.names, "policy")), [*self.columns.values()]
        return lambda state: value(*(state[i] for i in places), *self.fixed.values())


def _numbers(solved: SolvedVariant, game: Game) -> _Numbers:
    columns = {c.name: i for i, c in enumerate(game.columns) if c.kind is int}
    fixed = {name: x for name, x in solved.parameters.items() if isinstance(x, int)}
    if game.record_columns:
        columns["me"] = game.mine
    elif game.rules.family == "turns" and (table := known_tables().get(f"{solved.table.name}_cards")):
        cards = table.match_class(game.rules, 1)
        fixed |= {} if cards.why_not_searched else {"target": cards.features["target"][0]}
    return _Numbers(columns, fixed)


def _hold_at(game: Game, text: str, numbers: _Numbers) -> Policy:
    """Return the policy `hold_at HOLD keep KEEP` of matches/turns/hold_at.py."""
    rules: Any = game.rules
    hold, keep = parts_of(text)
    n, score = len(game.record_columns), cache(formula(keep, ("total", "dice"), "policy"))
    left = {"dice": n + 1} if rules.keeps else {}
    least = _Numbers(numbers.columns | left, numbers.fixed).formula(hold)

    def dice(mode: int) -> int:
        return rules.dice_in(mode) if rules.keeps else mode

    def stops(record: State, total: int, mode: int | None) -> bool:
        if mode is None:
            return True
        may = rules.may_stop(total, mode, *([record[game.mine]] if record else []))
        return may and total >= least((*record, total, dice(mode)))

    def rank(record: State, before: int, option: Option) -> tuple:
        """The score of an option, then its gain, then the number of dice that it leaves."""
        total, mode = before + option.gain, option.mode
        order = -rules.modes.index(mode) if mode is not None else -len(rules.modes)
        if record and total >= game.to_go(record):
            return inf, option.gain, order
        return score(total, 0 if stops(record, total, mode) else dice(mode)), option.gain, order

    def choose(state: State) -> Mix:
        record, (total, *rest) = state[:n], state[n:]
        if not rest or not isinstance(rest[-1], str):
            return (((rules.stop if stops(record, total, (*rest, rules.modes[0])[0]) else "roll"), 1),)
        mode = rest[0] if len(rest) > 1 else rules.mode_at(total, len(rest[-1]))
        roll = next(roll for roll in rules.rolls(total, mode) if roll.dice == rest[-1])
        best = max(roll.options, key=lambda option: rank(record, total, option))
        if len(rest) > 1:  # whether to stop is another decision
            return ((f"keep {best.keep}", 1),)
        return ((rules.called(best)[not stops(record, total + best.gain, best.mode)], 1),)

    return choose


def _always(game: Game, text: str, numbers: _Numbers) -> Policy:
    """Return the policy that throws a number of dice."""
    dice = numbers.formula(text)

    def choose(state: State) -> Mix:
        if (action := str(dice(state))) not in (known := game.actions(state)):
            at = " ".join(f"{name}={x}" for name, x in zip((c.name for c in game.columns), state, strict=True))
            raise ConfigurationError(f"'always {text}' throws {action} dice at {at}; {', '.join(known)} are allowed")
        return ((action, 1),)

    return choose


def _lines(game: Game, text: str, numbers: _Numbers, known: Sequence[str]) -> Policy:
    """Return the policy of lines: the first line that applies and whose action is legal, otherwise the position's first
    action."""
    lines = [(action, numbers.formula(condition)) for action, condition, _ in read_lines(text, known, numbers.names)]

    def choose(state: State) -> Mix:
        legal = game.actions(state)
        return ((next((action for action, applies in lines if action in legal and applies(state)), legal[0]), 1),)

    return choose


class Optimal:
    """The policy of the published best actions, which are looked up for many positions at once."""

    def __init__(self, tables: SolvedTables, solved: SolvedVariant) -> None:
        self.published = tables, solved
        self.best: dict[State, str] = {}
        self.coming: set[State] = set()

    def expect(self, states: Iterable[State]) -> None:
        """Note positions that will be asked about."""
        self.coming.update(state for state in states if state not in self.best)

    def __call__(self, state: State) -> Mix:
        if state not in self.best:
            new = [*(self.coming | {state})]
            self.best.update(zip(new, lookup_states(*self.published, new)[1], strict=True))
            self.coming.clear()
        return ((self.best[state], 1),)


class FilePolicy:
    """The policy of a file of decisions, and of `base` in positions without a row. Without `base`, dice are kept as
    optimal play does, and `missing` collects the positions that lack a row."""

    def __init__(
        self, tables: SolvedTables, solved: SolvedVariant, game: Game, table: pa.Table, place: str, base: Policy | None
    ) -> None:
        texts = [*dict.fromkeys(map(str, table["action"].to_pylist()))] if "action" in table.column_names else []
        self.rows = rows = PolicyRows(table, place, solved.parameters, game.columns, texts)
        self.game, self.base, self.partial, self.missing = game, base or Optimal(tables, solved), bool(base), set()
        states = rows.as_given(rows.states)
        unknown = np.isnan(lookup_states(tables, solved, states)[0])
        rows.refuse("not a position of this table", rows.states[unknown])
        self.known: dict[State, dict[str, Fraction]] = {}
        for state, action, chance in zip(states, rows.action.tolist(), rows.probability.tolist(), strict=True):
            if texts[action] not in (legal := game.actions(state)):
                rows.refuse(f"the actions there are {', '.join(legal)}", [state], [f" action={texts[action]}"])
            if chance:
                self.known.setdefault(state, {})[texts[action]] = Fraction(chance)

    def expect(self, states: Iterable[State]) -> None:
        """Note positions that will be asked about."""
        getattr(self.base, "expect", list)(states)

    def __call__(self, state: State) -> Mix:
        if mix := self.known.get(state):
            common = lcm(*(chance.denominator for chance in mix.values()))
            return tuple((action, int(chance * common)) for action, chance in mix.items())
        if self.partial or not self.game.listed(state):  # a state that is not listed is a roll to keep dice from
            return self.base(state)
        if len(legal := self.game.actions(state)) > 1:
            self.missing.add(state)
        return ((legal[0], 1),)
