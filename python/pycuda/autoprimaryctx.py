"""Importing this makes the default device's primary context current, which other libraries in
the process share: `context`, `device`."""

from pycuda.tools import _automatic_context, make_default_context  # noqa: F401


def _retain_primary_context(device):
    context = device.retain_primary_context()
    context.push()
    return context


_automatic_context(globals(), _retain_primary_context)
