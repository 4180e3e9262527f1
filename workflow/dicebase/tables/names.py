"""Tables and variants by name: a table is `<game>_<match>`, found by file names; there is no registry."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from numbers import Integral
from pathlib import Path
from typing import Any

import dicebase.games as games
import dicebase.matches as matches
from dicebase.matches.board import for_objective
from dicebase.tables.layout import ACTIONS, TABLES, VALUES
from dicebase.tables.rules_classes import OF_OBJECTIVES, aims_of, check_makes_tables, objectives_of
from dicebase.tables.rules_files import Reader, files, fresh_copy, where_own_games_are
from dicebase.vocabulary import (
    Board,
    ConfigurationError,
    Continuation,
    Definition,
    Game,
    LayeredBoard,
    Layout,
    Listing,
    MissingTableError,
    Parameter,
    answered,
    check_class,
    check_columns,
    check_made,
    in_one_line,
    nearest,
    nearest_table,
    parameters_of,
    shown,
)
from dicebase.vocabulary.layers import Layers

Variant = dict[str, int | str]
"""One point of a table's parameter grid, complete: a value for every parameter, in the table's order.

What it is on its way from the configuration to an answer:

    an entry of the configuration       values, lists or ranges, defaults left out; the plan multiplies them out
    a Variant                           checked: made by Table.variant alone, from whatever anyone gives
    `variants` of a slice's key         its values alone, as `parameters` of the key has the names (Slice.key)
    the game that it lists              with what its names stand for (Table.build)
    the first columns of every row      one a parameter
    `variants` of a file's footer       a Variant, with its exact value, note and seconds
    a row of certificates, of `tables`  `parameters`, a Variant as JSON, which Catalog.tables reads
"""

Definitions = Mapping[str, Mapping[str, Any]]
"""What the names of one game's parameters stand for: {parameter: {name: definition}}."""


