"""Kernels: functions that Numba compiles on first call and caches beside their file."""

from functools import partial

from numba import njit

# Skip reference counting in kernels that allocate no arrays, because it takes most of the time of some. Kernels that
# allocate arrays pass `_nrt=True`. The wrapper for callers in C is never used and takes long to compile.
kernel = partial(njit, cache=True, nogil=True, _nrt=False, no_cfunc_wrapper=True)
# Callable from kernels only: without a Python wrapper, a call from Python crashes.
inner = partial(kernel, no_cpython_wrapper=True)
