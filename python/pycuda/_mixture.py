"""Tells whether PyCUDA itself was installed into this package's folder: its extension modules are then imported in
place of files of ours that have the same names, and its Python files may have replaced ours."""

import os


def problem():
    """What is wrong with the folder and how to mend it, or None."""
    folder = os.path.dirname(__file__)
    names = os.listdir(folder)
    cure = "`pip uninstall -y pycuda pycuda-c`, then `pip install pycuda-c`"
    if any(name.startswith(("_driver.", "_pvt_struct.")) and name.endswith(".so") for name in names):
        return ("PyCUDA itself (the distribution `pycuda`) is installed into the same folder as pycuda-c, and some of its "
                f"files hide ours: {cure}")
    if "__init__.py" not in names:
        return f"files of pycuda-c are gone from {folder}, as after PyCUDA came and went: {cure}"
    return None
