"""Make the lists of arguments in docstrings lists of Markdown, for the generated Python reference."""

import re
from typing import Any

import griffe

ARGUMENT = re.compile(r"^(\w+(?:, \w+)*) : ", re.MULTILINE)


class ArgumentLists(griffe.Extension):
    """Turn lines such as `results : the folder` into items of a list."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = ARGUMENT.sub(r"* **`\1`**: ", obj.docstring.value)
