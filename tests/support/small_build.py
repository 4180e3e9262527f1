"""A folder in which the workflow has built grids.SMALLER from nothing, once for all tests of the workflow."""

from pathlib import Path

import pytest

from support import commands, grids

CONFIG = "config/config.yaml"
RESULTS = "el se/where"
"""The results folder of the configuration: not the default one, and with a space."""


def configure(folder: Path, text: str) -> None:
    """Write the default configuration of a folder; Snakemake remembers only its name."""
    (folder / CONFIG).parent.mkdir(exist_ok=True)
    (folder / CONFIG).write_text(f"results: {RESULTS}\n{text}")


def small_build(factory: pytest.TempPathFactory) -> Path:
    """Return the read-only folder. Its paths are relative, so a copy works as well."""

    def build(folder: Path) -> None:
        configure(folder, grids.SMALLER)
        assert commands.jobs(commands.snakemake(folder)) == {"solve": 2, "certify": 2} | commands.AFTER

    return grids.once(factory, "workflow", build)
