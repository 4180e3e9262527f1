"""The taskset `dicebase-positions` of verifiers, which looks for tasksets among top-level modules."""

from dicebase.environments import load_environment
from dicebase.environments.verifiers_taskset import Positions

__all__ = ["Positions", "load_environment"]
