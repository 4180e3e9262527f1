"""The documentation as a site: the pages of this folder, the README, and what the pipeline made of the tables.

python docs/site.py results results/site
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Title, page of the site, file.
PAGES = [
    ("dicebase", "index.md", ROOT / "README.md"),
    ("Tutorial", "tutorial.md", ROOT / "docs/tutorial.md"),
    ("SQL", "sql.md", ROOT / "docs/sql.md"),
    ("HTTP and JSON", "http.md", ROOT / "docs/http.md"),
    ("Files", "data.md", ROOT / "docs/data.md"),
    ("SQL of strangers", "untrusted.md", ROOT / "docs/untrusted.md"),
    ("Policies", "policies.md", ROOT / "docs/policies.md"),
    ("Explorer", "explorer.md", ROOT / "docs/explorer.md"),
    ("Matches", "duels.md", ROOT / "docs/duels.md"),
    ("Hog", "hog.md", ROOT / "docs/hog.md"),
    ("Ten Times Eighteen", "ten_times_eighteen.md", ROOT / "docs/ten_times_eighteen.md"),
    ("Solvers", "solvers.md", ROOT / "docs/solvers.md"),
    ("Certificates", "certificates.md", ROOT / "docs/certificates.md"),
    ("The printed record", "audit.md", ROOT / "docs/audit.md"),
    ("Benchmarks", "benchmarks.md", ROOT / "docs/benchmarks.md"),
    ("Configuration", "configuration.md", ROOT / "config/README.md"),
    ("Adding a game", "adding_a_game.md", ROOT / "docs/adding_a_game.md"),
]
MADE = [
    ("Every printed number", "every_printed_number.md", "audit/index.md"),
    ("Data dictionary", "dictionary.md", "pages/dictionary.md"),
]


def main(results: str, site: str) -> int:
    """Build the site; 0 if it worked. A link that leads nowhere is an error."""
    made = [(title, page, Path(results).resolve() / file) for title, page, file in MADE]
    pages = [(title, page, path) for title, page, path in PAGES + made if path.exists()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pages"
        shutil.copytree(ROOT / "docs/pictures", folder / "pictures", ignore=shutil.ignore_patterns("*.py"))
        shutil.copy(ROOT / "docs/architecture.svg", folder)
        places = {path.resolve(): page for _, page, path in pages}
        for _, page, path in pages:
            text = path.read_text(encoding="utf-8")
            (folder / page).write_text(relinked(text, path.parent, places), encoding="utf-8")
        navigation = "".join(f"  - '{title}': {page}\n" for title, page, _ in pages)
        settings = (ROOT / "docs/mkdocs.yml").read_text(encoding="utf-8")
        (Path(name) / "mkdocs.yml").write_text(f"{settings}docs_dir: pages\nnav:\n{navigation}", encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--clean"]
        return subprocess.run([*command, "-f", f"{name}/mkdocs.yml", "-d", Path(site).resolve()]).returncode


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
        if path.is_relative_to(ROOT / "docs"):
            return f"[{words}]({path.relative_to(ROOT / 'docs')})"
        return words

    return re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, text)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
