"""Read configuration files in YAML and check them against a JSON schema."""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from dicebase.vocabulary import ConfigurationError, Json, MissingTableError, nearest, need, shown

MOST_CHARACTERS, MOST_ENTRIES = 500_000, 100_000
DEFAULT = Path("config/config.yaml")
SCHEMA = Path(__file__).parents[1] / "schemas" / "config.schema.json"


def read_definitions(paths: Sequence[str | Path]) -> Json:
    """Return the definitions of some configuration files, {game: {parameter: {name: definition}}}. The files need not
    name tables. Raises ConfigurationError."""
    return read(paths, "definitions").get("definitions", {})


def known_definitions(game: str, paths: Sequence[str], results: str) -> Json:
    """Return the definitions of a game's names, {parameter: {name: definition}}. They come from the given configuration
    files, or otherwise from the default one, if it exists, and from the solved tables."""
    from dicebase.catalog.description import solved_definitions
    from dicebase.catalog.lookup import Catalog

    config = paths or [DEFAULT] * DEFAULT.is_file()
    found = read_definitions(config).get(game, {}) if config else {}
    if not paths:
        with suppress(MissingTableError), Catalog(results) as catalog:
            for parameter, names in solved_definitions(catalog.solved_tables, game).items():
                found.setdefault(parameter, {}).update(names)
    return found


def known_parameters(game: str, paths: Sequence[str], results: str) -> Json:
    """Return the defaults of a duel's parameters in a folder, from all solved tables of the game. There are none if
    configuration files are given, because their definitions may differ."""
    from dicebase.catalog.lookup import Catalog
    from dicebase.tables.names import find_game, find_table, shared

    if not paths:
        with suppress(MissingTableError), Catalog(results) as catalog:
            names, known = {p.name for p in find_table(f"{game}_duel").parameters}, catalog.solved_tables
            solved = shared(v.parameters for t in find_game(game) if t.name in known for v in known[t.name].variants)
            return {name: value for name, value in solved.items() if name in names}
    return {}


def read(paths: Sequence[str | Path], needed: str = "tables") -> Json:
    """Return the checked configuration of some files; entries of later files replace those of earlier ones, key by key.

    needed : the entry that the caller wants, for the message if a file is empty. Raises ConfigurationError.
    """
    import yaml

    config: Json = {}
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(MOST_CHARACTERS + 1)
            need(len(text) <= MOST_CHARACTERS, f"{path}: has more than {MOST_CHARACTERS} characters")
            node = yaml.compose(text, yaml.SafeLoader)
            many = f"{shown(size := _size(node, {}, path))} entries after aliases are expanded"
            need(size <= MOST_ENTRIES, f"{path}: has {many}; at most {MOST_ENTRIES}")
            _check_node(node, path)
            content = node and yaml.SafeLoader("").construct_document(node)
        except OSError as error:
            raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
        except RecursionError as error:
            raise ConfigurationError(f"{path}: is nested too deeply") from error
        except (yaml.YAMLError, ValueError) as error:
            raise ConfigurationError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
        what = "is empty" if content is None else "is not a mapping"
        need(isinstance(content, dict), f"{path}: {what}; it needs at least '{needed}'")
        config = _merged(config, content)
    check(config if needed == "tables" else {"tables": {}} | config)
    return config


def check(config: Json) -> None:
    """Raise ConfigurationError at the deepest entry that does not fit the schema."""
    import json

    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    error = best_match(Draft202012Validator(schema).iter_errors(config))
    if error:
        place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
        raise ConfigurationError(f"{place or 'configuration'}: {_problem(error)}")


def _problem(error: Any) -> str:
    """Say what is wrong and, if the schema has a description, what is allowed."""
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        unknown = next(name for name in error.instance if name not in known)
        return f"'{unknown}' is not known here{nearest(str(unknown), known)}"
    problem = f"{shown(error.instance)} is not allowed" if error.validator == "anyOf" else error.message
    allowed = error.schema.get("description")
    return f"{problem}; give {allowed}" if allowed else problem


def _size(node: Any, sizes: dict[int, int], path: Path | str) -> int:
    """Return the number of entries of a node with all aliases written out; raises ConfigurationError if an alias
    contains itself."""
    if id(node) not in sizes:
        sizes[id(node)] = 0
        below = chain.from_iterable(node.value) if getattr(node, "id", "") == "mapping" else node and node.value
        sizes[id(node)] = 1 + sum(_size(n, sizes, path) for n in ([] if isinstance(below, str | None) else below))
    if not sizes[id(node)]:
        raise ConfigurationError(f"{path}: line {node.start_mark.line + 1}: an alias of a value inside it")
    return sizes[id(node)]


def _check_node(node: Any, path: Path | str) -> None:
    """Refuse equal names in a mapping, because YAML silently keeps only the last, and numbers such as 010, because YAML
    reads that as 8. Raises ConfigurationError."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check_node(item, path)
    elif isinstance(node, yaml.MappingNode):
        seen = set()
        for name, value in node.value:
            if isinstance(name, yaml.ScalarNode):
                line = name.start_mark.line + 1
                need(name.value not in seen, f"{path}: line {line}: '{name.value}' is given twice")
                seen.add(name.value)
            _check_node(name, path)
            _check_node(value, path)
    elif node and node.tag.endswith(":int") and not re.fullmatch(r"[-+]?(0|[1-9][0-9]{0,999})", node.value):
        how = "write whole numbers with up to 1000 digits and no leading 0, and texts in quotes"
        raise ConfigurationError(f"{path}: line {node.start_mark.line + 1}: {shown(node.value)}: {how}")


def _merged(old: Json, new: Json) -> Json:
    both = {
        k: _merged(old[k], new[k])
        for k in old.keys() & new.keys()
        if isinstance(old[k], dict) and isinstance(new[k], dict)
    }
    return {**old, **new, **both}
