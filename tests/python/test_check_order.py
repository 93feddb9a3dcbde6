"""HOSTCUDA_CHECK=order:SEED runs blocks, and the vectors of a block, in an order by the seed: what depends
on an order that CUDA does not promise differs from seed to seed."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.host

PROGRAM = """
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule('''
__device__ int block()
{
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

__global__ void last(int *x, int *runs)  // who comes last
{
    if (threadIdx.x == 0) {
        *(volatile int *)x = block();
        atomicAdd(&runs[block()], 1);
    }
}

__global__ void late(int *x, int *runs)  // the same of the threads of one block
{
    __shared__ int s;
    __syncthreads();
    s = threadIdx.x;
    __syncthreads();
    x[0] = s;
    atomicAdd(&runs[threadIdx.x], 1);
}

__global__ void sum(int *x, int *runs)  // right in any order
{
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x + block();
    for (int n = 128; n > 0; n /= 2) {
        __syncthreads();
        if (threadIdx.x < n)
            s[threadIdx.x] += s[threadIdx.x + n];
    }
    if (threadIdx.x == 0) {
        atomicAdd(x, s[0]);
        atomicAdd(&runs[block()], 1);
    }
}

__global__ void wait(int *x, int *runs)  // a block waits for the one before
{
    if (threadIdx.x == 0) {
        int b = block();
        while (b > 0 && atomicAdd(&runs[b - 1], 0) == 0)
            ;
        *x = 2 * *(volatile int *)x % 1009 + b;
        __threadfence();
        atomicAdd(&runs[b], 1);
    }
}
''')
for name, block, grid in [('last', 32, (37, 5, 3)), ('last', 32, (1, 1, 1)), ('late', 1024, (1, 1, 1)),
                          ('sum', 256, (100, 1, 1)), ('wait', 32, (40, 2, 1))]:
    x, runs = gpuarray.zeros(1, np.int32), gpuarray.zeros(1024, np.int32)
    module.get_function(name)(x, runs, block=(block, 1, 1), grid=grid)
    n = np.prod(grid) if name != 'late' else block
    assert (runs.get()[:n] == 1).all() and not runs.get()[n:].any(), name  # each once
    print(name, x.get()[0])
"""


def run(seed=None, threads=1):
    env = {**os.environ, "HOSTCUDA_THREADS": str(threads)}
    if seed is not None:
        env["HOSTCUDA_CHECK"] = f"order:{seed}"
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [int(line.split()[1]) for line in done.stdout.splitlines()]


def test_order():
    plain, one, two, *rest = [run(seed) for seed in (None, 1, 2, 3, 4)]
    assert one == run(1)  # the seed alone decides
    waits = 0
    for b in range(80):
        waits = (2 * waits % 1009) + b
    total = sum(range(256)) * 100 + sum(range(100)) * 256
    for outcome in (plain, one, two, *rest):
        assert outcome[1] == 0 and outcome[3:] == [total, waits]
    assert plain[0] == 37 * 5 * 3 - 1
    assert len({plain[0], one[0], two[0], *(outcome[0] for outcome in rest)}) >= 3
    assert len({plain[2], one[2], two[2], *(outcome[2] for outcome in rest)}) >= 3


def test_threads():
    assert run(7, threads=2)[3:] == run(threads=2)[3:]


@pytest.mark.parametrize("word", ["order", "order:", "order:x", "order:5x", "order:-1"])
def test_not_a_seed(word):
    done = subprocess.run([sys.executable, "-c", "import pycuda.driver as cuda; cuda.init()"],
                          env={**os.environ, "HOSTCUDA_CHECK": word}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f'"{word}" is not one of memory, race, init, sync, all, order:SEED' in done.stderr
