"""Reading and checking the configuration: YAML, against the JSON schema beside the workflow."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dicebase.vocabulary import ConfigurationError, nearest

SCHEMA = Path(__file__).parents[2] / "schemas" / "config.schema.json"


def read(paths: list[str] | list[Path]) -> dict[str, Any]:
    """The checked configuration of some files, later ones over earlier ones key by key."""
    import yaml

    config: dict[str, Any] = {}
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8")
            _refuse_repeated_names(yaml.compose(text, yaml.SafeLoader), path)
            content = yaml.safe_load(text)
        except OSError as error:
            raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
        if not isinstance(content, dict):
            what = "is empty" if content is None else "is no mapping"
            raise ConfigurationError(f"{path}: {what}; it needs at least 'tables'")
        config = _merged(config, content)
    check(config)
    return config


def check(config: Mapping[str, Any]) -> None:
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
    """What is wrong and what is allowed; the latter is the schema's description, where there is one."""
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        unknown = next(name for name in error.instance if name not in known)
        return f"'{unknown}' is not known here{nearest(str(unknown), known)}"
    problem = f"{error.instance!r} is not allowed" if error.validator == "anyOf" else error.message
    allowed = error.schema.get("description")
    return f"{problem}; give {allowed}" if allowed else problem


def _refuse_repeated_names(node: Any, path: Path | str) -> None:
    """YAML keeps the last of several equal names, and what stood under the others would be lost in silence."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_repeated_names(item, path)
    elif isinstance(node, yaml.MappingNode):
        seen = set()
        for name, value in node.value:
            if isinstance(name, yaml.ScalarNode):
                if name.value in seen:
                    raise ConfigurationError(f"{path}: line {name.start_mark.line + 1}: '{name.value}' is there twice")
                seen.add(name.value)
            _refuse_repeated_names(value, path)


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    both = {
        k: _merged(old[k], new[k])
        for k in old.keys() & new.keys()
        if isinstance(old[k], dict) and isinstance(new[k], dict)
    }
    return {**old, **new, **both}
