"""Importing this makes a context that works with the current OpenGL context: `context`, `device`."""

from pycuda.gl import make_context
from pycuda.tools import _automatic_context

_automatic_context(globals(), make_context)
