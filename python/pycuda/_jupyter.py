"""What ``%load_ext pycuda`` brings to IPython and Jupyter: the cell magic ``%%cuda``."""

import re
import sys

from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring


@magic_arguments()
@argument("--name", help="variable for the module itself, for its globals")
@argument("--no-extern-c", action="store_true", help="keep the names of C++, as templates need")
@argument("options", nargs="*", help="of the compiler, behind --, such as -- -O0 -lineinfo")
def cuda(line, cell):
    """Compile the cell as CUDA C++ and bind each kernel to a variable of its name.

    Without a current context, one is made as by ``import pycuda.autoinit``.
    """
    import pycuda.driver as drv
    from pycuda.compiler import SourceModule

    drv.init()
    if drv.Context.get_current() is None:
        import pycuda.autoinit  # noqa: F401
    words = parse_argstring(cuda, line)
    module = SourceModule(cell, options=words.options or None,
                          no_extern_c=words.no_extern_c)
    found = {_plain(name): module.get_function(name) for name in module.module._kernel_names()}
    if words.name:
        found[words.name] = module
    return found


def _plain(name):
    """The kernel's name in the source: the first in what Itanium C++ ABI makes of it."""
    mangled = re.match(r"_ZN?(\d+)", name)
    if not mangled:
        return name
    start = mangled.end()
    return name[start:start + int(mangled[1])]


def register(shell):
    """Adds the magic to an IPython shell, and what is done behind each cell."""

    def into_variables(line, cell):
        shell.push(cuda(line, cell))

    into_variables.__doc__ = cuda.__doc__
    shell.register_magic_function(into_variables, "cell", "cuda")
    shell.events.register("post_run_cell", finish)


def finish(result=None):
    """Waits for the work of a cell, so that what its kernels print, and the fault of one, shows below it."""
    import pycuda.driver as drv

    try:
        if drv.Context.get_current() is not None:
            drv.Context.synchronize()
    except drv.Error as problem:
        if result is None or result.success:  # else the cell said so
            print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
