"""Ranges of consecutive integers."""

import numpy as np


def ranges(begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Concatenate the ranges from `begin` to `end`; return where each starts in the concatenation, and the result."""
    counts = end - begin
    first = np.cumsum(counts) - counts
    return first, np.arange(counts.sum()) + np.repeat(begin - first, counts)
