"""The sources of answers. A lookup of one position and of many positions asks the same sources in the same order:
`Following` computes decisions from stored values; `Rows` reads stored rows; `Beyond` applies the theorem past the
stored totals; `Substitute` answers for an unsolved variant from solved ones.

`one` answers a position, `many` a frame; `many` calls `one` for each position unless the source has a faster way. This
module does not import NumPy when it is loaded, because that takes longer than a lookup.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from dicebase.catalog.ask.answer import Action, Position, Ranking, best_first, ranking_of
from dicebase.catalog.ask.question import LARGE, read_variant
from dicebase.catalog.ask.solved_table import SolvedTable, SolvedVariant
from dicebase.catalog.rows.row_arrays import VALUES, Part
from dicebase.tables.follow.one_position import choice
from dicebase.tables.names import Variant
from dicebase.vocabulary import (
    ConfigurationError,
    Listing,
    MissingStateError,
    MissingTableError,
    over_one_denominator,
    rank,
    rank_two,
)

if TYPE_CHECKING:
    from dicebase.catalog.ask.columns import Answers, Asked


FEW = 16
"""Below this number, positions are followed one by one, which takes less time than arrays do."""


class Source:
    """Answers positions of one table."""

    def __init__(self, table: SolvedTable) -> None:
        self.table = table

    def game(self, variant: Variant) -> Listing:
        """Return the positions of a variant that this source may answer."""
        return self.table.find(variant).game

    def may_answer(self, variant: Variant) -> bool:
        """Return whether this source can have answers for a variant."""
        return self.table.find(variant) is not None

    def one(self, variant: Variant, state: Position) -> Ranking | None:
        """Rank the actions of a position; None if this source has no answer."""
        raise NotImplementedError

    def many(self, asked: Asked, answers: Answers) -> None:
        """Answer the rows of a frame that have no answer yet."""
        for variant, rows in asked.variants(answers.missing):
            for state, at in asked.states(rows) if self.may_answer(variant) else ():
                with suppress(MissingStateError, MissingTableError):
                    if ranking := self.one(variant, self.table.own_columns(variant, state)):
                        answers.rank(at, ranking)


class Rows(Source):
    """Answers from the stored rows of one part of a table."""

    def __init__(self, table: SolvedTable, part: Part) -> None:
        super().__init__(table)
        self.part, self.decides = part, table.match.layout.decides

    def one(self, variant: Variant, state: Position) -> Ranking | None:
        part = self.part
        if self.table.is_rolled(state) or (row := part.row(variant | state)) < 0:
            return None
        value, *more = part.records[row]
        if not self.decides:
            return Ranking(value, (), dict(zip(part.further, more, strict=True)))
        if part.stored_actions is not None:
            return Ranking(value, best_first(Action(*said) for said in part.actions_of(row)))
        # A negative margin says that the first action is the best one.
        names = part.names if math.copysign(1.0, more[0]) < 0 else part.names[::-1]
        return ranking_of(names, rank_two(value, abs(more[0]), self.table.match.sense))

    def many(self, asked: Asked, answers: Answers) -> None:
        import numpy as np

        part = self.part
        if self.table.is_rolled(asked.columns):
            return
        at = np.flatnonzero(answers.missing & asked.known(part.columns))
        rows = part.numbers([asked.columns[name].key(part, name)[at] for name in part.columns])
        at, rows = at[rows >= 0], rows[rows >= 0]
        found = {name: part.rows(name if name in part.further else "value", rows) for name in answers.columns}
        if not self.decides:
            answers.fill(at, found)
        elif part.stored_actions is not None:
            answers.fill(at, found, part.names, part.rows("best", rows))
        else:
            margin = found["margin"]
            answers.fill(at, found | {"margin": np.abs(margin)}, part.names, 1 - np.signbit(margin))


class Following(Source):
    """Computes decisions: from stored values, from the starts of turns, or what to keep of a roll."""

    def find(self, variant: Variant, rolled: bool) -> SolvedVariant | None:
        """Return a solved variant whose decisions are computed; None if its rows have them."""
        solved = self.table.find(variant)
        return solved if solved and (rolled or solved.followed or solved.by_starts) else None

    def one(self, variant: Variant, state: Position) -> Ranking | None:
        rolled = self.table.is_rolled(state)
        if (solved := self.find(variant, rolled)) is None:
            return None
        if not solved.followed:
            if not rolled and state["turn_total"] == 0:
                return None  # the start of a turn has a row
            found = choice(solved.game, solved.turn_of, state)
            return found and ranking_of(*found)
        import numpy as np

        texts = [x for x in state.values() if isinstance(x, str)]  # the roll or the hand, if any
        numbers = (0 if isinstance(x, str) else max(-LARGE, min(LARGE, x)) for x in state.values())
        arrays = {n: np.array([x]) for n, x in zip(state, numbers, strict=True)}
        for _, choices in solved.choices(arrays, texts):
            if choices.found[0]:
                return Ranking(float(choices.values[0]), best_first(Action(*a) for a in choices.actions(0)))
        return None

    def many(self, asked: Asked, answers: Answers) -> None:
        if len(answers.missing) < FEW:
            return super().many(asked, answers)
        state, rolled = asked.state, self.table.is_rolled(asked.columns)
        for variant, rows in asked.variants(asked.known(state)):
            if (solved := self.find(variant, rolled)) is None:
                continue
            numbers = {name: column.numbers[rows] for name, column in state.items()}
            texts = next((column.texts for column in state.values() if column.texts is not None), ())
            for some, choices in solved.choices(numbers, texts):
                found = choices.found
                columns = {"value": choices.values[found], "margin": choices.margins[found]}
                answers.fill(rows[some][found], columns, choices.names, choices.best[found])


class Beyond(Source):
    """Answers past the stored totals of a turn, by the theorem that gives the q-values there."""

    def may_answer(self, variant: Variant) -> bool:
        return super().may_answer(variant) and self.game(variant).continuation is not None

    def one(self, variant: Variant, state: Position) -> Ranking | None:
        if not self.may_answer(variant) or any(isinstance(x, int) and x >= LARGE for x in state.values()):
            return None
        game = self.game(variant)
        if not (q_values := game.beyond(tuple(state.values()))):
            return None
        ranked = rank(*over_one_denominator([*q_values.values()]), sense=game.sense)
        return ranking_of([*q_values], ranked)._replace(beyond=game.note)


class Substitute(Source):
    """Answers for an unsolved variant from solved ones, in its own table or in the table that `answered_by` names."""

    def __init__(self, table: SolvedTable, tables: Mapping[str, SolvedTable], before: Sequence[Source]) -> None:
        """before : the sources of the same table that precede this one."""
        super().__init__(table)
        self.tables, self.before = tables, before
        self.found = lru_cache(64)(self._found)  # building a variant is slow: it loads a fresh copy of the rules

    def game(self, variant: Variant) -> Listing:
        return self.found(tuple(variant.items()))[0]

    def may_answer(self, variant: Variant) -> bool:
        if not self.table.match.answered_by or self.table.find(variant):
            return False
        try:
            return bool(self.game(variant))
        except (ConfigurationError, MissingTableError):
            return False

    def one(self, variant: Variant, state: Position) -> Ranking | None:
        """Raises MissingTableError if no solved variant answers for this one, and MissingStateError if the variant has
        no such position."""
        if self.table.find(variant):
            return None
        rank_by = {"rank": self._by_expected_rolls, "layers": self._by_layers}
        game, solved = self.found(tuple(variant.items()))
        return rank_by.get(self.table.match.answered_by.match, self._by_larger)(variant, game, solved, state)

    def _found(self, items: tuple[tuple[str, int | str], ...]) -> tuple[Listing, list[SolvedVariant]]:
        """Return (the positions of a variant, the solved variants that answer for it)."""
        table, of = self.table, self.table.match.answered_by
        variant = read_variant(table, dict(items))
        if not any(p.defined for p in table.parameters.values()):  # definitions come from solved variants
            try:
                table.table.build(variant, {})
            except ConfigurationError as error:
                raise ConfigurationError(f"{table.name}: {error}") from error
        solved, why, name = [], "", of and f"{table.table.game}_{of.match}"
        other = table.answered_from or (self.tables[name] if of and name in self.tables else None)
        if other:
            shared = {n: variant[n] for n in other.parameters if n not in of.sizes}
            solved = [v for v in other.variants if shared.items() <= v.parameters.items()]
        if solved:
            game = table.table.build(variant, solved[0].definitions)
            if other is table:
                solved.sort(key=lambda v: [v.parameters[size] for size in of.sizes])
                solved, why = [v for v in solved if game.answered_in(v.game)], game.why_not_answered
        if not solved:
            raise MissingTableError(table.not_solved(variant) + (why and f"; {why}"))
        return game, solved

    def _by_larger(self, _: Variant, game: Listing, solved: Sequence[SolvedVariant], state: Position) -> Ranking:
        """Rank from the smallest solved variant that has an equivalent position (Listing.state_in)."""
        larger = solved[0].parameters
        position = game.state_in(solved[0].game, tuple(state.values()))
        there = position and dict(zip(state, position, strict=True))
        for source in self.before if there else ():
            if ranking := source.one(larger, there):
                return ranking
        raise MissingStateError(self.table.why_missing(game, state, there and larger | there))

    def _by_expected_rolls(
        self, variant: Variant, game: Listing, solved: Sequence[SolvedVariant], state: Position
    ) -> Ranking:
        """Rank from the expected roll on each slot, for cards too large to be solved."""
        by, position = max(solved, key=lambda v: v.row["states"]), tuple(state.values())
        if (needed := game.expected_rows(position)) is None:
            raise MissingStateError(self.table.why_missing(game, state))
        first, count = by.part.row_numbers.span(by.part.key(by.parameters | needed))
        expected = [value for value, *_ in by.part.records.between(first, first + count)]
        if len(expected) != len(game.actions(position)) - 1:
            raise MissingTableError(self.table.not_solved(variant))
        q_values = game.q_values(position, expected)
        # Two values that differ by less than the sum of their errors may be equal.
        return ranking_of([*q_values], rank([*q_values.values()], tolerance=2 * game.q_error(by.error_bound)))

    def _by_layers(self, variant: Variant, game: Listing, solved: Sequence[SolvedVariant], state: Position) -> Ranking:
        """Rank from the stored values of a board's positions before a throw (matches/boards/layers.py), by following
        each action to its afterstate."""
        layers, position = solved[0].layers, tuple(state.values())
        if not layers.has(position):
            raise MissingStateError(self.table.why_missing(game, state))
        by_layer, total = {by.game.layer: by for by in solved}, solved[0].game.total

        def worth(action: str) -> float:
            after = game.afterstate(position, action)
            first = next(iter(game.outcomes(after)))
            if first.state is None:
                return float(first.reward)
            layer, number, opponent = layers.number(after)
            if not (by := by_layer.get(layer)):
                raise MissingTableError(self.table.not_solved(variant))
            value, *_ = by.part.records[by.part.row(by.parameters | {"number": number})]
            return total - value if opponent else value

        actions = game.actions(position)
        return ranking_of(
            actions, rank([*map(worth, actions)], sense=game.sense, tolerance=2 * max(by.error_bound for by in solved))
        )


def sources_of(table: SolvedTable, tables: Mapping[str, SolvedTable]) -> list[Source]:
    """Return the sources of a table in the order to ask them."""
    parts = table.mapped.parts
    follows = table.rolls or VALUES in parts or table.mapped.starts
    rows = [Rows(table, part) for kind, part in parts.items() if kind != VALUES]
    sources = [*([Following(table)] if follows else []), *rows, Beyond(table)]
    return [*sources, Substitute(table, tables, sources)]
