"""Start commands as in an environment without the developers' libraries, the heaviest of which is pandas; as in
conftest.py, collect garbage less often."""

import gc
import sys
from importlib.machinery import PathFinder


class Bare(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "pandas" else super().find_spec(name, path, target)


sys.meta_path[sys.meta_path.index(PathFinder)] = Bare
gc.set_threshold(50_000, 20, 100)
