"""The contract of boards (see contract.py). A board has too many positions to check in advance, so only the first ones
are checked here; code that enumerates positions checks each one as it appears."""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, get_args

from dicebase.vocabulary.contracts.authors import answered
from dicebase.vocabulary.contracts.conditions import LARGEST, NAME, is_free, is_text, is_whole, need
from dicebase.vocabulary.dice_and_cards.dice import as_roll
from dicebase.vocabulary.drawings import Drawing
from dicebase.vocabulary.game import Outcome
from dicebase.vocabulary.listing import Column, State
from dicebase.vocabulary.parameters import parameters_of
from dicebase.vocabulary.rules.boards import Board, CompiledBoard, Objective, PositionRules
from dicebase.vocabulary.rules.chance import After, check_fall
from dicebase.vocabulary.rules.hidden import Hidden

MOST_ASKED = 10**9  # the largest `most_positions` that an author may state
BYTES_A_POSITION, BYTES_AN_ACTION = 400, 50
ASKED_AGAIN = 200  # limit on the positions, outcomes and questions that are checked twice
DEEPEST = 100  # the most levels of nested tuples
DERIVED = ("_distribution", "_matchups", "_cards", "_actions", "_at")
"""Endings of names derived from an objective's table."""


def check_positions(rules: PositionRules) -> None:
    """Raise ConfigurationError unless the columns, objectives and other attributes of the class are valid."""
    columns, objectives = rules.columns, rules.objectives
    made = type(columns) is tuple and all(type(c) is Column for c in columns) and columns
    need(made, "columns: must be a tuple of one or more Column")
    for column in columns:
        need(is_free(column.name) or column.name == "roll", f"columns: '{column.name}' cannot be the name of a column")
        need(column.kind in (int, str, bool), f"columns: '{column.name}' must be of int, str or bool")
        words = column.words or {}
        worded = {*map(type, words)} <= {int, bool} and all(map(is_text, words.values()))
        need(worded, f"columns: '{column.name}' has words that are not lines of text for whole numbers")
        need(is_text(column.description), f"columns: '{column.name}' needs a description, a line of text")
        need(type(column.unit) is str, f"columns: '{column.name}' has a unit that is not a text")
    need(isinstance(objectives, Mapping) and len(objectives) > 0, "objectives: must be a dict of Objective")
    for name, objective in objectives.items():
        need(type(name) is str and bool(NAME.fullmatch(name)), f"objectives: {name!r} cannot be the name of a table")
        need(not name.endswith(DERIVED), f"objectives: '{name}' ends like the name of another table")
        need(type(objective) is Objective, f"objectives: '{name}' is not an Objective")
        need(is_text(objective.words) and is_text(objective.unit), f"objectives: '{name}' needs words and a unit")
        need(objective.sense in (1, -1), f"objectives: '{name}' has a sense that is not 1 or -1")
        need(is_whole(objective.denominator, 1, LARGEST), f"objectives: '{name}' has a denominator that is not whole")
        of_two = objective.players == 2 and objective.sense == 1
        need(objective.players == 1 or of_two, f"objectives: '{name}' must have 1 player, or 2 who want more")
    sized = not isinstance(rules, CompiledBoard) or parameters_of(type(rules))
    need(sized, "compiled rules need a parameter, such as the size of the board")
    need(rules.objective in objectives, f"objective: {rules.objective!r} is not one of {', '.join(objectives)}")
    need(is_whole(rules.most_positions, 1, MOST_ASKED), f"most_positions: must be a whole number up to {MOST_ASKED}")
    need(type(rules.note) is str, "note: must be a text")
    features = getattr(rules, "features", {})
    named = isinstance(features, Mapping) and all(type(name) is str and is_free(name) for name in features)
    made = named and all(map(callable, features.values()))
    need(made, f"features: {features!r:.80} is not a dict of functions by name")
    pays = rules.unending if isinstance(rules, Board) else None
    stated = pays is None or (type(pays) in (int, Fraction) and abs(pays) <= LARGEST)
    need(stated, f"unending: {pays!r:.80} is not None, a whole number or a Fraction up to {LARGEST}")
    share = rules.discount
    stated = type(share) in (int, Fraction) and 0 < share <= 1
    need(stated, f"discount: {share!r:.80} is not 1 or a Fraction between 0 and 1")
    need(type(rules.chained) is bool, f"chained: {rules.chained!r:.80} is not True or False")
    for drawn in rules.drawing:
        kinds = get_args(Drawing)
        need(type(drawn) in kinds, f"drawing: {drawn!r:.80} is not one of {', '.join(k.__name__ for k in kinds)}")
        need(drawn.column in {c.name for c in columns}, f"drawing: '{drawn.column}' is not a column")


def first_positions(rules: PositionRules) -> Iterator[tuple[Mapping[Any, Any], Callable[[PositionRules, Any], Any]]]:
    """Yield ({question: first answer}, function that asks rules a question) for the start, for the moves of the first
    positions of play, and for the outcomes of the afterstates they lead to, except long lists of outcomes."""
    found: dict[State, list[tuple[str, Hashable]]] = {}
    tables: dict[Hashable, list[Outcome]] = {}
    ahead = [answered("start", rules.chance.start)]
    check_afterstate(ahead[0])
    yield {"start": ahead[0]}, lambda rules, _: rules.chance.start()
    while ahead and len(found) < ASKED_AGAIN:
        new = {b: checked_outcomes(rules, b) for b in ahead if b not in tables}
        tables |= new
        states = [o.state for said in new.values() for o in said if o.state is not None][:ASKED_AGAIN]
        states = [state for state in dict.fromkeys(states) if state not in found]
        found |= {state: checked_moves(rules, state) for state in states}
        ahead = [b for state in states for _, b in found[state]]
    need(found, "start: play ends before anything is decided")
    yield found, checked_moves
    yield {state: rules.seen(state) for state in found}, lambda rules, state: rules.seen(state)
    tables |= {b: checked_outcomes(rules, b) for b in ahead[:ASKED_AGAIN] if b not in tables}
    # Leave out long lists of outcomes, such as those of a random start: they have been checked once, and are checked
    # again when positions are enumerated.
    yield {b: said for b, said in tables.items() if len(said) <= ASKED_AGAIN}, checked_outcomes


