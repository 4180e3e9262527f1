"""Tables and variants by name: a table is `<game>_<match>`, found by file names without a registry."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dicebase.games as games
import dicebase.matches as matches
from dicebase.tables.layout import ACTIONS, TABLES, VALUES
from dicebase.tables.parameter_values import Definitions, checked_value
from dicebase.tables.rules_classes import aims_of, check_makes_tables, formats_of, objectives_of
from dicebase.tables.rules_files import Reader, files, fresh_copy, where_own_games_are
from dicebase.vocabulary import (
    CompiledBoard,
    ConfigurationError,
    Continuation,
    Definition,
    Game,
    Json,
    Layout,
    Listing,
    MissingTableError,
    Parameter,
    PositionRules,
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
from dicebase.vocabulary.rules.rulebook import Rulebook

Variant = dict[str, int | str]
"""One point of a table's parameter grid: a value for every parameter, in the table's order.

Its forms on the way from the configuration to an answer:

    an entry of the configuration       values, lists or ranges, without defaults; the plan multiplies them out
    a Variant                           checked; only Table.variant makes one
    `variants` in a slice's key         its values; the names are in the key's `parameters` (Slice.key)
    the listing of a variant            with the definitions that its names stand for (Table.build)
    `variants` in a file's footer       a Variant with its exact value, note and seconds
    a row of certificates, of `tables`  `parameters`, a Variant as JSON, which Catalog.tables reads
