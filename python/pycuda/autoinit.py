"""Importing this makes a context on the default device current: `context`, `device`."""

from pycuda.tools import _automatic_context

_automatic_context(globals())
