"""Fetch a release: download the archive of its tables, check its digest, unpack it. Needs only the standard library."""

import json
import tarfile
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import Request, urlopen

from dicebase.tables.layout import DATAPACKAGE, naming, replacing_folder, sha256_of
from dicebase.vocabulary import ConfigurationError, DamagedFileError, DicebaseError
from dicebase.vocabulary.progress import Progress, silent

SUMS, ARCHIVE, TOP = "SHA256SUMS", "-tables.tar.gz", "results"
TRIES = 3  # in a row without a new byte
CHUNK = 1 << 20
SCHEMES = ("file", "http", "https")


def fetch(source: str, results: Path, report: Progress = silent) -> int:
    """Fetch the tables of a release into the new folder `results`; return the number of its files with digests.

    source : the folder of a release or its archive of tables, as a path or a URL; SHA256SUMS is beside the archive.

    A download that breaks off goes on where it stopped, also in another call. Raises ConfigurationError if `results`
    exists or the source is not a release, DamagedFileError if a digest differs or the archive would write elsewhere;
    then nothing is left of it. Raises DicebaseError if the source cannot be read.
    """
    if results.exists():
        raise ConfigurationError(f"{results}: exists; move it away, or name another folder with --results")
    folder, name = _place(source)
    digests = dict(reversed(line.split(maxsplit=1)) for line in _read(f"{folder}/{SUMS}").splitlines() if line.strip())
    names = [known for known in digests if known == name or (not name and known.endswith(ARCHIVE))]
    if len(names) != 1:
        what = f"does not list {name}" if name else f"lists {len(names)} archives NAME{ARCHIVE}, not one"
        raise ConfigurationError(f"{folder}/{SUMS}: {what}; give the folder of a release, or its archive of tables")
    url, digest = f"{folder}/{quote(names[0])}", digests[names[0]]
    results.parent.mkdir(parents=True, exist_ok=True)
    part = results.with_name(f".{results.name}.{digest[:16]}.part")
    _download(url, part, report)
    if (found := sha256_of(part)) != digest:
        part.unlink()
        raise DamagedFileError(f"{url}: its sha256 is {found}, {SUMS} says {digest}; it is damaged or was changed")
    count = _unpack(part, url, results)
    part.unlink()
    return count


def _place(source: str) -> tuple[str, str]:
    """Return (URL of the folder, name of the archive or an empty text)."""
    scheme = urlsplit(source).scheme if "://" in source else "file"
    if scheme not in SCHEMES:
        raise ConfigurationError(f"{source}: '{scheme}' is not allowed; give a path or one of {', '.join(SCHEMES)}://")
    url = source.rstrip("/") if "://" in source else Path(source).resolve().as_uri()
    if url.endswith(".tar.gz"):
        folder, _, name = url.rpartition("/")
        return folder, unquote(name)
    return url, ""


def _read(url: str) -> str:
    """Return a small text file. Raises DicebaseError, which names the address."""
    try:
        with urlopen(url, timeout=60) as response:
            return response.read(CHUNK).decode(errors="replace")
    except OSError as error:
        raise _named(error, url) from error


def _named(error: Exception, url: str) -> DicebaseError:
    """Return an error that names the address and the reason."""
    reason = getattr(error, "reason", None) or error
    return DicebaseError(f"{url}: {getattr(reason, 'strerror', None) or reason}")


def _download(url: str, part: Path, report: Progress) -> None:
    """Append the rest of a file to `part`, until it is whole. Raises DicebaseError after TRIES attempts in vain."""
    tries = 0
    while True:
        have = part.stat().st_size if part.exists() else 0
        try:
            if _append(url, part, have, report):
                return
            problem: Exception = OSError("the connection broke off; the same command goes on from there")
        except HTTPError as error:
            if error.code == 416 and have:  # nothing is left to send
                return
            raise _named(error, url) from error
        except (OSError, HTTPException) as error:
            if getattr(error, "filename", None) == str(part):  # a problem of this machine's disk
                raise
            problem = error
        tries = 0 if part.exists() and part.stat().st_size > have else tries + 1
        if tries == TRIES:
            raise _named(problem, url) from problem


def _append(url: str, part: Path, have: int, report: Progress) -> bool:
    """Append bytes from number `have` on, or write all of them if the server does not send parts; return whether the
    file is whole."""
    headers = {"Range": f"bytes={have}-"} if have else {}
    with urlopen(Request(url, headers=headers), timeout=60) as response:
        resumed = have > 0 and getattr(response, "status", None) == 206
        have = have if resumed else 0
        length = response.headers.get("Content-Length")
        with naming(part), open(part, "ab" if resumed else "wb") as file:
            total = have + int(length) if length else 0
            while chunk := response.read(CHUNK):
                file.write(chunk)
                have += len(chunk)
                report(have, total)
    return not total or have == total


def _unpack(archive: Path, url: str, results: Path) -> int:
    """Unpack the folder `results` of an archive and check the digests of its files; return how many have one."""

    def within(member: tarfile.TarInfo, path: str) -> tarfile.TarInfo | None:
        top, _, rest = member.name.partition("/")
        if top != TOP or not (member.isfile() or member.isdir()):
            raise DamagedFileError(f"{url}: has {member.name!r}, which is not a file in {TOP}/; nothing was unpacked")
        return tarfile.data_filter(member.replace(name=rest or "."), path)

    with replacing_folder(results) as temporary:
        temporary.mkdir()
        try:
            with tarfile.open(archive, "r:gz") as opened:
                opened.extractall(temporary, filter=within)
        except (tarfile.TarError, EOFError) as error:
            raise DamagedFileError(f"{url}: {error}; nothing was unpacked") from error
        return _check(temporary, url)


def _check(folder: Path, url: str) -> int:
    """Compare the unpacked files with datapackage.json. Raises DamagedFileError at the first that differs."""
    try:
        listed: list[Mapping] = json.loads((folder / DATAPACKAGE).read_text(encoding="utf-8"))["resources"]
        said = {resource["path"]: resource["hash"] for resource in listed}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedFileError(f"{url}: has no {DATAPACKAGE} that lists its files; nothing was unpacked") from error
    for path, digest in said.items():
        file = folder / path
        if not file.is_file() or f"sha256:{sha256_of(file)}" != digest:
            raise DamagedFileError(f"{url}: {path} is not the file that {DATAPACKAGE} lists; nothing was unpacked")
    return len(said)