@dataclass(frozen=True)
class Table:
    """What a name such as `pig_turn` stands for."""

    name: str
    game: str
    match: str
    rules_class: type
    match_class: type

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Those of the rules, then those of the match; the parameters a table's variants choose."""
        if len(where := {p for p in games.__path__ if Path(p, f"{self.game}.py").exists()}) > 1:
            raise ConfigurationError(f"{self.game}.py: is in several folders, {' and '.join(sorted(where))}")
        check_class(self.rules_class)
        of = {self.match, self.objective}
        own = [p for p in parameters_of(self.rules_class) if not p.only or of & {*p.only}]
        others = parameters_of(self.match_class)
        return own + [replace(p, default=self.rules_class.defaults.get(p.name, p.default)) for p in others]

    @property
    def objective(self) -> str:
        """What a board is played for in this table, its first objective where the match format chooses none; empty for
        other games."""
        aims = aims_of(self.rules_class)
        return next((o for o, end in aims if f"{o}{end}" == self.match), aims[0][0] if aims else "")

    @property
    def title(self) -> str:
        return f"{self.rules_class.title}: {(self.match_class.__doc__ or '').splitlines()[0]}"

    @property
    def rules(self) -> list[str]:
        """How it is played, in paragraphs: what the rules file says at its top, what the match format adds, and the
        objectives of a board."""
        aims = [f"`{self.game}_{n}`, {for_objective(o).words}" for n, o in objectives_of(self.rules_class).items()]
        aim = f"It is played for one of: {'; '.join(aims)}." if len(aims) > 1 else ""
        match = _top_of(self.match_class)[:1]
        return [text for text in (*self.rules_of_game, *match, self.match_class.rules_of_play, aim) if text]

    @property
    def rules_of_game(self) -> list[str]:
        """What the rules file says at its top, in paragraphs."""
        return _top_of(self.rules_class)

    @property
    def followed(self) -> type[Listing] | None:
        """The listing of values from which decisions follow, where the table has variants that store no decisions."""
        match = self.match_class
        return match if match.layout is Layout.FOLLOWED else match.follows_from

    def folders(self, listing: Listing) -> tuple[str, ...]:
        """The folders that have a file of a slice which lists this: of its rows, and of what is stored beside them."""
        if listing.layout is Layout.FOLLOWED and self.match_class.layout is not Layout.FOLLOWED:
            return (VALUES,)
        beside = {Layout.DECISIONS: (ACTIONS,), Layout.PAIRS: (VALUES,)}
        return (TABLES, *beside.get(listing.layout, ()))

    @property
    def rules_modules(self) -> list[str]:
        """The modules of its rules: those that are read, and those that say the same compiled, where there are any."""
        names = (f"dicebase.games.{self.game}", f"dicebase.games.compiled.{self.game}")
        return [name for name in names if find_spec(name)]

    @property
    def tabulator(self) -> str:
        """The function that makes its rows: the module of a family, and the match format."""
        family = self.rules_class.family.rpartition(".")[2]
        return f"dicebase.tabulate.{self.match_class.tabulated_by or f'{family}.{self.match}'}"

    def certifier(self, listing: Listing | type[Listing]) -> str:
        """The module that certifies what a variant lists."""
        return f"dicebase.certify.{listing.certified_by or f'{self.rules_class.family}.{self.match}'}"

    def variant(self, given: Mapping[str, Any], definitions: Definitions, place: str) -> Variant:
        """Check the given parameters, fill in defaults; raises ConfigurationError that names `place` and the value."""
        known = {p.name: p for p in self.parameters}
        for name in given:
            if name not in known:
                raise ConfigurationError(f"{place}: '{name}' is no parameter of {self.name}{nearest(name, known)}")
        return {
            p.name: _checked(p, given.get(p.name, p.default), definitions, f"{place}.{p.name}") for p in known.values()
        }

    def expanded(self, variant: Variant, definitions: Definitions) -> list[Variant]:
        """The variants that a checked one of a configuration stands for."""
        build = partial(self.build_rules, variant, definitions)
        return [dict(v) for v in self.match_class.expanded(build, variant)]

    def build_rules(self, variant: Mapping[str, Any], definitions: Definitions, read: Reader = fresh_copy) -> Any:
        """The rules of a variant that `variant()` has checked, from a fresh copy of their file: they remember nothing
        of other variants, or of other answers. Raises ConfigurationError if they refuse the variant."""
        chosen = _chosen(parameters_of(self.rules_class), variant, definitions)
        objective = {"objective": self.objective} if issubclass(self.rules_class, Board) else {}
        rules = answered(f"{self.game}.py", partial(_rules(self.game, self.name, read), **chosen, **objective))
        check_made(rules, chosen)
        return rules

    def build(
        self, variant: Variant, definitions: Definitions, continuation: str | None = None, read: Reader = fresh_copy
    ) -> Game:
        """The game of a checked variant: the match of its rules, told what files claim to hold beyond its rows, if
        they do; raises ValueError where that is no such claim."""
        own = _chosen(parameters_of(self.match_class), variant, definitions)
        game = self.match_class(self.build_rules(variant, definitions, read), **own)
        check_columns([p.name for p in self.parameters], [c.name for c in (*game.columns, game.value, *game.more)])
        if game.numbered and len(self.rules_modules) < 2:
            numbered = f"needs its positions by number, games/compiled/{self.game}.py, and there is none"
            raise ConfigurationError(f"{self.name}: {numbered}; the other tables of {self.game}.py do not")
        return game if continuation is None else game.with_continuation(Continuation.read(continuation))


def _chosen(parameters: list[Parameter], variant: Mapping[str, Any], definitions: Definitions) -> dict[str, Any]:
    """The values of some parameters, names with what they stand for."""
    return {
        p.name: Definition(variant[p.name], definitions.get(p.name, {}).get(variant[p.name]))
        if p.defined
        else variant[p.name]
        for p in parameters
        if p.name in variant
    }


def one_spelling(value: Any) -> str:
    """A text among parameters as variants have it: '1, 2' is '1,2', and a YAML 5 is '5'."""
    return ",".join(part.strip() for part in str(value).split(","))


