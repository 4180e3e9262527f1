"""Count turns of phrase that our style page rules out.

python benchmarks/tools/prose.py [--samples N]

The script reads the prose of every tracked file: pages without code blocks, docstrings, and comments. It prints the
count per thousand words and by kind, and exits with 1 if the count is above the limit. CONTRIBUTING.md is the style
page.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

LIMIT = 2.5
"""The largest number of such turns of phrase per thousand words that passes."""
SUFFIXES = (".md", ".py", ".js", ".mjs", ".toml", ".yaml", ".smk")
PHRASES = {
    kind: re.compile(pattern, re.I)
    for kind, pattern in {
        "a person as a free 'who'": r"(?:^|[.:;,(] *|\b(?:by|of|for|to|than|and) )who(?:ever|se|m)?\b",
        "a thing as a free 'what'": r"(?:^|[.:;,(] *|\b(?:by|of|for|to|than|from|and) )what(?:ever)? "
        r"(?:is|are|was|has|can|may|they|it|one|a|the|plays?|comes?|follows?|counts?|must|else)\b",
        "'but for' instead of 'except'": r"\bbut for\b",
        "'in the mean' instead of 'on average'": r"\bin the mean\b",
        "'points of 100' instead of 'percentage points'": r"\bpoints of 100\b",
        "'so many' without 'that'": r"\bso (?:many|much)\b(?! (?:that|as))",
        "'come to' instead of 'reach'": r"\bcomes? (?:to|upon)\b",
        "'be told'": r"\b(?:is|are|be) told\b",
        "'the one' instead of a noun": r"\b(?:that one|the one (?:of|that|who|from|to)|those of)\b",
        "'where' instead of 'if'": r"(?:^|[.;:] +)(?-i:Where)\b",
        "'worth' as a noun": r"\b(?:the|its|their|each|of|a|this|that|greatest|best) worth\b",
        "'is no' instead of 'is not a'": r"\b(?:is|are) no\b",
        "'paid' instead of 'earned'": r"\bpaid\b",
    }.items()
}


def prose(name: str, text: str) -> Iterator[str]:
    """Yield the lines of a file that people read as sentences."""
    if name.endswith(".md"):
        yield from re.sub(r"```.*?```", "", text, flags=re.S).splitlines()
    elif name.endswith(".py"):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string.lstrip("#").strip()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield from (ast.get_docstring(node) or "").splitlines()
    else:
        yield from re.findall(r"(?:#|//) (.*)", text)


def found_in(line: str) -> Counter[str]:
    """Return how often each kind of phrase occurs in a line."""
    return Counter({kind: len(pattern.findall(line)) for kind, pattern in PHRASES.items()})


def main(words: list[str]) -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--samples", type=int, default=0, metavar="N", help="also print N places for each kind")
    samples = options.parse_args(words).samples
    count, kinds, places = 0, Counter(), {kind: [] for kind in PHRASES}
    for name in subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines():
        path = Path(name)
        if path.suffix not in SUFFIXES or "dist" in path.parts or "broken_rules" in path.parts or not path.exists():
            continue
        for line in prose(name, path.read_text(encoding="utf-8")):
            count += len(line.split())
            kinds += (found := found_in(line))
            for kind in +found:
                places[kind].append(f"{name}: {line.strip()[:100]}")
    rate = 1000 * kinds.total() / max(count, 1)
    for kind, number in kinds.most_common():
        print(f"{number:6} {kind}")
        print(*(f"         {place}" for place in places[kind][:samples]), sep="\n", end="\n" * bool(samples))
    print(f"{rate:.2f} of {LIMIT} per thousand of {count} words")
    return int(rate > LIMIT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
