"""Reading and checking the configuration: YAML, against the JSON schema beside the workflow."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dicebase.errors import ConfigurationError

SCHEMA = Path(__file__).parents[1] / "schemas" / "config.schema.json"


def read(paths: list[str] | list[Path]) -> dict[str, Any]:
    """The checked configuration of some files, later ones over earlier ones key by key."""
    import yaml

    config: dict[str, Any] = {}
    for path in paths:
        try:
            content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
        except yaml.YAMLError as error:
            raise ConfigurationError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
        if not isinstance(content, dict):
            raise ConfigurationError(f"{path}: is empty; it needs at least 'tables'")
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
        raise ConfigurationError(f"configuration{f' at {place}' if place else ''}: {error.message}")


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    both = {
        k: _merged(old[k], new[k])
        for k in old.keys() & new.keys()
        if isinstance(old[k], dict) and isinstance(new[k], dict)
    }
    return {**old, **new, **both}
