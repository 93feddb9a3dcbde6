"""Finding what is wrong in kernels: checks of the host device, and programs under a debugger.

    with pycuda.debug.check("memory", "race"):
        ...

builds checks into the kernels that are compiled there; a kernel that is wrong raises CheckError at the next call
that synchronizes, and `reports()` lists what was found. ``python -m pycuda check PROGRAM`` does so for a whole program.

    cuda-gdb --args python -m pycuda.debug SCRIPT ARGUMENTS...

runs a program with kernels that a debugger understands: they are compiled with -g -G, without the cache, and their
sources kept in the folder that is printed. On the host device take gdb; docs/debugging.md says how, and what works
without: faults name kernel, block, line and address, printf and assert work in kernels.
"""

import os
import runpy
import sys

from pycuda import _names
from pycuda._checks import Report, check, clear_reports, reports
from pycuda._coverage import CoveredFile, CoveredLine, coverage
from pycuda.driver import LogicError

__all__ = ["CheckError", "CoveredFile", "CoveredLine", "Report", "check", "clear_reports", "coverage", "main", "reports"]


class CheckError(LogicError):
    """A kernel did what checks do not allow: `reports` are those that no exception has told of before.

    The context goes on, and all memory in it is as it was: the access that failed did not happen.
    """

    reports = ()


def main(argv=None):
    """Runs argv[0] as __main__ with the rest as its arguments; default: those of the command line."""
    from pycuda.driver import set_debugging

    argv = sys.argv[1:] if argv is None else argv
    if not argv or not os.path.exists(argv[0]):
        what = f"no such file: {argv[0]}" if argv else "which program?"
        sys.exit(f"pycuda.debug: {what}\nusage: python -m pycuda.debug SCRIPT ARGUMENTS...")
    set_debugging()
    sys.argv[:] = argv
    sys.path[0] = os.path.dirname(os.path.abspath(argv[0]))
    runpy.run_path(argv[0], run_name="__main__")


_names.publish("pycuda.debug", globals())

if __name__ == "__main__":
    main()
