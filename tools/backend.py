"""The build backend: meson-python's, whose editable installs also outlive the environment that built them.

An editable install builds again what has changed when it is imported. With build isolation (`pip install -e .`) what it was
built with, NumPy's headers and perhaps ninja among it, is gone by then, and every import would fail. Here it
builds again as long as those are there, and otherwise runs what was built; `pip install -e .` builds again.
"""

import shlex

import mesonpy
import numpy
from mesonpy import *  # the hooks of PEP 517


def _while_there(command):
    """The command, run if what it needs is there."""
    ninja, numpy_headers = shlex.quote(command[0]), shlex.quote(numpy.get_include())
    return ["sh", "-c", f"[ ! -x {ninja} ] || [ ! -d {numpy_headers} ] || exec {shlex.join(command)}"]


class _EditableWheelBuilder(mesonpy._EditableWheelBuilder):
    def build(self, directory, source_dir, build_dir, build_command, verbose):
        return super().build(directory, source_dir, build_dir, _while_there(build_command), verbose)


mesonpy._EditableWheelBuilder = _EditableWheelBuilder
