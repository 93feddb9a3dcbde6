"""The package as it is installed, and what lies beside it in a clone."""

import base64
import csv
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

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


@pytest.mark.host
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


def configure(tmp_path, *options, llvm="14.0.6", **environment):
    """meson's words where the newest LLVM is of that version."""
    for name in ("llvm-config-19", "llvm-config") if llvm else ():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho {llvm}\n")
        program.chmod(0o755)
    done = subprocess.run(["meson", "setup", *options, tmp_path / "build"], cwd=CLONE, capture_output=True,
                          text=True, check=False, env=os.environ | {"PATH": f"{tmp_path}:{PATH}"} | environment)
    return done.returncode, done.stdout


def test_build_without_llvm_says_what_to_install(tmp_path):
    status, words = configure(tmp_path)
    assert status and "apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev" in words
    assert "-Dhost=disabled" in words


def test_build_for_gpus_alone_needs_no_llvm(tmp_path):
    status, words = configure(tmp_path, "-Dhost=disabled")
    assert status == 0, words


@pytest.mark.host  # its build wants LLVM
def test_build_needs_no_toolkit(tmp_path):
    """The tests in C use one that is there."""
    status, words = configure(tmp_path, llvm=None, CUDA_HOME=str(tmp_path / "nowhere"))
    assert status == 0, words


def test_package_without_host_device_says_how_to_get_it(tmp_path, run_python):
    package = pathlib.Path(pycuda.__file__).parent
    shutil.copytree(package, tmp_path / "pycuda", ignore=shutil.ignore_patterns("libhostcuda.so", "hostcc"))
    done = run_python("import pycuda.autoinit", PYTHONPATH=str(tmp_path), PYCUDA_DRIVER="host")
    assert done.returncode and "apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev" in done.stderr


@pytest.fixture
def folder(tmp_path):
    """A copy of the package's files, in front of the installed one."""
    (tmp_path / "pycuda").mkdir()
    for path in pathlib.Path(pycuda.__path__[0]).iterdir():
        (tmp_path / "pycuda" / path.name).symlink_to(path)
    for name in ("__init__.py", "_mixture.py"):  # whose folder is not that of a link's target
        text = (tmp_path / "pycuda" / name).read_text()
        (tmp_path / "pycuda" / name).unlink()
        (tmp_path / "pycuda" / name).write_text(text)
    return tmp_path / "pycuda"


CURE = "`pip uninstall -y pycuda pycuda-c`, then `pip install pycuda-c`"


def test_a_mixture_with_pycuda_itself_is_warned_about(folder):
    """Its extension modules lie in the same folder, and Python takes them before files of that name."""
    code = "import warnings; warnings.simplefilter('error'); import pycuda; print(pycuda.__file__)"
    file, = run(code, PYTHONPATH=str(folder.parent))
    assert pathlib.Path(file).parent == folder
    (folder / "_driver.cpython-311-x86_64-linux-gnu.so").touch()
    warned = run("import warnings\nwith warnings.catch_warnings(record=True) as caught:\n    import pycuda\n"
                 "print(caught[0].category.__name__, caught[0].message)", PYTHONPATH=str(folder.parent))
    assert "RuntimeWarning" in warned[0] and CURE in warned[0]


def command(folder, *words):
    path = os.pathsep.join([str(folder.parent), os.environ.get("PYTHONPATH", "")])  # pytest's plugins may lie there
    return subprocess.run([sys.executable, *words], cwd=folder.parent, capture_output=True, text=True, check=False,
                          env=os.environ | {"PYTHONPATH": path})