def _checked(p: Parameter, value: Any, definitions: Definitions, place: str) -> int | str:
    if p.kind is int:
        written = isinstance(value, str) and len(value) < 20 and value.isascii() and value.removeprefix("-").isdecimal()
        if whole := written or (isinstance(value, Integral) and not isinstance(value, bool)):
            value = int(value)
        if not whole or (p.low is not None and value < p.low) or (p.high is not None and value > p.high):
            raise ConfigurationError(f"{place}: {shown(value)} is not allowed; give {p.allowed}")
    else:
        value = one_spelling(value)
    if p.choices and value not in p.choices:
        raise ConfigurationError(f"{place}: {shown(value)} is not allowed; give {p.allowed}")
    if p.defined and not p.text and value not in definitions.get(p.name, {}):
        hint = nearest(str(value), definitions.get(p.name, {}))
        raise ConfigurationError(f"{place}: {shown(value)} is not defined; give {p.allowed}{hint}")
    return value


@cache
def known_tables() -> dict[str, Table]:
    """Every table that a game and a match format make, by name; none of a rules file that cannot be read."""
    made = []
    for game in sorted(files(games)):
        with suppress(MissingTableError):
            aims = [f"{objective}{end}" for objective, end in aims_of(_rules(game))]
            made += [_made(game, match) for match in (*files(matches), *aims)]
    return {table.name: table for table in made if table}


def find_table(name: str) -> Table:
    """The table of that name, of which alone the files are imported; raises MissingTableError that suggests the nearest
    one, or says what is wrong with its rules."""
    check_name(name)
    if table := _table(name):
        return table
    if of := _games_of(name):
        check_makes_tables(_rules(game := max(of, key=len), name), game, name)
    own = "" if of else where_own_games_are()
    raise MissingTableError(f"there is no table '{name}'{nearest_table(name, known_tables())}{own}")


def is_table(name: str) -> bool:
    """Whether there is a table of that name; False if its rules cannot be read."""
    with suppress(MissingTableError):
        return bool(_table(name))
    return False


def _table(name: str) -> Table | None:
    made = (_made(game, name.removeprefix(f"{game}_")) for game in _games_of(name) if game != name)
    return next(filter(None, made), None)


def _games_of(name: str) -> list[str]:
    """The games whose names a table's name begins with."""
    return [game for game in files(games) if f"{name}_".startswith(f"{game}_")]


def check_name(name: object) -> None:
    """Raise MissingTableError for what is no name of a table."""
    if not isinstance(name, str):
        raise MissingTableError(f"there is no table {shown(name)}; a table has a name, such as 'pig_turn'")


def is_game(name: str) -> bool:
    """Whether there is a file of rules of that name."""
    return name in files(games)


def find_game(name: str) -> list[Table]:
    """The tables of a game; raises MissingTableError that suggests the nearest one."""
    if found := [table for table in known_tables().values() if table.game == name]:
        return found
    if is_game(name):
        check_makes_tables(_rules(name, name), name, name)
    of = "".join(f"; did you mean '{game}'?" for game in _games_of(name)[-1:])
    raise MissingTableError(f"there is no game '{name}'{of or nearest(name, {*files(games)})}")


def layers_of(rules: LayeredBoard) -> Layers:
    """The positions of a board in layers, by number."""
    game = type(rules).__module__.rpartition(".")[2]
    return import_module(f"dicebase.games.compiled.{game}").Compiled(rules)


def _top_of(kind: type) -> list[str]:
    """The paragraphs at the top of the file of a class."""
    return [" ".join(text.split()) for text in (import_module(kind.__module__).__doc__ or "").split("\n\n")]


def _rules(game: str, table: str = "", read: Reader | None = None) -> type:
    """The class `Rules` of a game's file, for a table; `object` if it has none, as a file that games share."""
    try:
        module = read(game) if read else import_module(f"dicebase.games.{game}")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise MissingTableError(f"{table}: {game}.py cannot be read: {in_one_line(error)}") from error
    return rules if isinstance(rules := vars(module).get("Rules"), type) else object


def _made(game: str, match: str) -> Table | None:
    """What a match format, or an objective, makes of a game, if there is one that accepts such rules."""
    rules = _rules(game, f"{game}_{match}")
    for objective, end in aims_of(rules):
        if f"{objective}{end}" == match:
            return Table(f"{game}_{match}", game, match, rules, OF_OBJECTIVES[end](rules.objectives[objective]))
    if match not in files(matches):
        return None
    formats = getattr(import_module(f"dicebase.matches.{match}"), "FORMATS", {})
    found = next((made for accepted, made in formats.items() if issubclass(rules, accepted)), None)
    return found and Table(f"{game}_{match}", game, match, rules, found)