"""


@dataclass(frozen=True)
class Table:
    """A table such as `pig_turn`: its rules and its match format."""

    name: str
    game: str
    match: str
    rules_class: type
    match_class: type

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The parameters of the rules, followed by the match format's."""
        if len(where := {p for p in games.__path__ if Path(p, f"{self.game}.py").exists()}) > 1:
            raise ConfigurationError(f"{self.game}.py: is in several folders, {' and '.join(sorted(where))}")
        check_class(self.rules_class)
        of = {self.match, self.objective}
        own = [p for p in parameters_of(self.rules_class) if not p.only or of & {*p.only}]
        others = parameters_of(self.match_class)
        return own + [replace(p, default=self.rules_class.defaults.get(p.name, p.default)) for p in others]

    @property
    def objective(self) -> str:
        """The objective of this table, or the first one if the format chooses none; empty for rules without."""
        aims = aims_of(self.rules_class)
        return next((o for o, end in aims if f"{o}{end}" == self.match), aims[0][0] if aims else "")

    @property
    def title(self) -> str:
        return f"{self.rules_class.title}: {(self.match_class.__doc__ or '').splitlines()[0]}"

    @property
    def rules(self) -> list[str]:
        """The rules in paragraphs: the rules file's docstring, the format's additions and a board's objectives."""
        words_of = formats_of(self.rules_class).get("")
        aims = [words_of(o).words for o in objectives_of(self.rules_class).values()]
        aim = f"The objective is one of: {'; '.join(aims)}." if len(aims) > 1 else ""
        match = _top_of(self.match_class)[:1]
        return [text for text in (*self.rules_of_game, *match, self.match_class.rules_of_play, aim) if text]

    @property
    def rules_of_game(self) -> list[str]:
        """The rules file's docstring, in paragraphs."""
        return _top_of(self.rules_class)

    @property
    def followed(self) -> type[Listing] | None:
        """The listing of values from which decisions follow, if some variants of the table store no decisions."""
        match = self.match_class
        return match if match.layout is Layout.FOLLOWED else match.follows_from

    def folders(self, listing: Listing) -> tuple[str, ...]:
        """The folders that have a file of a slice with this listing: its rows first, then the second file."""
        if listing.layout is Layout.FOLLOWED and self.match_class.layout is not Layout.FOLLOWED:
            return (VALUES,)
        beside = {Layout.DECISIONS: (ACTIONS,), Layout.PAIRS: (VALUES,)}
        return (TABLES, *beside.get(listing.layout, ()))

    @property
    def rules_modules(self) -> list[str]:
        """The modules of its rules, and of compiled rules if there are any."""
        names = (f"dicebase.games.{self.game}", f"dicebase.games.compiled.{self.game}")
        return [name for name in names if find_spec(name)]

    @property
    def tabulator(self) -> str:
        """The function that makes its rows, from its family and match format."""
        family = self.rules_class.family.rpartition(".")[2]
        return f"dicebase.tabulate.{self.match_class.tabulated_by or f'{family}.{self.match}'}"

    def certifier(self, listing: Listing | type[Listing]) -> str:
        """The module that certifies a listing of this table."""
        return f"dicebase.certify.{listing.certified_by or f'{self.rules_class.family}.{self.match}'}"

    def variant(self, given: Mapping[str, object], definitions: Definitions, place: str) -> Variant:
        """Check parameters and fill in defaults; raises ConfigurationError, which names `place` and the value."""
        self.check_names(given, place)
        return {
            p.name: checked_value(p, given.get(p.name, p.default), definitions, f"{place}.{p.name}")
            for p in self.parameters
        }

    def check_names(self, given: Iterable[str], place: str) -> None:
        """Raise ConfigurationError, which names `place`, for a name that is not a parameter."""
        known = [p.name for p in self.parameters]
        for name in given:
            if name not in known:
                raise ConfigurationError(f"{place}: '{name}' is not a parameter of {self.name}{nearest(name, known)}")

    def expanded(self, variant: Variant, definitions: Definitions) -> list[Variant]:
        """The variants that a checked variant in a configuration expands to."""
        build = partial(self.build_rules, variant, definitions)
        return [dict(v) for v in self.match_class.expanded(build, variant)]

    def build_rules(self, variant: Variant, definitions: Definitions, read: Reader = fresh_copy) -> Rulebook:
        """Build the rules of a checked variant from a fresh copy of their file, so that they remember nothing of other
        variants or answers. Raises ConfigurationError if the rules refuse the variant."""
        chosen = _chosen(parameters_of(self.rules_class), variant, definitions)
        objective = {"objective": self.objective} if issubclass(self.rules_class, PositionRules) else {}
        rules = answered(f"{self.game}.py", partial(_rules(self.game, self.name, read), **chosen, **objective))
        check_made(rules, chosen)
        return rules

    def told(self, rules: Rulebook, variant: Variant) -> Json:
        """Return {setting: parameters in words, rules and labels: lines and label of the definition of others}."""
        own = [p.name for p in parameters_of(self.rules_class) if p.defined]
        setting = [f"{p.description}: {variant[p.name]}" for p in self.parameters if p.name not in own]
        labels = {name: getattr(rules, name).label for name in own}
        return {"setting": setting, "rules": {name: rules.in_words(name) for name in own}, "labels": labels}

    def build(
        self, variant: Variant, definitions: Definitions, continuation: str | None = None, read: Reader = fresh_copy
    ) -> Game:
        """Build the game of a checked variant, with the file's claim about values beyond its rows, if any. Raises
        ValueError for a malformed claim."""
        own = _chosen(parameters_of(self.match_class), variant, definitions)
        game = self.match_class(self.build_rules(variant, definitions, read), **own)
        check_columns([p.name for p in self.parameters], [c.name for c in (*game.columns, game.value, *game.more)])
        if game.numbered and len(self.rules_modules) < 2:
            numbered = f"needs numbered positions in games/compiled/{self.game}.py, which does not exist"
            raise ConfigurationError(f"{self.name}: {numbered}; the other tables of {self.game}.py do not")
        return game if continuation is None else game.with_continuation(Continuation.read(continuation))


def _chosen(parameters: list[Parameter], variant: Mapping[str, int | str], definitions: Definitions) -> dict[str, Any]:
    """The values of parameters, with definitions in place of names."""
    given = ((p, variant[p.name]) for p in parameters if p.name in variant)
    return {p.name: Definition(x, definitions.get(p.name, {}).get(x)) if p.defined else x for p, x in given}


@cache
def known_tables() -> dict[str, Table]:
    """All tables by name; games whose rules file cannot be read are left out."""
    return {table.name: table for game in sorted(files(games)) for table in _tables_of(game)}


def _tables_of(game: str) -> list[Table]:
    """The tables of a game; none if its rules file cannot be read."""
    with suppress(MissingTableError):
        aims = [f"{objective}{end}" for objective, end in aims_of(_rules(game))]
        return [table for match in (*_formats(), *aims) if (table := _made(game, match))]
    return []


