"""Each test owns its context; what a test leaves behind ends with it."""

import gc
import os
import pathlib
import signal
import subprocess
import sys

# Shells let what they start in the background ignore SIGINT; tests send it to their children.
signal.signal(signal.SIGINT, signal.default_int_handler)

import pytest

import pycuda.driver as cuda
from pycuda import _native
from pycuda.tools import clear_context_caches


@pytest.fixture(scope="session")
def on_host():
    """True on the host device, False on a GPU."""
    return _native._is_host_device()


def build(folder, name, source):
    path, here = folder / name, pathlib.Path(__file__).parent
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-I", here.parents[1] / "src", "-o", path,
                    here / source], check=True)
    return str(path)


@pytest.fixture(scope="session")
def fake_driver(tmp_path_factory):
    """The path of a GPU's driver that only records."""
    return build(tmp_path_factory.mktemp("driver"), "libcuda.so", "driver_fake_gpu.c")


@pytest.fixture(scope="session")
def fake_nvrtc(tmp_path_factory):
    """The path of an NVRTC whose images are its options."""
    return build(tmp_path_factory.mktemp("nvrtc"), "libnvrtc.so.13", "compiler_fake_nvrtc.c")


@pytest.fixture(scope="session")
def like_gpu(tmp_path_factory):
    """The environment in which the host device passes for a GPU; LIKE_GPU says of which kind."""
    folder, package = tmp_path_factory.mktemp("like_gpu"), pathlib.Path(cuda.__file__).parent
    return {"PYCUDA_DRIVER": build(folder, "libcuda.so", "driver_like_gpu.c"), "HOSTCC": str(package / "hostcc"),
            "HOSTCC_LIBRARY": str(folder), "PYCUDA_NVRTC": build(folder, "libnvrtc.so.12", "compiler_like_nvrtc.c"),
            "HOST_LIBRARY": str(package / "libhostcuda.so"), "PYCUDA_LIBRARIES": str(folder)}


@pytest.fixture
def context():
    cuda.init()
    context = cuda.Device(0).make_context()
    yield context
    while cuda.Context.get_current() is not None:
        cuda.Context.pop()
    clear_context_caches()
    gc.collect()
    try:
        context.detach()
    except (cuda.LogicError, cuda.LaunchError):  # the test did that, or its kernel faulted
        pass


@pytest.fixture
def inject():
    """inject(entry, status, nth=1): the nth call of a driver entry from now fails."""
    used = []

    def inject(entry, status, nth=1):
        used.append(entry)
        _native._inject_failure(entry, nth, status)

    yield inject
    for entry in used:
        _native._inject_failure(entry, 0, 0)


@pytest.fixture
def unraisable(monkeypatch):
    """The texts that destructors reported."""
    texts = []
    monkeypatch.setattr(sys, "unraisablehook", lambda hook: texts.append(str(hook.exc_value)))
    return texts


@pytest.fixture
def run_python():
    """run_python(code, **environment): a process of its own, away from the source folder."""

    def run(code, **environment):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              cwd="/", env=os.environ | environment, check=False)

    return run
