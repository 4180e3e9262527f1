"""One file an algorithm. Solvers see arrays or the vocabulary: no game, no Parquet.

Called, as `dicebase.solve("pig_duel", target=50)`, it is `dicebase.solve_table`: people know the word, and a folder of
this name would stand in its place.
"""

import sys
from types import ModuleType
from typing import Any


class _Solve(ModuleType):
    def __call__(self, table: str, /, **given: Any) -> Any:
        return sys.modules["dicebase"].solve_table(table, **given)


sys.modules[__name__].__class__ = _Solve
