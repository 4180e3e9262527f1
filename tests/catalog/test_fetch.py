"""`dicebase fetch`: from a path and over HTTP, broken off in the middle, changed, and written to lead elsewhere."""

import hashlib
import io
import json
import re
import tarfile
import threading
from errno import ENOSPC
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dicebase.catalog import fetch as module
from dicebase.catalog.fetch import fetch
from dicebase.cli import main
from dicebase.pipeline import steps
from dicebase.tables.layout import sha256_of, slices_in
from dicebase.vocabulary import DamagedFileError
from support.commands import error_of
from support.forgeries.slices import changed, rewrite

ARCHIVE = "dicebase-0.1.0-tables.tar.gz"
FILES = {
    "results/datapackage.json": None,  # made from the others
    "results/tables/pig_turn/all.parquet": bytes(range(256)) * 400,
    "results/dicebase.duckdb": b"catalogue",
}


def packed(folder, files, sums=None):
    """A release with an archive of these files; `sums` replaces the archive's digest."""
    folder.mkdir(exist_ok=True)
    if files.get("results/datapackage.json", b"") is None:
        digests = {n: hashlib.sha256(content).hexdigest() for n, content in files.items() if isinstance(content, bytes)}
        listed = [{"path": n.removeprefix("results/"), "hash": f"sha256:{digest}"} for n, digest in digests.items()]
        files = files | {"results/datapackage.json": json.dumps({"resources": listed}).encode()}
    with tarfile.open(folder / ARCHIVE, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    digest = sums or sha256_of(folder / ARCHIVE)
    (folder / "SHA256SUMS").write_text(f"{digest}  {ARCHIVE}\n{'0' * 64}  dicebase-0.1.0-py3-none-any.whl\n")
    return folder


@pytest.fixture
def release(tmp_path):
    return packed(tmp_path / "dist", FILES)


class Serving:
    """A release over HTTP: `breaks` answers stop after `after` bytes, and `ranges` says whether parts are sent."""

    def __init__(self, folder):
        self.breaks, self.after, self.ranges, self.asked = 0, 1000, True, []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(handler):
                path, asked = folder / handler.path.split("/")[-1], handler.headers.get("Range")
                if not path.is_file():
                    return handler.send_error(404, "Not Found")
                content, first = path.read_bytes(), 0
                if path.name == ARCHIVE:
                    self.asked.append(asked)
                if asked and self.ranges:
                    first = int(re.fullmatch(r"bytes=(\d+)-", asked)[1])
                    if first >= len(content):
                        return handler.send_error(416)
                handler.send_response(206 if first else 200)
                handler.send_header("Content-Length", str(len(content) - first))
                handler.end_headers()
                if path.name == ARCHIVE and self.breaks:
                    self.breaks -= 1
                    content = content[: first + self.after]
                handler.wfile.write(content[first:])

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/dist"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def serving(release):
    serving = Serving(release)
    yield serving
    serving.server.shutdown()
    serving.server.server_close()


def same_files(results):
    """Whether a folder holds exactly the files of the release."""
    found = {f"results/{p.relative_to(results).as_posix()}": p.read_bytes() for p in results.rglob("*") if p.is_file()}
    assert found.keys() == FILES.keys() and all(found[n] == x for n, x in FILES.items() if x)
    assert [p.name for p in results.parent.iterdir() if p.name.startswith(".results")] == []


@pytest.mark.parametrize("form", ["folder", "file", "folder as URL", "file as URL"])
def test_a_release_on_this_machine_is_unpacked(release, tmp_path, form):
    source = release / ARCHIVE if form.startswith("file") else release
    assert fetch(source.as_uri() if form.endswith("URL") else str(source), tmp_path / "results") == 2
    same_files(tmp_path / "results")


@pytest.mark.parametrize("name", ["", f"/{ARCHIVE}", "/"])
def test_a_download_that_breaks_off_goes_on_where_it_stopped(serving, tmp_path, name):
    serving.breaks, serving.after = 2, 100
    fetch(serving.url + name, tmp_path / "results")
    same_files(tmp_path / "results")
    assert serving.asked == [None, "bytes=100-", "bytes=200-"]


def test_another_call_goes_on_where_the_last_one_stopped(serving, release, tmp_path, capsys):
    serving.breaks, serving.after = 10**9, 0
    command = ["--results", tmp_path / "results", "fetch", serving.url]
    assert error_of(capsys, *command) == (
        f"error: {serving.url}/{ARCHIVE}: the connection broke off; the same command goes on from there\n"
    )
    (part,) = tmp_path.glob(".results.*.part")
    part.write_bytes((release / ARCHIVE).read_bytes()[:150])
    serving.breaks, serving.asked = 0, []
    assert main([*map(str, command)]) == 0
    assert serving.asked == ["bytes=150-"]
    same_files(tmp_path / "results")
    said = capsys.readouterr().out
    assert said.startswith(f"{tmp_path / 'results'}: 2 files as released, by their sha256\n")
    assert f'sql "FROM tables"\nPython:  dicebase.open({str(tmp_path / "results")!r}).lookup(' in said


def test_a_server_that_sends_no_parts_sends_all_again_and_a_whole_download_is_not_asked_for(serving, release, tmp_path):
    serving.breaks, serving.after, serving.ranges = 1, 100, False
    fetch(serving.url, tmp_path / "results")
    same_files(tmp_path / "results")
    digest = sha256_of(release / ARCHIVE)
    (tmp_path / f".again.{digest[:16]}.part").write_bytes((release / ARCHIVE).read_bytes())
    serving.ranges = True
    fetch(serving.url, tmp_path / "again")
    same_files(tmp_path / "again")


def refused(release, tmp_path, match):
    with pytest.raises(DamagedFileError, match=match):
        fetch(str(release), tmp_path / "results")
    assert {*tmp_path.iterdir()} <= {tmp_path / "dist", *tmp_path.glob(".results.*.part")}


@pytest.mark.parametrize("how", ["a bit changed", "cut", "no data package"])
def test_a_changed_archive_is_refused(release, tmp_path, how):
    content, said = (release / ARCHIVE).read_bytes(), "nothing was unpacked$"
    if how == "a bit changed":
        middle = len(content) // 2
        content = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        said = r"dist/dicebase-0\.1\.0-tables\.tar\.gz: its sha256 is .*; it is damaged or was changed$"
    if how == "no data package":
        packed(release, {"results/dicebase.duckdb": b"x"})
        said = r"has no datapackage\.json that lists its files; nothing was unpacked$"
    else:
        (release / ARCHIVE).write_bytes(content[: len(content) // (2 if how == "cut" else 1)])
    if how == "cut":
        (release / "SHA256SUMS").write_text(f"{sha256_of(release / ARCHIVE)}  {ARCHIVE}\n")
    refused(release, tmp_path, said)
    assert how != "a bit changed" or not [*tmp_path.glob(".results*")]


@pytest.mark.parametrize("changed", ["results/dicebase.duckdb", "results/tables/pig_turn/all.parquet"])
def test_a_file_that_differs_from_the_data_package_is_refused(release, tmp_path, changed):
    with tarfile.open(release / ARCHIVE) as archive:
        descriptor = archive.extractfile("results/datapackage.json").read()
    packed(release, {**FILES, "results/datapackage.json": descriptor, changed: b"other"})
    place = changed.removeprefix("results/")
    refused(release, tmp_path, rf": {place} is not the file that datapackage\.json lists; nothing was unpacked$")


@pytest.mark.parametrize(
    "name, content, match",
    [
        ("results/../../evil", b"x", "'evil' would be extracted to .* outside the destination"),
        ("../evil", b"x", r"has '\.\./evil', which is not a file in results/"),
        ("/evil", b"x", "has '/evil', which is not a file in results/"),
        ("results/link", "/etc/passwd", "has 'results/link', which is not a file in results/"),
        ("results/link", "../../evil", "has 'results/link', which is not a file in results/"),
    ],
)
def test_an_archive_that_leads_elsewhere_is_refused(release, tmp_path, name, content, match):
    packed(release, {**FILES, name: content})
    refused(release, tmp_path, f"{match}; nothing was unpacked$" if "outside" not in match else "outside|nothing")
    assert not (tmp_path.parent / "evil").exists()


@pytest.mark.slow  # certifies all tables twice
def test_verify_certifies_a_fetched_release_again(results_copy, tmp_path, capfd):
    def fetched(name):
        steps.datapackage(results_copy, slices_in(results_copy))
        with tarfile.open(release / ARCHIVE, "w:gz") as archive:
            archive.add(results_copy, "results")
        (release / "SHA256SUMS").write_text(f"{sha256_of(release / ARCHIVE)}  {ARCHIVE}\n")
        code = main(["--results", str(tmp_path / name), "fetch", str(release), "--verify"])
        return code, capfd.readouterr()

    (release := tmp_path / "dist").mkdir()
    steps.audit(results_copy)
    steps.pages(results_copy)
    code, said = fetched("one")
    assert code == 0 and "pig_turn/dice=1: holds" in said.out and "datapackage.json: holds" in said.out
    rewrite(results_copy / "tables/pig_turn/dice=1.parquet", changed("value", -1, lambda value: value + 1e-6))
    code, said = fetched("two")  # all digests are true, but a value is wrong
    assert code == 1 and "pig_turn/dice=1: " in said.err and "files as released" in said.out


def test_wrong_sources_are_named(serving, release, tmp_path, capsys):
    def error(*words, name="results"):
        return error_of(capsys, "--results", tmp_path / name, "fetch", *words)

    assert error(f"{serving.url}/other-tables.tar.gz").startswith(
        f"error: {serving.url}/SHA256SUMS: does not list other-tables.tar.gz; give the folder of a release"
    )
    (release / "SHA256SUMS").write_text("")
    assert ": lists 0 archives NAME-tables.tar.gz, not one; " in error(release)
    (release / "SHA256SUMS").unlink()
    assert error(serving.url) == f"error: {serving.url}/SHA256SUMS: Not Found\n"
    assert error(release) == f"error: {release.as_uri()}/SHA256SUMS: No such file or directory\n"
    assert error("ftp://x/y") == "error: ftp://x/y: 'ftp' is not allowed; give a path or one of file, http, https://\n"
    (tmp_path / "there").mkdir()
    assert "there: exists; move it away, or name another folder with --results" in error(release, name="there")
    assert not [*tmp_path.glob(".*")]
    (release / "SHA256SUMS").write_text(f"{'0' * 64}  {ARCHIVE}\n")
    (release / ARCHIVE).unlink()
    for source, why in ((serving.url, "Not Found"), (release.as_uri(), "No such file or directory")):
        assert error(source) == f"error: {source}/{ARCHIVE}: {why}\n"


def test_a_full_disk_is_named(release, tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "open", full, raising=False)
    said = error_of(capsys, "--results", tmp_path / "results", "fetch", release)
    assert re.fullmatch(rf"error: {tmp_path}/\.results\.\w+\.part: the disk is full\n", said)
