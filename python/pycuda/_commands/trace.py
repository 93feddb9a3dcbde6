"""Runs a program and writes when it did what on its device, as a file for Perfetto.

Driver calls by threads, kernels and copies by streams: see pycuda.profiler.
"""

import os
import runpy
import sys


def add_arguments(parser):
    parser.add_argument("--output", "-o", default="trace.json", help="the file; default: trace.json")
    parser.add_argument("program", help="a Python program")
    parser.add_argument("arguments", nargs="...", help="its own")


def run(options):
    import pycuda.driver as cuda
    from pycuda.profiler import trace
    if not os.path.exists(options.program):
        sys.exit(f"python -m pycuda trace: no such file: {options.program}")
    cuda.init()
    sys.argv[:] = [options.program, *options.arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(options.program))
    try:
        with trace(options.output):
            runpy.run_path(options.program, run_name="__main__")
    finally:
        print(f"{options.output}: https://ui.perfetto.dev shows it", file=sys.stderr)
    return 0
