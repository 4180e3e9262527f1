"""Write a results folder as a dataset that loads elsewhere unchanged: the files of its data package, with a dataset
card, Croissant metadata (https://docs.mlcommons.org/croissant), .zenodo.json and checksums.

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
from dicebase.vocabulary import Json

CARD, CROISSANT, ZENODO, SUMS = "README.md", "croissant.json", ".zenodo.json", "SHA256SUMS"
KINDS = {"integer": "sc:Integer", "number": "sc:Float", "string": "sc:Text", "boolean": "sc:Boolean"}
KEYWORDS = ["games of chance", "dice", "dynamic programming", "Markov decision process", "reinforcement learning"]
WORDS = """citeAs column equivalentProperty extract field fileProperty fileObject fileSet format includes isLiveDataset
    jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate separator source subField
    transform"""
CONTEXT: Json = {  # that of Croissant 1.0
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name: f"cr:{name}" for name in WORDS.split()},
}
USE = """
## Use

Each table is a configuration; `<table>_actions` has a row for each state and action, and `<table>_values` has values
from which decisions follow. Parameters are ordinary columns, so filter for the variant you want.

```python
import duckdb
duckdb.sql("SELECT * FROM 'tables/pig_turn/*.parquet' WHERE sides = 6 AND dice = 1")
```

`certificates/<table>` proves the error bound of each variant. `datapackage.json` lists every file with its columns,
units, sources and sha256, and `sha256sum -c SHA256SUMS` checks them. `dicebase.duckdb` has all tables for SQL.
"""


def write_dataset(results: Path, folder: Path) -> None:
    """Write the dataset of a results folder, replacing `folder`. The same files give the same bytes; the date is that
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
        (temporary / CARD).write_text(card(descriptor, parts), encoding="utf-8")
        fields = {name: _fields(results, of) for name, (_, of) in parts.items()}
        _write_json(temporary / CROISSANT, croissant(descriptor, parts, fields, date))
        _write_json(temporary / ZENODO, zenodo(descriptor, date))
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


def card(descriptor: Json, parts: Parts) -> str:
    """Return the dataset card, with a configuration for each part in its YAML header."""
    head = ["---", "license: cc-by-4.0", "pretty_name: dicebase", "tags:", *(f"- {word}" for word in KEYWORDS)]
    head += ["configs:"]
    for name, (pattern, _) in parts.items():
        head += [f"- config_name: {name}", f"  data_files: {pattern}"]
    head += ["---", "", f"# {descriptor['title']}", "", descriptor["description"]]
    return "\n".join(head) + "\n" + USE


def croissant(descriptor: Json, parts: Parts, fields: dict[str, list[Json]], date: str) -> Json:
    """Return the Croissant metadata: a set of files and a set of records for each part, whose fields are `fields`."""

    def field(part: str, column: Json) -> Json:
        said = {"description": column["description"]} if "description" in column else {}
        source = {"fileSet": {"@id": f"{part}-files"}, "extract": {"column": column["name"]}}
        name = f"{part}/{column['name']}"
        return (
            {"@type": "cr:Field", "@id": name, "name": name}
            | said
            | {
                "dataType": KINDS[column["type"]],
                "source": source,
            }
        )

    licence, version = descriptor["licenses"][0]["path"], descriptor["version"]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": descriptor["name"],
        "description": descriptor["description"],
        "license": licence,
        "version": version,
        "datePublished": date,
        "creator": {"@type": "sc:Organization", "name": "The dicebase authors"},
        "keywords": KEYWORDS,
        "citeAs": f"@misc{{dicebase, author={{The dicebase authors}}, title={{dicebase {version}}}, year={{{YEAR}}}}}",
        "distribution": [
            {
                "@type": "cr:FileSet",
                "@id": f"{name}-files",
                "name": f"{name}-files",
                "encodingFormat": "application/x-parquet",
                "includes": pattern,
            }
            for name, (pattern, _) in parts.items()
        ],
        "recordSet": [
            {"@type": "cr:RecordSet", "@id": name, "name": name, "field": [field(name, f) for f in fields[name]]}
            for name in parts
        ],
    }


def zenodo(descriptor: Json, date: str) -> Json:
    """Return the metadata that Zenodo reads."""
    return {
        "title": descriptor["title"],
        "description": descriptor["description"],
        "upload_type": "dataset",
        "license": "cc-by-4.0",
        "creators": [{"name": "The dicebase authors"}],
        "keywords": KEYWORDS,
        "version": descriptor["version"],
        "publication_date": date,
    }


def _write_json(path: Path, content: Json) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_dataset(*map(Path, sys.argv[1:]))
