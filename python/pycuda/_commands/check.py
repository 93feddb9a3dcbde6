"""Runs a program with checks in its kernels, and reports what they do wrong.

Out of bounds, freed or misaligned memory; races; memory that nobody has written; barriers and warp functions that
threads miss. Ends with status 86 if there were errors and the program itself has none: see pycuda.debug.check.
"""

import os
import runpy
import sys

FOUND = 86


def add_arguments(parser):
    parser.add_argument("--kinds", default="memory,race,init,sync", metavar="KINDS",
                        help="any of memory,race,init,sync,order:SEED; default: the first four")
    parser.add_argument("--json", metavar="FILE", help="write all reports to FILE, too")
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="reports that are printed at most; default: 100")
    parser.add_argument("program", help="a Python program")
    parser.add_argument("arguments", nargs="...", help="its own")


def run(options):
    from pycuda import _checks, debug
    from pycuda.driver import Error
    if not os.path.exists(options.program):
        sys.exit(f"python -m pycuda check: no such file: {options.program}")
    try:
        debug.check(options.kinds)
    except (Error, ValueError) as problem:
        sys.exit(f"python -m pycuda check: {problem}")
    sys.argv[:] = [options.program, *options.arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(options.program))
    try:
        try:
            runpy.run_path(options.program, run_name="__main__")
        finally:
            status = finish(options, _checks, debug)
    except debug.CheckError as error:
        print(f"the program ended with CheckError at {place(error, options.program)}", file=sys.stderr)
        return FOUND
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
    return status


def finish(options, checks, debug):
    """Hears of what is still under way, writes the reports, and returns the status."""
    try:
        checks.synchronize()
    except debug.CheckError:
        pass
    reports = debug.reports()
    for report in reports[:options.limit]:
        print(f"{report} ({report.count} times)" if report.count > 1 else report, file=sys.stderr)
    errors = sum(report.severity == "error" for report in reports)
    print(f"checked {options.kinds}: {errors} errors, {len(reports) - errors} warnings", file=sys.stderr)
    if options.json:
        checks.write(options.json)
    return FOUND if errors else 0


def place(error, program):
    """The line of the program that the exception went through."""
    lines, trace = [], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == program:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f"{program}:{lines[-1]}" if lines else program
