"""Importing this makes the default device's primary context current, which other libraries in
the process share: `context`, `device`. It serves all threads: one that has no context gets it when it
first needs one, until it is detached; one that popped it does not get it again."""

import atexit

from pycuda import _native
from pycuda.tools import _automatic_context, make_default_context  # noqa: F401


def _retain_primary_context(device):
    context = device.retain_primary_context()
    context.push()
    return context


_automatic_context(globals(), _retain_primary_context)
_native._serve(globals()["context"])
atexit.register(_native._serve, None)
