"""The explorer: a static site over the tables of a results folder, without a server or network. docs/use/explorer.md
lists its files and kinds of variants."""

from pathlib import Path

PAGE = Path(__file__).parent / "dist"
"""The page as shipped, built from workflow/explorer."""
