"""Write a results folder as a dataset that loads elsewhere unchanged: the files of its data package, a dataset card,
Croissant metadata (https://docs.mlcommons.org/croissant), .zenodo.json and checksums.

python -m dicebase.catalog.dataset RESULTS FOLDER
"""

import json
import os
import shutil
import sys
import time
from pathlib import Path

from dicebase.catalog.citation import YEAR
from dicebase.tables.layout import DATAPACKAGE, replacing_folder, sha256_of
from dicebase.tables.templates import render
from dicebase.vocabulary import Json

CARD, CROISSANT, ZENODO, SUMS = "README.md", "croissant.json", ".zenodo.json", "SHA256SUMS"
KINDS = {"integer": "sc:Integer", "number": "sc:Float", "string": "sc:Text", "boolean": "sc:Boolean"}
KEYWORDS = ["games of chance", "dice", "dynamic programming", "Markov decision process", "reinforcement learning"]
CONTEXT = Path(__file__).parents[1] / "schemas" / "croissant_context.json"
"""The context of Croissant 1.0."""


def write_dataset(results: Path, folder: Path) -> None:
    """Write the dataset of a results folder, replacing `folder`. The same files give the same bytes. The date is that
    of SOURCE_DATE_EPOCH, by default today."""
    descriptor = json.loads((results / DATAPACKAGE).read_text(encoding="utf-8"))
    resources = descriptor["resources"]
    schemas = sorted({r["schema"] for r in resources if "schema" in r})
    date = time.strftime("%Y-%m-%d", time.gmtime(float(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    with replacing_folder(folder) as temporary:
        for place in (DATAPACKAGE, *schemas, *(r["path"] for r in resources)):
            (temporary / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(results / place, temporary / place)
        parts = _configurations(descriptor)
        said = descriptor | {"keywords": KEYWORDS, "parts": parts, "date": date, "year": YEAR, "kinds": KINDS}
        (temporary / CARD).write_text(render("dataset.md", **said), encoding="utf-8")
        said["fields"] = {name: _fields(results, of) for name, (_, of) in parts.items()}
        said["context"] = json.loads(CONTEXT.read_text(encoding="utf-8"))
        for name, template in ((CROISSANT, "croissant.json"), (ZENODO, "zenodo.json")):
            content = json.dumps(json.loads(render(template, **said)), ensure_ascii=False, indent=1)
            (temporary / name).write_text(content + "\n", encoding="utf-8")
        files = sorted(p.relative_to(temporary).as_posix() for p in temporary.rglob("*") if p.is_file())
        sums = "".join(f"{sha256_of(temporary / place)}  {place}\n" for place in files)
        (temporary / SUMS).write_text(sums, encoding="utf-8")


Parts = dict[str, tuple[str, list[str]]]
"""{configuration: (its files as a pattern, the paths of their schemas)}."""


def _configurations(descriptor: Json) -> Parts:
    """Return the configurations of a dataset: one for the states of each table, others for its actions and values."""
    found: Parts = {}
    for resource in descriptor["resources"]:
        folder, _, rest = resource["path"].partition("/")
        if rest and folder != "certificates":
            table = rest.partition("/")[0]
            name = table if folder == "tables" else f"{table}_{folder}"
            schemas = found.setdefault(name, (f"{folder}/{table}/*.parquet", []))[1]
            schemas += [resource["schema"]] * (resource["schema"] not in schemas)
    return dict(sorted(found.items()))


def _fields(results: Path, schemas: list[str]) -> list[Json]:
    """Return the fields of the first schema that all schemas of a configuration have."""
    read = [json.loads((results / path).read_text(encoding="utf-8"))["fields"] for path in schemas]
    common = set.intersection(*({f["name"] for f in fields} for fields in read))
    return [f for f in read[0] if f["name"] in common]


if __name__ == "__main__":
    write_dataset(*map(Path, sys.argv[1:]))
