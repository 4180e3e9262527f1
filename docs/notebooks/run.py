"""Execute the notebooks of this folder again and keep their output, without traces of the machine.

python docs/notebooks/run.py results
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent


def main(results: str) -> None:
    """Execute every notebook with a results folder, in place."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(executed(path, Path(results)), path)
        print(path.name)


def executed(path: Path, results: Path) -> nbformat.NotebookNode:
    """Return a notebook with fresh outputs; raise if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=600, record_timing=False, resources={"metadata": {"path": str(FOLDER)}})
    client.execute(env={**os.environ, "DICEBASE_RESULTS": str(results.resolve())})
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


if __name__ == "__main__":
    main(*sys.argv[1:])