def test_pycuda_installed_second_is_told_by_what_it_leaves(folder):
    """Its files replace those of the same names, `__init__.py` with the warning among them."""
    for name in ("__init__.py", "driver.py", "tools.py", "compiler.py"):
        (folder / name).unlink()
        (folder / name).write_text("from pycuda._driver import *\n" if name == "driver.py" else "VERSION = (2026, 1)\n")
    (folder / "_driver.cpython-311-x86_64-linux-gnu.so").touch()
    for name in ("info", "selftest"):
        done = command(folder, "-m", "pycuda", name)
        assert done.returncode == 1 and CURE in done.stderr and "Traceback" not in done.stderr
    (folder.parent / "test_nothing.py").write_text("def test_nothing(): assert True")
    done = command(folder, "-m", "pytest", "-p", "no:cacheprovider", "test_nothing.py")
    assert done.returncode == 0 and CURE in done.stdout.partition("collected")[0]


def test_files_that_pycuda_took_along_are_told(folder):
    """Without site-packages: the installed package would be found in place of a folder without __init__.py."""
    for name in ("__init__.py", "driver.py"):
        (folder / name).unlink()
    done = command(folder, "-S", "-m", "pycuda", "info")
    assert done.returncode == 1 and CURE in done.stderr and "Traceback" not in done.stderr


def test_the_distributions_of_a_wheel(tmp_path):
    """Each file in one of the two, the program still a program, and both asked for by one name."""
    whole = tmp_path / "pycuda_c-1.2.3-cp311-cp311-linux_x86_64.whl"
    files = {"pycuda/__init__.py": 'VERSION_TEXT = "2026.1"\n', "pycuda/hostcc": "#!/bin/sh\n", "pycuda/libhostcuda.so": "",
             "pycuda/include/host/device.h": "", "pycuda/include/pycuda/scan.cuh": "", "pycuda/_native.so": "",
             "pycuda_c-1.2.3.dist-info/METADATA": "Metadata-Version: 2.1\nName: pycuda-c\nVersion: 1.2.3\n\nText\n",
             "pycuda_c-1.2.3.dist-info/licenses/LICENSE": "MIT"}
    with zipfile.ZipFile(whole, "w") as wheel:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name == "pycuda/hostcc" else 0o644) << 16
            wheel.writestr(entry, text)
    (tmp_path / "LICENCE").write_text("Apache")
    subprocess.run([sys.executable, CLONE / "tools/split_wheel.py", whole, tmp_path / "", f"LICENSE.LLVM={tmp_path}/LICENCE"],
                   check=True)
    made = {path.name: zipfile.ZipFile(path) for path in tmp_path.glob("*.whl")}
    host, own = made["pycuda_c_host-1.2.3-py3-none-linux_x86_64.whl"], made[whole.name]
    inside = {wheel: {name for name in wheel.namelist() if name.startswith("pycuda/")} for wheel in (own, host)}
    assert inside[host] == {"pycuda/hostcc", "pycuda/libhostcuda.so", "pycuda/include/host/device.h"}
    assert inside[own] | inside[host] == {name for name in files if name.startswith("pycuda/")}
    assert not inside[own] & inside[host]
    assert {"LICENSE", "LICENSE.LLVM"} == {name.split("/")[-1] for name in host.namelist() if "/licenses/" in name}
    assert "\nRequires-Dist: pycuda-c-host==1.2.3;" in own.read("pycuda_c-1.2.3.dist-info/METADATA").decode()
    shim = made["pycuda-2026.1+c-py3-none-any.whl"]
    assert "\nRequires-Dist: pycuda-c==1.2.3\n" in shim.read("pycuda-2026.1+c.dist-info/METADATA").decode()
    assert {name.split("/")[0] for name in shim.namelist()} == {"pycuda-2026.1+c.dist-info"}
    assert host.getinfo("pycuda/hostcc").external_attr >> 16 & 0o111
    for wheel in made.values():
        record = next(name for name in wheel.namelist() if name.endswith("/RECORD"))
        for name, digest, size in csv.reader(wheel.read(record).decode().splitlines()):
            data = wheel.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert name == record or (digest, int(size)) == (f"sha256={expected}", len(data))
        assert len(wheel.read(record).splitlines()) == len(wheel.namelist())
