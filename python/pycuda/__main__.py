"""``python -m pycuda``: what is installed here, whether it works, how fast it is, and the cache of kernels.

    python -m pycuda info [--json]          versions, drivers, devices, compilers, what is missing
    python -m pycuda selftest               runs small programs on every driver and checks the results
    python -m pycuda bench                  a table beside NumPy, and CuPy and torch where they are
    python -m pycuda cache {show,size,clear}
    python -m pycuda check PROGRAM ...      runs it with checks in its kernels: out of bounds, races and the like
    python -m pycuda coverage PROGRAM ...   runs it and shows how often each line of its kernels ran
    python -m pycuda trace [-o FILE] PROGRAM ...    runs it and writes a profile for Perfetto
"""

import argparse
import os
import sys

from pycuda import _mixture


def main(words=None):
    """Runs the command that the words name and returns the exit status."""
    problem = _mixture.problem()
    if problem:  # and what is imported below may be another's
        print(problem, file=sys.stderr)
        return 1
    from pycuda._commands import bench, cache, check, coverage, info, selftest, trace
    parser = argparse.ArgumentParser("python -m pycuda", description=__doc__.partition("\n")[0].replace("`", ""))
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in (info, selftest, bench, cache, check, coverage, trace):
        name = command.__name__.rpartition(".")[2]
        summary = command.__doc__.partition("\n")[0]
        command.add_arguments(commands.add_parser(name, help=summary, description=summary))
        commands.choices[name].set_defaults(run=command.run)
    options = parser.parse_args(words)
    try:
        status = options.run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # who reads our output has enough of it: `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
