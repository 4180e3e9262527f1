"""The explorer's page as shipped."""

from pathlib import Path

PAGE = Path(__file__).parent / "dist"
"""The folder built from workflow/explorer."""

DATA = "data"
"""The name of the folder with the tables' data, next to the page."""
