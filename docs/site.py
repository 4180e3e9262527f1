"""Build the documentation as a site: the README, the pages and notebooks of this folder, and reference pages generated
from the tables and the docstrings.

python docs/site.py results results/site
"""

import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from dicebase.show.table_pages import reference_pages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
# The menu: folders with their pages in order. Pages that are not listed follow.
MENU = {
    "use": (
        "Use it",
        [
            "install",
            "tutorial",
            "explorer",
            "sql",
            "export",
            "model",
            "environments",
            "ai",
            "data",
            "http",
            "policies",
            "best_cards",
            "lesson",
            "review",
            "untrusted",
            "citing",
        ],
    ),
    "games": (
        "The games",
        [
            "duels",
            "house-rules",
            "hog",
            "ten_times_eighteen",
            "yahtzee",
            "boards",
            "cards",
            "hidden_information",
            "your_game",
            "compiled_rules",
            "adding_a_game",
        ],
    ),
    "why": (
        "Why it is right",
        ["house", "solvers", "certificates", "proof", "audit", "benchmarks", "learning", "peers"],
    ),
    "scale": ("At scale", ["scale", "layers", "cluster", "storage"]),
}
MORE = {
    "use": [DOCS / "notebooks/parquet.ipynb"],
    "games": [DOCS / "notebooks/first_move.ipynb"],
    "why": [ROOT / "benchmarks/peers/results.md"],
    "scale": [ROOT / "config/README.md"],
}
MADE = {"games": "pages/games.md", "why": "audit/index.md"}
PYTHON = {
    "Open and query tables": ("dicebase.open", "dicebase.catalog.lookup.Catalog"),
    "Solve a table": ("dicebase.solve", "dicebase.pipeline.solve_one.OpenTable"),
    "Run SQL written by others": ("dicebase.catalog.sandbox.sandbox.Limits", "dicebase.catalog.sandbox.sandbox.Result"),
    "Evaluate policies": tuple(
        f"dicebase.policies.{name}"
        for name in (
            *("evaluation.evaluate", "evaluation.respond", "evaluation.response", "evaluation.mistakes"),
            *("evaluation.habits", "grading.grade"),
        )
    ),
    "Errors": ("dicebase.vocabulary.errors",),
    "Write rules": tuple(
        f"dicebase.vocabulary.{name}"
        for name in ("rules.turns", "rules.sheets", "rules.boards", "rules.hidden", "parameters", "dice_and_cards.dice")
    ),
}
"""The objects on the page of the Python reference, by heading; mkdocstrings shows their docstrings."""
LISTED = ["tables.md", "python.md"]
"""The generated pages of the menu; the others are linked from the first."""
NAMES = {
    "README.md": "index.md",
    "config/README.md": "configuration.md",
    "benchmarks/peers/results.md": "measured_solvers.md",
    "audit/index.md": "every_printed_number.md",
}


def main(results: str, site: str) -> int:
    """Build the site; return 0 on success. A broken link is an error."""
    menu = pages(Path(results).resolve())
    places = {path: name for section in menu.values() for path, name in section.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pages"
        shutil.copytree(DOCS / "pictures", folder / "pictures", ignore=shutil.ignore_patterns("*.py"))
        for path, page in places.items():
            text = path.read_text(encoding="utf-8")
            text = relinked(text, path.parent, places) if path.suffix == ".md" else notebook(path, folder, places)
            (folder / page).write_text(text, encoding="utf-8")
        made = reference(Path(results))
        for page, text in made.items():
            (folder / page).write_text(text, encoding="utf-8")
        first, *sections = ((title, [*section.values()]) for title, section in menu.items())
        sections.append(("Reference", [page for page in LISTED if page in made]))
        navigation = [{first[0]: first[1][0]}, {"Contents": [{title: names} for title, names in sections]}]
        settings = (DOCS / "mkdocs.yml").read_text(encoding="utf-8")
        (Path(name) / "mkdocs.yml").write_text(
            settings.replace("WORKFLOW", str(ROOT / "workflow")).replace("DOCS", str(DOCS))
            + f"docs_dir: pages\nnav: {json.dumps(navigation)}\n"
            + f"not_in_nav: {json.dumps(chr(10).join(made.keys() - {*LISTED}))}\n",
            encoding="utf-8",
        )
        # --quiet would hide the warnings that --strict counts.
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "-f", f"{name}/mkdocs.yml"]
        done = subprocess.run([*command, "-d", Path(site).resolve()], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    return done.returncode


def reference(results: Path) -> dict[str, str]:
    """Return the generated pages by name: one per table, one of all tables, and one of the Python package."""
    python = ["# Python reference", "Made from the docstrings of the package."]
    for heading, names in PYTHON.items():
        python += [f"## {heading}", *(f"::: {name}" for name in names)]
    made = reference_pages(results) if (results / "dicebase.duckdb").exists() else {}
    return made | {"python.md": "\n\n".join(python) + "\n"}


def pages(results: Path) -> dict[str, dict[Path, str]]:
    """Return the sections of the menu, each {file of a page: its name on the site}, in order."""
    menu = {"dicebase": {ROOT / "README.md": NAMES["README.md"]}}
    for folder, (title, order) in MENU.items():
        found = {path.stem: path for path in sorted(DOCS.glob(f"{folder}/*.md"))}
        files = [found.pop(stem) for stem in order if stem in found] + [*found.values()] + MORE.get(folder, [])
        menu[title] = {path: NAMES.get(str(path.relative_to(ROOT)), f"{path.stem}.md") for path in files}
        made = MADE.get(folder)
        if made and (results / made).exists():
            menu[title][results / made] = NAMES.get(made, Path(made).name)
    return menu


def notebook(path: Path, folder: Path, places: dict[Path, str]) -> str:
    """Return a notebook as Markdown; write its pictures to the folder."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(relinked(text, path.parent, places))
            continue
        parts.append(f"```python\n{text}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {"text/plain": output.get("text", "")})
            kind = next(k for k in ("image/png", "text/html", "text/markdown", "text/plain") if k in data)
            shown = "".join(data[kind])
            if kind == "image/png":
                name = f"pictures/{path.stem}_{len(parts)}.png"
                (folder / name).write_bytes(base64.b64decode(shown))
                shown = f"![The picture that the code above draws]({name})"
            elif kind == "text/plain":
                shown = f"```text\n{shown.rstrip()}\n```"
            # A style would apply to the whole page, and a blank line would end the HTML.
            parts.append(re.sub(r"<style.*?</style>\s*", "", shown, flags=re.S) if kind == "text/html" else shown)
    return "\n\n".join(parts) + "\n"


def relinked(text: str, folder: Path, places: dict[Path, str]) -> str:
    """Return the text of a page with its links to other pages and neighbouring files renamed for the site; a link to
    anything else becomes plain text."""

    def link(match: re.Match) -> str:
        words, address = match.groups()
        target, hash_, part = address.partition("#")
        path = (folder / target).resolve()
        if target.startswith("http") or not target:
            return match[0]
        if path in places:
            return f"[{words}]({places[path]}{hash_}{part})"
        if path.is_relative_to(DOCS) and path.suffix in (".png", ".svg"):
            return f"[{words}]({path.relative_to(DOCS)})"
        return words

    return re.sub(r"\[([^\]]*)(?<!\\)\]\(([^)\s]+)\)", link, text)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
