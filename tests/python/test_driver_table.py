"""The choice of a driver and the trace of calls, as a user meets them: each in a process of its own,
because a choice is final. tests/c/driver_table.c has the rest, against fake drivers."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import pycuda
import pycuda.driver as drv

LIBRARY = pathlib.Path(pycuda.__file__).parent / "libhostcuda.so"


def init(tmp_path, **env):
    code = "import pycuda.driver as d; d.init(); print(d.Device.count() > 0)"
    env = {name: value for name, value in (os.environ | env).items() if value is not None}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          cwd=tmp_path, env=env, check=False)


@pytest.mark.parametrize("choice, message", [
    ("gpu", "PYCUDA_DRIVER=gpu: expected auto, cuda, host or the path of a driver library"),
    ("/nonexistent.so", "PYCUDA_DRIVER=/nonexistent.so: /nonexistent.so: cannot open shared object"),
])
def test_wrong_choice(tmp_path, choice, message):
    done = init(tmp_path, PYCUDA_DRIVER=choice)
    assert done.returncode == 1
    assert "init failed: " in done.stderr and message in done.stderr


def test_trace_of_calls(tmp_path):
    done = init(tmp_path, PYCUDA_TRACE=str(tmp_path / "trace"))
    assert done.stdout == "True\n"
    lines = (tmp_path / "trace").read_text().splitlines()
    assert all(re.fullmatch(r"cu\w+\(.*\) = CUDA_\w+, \d+\.\d us", line) for line in lines), lines
    assert any(line.startswith("cuInit(0) = CUDA_SUCCESS") for line in lines)
    assert any(line.startswith("cuDeviceGetCount(0x") for line in lines)


HOT_PATHS = [
    ("x + x", ["cuCtxGetCurrent", "cuLaunchKernel"]),
    ("negative(x)", ["cuCtxGetCurrent", "cuLaunchKernel"]),
    ("called(memory, one, block=(1, 1, 1), grid=(1, 1))", ["cuLaunchKernel"]),
    ("prepared((1, 1), (1, 1, 1), memory, 1)", ["cuLaunchKernel"]),
]


def test_hot_paths_make_no_driver_call_more_than_they_need(tmp_path):
    setup = """
import numpy as np, pycuda.autoinit, pycuda.driver as d
from pycuda import gpuarray
from pycuda.compiler import SourceModule
module = SourceModule("__global__ void f(float *x, int n) {}")
called, memory, one, negative = module.get_function("f"), d.mem_alloc(4), np.int32(1), np.negative
prepared = module.get_function("f").prepare("Pi").prepared_call
x = gpuarray.to_gpu(np.ones(8, np.float32))
"""
    once = "".join(f"result = {path}; d.Context.synchronize(); del result\n" for path, _ in HOT_PATHS)
    trace = tmp_path / "trace"
    subprocess.run([sys.executable, "-c", setup + 2 * once], check=True, cwd=tmp_path,
                   env=os.environ | {"PYCUDA_TRACE": str(trace)})
    calls, all_calls = [], []
    for line in trace.read_text().splitlines():
        name = line.partition("(")[0]
        calls.append(name)
        if name == "cuCtxSynchronize":
            all_calls.append(calls[:-1])
            calls = []
    assert all_calls[len(HOT_PATHS):2 * len(HOT_PATHS)] == [wanted for _, wanted in HOT_PATHS]


if LIBRARY.exists():
    @pytest.mark.parametrize("choice", ["host", str(LIBRARY)])
    def test_host_device_by_choice_is_silent(tmp_path, choice):
        done = init(tmp_path, PYCUDA_DRIVER=choice, PYCUDA_TRACE=None)
        assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")

    def test_host_device_by_default_is_told_once(tmp_path):
        done = init(tmp_path, PYCUDA_DRIVER=None, PYCUDA_TRACE=None, CUDA_VISIBLE_DEVICES="")
        assert (done.returncode, done.stdout) == (0, "True\n")
        assert re.fullmatch(r"pycuda: no usable GPU \(libcuda\.so\.1: .*\): kernels run on the host "
                            r"device\. PYCUDA_DRIVER=host silences this line\.\n", done.stderr)


def test_before_init_calls_are_refused(tmp_path):
    code = "import pycuda.driver as d; d.Device(0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
                          check=False)
    assert "initialization error" in done.stderr
    assert issubclass(drv.LogicError, drv.Error)
