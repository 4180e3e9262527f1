"""The documentation as a site: the README, the pages and notebooks of this folder, and what the pipeline made of the
tables.

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

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
# File and title, in the order of the site. Pages of this folder that are not named come after them, by their headings.
PAGES = {
    ROOT / "README.md": "dicebase",
    DOCS / "tutorial.md": "Tutorial",
    DOCS / "notebooks/parquet.ipynb": "Notebook: the Parquet files",
    DOCS / "notebooks/first_move.ipynb": "Notebook: the first move",
    DOCS / "sql.md": "SQL",
    DOCS / "http.md": "HTTP and JSON",
    DOCS / "data.md": "Files",
    DOCS / "untrusted.md": "SQL of strangers",
    DOCS / "policies.md": "Policies",
    DOCS / "explorer.md": "Explorer",
    DOCS / "duels.md": "Matches",
    DOCS / "hog.md": "Hog",
    DOCS / "ten_times_eighteen.md": "Ten Times Eighteen",
    DOCS / "solvers.md": "Solvers",
    DOCS / "certificates.md": "Certificates",
    DOCS / "audit.md": "The printed record",
    DOCS / "benchmarks.md": "Benchmarks",
    DOCS / "peers.md": "Other solvers",
    DOCS / "scale.md": "Scale",
    DOCS / "cluster.md": "Clusters",
    DOCS / "storage.md": "Object storage",
    ROOT / "config/README.md": "Configuration",
    DOCS / "adding_a_game.md": "Adding a game",
    DOCS / "citing.md": "Citing",
}
MADE = {"audit/index.md": "Every printed number", "pages/dictionary.md": "Data dictionary"}
NAMES = {"README.md": "index.md", "config/README.md": "configuration.md", "audit/index.md": "every_printed_number.md"}


def main(results: str, site: str) -> int:
    """Build the site; 0 if it worked. A link that leads nowhere is an error."""
    titles = pages(Path(results).resolve())
    places = {path: name for path, (name, _) in titles.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pages"
        shutil.copytree(DOCS / "pictures", folder / "pictures", ignore=shutil.ignore_patterns("*.py"))
        shutil.copy(DOCS / "architecture.svg", folder)
        for path, page in places.items():
            text = path.read_text(encoding="utf-8")
            text = relinked(text, path.parent, places) if path.suffix == ".md" else notebook(path, folder, places)
            (folder / page).write_text(text, encoding="utf-8")
        navigation = "".join(f"  - {json.dumps(title)}: {page}\n" for page, title in titles.values())
        settings = (DOCS / "mkdocs.yml").read_text(encoding="utf-8")
        (Path(name) / "mkdocs.yml").write_text(f"{settings}docs_dir: pages\nnav:\n{navigation}", encoding="utf-8")
        # Not --quiet, which makes mkdocs blind to the warnings that --strict counts.
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "-f", f"{name}/mkdocs.yml"]
        done = subprocess.run([*command, "-d", Path(site).resolve()], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    return done.returncode


def pages(results: Path) -> dict[Path, tuple[str, str]]:
    """(name on the site, title) of every page by its file, in order."""
    found = {path: (NAMES.get(str(path.relative_to(ROOT)), f"{path.stem}.md"), title) for path, title in PAGES.items()}
    for path in sorted([*DOCS.glob("*.md"), *DOCS.glob("notebooks/*.ipynb")]):
        found.setdefault(path, (f"{path.stem}.md", heading(path)))
    made = {results / file: (NAMES.get(file, Path(file).name), title) for file, title in MADE.items()}
    return found | {path: entry for path, entry in made.items() if path.exists()}


def heading(path: Path) -> str:
    """The first heading of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][0]["source"])
    return text.partition("\n")[0].removeprefix("# ")


def notebook(path: Path, folder: Path, places: dict[Path, str]) -> str:
    """A notebook as Markdown; its pictures go to the folder."""
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
            # A style would hold for the whole page, and a blank line would end the HTML.
            parts.append(re.sub(r"<style.*?</style>\s*", "", shown, flags=re.S) if kind == "text/html" else shown)
    return "\n\n".join(parts) + "\n"


def relinked(text: str, folder: Path, places: dict[Path, str]) -> str:
    """The text of a page with links to other pages of the site, and to files beside it by their names; what is not on
    the site is named without a link."""

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

    return re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, text)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
