"""Rules files: find them, and import a fresh copy of one with every module beside it.

Rules may remember answers, for instance in a cache that forgets a parameter. Solver and certifier must not share such a
memory, and no variant may inherit it from another. So the rules of each variant come from a fresh copy of their file
and of every module beside it, except modules that define compiled kernels.
"""

import importlib
import os
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import dicebase.games as games
import dicebase.games.compiled as compiled
from dicebase.tables.reversed_sets import REVERSED, SHOWN, with_reversed_sets
from dicebase.vocabulary import ConfigurationError, refuse_to_exit

OURS = games.__path__[0]  # the folder of the games in dicebase
PACKAGES = (games.__name__, f"{games.__name__}.compiled")
NOT_RULES = ("importlib", "linecache", "tokenize", "numba")  # packages that open files on behalf of Python
STARTS = ("os.exec", "os.fork", "os.posix_spawn", "os.system", "subprocess.Popen")
REFUSED = frozenset(("open", "os.listdir", "os.scandir", "socket.connect", "sqlite3.connect", *STARTS))
"""Audit events (PEP 578) of actions that could make an answer depend on something outside all digests."""

Reader = Callable[[str], ModuleType]
"""Imports the rules module of a game: `fresh_copy` or `reversed_copy`."""

_lock = threading.RLock()
_codes: dict[tuple[str, bytes, bool], CodeType] = {}  # by path, source, and whether sets are reversed
_others: dict[tuple[str, ...], set[str]] = {}  # names of loaded modules that are not rules, by the folders of rules


class _Loader(SourceFileLoader):
    """Loads a file as it is now, and compiles each version once.

    For an author's file it bypasses Python's bytecode cache, which misses a change within the same second.
    """

    reverses = False  # whether the sets of modules that are loaded now are reversed

    def get_code(self, fullname: str) -> CodeType:
        path, reverses = self.get_filename(fullname), self.reverses
        if (version := (path, source := self.get_data(path), reverses)) not in _codes:
            if path.startswith(OURS) and not reverses:
                _codes[version] = super().get_code(fullname)
            else:
                read = with_reversed_sets(source, path) if reverses else source
                _codes[version] = compile(read, path, "exec", dont_inherit=True)
        return _codes[version]

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(REVERSED if self.reverses else {})
        super().exec_module(module)


def _finder(folder: str) -> FileFinder:
    """The path hook for folders with rules."""
    if folder not in games.__path__:
        raise ImportError(folder)
    return FileFinder(folder, (_Loader, [".py"]))


def files(package: ModuleType) -> list[str]:
    """The names of the modules in the folders of a package."""
    found = (name.split(".") for x in package.__path__ if os.access(f"{x}/", os.R_OK) for name in sorted(os.listdir(x)))
    return [name for name, *ending in found if ending == ["py"] and name != "__init__"]


def add_folder(folder: Path) -> None:
    """Look for games in a folder too, before all others."""
    if folder.resolve() not in map(Path.resolve, map(Path, games.__path__)):
        games.__path__.insert(0, str(folder.resolve()))
        compiled.__path__.insert(0, str(folder.resolve() / "compiled"))


def where_own_games_are() -> str:
    """Return the end of a message that says where users' own games are looked for."""
    for folder in games.__path__[1:]:
        if not os.path.isdir(folder):
            return f"; DICEBASE_GAMES names {folder}, which is not a folder"
    return "; your own games belong in the folder that DICEBASE_GAMES names"


def fresh_copy(game: str) -> ModuleType:
    """Import a game's rules from a fresh copy of its file and of every module beside it without kernels."""
    with _lock:
        others = _others.setdefault(tuple(games.__path__), set())
        for name in sys.modules.keys() - others:
            module = sys.modules[name]
            if not lies_beside(name, getattr(module, "__file__", None)) or _defines_kernels(module):
                others.add(name)
                continue
            del sys.modules[name]
            package, _, last = name.rpartition(".")
            if package in sys.modules:  # `from dicebase.games import helper` would find it there
                vars(sys.modules[package]).pop(last, None)
        for folder in games.__path__:
            sys.path_importer_cache.pop(folder, None)
        return importlib.import_module(f"{games.__name__}.{game}")


def reversed_copy(game: str) -> ModuleType:
    """Import a fresh copy whose sets of texts iterate in reverse; `sys.modules` keeps the previous copy."""
    with _lock:
        before, _Loader.reverses = dict(sys.modules), True
        try:
            return fresh_copy(game)
        finally:
            _Loader.reverses = False
            for name, module in [*sys.modules.items()]:
                if SHOWN in getattr(module, "__dict__", ()):
                    del sys.modules[name]
            for name, module in before.items():
                if name not in sys.modules:
                    sys.modules[name] = module
                    package, _, last = name.rpartition(".")
                    setattr(sys.modules[package], last, module) if package else None


def lies_beside(module: str, file: str | None) -> bool:
    """Whether a module is a rules file, or lies in a folder of rules, directly or in a package there."""
    if module in PACKAGES or module == "__main__" or not file:
        return False
    return module.startswith(f"{games.__name__}.") or _is_in(file, module.count("."), tuple(games.__path__))


@lru_cache(8192)
def _is_in(file: str, depth: int, folders: tuple[str, ...]) -> bool:
    return _folder_of(file, depth) in _resolved(folders)


@lru_cache(8192)
def _folder_of(file: str, depth: int) -> Path | None:
    """The folder in which the outermost package of a module lies; apart from `_is_in`, because it costs system calls,
    which a new folder of rules need not repeat for every module."""
    path = Path(file).resolve()
    above = path.parents[depth + (path.name == "__init__.py") :]
    return above[0] if above else None


@lru_cache
def _resolved(folders: tuple[str, ...]) -> frozenset[Path]:
    return frozenset(Path(folder).resolve() for folder in folders)


def _defines_kernels(module: ModuleType) -> bool:
    return any(
        getattr(getattr(thing, "py_func", None), "__module__", None) == module.__name__
        for thing in vars(module).values()
    )


def _refuse(event: str, given: tuple[Any, ...]) -> None:
    """Audit hook: raise ConfigurationError if rules read a file or start a program."""
    if event not in REFUSED:
        return
    frame: FrameType | None = sys._getframe(1)
    while frame:
        caller, path = frame.f_globals.get("__name__") or "", frame.f_code.co_filename
        if caller.partition(".")[0] in NOT_RULES:
            return
        if lies_beside(caller, path):
            what = f"{event}({given[0]!r:.80})" if given else event
            raise ConfigurationError(
                f"{Path(path).name}, line {frame.f_lineno}: {what}: rules must not read files or start programs, "
                "because a table would not notice their changes; state the data in a module beside the rules"
            )
        frame = frame.f_back


sys.path_hooks.insert(0, _finder)
sys.addaudithook(_refuse)
refuse_to_exit()  # Python has no audit event for os._exit
