"""Reports of check mode `sync`: what they say. That faults are found and right kernels silent is tests/planted."""

import os
import subprocess
import sys

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import debug
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.host

SOURCE = """
extern "C" __global__ void barrier(int *x)
{
    if (threadIdx.x < 40 && blockIdx.x == 1)
        __syncthreads();
    else
        x[200] = 1;
    __syncthreads();
    x[blockIdx.x * 64 + threadIdx.x] = 7;
}

extern "C" __global__ void alone(int *x)
{
    x[threadIdx.x] = __shfl_sync(0xfffffffe, x[threadIdx.x], 1);
}

extern "C" __global__ void outside(int *x)
{
    int v = threadIdx.x;
    x[v] = __shfl_down_sync(0xffffffff, v, 1);
}

extern "C" __global__ void several(int *x)
{
    x[threadIdx.x] = __popc(__ballot_sync(threadIdx.x < 8 ? 0xff : 0xffffffff, 1));
}

extern "C" __global__ void reduce(int *x)
{
    int v = x[threadIdx.x];
    for (int n = 16; n > 0; n /= 2)
        v += __shfl_down_sync(0xffffffff, v, n);
    if (threadIdx.x % 32 == 0)
        x[0] = v;
}
"""


@pytest.fixture
def launch(context):
    debug.clear_reports()
    with debug.check("sync"):
        module = SourceModule(SOURCE, no_extern_c=True)
        x = cuda.to_device(np.ones(256, np.int32))

        def launch(name, **geometry):
            module.get_function(name)(x, **geometry)
            error = None
            try:
                cuda.Context.synchronize()
            except debug.CheckError as caught:
                error = caught
            result = cuda.from_device(x, 256, np.int32)  # the context goes on
            return result, error, debug.reports()

        yield launch
    debug.clear_reports()


def test_a_missed_barrier_ends_its_block_alone(launch):
    x, error, (report,) = launch("barrier", block=(64, 1, 1), grid=(3, 1))
    assert (report.kind, report.severity, report.kernel, report.line) == ("sync", "error", "barrier", 5)
    assert (report.block, report.thread) == ((1, 0, 0), (0, 0, 0))
    assert (report.other_line, report.other_block, report.other_thread) == (8, (1, 0, 0), (40, 0, 0))
    assert report.text == (
        "kernel barrier, block (1,0,0): barrier reached by only part of the block's threads: threads 0-39 wait at "
        "kernel.cu:5 (__syncthreads), threads 40-63 wait at kernel.cu:8 (__syncthreads)")
    assert report.text in str(error)
    np.testing.assert_array_equal(x, np.repeat([7, 1, 7, 1], 64))


def test_a_caller_that_its_mask_does_not_name(launch):
    report = launch("alone", block=(32, 1, 1))[2][0]
    assert report.text == ("kernel alone, block (0,0,0): thread (0,0,0), kernel.cu:14: __shfl_sync of lanes 0xfffffffe, "
                           "of which its own, 0, is none")


def test_a_value_of_a_lane_that_is_not_there(launch):
    _, _, (report,) = launch("outside", block=(8, 5, 1))  # warp 0: lane 31 gets its own; warp 1 has 8 threads
    assert (report.thread, report.line) == ((7, 4, 0), 20)
    assert report.text.endswith("__shfl_down_sync of lanes 0xffffffff asks for the value of lane 8, where no thread is left")


def test_masks_that_differ(launch):
    _, _, (report,) = launch("several", block=(32, 1, 1))
    assert (report.thread, report.other_thread, report.line) == ((8, 0, 0), (0, 0, 0), 25)
    assert report.text.endswith("__ballot_sync of lanes 0xffffffff names lane 0, which calls it with 0x000000ff")


def test_values_that_nobody_looks_at(launch):
    """CUDA C++ Programming Guide, warp shuffle functions: a value of an inactive thread is undefined, not an error."""
    _, error, found = launch("reduce", block=(24, 1, 1))
    assert (error, found) == (None, [])


def test_a_flag_that_nobody_sets():
    program = """
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
from pycuda import debug
from pycuda.compiler import SourceModule
f = SourceModule("__global__ void f(volatile int *x) { while (*x == 0) ; }").get_function("f")
x = cuda.to_device(np.zeros(4, np.int32))
f(x, block=(16, 1, 1), grid=(2, 1))
try:
    cuda.Context.synchronize()
except debug.CheckError as error:
    print(*(report.text for report in error.reports), cuda.from_device(x, 4, np.int32))
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "HOSTCUDA_CHECK": "sync"},
                          capture_output=True, text=True, check=False, timeout=600)
    assert "waits for memory that nothing is left to write: threads 0-15 loop at kernel.cu:" in done.stdout, done
    assert done.stdout.endswith("[0 0 0 0]\n")


def test_a_deadlock_is_not_told_of_the_next_launch():
    program = """
import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import debug
from pycuda.compiler import SourceModule

module = SourceModule('''
extern "C" __global__ void stuck(volatile int *x)
{
    while (*x == 0)
        ;
}

extern "C" __global__ void meet(int *x)
{
    for (int turn = 1; turn < 100; turn++) {
        atomicAdd(x, 1);
        while (atomicAdd(x, 0) < 2 * turn)
            ;
    }
}
''', no_extern_c=True)
for _ in range(3):
    x = cuda.to_device(np.zeros(1, np.int32))
    try:
        module.get_function("stuck")(x, block=(1, 1, 1), grid=(1, 1))
        cuda.Context.synchronize()
    except debug.CheckError:
        module.get_function("meet")(x, block=(1, 1, 1), grid=(2, 1))
        cuda.Context.synchronize()
    print(cuda.from_device(x, 1, np.int32)[0])
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "HOSTCUDA_CHECK": "sync"},
                          capture_output=True, text=True, check=False, timeout=600)
    assert done.stdout.split() == ["198"] * 3, done.stdout + done.stderr
