"""Pages from templates, as HTML or Markdown; and SQL."""

from functools import cache
from pathlib import Path
from typing import Any

from dicebase.vocabulary import number

TEMPLATES = Path(__file__).parents[1] / "templates"


def render(template: str, **content: Any) -> str:
    """The text of a template; what is shown in HTML is escaped, and a name that is not given is an error."""
    return _environment().get_template(template).render(content)


def macros(template: str, **content: Any) -> Any:
    """What a template defines, as functions that give text."""
    return _environment().get_template(template).make_module(content)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["number"] = number
    return environment
