"""The package as it is installed, and what lies beside it in a clone."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import pycuda

CLONE = pathlib.Path(__file__).parents[2]

# What `pip install -e .` puts into site-packages, by the hook of PEP 660 that pip calls.
INSTALL = """if True:
    import sys, zipfile
    folder, build = sys.argv[1:]
    sys.path.insert(0, "tools")
    import backend
    with zipfile.ZipFile(f"{folder}/" + backend.build_editable(folder, {"build-dir": build})) as wheel:
        wheel.extractall(folder)
"""
USE = """if True:
    import site, sys
    site.addsitedir(sys.argv[1])
    import pycuda.autoinit
    import numpy as np
    from pycuda import compiler, gpuarray
    module = compiler.SourceModule('''#include <pycuda-complex.hpp>
        __global__ void f(float *x) { *x = pycuda::complex<float>(3, 4).real() + sqrtf(4); }''')
    x = gpuarray.zeros(1, np.float32)
    module.get_function("f")(x, block=(1, 1, 1))
    print(pycuda.__file__, pycuda._native.__file__, x[0].get(), (x + x).get()[0], sep="\\n")
"""
PATH = f"{sys.prefix}/bin:{os.environ['PATH']}"  # where meson and ninja are


def run(*words, **environment):
    done = subprocess.run([sys.executable, "-c", *map(str, words)], cwd=CLONE, capture_output=True,
                          text=True, check=False, env=os.environ | {"PATH": PATH} | environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_clone_does_not_hide_the_installed_package():
    """Python started in a clone of the repository imports what is installed."""
    file, = run("import pycuda.driver; print(pycuda.__file__)")
    assert CLONE / "python" not in pathlib.Path(file).parents


@pytest.mark.parametrize("isolated", [False, True])
def test_editable_install_finds_its_parts(tmp_path, isolated):
    """Faces come from the clone, the extension, compiler, driver and headers from the build."""
    built = CLONE / "build" / "main"  # by `make build`
    ninja = tmp_path / "ninja"
    ninja.symlink_to(shutil.which("ninja", path=PATH))
    run(INSTALL, tmp_path, built if built.is_dir() else tmp_path / "build", NINJA=str(ninja))
    if isolated:  # the environment that built it is gone
        ninja.unlink()
    file, native, *values = run(USE, tmp_path)
    assert pathlib.Path(file) == CLONE / "python" / "pycuda" / "__init__.py"
    assert pathlib.Path(sys.prefix) not in pathlib.Path(native).parents
    assert values == ["5.0", "10.0"]


def configure(tmp_path, *options):
    """meson's words where the newest LLVM is of version 14."""
    for name in ("llvm-config-19", "llvm-config"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\necho 14.0.6\n")
        program.chmod(0o755)
    done = subprocess.run(["meson", "setup", *options, tmp_path / "build"], cwd=CLONE, capture_output=True,
                          text=True, check=False, env=os.environ | {"PATH": f"{tmp_path}:{PATH}"})
    return done.returncode, done.stdout


def test_build_without_llvm_says_what_to_install(tmp_path):
    status, words = configure(tmp_path)
    assert status and "apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev" in words
    assert "-Dhost=disabled" in words


def test_build_for_gpus_alone_needs_no_llvm(tmp_path):
    status, words = configure(tmp_path, "-Dhost=disabled")
    assert status == 0, words


def test_package_without_host_device_says_how_to_get_it(tmp_path, run_python):
    package = pathlib.Path(pycuda.__file__).parent
    shutil.copytree(package, tmp_path / "pycuda", ignore=shutil.ignore_patterns("libhostcuda.so", "hostcc"))
    done = run_python("import pycuda.autoinit", PYTHONPATH=str(tmp_path), PYCUDA_DRIVER="host")
    assert done.returncode and "apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev" in done.stderr