def find_table(name: str) -> Table:
    """Return the table of a name, importing only its files. Raises MissingTableError, which suggests the nearest name
    or says what is wrong with the rules."""
    check_name(name)
    if table := _table(name):
        return table
    if of := _games_of(name):
        check_makes_tables(_rules(game := max(of, key=len), name), game, name)
    own = "" if of else where_own_games_are()
    raise MissingTableError(f"there is no table '{name}'{nearest_table(name, known_tables())}{own}")


def is_table(name: str) -> bool:
    """Whether a table of this name exists; False if its rules cannot be read."""
    with suppress(MissingTableError):
        return bool(_table(name))
    return False


def _table(name: str) -> Table | None:
    made = (_made(game, name.removeprefix(f"{game}_")) for game in _games_of(name) if game != name)
    return next(filter(None, made), None)


def _games_of(name: str) -> list[str]:
    """The games whose names are the beginning of a table's name."""
    return [game for game in files(games) if f"{name}_".startswith(f"{game}_")]


def check_name(name: object) -> None:
    """Raise MissingTableError unless a table's name is a text."""
    if not isinstance(name, str):
        raise MissingTableError(f"there is no table {shown(name)}; a table has a name, such as 'pig_turn'")


def is_game(name: str) -> bool:
    """Whether a rules file of this name exists."""
    return name in files(games)


def find_game(name: str) -> list[Table]:
    """Return the tables of a game; raises MissingTableError, which suggests the nearest name."""
    if found := is_game(name) and _tables_of(name):
        return found
    if is_game(name):
        check_makes_tables(_rules(name, name), name, name)
    of = "".join(f"; did you mean '{game}'?" for game in _games_of(name)[-1:])
    raise MissingTableError(f"there is no game '{name}'{of or nearest(name, {*files(games)})}")


def shared(variants: Iterable[Mapping[str, int | str]]) -> Variant:
    """Return the parameters with the same value in all variants: the defaults of questions about them."""
    found: dict[str, set[int | str]] = {}
    for name, value in (pair for variant in variants for pair in variant.items()):
        found.setdefault(name, set()).add(value)
    return {name: value for name, (value, *more) in found.items() if not more}


def layers_of(rules: CompiledBoard) -> Layers:
    """The numbered positions of a compiled board."""
    game = type(rules).__module__.rpartition(".")[2]
    return import_module(f"dicebase.games.compiled.{game}").Compiled(rules)


def _top_of(kind: type) -> list[str]:
    """The paragraphs of the docstring of a class's file."""
    return [" ".join(text.split()) for text in (import_module(kind.__module__).__doc__ or "").split("\n\n")]


def _rules(game: str, table: str = "", read: Reader | None = None) -> type:
    """The class `Rules` of a game's file, for a table; `object` if the file has none, as a module that games share."""
    try:
        module = read(game) if read else import_module(f"dicebase.games.{game}")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise MissingTableError(f"{table}: {game}.py cannot be read: {in_one_line(error)}") from error
    return rules if isinstance(rules := vars(module).get("Rules"), type) else object


@cache
def _formats() -> dict[str, str]:
    """The modules of all match formats by the name of their file."""
    folder = Path(matches.__path__[0])
    paths = sorted(path.relative_to(folder.parent.parent) for path in folder.rglob("[!_]*.py"))
    return {path.stem: ".".join(path.with_suffix("").parts) for path in paths}


def _made(game: str, match: str) -> Table | None:
    """The table that a match format or objective makes of a game; None if it does not accept the rules."""
    rules = _rules(game, f"{game}_{match}")
    for objective, end in aims_of(rules):
        if f"{objective}{end}" == match:
            return Table(f"{game}_{match}", game, match, rules, formats_of(rules)[end](rules.objectives[objective]))
    if match not in _formats():
        return None
    formats = getattr(import_module(_formats()[match]), "FORMATS", {})
    found = next((made for accepted, made in formats.items() if issubclass(rules, accepted)), None)
    return found and Table(f"{game}_{match}", game, match, rules, found)
