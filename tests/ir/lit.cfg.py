"""lit's configuration of the IR tests: each ``.cu`` file here says in RUN lines which stage of
hostcc to dump, and in CHECK lines what must stand in it.

``lit tests/ir`` tests the hostcc of the installed package, ``lit --param hostcc=PATH tests/ir``
another one. lit defines ``config`` and ``lit_config``.
"""
# ruff: noqa: F821

import importlib.util
import os
import pathlib
import sys

import lit.formats

HERE = pathlib.Path(__file__).parent
STAGES = ["simplify", "stores", "grid", "induction", "check", "regions", "vectors", "calls", "optimize", "registers", "gathers", "masked"]


def installed_hostcc():
    """The compiler beside the installed package, which is not imported: it may be for GPUs."""
    package = importlib.util.find_spec("pycuda")
    if package is None:
        lit_config.fatal("pycuda is not installed: call make build, or give --param hostcc=PATH")
    return pathlib.Path(package.origin).with_name("hostcc")


hostcc = pathlib.Path(lit_config.params.get("hostcc") or installed_hostcc()).absolute()
scratch = HERE.parents[1] / "build" / "ir"

config.name = "hostcc"
config.suffixes = [".cu"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = str(HERE)
config.test_exec_root = str(scratch)
config.unsupported = not hostcc.exists()  # built without the host device

for stage in STAGES:
    config.substitutions.append((
        f"%{stage}",
        f"env HOSTCC_DUMP={stage} {hostcc} --cpu=x86-64-v4 --pch-dir={scratch} %s -o %t 2>&1"))

config.substitutions.append(("%hostcc", f"{hostcc} --cpu=x86-64-v4 --pch-dir={scratch}"))

config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), os.environ["PATH"]])
