"""Runs a program with kernels that a debugger understands:

    cuda-gdb --args python -m pycuda.debug SCRIPT ARGUMENTS...

Kernels are compiled with -g -G, without the cache, and their sources kept in the folder that is
printed. On the host device take gdb; docs/debugging.md says how, and what works without: faults name
kernel, block, line and address, printf and assert work in kernels.
"""

import os
import runpy
import sys


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


if __name__ == "__main__":
    main()
