"""PyCUDA in C, with a CPU device built in.

``VERSION``, ``VERSION_STATUS`` and ``VERSION_TEXT`` are those of the PyCUDA whose interface this is,
since programs compare them; ``__version__`` is the version of this package.
"""

VERSION = (2026, 1)
VERSION_STATUS = ""
VERSION_TEXT = "2026.1"


def _warn_of_mixture():
    from os import listdir, path
    if any(name.startswith("_driver.") and name.endswith(".so") for name in listdir(path.dirname(__file__))):
        import warnings

        from pycuda import _mixture
        warnings.warn(_mixture.problem(), RuntimeWarning, stacklevel=3)


_warn_of_mixture()


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import version  # takes longer than all else that is imported here
        return version("pycuda-c")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell):
    """What ``%load_ext pycuda`` calls: adds the cell magic ``%%cuda`` to IPython and Jupyter."""
    from pycuda import _jupyter
    _jupyter.register(shell)
