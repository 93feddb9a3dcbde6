"""
Profiling a kernel
==================

Three ways to transpose a matrix, beside a plain copy. Events stand in a stream like work does; the time between two of them
is that of what lies between, and of nothing else: not of Python, not of copies elsewhere.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule("""
__global__ void copy(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8)
        out[y * n + x] = in[y * n + x];
}

__global__ void reads_rows(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8)
        out[x * n + y] = in[y * n + x];
}

__global__ void reads_columns(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8)
        out[y * n + x] = in[x * n + y];
}

/* Reads rows and writes rows; a tile of shared memory is what is turned. */
__global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[32][33]; /* 33: a column's elements lie in different banks */
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        tile[k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    int to = blockIdx.x * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        out[(to + k) * n + y + threadIdx.x] = tile[threadIdx.x][k];
}
""")

n = 1024
matrix = np.random.default_rng(8).random((n, n), dtype=np.float32)
source, target = gpuarray.to_gpu(matrix), gpuarray.empty((n, n), np.float32)


def milliseconds(kernel, rounds=15):
    """Time of each launch. The first, which touches memory for the first time, does not count."""
    events = [cuda.Event() for _ in range(rounds + 2)]
    for event in events:
        kernel(target, source, np.int32(n), block=(32, 8, 1), grid=(n // 32, n // 32))
        event.record()
    events[-1].synchronize()
    return [event.time_since(before) for before, event in itertools.pairwise(events[1:])]


# %%
# The least of the times says most about the kernel, the others about what else the machine did. Gigabytes a second, with every
# element read once and written once, tell how far it is from what memory can do: the plain copy.

rates = {}
for name in ("copy", "reads_rows", "reads_columns", "tiled"):
    times = milliseconds(module.get_function(name))
    rates[name] = 2 * matrix.nbytes / (1e6 * min(times))
    np.testing.assert_array_equal(target.get(), matrix if name == "copy" else matrix.T)

plt.figure(figsize=(7, 3), layout="constrained")
plt.barh(list(rates), list(rates.values()), color=["lightgray", *3 * ["steelblue"]])
plt.gca().invert_yaxis()
plt.xlabel(f"GB/s on {pycuda.autoinit.device.name()}")
plt.show()
