"""Importing this makes a context on the default device current: `context`, `device`."""

from pycuda.tools import _automatic_context, make_default_context  # noqa: F401

_automatic_context(globals())