def checked_moves(rules: PositionRules, state: State) -> list[tuple[str, Hashable]]:
    """Return [(action, afterstate)] of a state; raises ConfigurationError if they break the contract."""
    actions = answered(f"actions({state!r:.80})", rules.actions, state)
    check_actions(state, actions)
    found = []
    for action in actions:
        place = f"afterstate({state!r:.80}, {action!r:.80})"
        found.append((action, answered(place, rules.afterstate, state, action)))
        check_afterstate(found[-1][1])
    return found


def checked_outcomes(rules: PositionRules, afterstate: Hashable) -> list[Outcome]:
    """Return the outcomes of an afterstate; raises ConfigurationError if they break the contract."""
    found = answered(f"outcomes({afterstate!r:.80})", lambda: list(rules.chance.outcomes(afterstate)))
    four = all(isinstance(o, tuple) and len(o) == 4 for o in found)
    need(four, f"outcomes({afterstate!r:.80}): are no Outcome, or tuple of weight, state, reward and sign")
    found = [o if type(o) is Outcome else Outcome(*o) for o in found]
    check_fall(afterstate, *([o[i] for o in found] for i in (0, 2, 3)), rules.chance.most)
    if isinstance(rules, Hidden):
        need(all(o.sign == 1 for o in found), f"outcomes({afterstate!r:.80}): rewards go to player 1, so signs are 1")
    answered(f"labels({afterstate!r:.80})", rules.chance.labels, afterstate)
    ahead = [o.state for o in found]
    if states := [state for state in ahead if state is not None]:
        check_states([*map(rules.seen, states)], rules.columns)
    return found


def check_states(states: Sequence[State], columns: Sequence[Column]) -> None:
    """Raise ConfigurationError unless each state is a plain tuple with one valid entry per column."""
    kinds, width, entries = tuple(c.kind if c.kind is not bool else int for c in columns), len(columns), []
    if {*map(type, states)} == {tuple} and {*map(len, states)} == {width}:
        entries = [*chain.from_iterable(states)]
    if any({*map(type, entries[i::width])} != {kind} for i, kind in enumerate(kinds)):
        wrong = next(s for s in states if type(s) is not tuple or tuple(map(type, s)) != kinds)
        need(type(wrong) is not After, f"an outcome leads to {wrong!r:.80}, but the rules do not state chained = True")
        need(False, f"state {wrong!r:.80} is no plain tuple of ({', '.join(kind.__name__ for kind in kinds)})")
    for i, column in enumerate(columns):
        some, texts = {*entries[i::width]}, column.kind is str
        wrong = [x for x in some if not (_fits(x) if texts else abs(x) <= LARGEST)]
        what = "a text is 1 to 100 printable characters, no blanks around them" if texts else "too large for a column"
        if wrong:
            need(False, f"a state has {min(wrong)!r:.80}: {what}")
        if texts:
            check_rolls(column, some)


def check_rolls(column: Column, texts: Collection[str]) -> None:
    """Raise ConfigurationError unless the texts in a column `roll` are sorted digits, because lookups sort dice."""
    if column.name == "roll" and (wrong := [text for text in texts if as_roll(text) != text]):
        need(False, f"a state has the roll {min(wrong)!r:.80}: dice are sorted digits, {as_roll(min(wrong))!r:.80}")


def _fits(text: str) -> bool:
    return 0 < len(text) <= 100 and text.isascii() and text.isprintable() and text.strip() == text


def check_afterstate(afterstate: Hashable) -> None:
    """Raise ConfigurationError unless an afterstate consists of int, str, bool, None and tuples: values of these types
    are equal if their texts are, as dicts and the certifier require."""
    parts = [afterstate]
    for _ in range(DEEPEST):
        if odd := [part for part in parts if type(part) not in (int, str, bool, tuple, type(None))]:
            wrong = f"{odd[0]!r:.80} is of the type {type(odd[0]).__name__}"
            need(False, f"afterstate {afterstate!r:.80}: {wrong}, not int, str, bool, None or a tuple of these")
        parts = [*chain.from_iterable(part for part in parts if type(part) is tuple)]
        if not parts:
            break
    need(not parts, f"an afterstate has more than {DEEPEST} nested tuples")


def check_actions(state: State, actions: Sequence[str]) -> None:
    """Raise ConfigurationError unless actions are one or more different texts."""
    need(type(actions) in (tuple, list), f"state {state!r:.80}: actions are no tuple or list of texts")
    need(len(actions) > 0, f"state {state!r:.80}: has no action")
    for action in actions:
        need(is_text(action) and action != "mixed", f"state {state!r:.80}: action {action!r:.80} is no line of text")
    need(len({*actions}) == len(actions), f"state {state!r:.80}: an action occurs twice")


def too_many(rules: Board, actions: float) -> str:
    """The error message if play reaches more positions than are solved; `actions` is their mean number per position."""
    size = (BYTES_A_POSITION + BYTES_AN_ACTION * actions) * rules.most_positions / 10**9
    return (
        f"play reaches more than {rules.most_positions:,} positions with {actions:.1f} actions on average, which "
        f"take about {size:.1f} GB of memory; choose a smaller variant"
    )
