"""Answers: of a solved variant, or from another variant of the same table, or from another table."""

from collections.abc import Mapping, Sequence

from dicebase.catalog.ask.answer import Answer, Position
from dicebase.catalog.ask.question import read_position
from dicebase.catalog.ask.solved_tables import SolvedTable, SolvedTables
from dicebase.catalog.ask.solved_variant import Ranking, SolvedVariant, actions_of
from dicebase.catalog.rows.row_arrays import DECISIONS, LONGER
from dicebase.families import family_of
from dicebase.tables.names import Variant
from dicebase.vocabulary import ConfigurationError, MissingStateError, MissingTableError, rank


def look_up(tables: SolvedTables, name: str, position: Mapping[str, object]) -> Answer:
    """All legal actions of a position; see Catalog.lookup."""
    table = tables[name]
    parameters, state = read_position(table, position)
    state = _own_columns(table, parameters, state)
    if not (variant := table.find(parameters)):
        return substitute_answer(tables, table, parameters, state)
    if (ranking := variant.ranking(state)) is None:
        raise MissingStateError(table.why_missing(variant.game, state, parameters | state))
    unit = variant.unit if table.match.layout.decides else table.match.value.unit
    return answer_of(table, variant.game.rules, parameters, state, unit, ranking)


def _own_columns(table: SolvedTable, variant: Variant, state: Position) -> Position:
    """A position without the columns that other variants have and this one has not, to which they say nothing."""
    parts, solved = table.mapped.parts, table.find(variant)
    if not {DECISIONS, LONGER} <= parts.keys() or (solved and solved.part is parts[LONGER]):
        return state
    more = {*parts[LONGER].columns} - {*parts[DECISIONS].columns}
    return {n: x for n, x in state.items() if n not in more}


def answer_of(
    table: SolvedTable, rules: object, parameters: Variant, state: Position, unit: str, ranking: Ranking
) -> Answer:
    """What a ranking says of a position of a table; `rules` are those of its variant."""
    value, actions, values, beyond = ranking
    family = family_of(rules)
    actions = tuple(action._replace(odds=family.odds(rules, state, action.action)) for action in actions)
    return Answer(table.name, parameters, state, unit, value, actions, values, table.match.action_unit, beyond)


def substitute_answer(tables: SolvedTables, table: SolvedTable, parameters: Variant, state: Position) -> Answer:
    """Rank the actions of a variant that is not solved from one that `answered_by` names; raises MissingTableError
    where none is solved that answers for it, MissingStateError where there is no such position."""
    match, sizes = table.match.answered_by or (table.table.match, ())
    state = _own_columns(table, parameters, state)
    name = f"{table.table.game}_{match}"
    if not any(p.defined for p in table.parameters.values()):  # what names stand for, solved variants say alone
        try:
            table.unsolved(parameters, None)
        except ConfigurationError as error:
            raise ConfigurationError(f"{table.name}: {error}") from error
    if not sizes or name not in tables:
        raise MissingTableError(table.not_solved(parameters))
    other = tables[name]
    shared = {n: parameters[n] for n in other.parameters if n not in sizes}
    variants = [v for v in other.variants if shared.items() <= v.parameters.items()]
    if not variants:
        raise MissingTableError(table.not_solved(parameters))
    if other is table:
        variants.sort(key=lambda v: [v.parameters[size] for size in sizes])
        return _by_larger(table, parameters, state, variants)
    if other.match.numbered:
        return _by_layers(table, parameters, state, variants)
    return _by_expected_rolls(table, parameters, state, max(variants, key=lambda v: v.row["states"]))


def _by_larger(table: SolvedTable, parameters: Variant, state: Position, variants: Sequence[SolvedVariant]) -> Answer:
    """From the smallest variant of the same table that has the same position somewhere (Listing.state_in)."""
    for larger in variants:
        game = table.unsolved(parameters, larger)
        if not game.answered_in(larger.game):
            continue
        position = game.state_in(larger.game, tuple(state.values()))
        there = position and dict(zip(state, position, strict=True))
        if ranking := there and larger.ranking(there):
            return answer_of(table, game.rules, parameters, state, larger.unit, ranking)
        raise MissingStateError(table.why_missing(game, state, there and larger.parameters | there))
    why = f"; {game.why_not_answered}" if game.why_not_answered else ""
    raise MissingTableError(table.not_solved(parameters) + why)


def _by_expected_rolls(table: SolvedTable, parameters: Variant, state: Position, by: SolvedVariant) -> Answer:
    """From the expected rolls on slots of any scores, for cards too large to be solved."""
    game = table.unsolved(parameters, by)
    position = tuple(state.values())
    if (needed := game.expected_rows(position)) is None:
        raise MissingStateError(table.why_missing(game, state))
    first, count = by.part.row_numbers.span(by.part.key(by.parameters | needed))
    expected = [value for value, *_ in by.part.records.between(first, first + count)]
    if len(expected) != len(game.actions(position)) - 1:
        raise MissingTableError(table.not_solved(parameters))
    q_values = game.q_values(position, expected)
    # Two q-values within twice their error are both optimal, and undecided.
    ranked = rank(list(q_values.values()), tolerance=2 * game.q_error(by.error_bound))
    ranking = Ranking(ranked.value, actions_of(list(q_values), ranked))
    return answer_of(table, game.rules, parameters, state, game.value.unit, ranking)


def _by_layers(table: SolvedTable, parameters: Variant, state: Position, by: Sequence[SolvedVariant]) -> Answer:
    """From the values of positions before a throw (matches/layers.py): the rules say where each action leads."""
    game, layers = table.unsolved(parameters, by[0]), by[0].layers
    solved = {variant.parameters["layer"]: variant for variant in by}
    position = tuple(state.values())
    if not layers.has(position):
        raise MissingStateError(table.why_missing(game, state))

    def worth(action: str) -> float:
        outcome = next(iter(game.outcomes(game.afterstate(position, action))))
        if outcome.state is None:
            return float(outcome.reward)
        layer, number = layers.number(outcome.state)
        if layer not in solved:
            raise MissingTableError(table.not_solved(parameters))
        part = solved[layer].part
        (value,) = part.records[part.row(solved[layer].parameters | {"number": number})]
        return outcome.reward + outcome.sign * value

    actions = game.actions(position)
    ranked = rank([*map(worth, actions)], tolerance=2 * max(v.error_bound for v in by))
    ranking = Ranking(ranked.value, actions_of(actions, ranked))
    return answer_of(table, game.rules, parameters, state, game.value.unit, ranking)
