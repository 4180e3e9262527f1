"""The process that runs untrusted queries: python -m dicebase.catalog.sandbox.worker FD PATH LIMITS

It answers each statement from the pipe FD with (kind, content, healthy) until the pipe is closed. A process that is not
healthy, because it ran out of time or memory or the engine failed, is not used again.
"""

import json
import os
import pickle
import resource
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import duckdb

from dicebase.catalog.json_text import as_json, json_rows
from dicebase.catalog.sandbox import LOCKED, lock
from dicebase.catalog.sandbox.sandbox import GRACE, NICE, Limits
from dicebase.catalog.sandbox.statements import Names, check_query, names_of, one_line
from dicebase.vocabulary import DicebaseError, RefusedError

UNSENT = "SQL: a value of the answer cannot be sent; cast it to VARCHAR"


def connect(path: str | Path, limits: Limits) -> duckdb.DuckDBPyConnection:
    """Return a connection that can only read the catalogue; raises duckdb.Error if it cannot be opened.

    It limits neither the time of a statement nor all of its memory; the process around it does.
    """
    config = LOCKED | {"memory_limit": f"{limits.memory_mb}MB", "threads": limits.threads}
    config |= {"temp_directory": "", "max_expression_depth": 250}
    connection = duckdb.connect(str(path), read_only=True, config=config)
    lock(connection, Path(path))
    return connection


def answer(
    connection: duckdb.DuckDBPyConnection,
    names: Names,
    limits: Limits,
    query: str,
    parameters: Any,
    first: int | None = None,
) -> tuple[str, Any, bool]:
    """Run one statement; return ("answer", (columns, types, rows), True), or the kind and message of a failure and
    whether the process is healthy. With `first` the answer is JSON text with at most that many rows."""
    try:
        check_query(connection, query, names)
        cursor = connection.execute(query, parameters)
        rows = cursor.fetchmany((first or limits.rows) + 1)
        columns, types = zip(*((str(name), str(kind)) for name, kind, *_ in cursor.description), strict=True)
        if len(rows) > (first or limits.rows):
            connection.execute("SELECT 1")  # ends the query whose rows were not all fetched
        if first:
            return "answer", _as_json(columns, types, rows, first), True
    except RefusedError as error:
        return "refused", str(error), True
    except DicebaseError as error:
        return "wrong", str(error), True
    except duckdb.InterruptException:
        return "time", f"SQL: stopped: it ran for more than {limits.seconds} seconds", False
    except (duckdb.OutOfMemoryException, MemoryError):
        return "limit", f"SQL: stopped: it needed more than {limits.memory_mb} MB of memory", False
    except duckdb.PermissionException:
        return "refused", "SQL: refused: a query may read only the tables of the catalogue", True
    except (duckdb.FatalException, duckdb.InternalException, duckdb.IOException):
        return "wrong", "SQL: the engine failed on this statement", False
    except duckdb.Error as error:
        return ("wrong", UNSENT, True) if "Traceback" in str(error) else ("wrong", one_line(error), True)
    except Exception:  # conversion to Python failed: a date after the year 9999, text that is not Unicode
        return "wrong", UNSENT, False
    if len(rows) > limits.rows:
        return "limit", f"SQL: the answer has more than {limits.rows} rows; add LIMIT, or ask for fewer", True
    return "answer", (list(columns), list(types), rows), True


def _as_json(columns: tuple[str, ...], types: tuple[str, ...], rows: list[tuple], first: int) -> str:
    """Return {columns, types, cut, rows} as JSON text; `cut` says whether there are more than `first` rows."""
    head = as_json({"columns": columns, "types": types, "cut": len(rows) > first})
    return f'{head[:-1]}, "rows": [{json_rows(columns, rows[:first])}]}}'


def serve(pipe: Connection, connection: duckdb.DuckDBPyConnection, limits: Limits) -> None:
    """Answer statements until the pipe is closed or the process is not healthy."""
    names = names_of(connection)
    _confine(limits)
    reply: tuple[str, Any, bool] = ("ready", None, True)
    pipe.send(reply)
    while reply[2]:
        try:
            query, parameters, first = pipe.recv()
        except EOFError:
            return
        # If the parent has died and cannot kill this process, the process ends itself.
        interrupt = threading.Timer(limits.seconds, connection.interrupt)
        end = threading.Timer(limits.seconds + 2 * GRACE, os._exit, [1])
        interrupt.start()
        end.start()
        reply = answer(connection, names, limits, query, parameters, first)
        message = pickle.dumps(reply)
        if len(message) > limits.answer_mb * 2**20:
            reply = ("limit", f"SQL: the answer takes more than {limits.answer_mb} MB; ask for less", False)
            message = pickle.dumps(reply)
        interrupt.cancel()
        end.cancel()
        pipe.send_bytes(message)


def _confine(limits: Limits) -> None:
    """Let the operating system enforce the limits that the engine does not, and give other processes priority."""
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    status = Path("/proc/self/status")
    if status.exists():
        (used,) = (int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmData:"))
        most = used * 2**10 + 2 * limits.memory_mb * 2**20
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def main() -> None:
    number, path, given = sys.argv[1:]
    limits = Limits(**json.loads(given))
    with Connection(int(number)) as pipe:
        try:
            connection = connect(path, limits)
        except duckdb.Error as error:
            pipe.send(("wrong", str(error).splitlines()[0], False))
            return
        serve(pipe, connection, limits)


if __name__ == "__main__":
    main()
