"""Pages and SQL from templates, as HTML, Markdown or SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dicebase.vocabulary import number

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.environment import TemplateModule
    from markupsafe import Markup

TEMPLATES = Path(__file__).parents[1] / "templates"


def render(template: str, **content: object) -> str:
    """Render a template. Values are escaped for HTML and Markdown; a missing value is an error."""
    return _environment(template.rpartition(".")[2]).get_template(template).render(content)


def macros(template: str, **content: object) -> TemplateModule:
    """The macros of a template, as functions that return text."""
    return _environment(template.rpartition(".")[2]).get_template(template).make_module(content)


def code_span(text: str) -> Markup:
    """Text as a Markdown code span that is safe in a table; empty text gives nothing."""
    from markupsafe import Markup

    text = " ".join(text.split()).replace("|", "\\|")
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " * (len(fence) > 1)  # otherwise a backtick at an end would join the fence
    return Markup(f"{fence}{space}{text}{space}{fence}" if text else "")


def _code_block(lines: Sequence[str]) -> Markup:
    """Lines as an indented Markdown code block; no text in the lines can end it."""
    from markupsafe import Markup

    return Markup("\n".join(f"    {line}" for line in "\n".join(lines).splitlines()))


def _as_text(value: object) -> Markup:
    """A value escaped for Markdown, so that CommonMark and Python-Markdown render it literally."""
    from markupsafe import Markup

    if isinstance(value, Markup):
        return value
    text = " ".join(str(value).split())
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    # A lone bracket starts no link, and an underscore between letters no emphasis, so neither is escaped.
    text = re.sub(r"^\[|](?=[(\[:])|[\\`*|#]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    text = re.sub(r"^(\d*)([-+](?=[\s-]|$)|(?<=\d)[.)](?=\s|$))", r"\1\\\2", text)  # would start a list
    return Markup(text.replace("~", "&#126;"))


@cache
def _environment(kind: str) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=kind in ("html", "md"),
        finalize=_as_text if kind == "md" else None,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {}  # keep the order of keys
    environment.filters |= {"number": number, "code": code_span, "block": _code_block}
    return environment
