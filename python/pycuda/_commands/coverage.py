"""Runs a program and shows how often each line of its kernels ran, and how many lanes were busy.

Ends with status 86 if fewer lines ran than `--fail-under` asks for and the program itself has no error: see
pycuda.debug.coverage.
"""

import os
import runpy
import sys

FEWER = 86


def add_arguments(parser):
    parser.add_argument("--lcov", metavar="FILE", help="write lcov's format to FILE, too")
    parser.add_argument("--fail-under", type=float, default=0, metavar="PERCENT", help="of all lines, that must run; default: 0")
    parser.add_argument("--profile", action="store_true", help="show in which lines time is spent, and how they access memory")
    parser.add_argument("--quiet", action="store_true", help="print the totals alone")
    parser.add_argument("-m", action="store_true", dest="module", help="the program is the name of a module, as pytest")
    parser.add_argument("program", help="a Python program")
    parser.add_argument("arguments", nargs="...", help="its own")


def run(options):
    from pycuda import debug
    from pycuda.driver import Error
    if not options.module and not os.path.exists(options.program):
        sys.exit(f"python -m pycuda coverage: no such file: {options.program}")
    try:
        counted = debug.coverage(options.profile)
    except Error as problem:
        sys.exit(f"python -m pycuda coverage: {problem}")
    sys.argv[:] = [options.program, *options.arguments]
    sys.path[0] = os.getcwd() if options.module else os.path.dirname(os.path.abspath(options.program))
    try:
        try:
            if options.module:
                runpy.run_module(options.program, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(options.program, run_name="__main__")
        finally:
            status = finish(options, counted)
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
    return status


def finish(options, counted):
    """Prints, writes, and returns the status."""
    from pycuda import _checks, _coverage
    from pycuda.driver import Error
    try:
        _checks.synchronize()
    except Error as problem:
        print(problem, file=sys.stderr)
    counted.stop()
    files = counted._so_far()
    sys.stdout.flush()
    if options.profile:
        print("\n".join(_coverage.hottest(files)))
    if not options.quiet:
        for file in files:
            print(_coverage.annotated(file, options.profile and files))
    lines, functions = sum(len(file.lines) for file in files), sum(len(file.functions) for file in files)
    called = sum(calls > 0 for file in files for _, calls in file.functions.values())
    percent = _coverage.percent(files)
    print(f"{sum(file.ran for file in files)} of {lines} lines ran ({percent:.1f} %), "
          f"{called} of {functions} functions, in {len(files)} sources")
    if options.lcov:
        try:
            _coverage.write(options.lcov, files)
        except OSError as problem:
            sys.exit(f"python -m pycuda coverage: {problem}")
    if percent < options.fail_under or (options.fail_under and not lines):
        print(f"fewer than {options.fail_under:g} % of lines ran" if lines else "no kernel was counted", file=sys.stderr)
        return FEWER
    return 0
