"""Kernels: functions that Numba compiles when they are first called, and keeps beside their file."""

from functools import partial

from numba import njit

# One that makes arrays says `_nrt=True`. In others nobody counts references to arrays, which would take most of the
# time of some, and longer to compile, as would a wrapper for callers in C: there are none.
kernel = partial(njit, cache=True, nogil=True, _nrt=False, no_cfunc_wrapper=True)
# Kernels alone call it: it has no wrapper for callers in Python either, who would crash.
inner = partial(kernel, no_cpython_wrapper=True)
