"""
Profiling a kernel
==================

Three ways to transpose a matrix, beside a plain copy. Events stand in a stream like work does; the time between two of them
is that of what lies between, and of nothing else: not of Python, not of copies elsewhere.
"""

import itertools
import json
import pathlib
import tempfile

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.profiler import trace

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

# %%
# :class:`pycuda.profiler.trace` records all that a program does, and https://ui.perfetto.dev shows the file. It is JSON: here, what two
# streams did is drawn from it. Each stream copies a matrix to the device, transposes it and copies it back.

streams = [cuda.Stream(), cuda.Stream()]
host = [cuda.pagelocked_zeros((n, n), np.float32) for _ in streams]
arrays = [(gpuarray.empty((n, n), np.float32), gpuarray.empty((n, n), np.float32)) for _ in streams]
tiled = module.get_function("tiled")
path = pathlib.Path(tempfile.mkdtemp(), "trace.json")
with trace(path):
    for _ in range(2):
        for stream, pages, (a, b) in zip(streams, host, arrays, strict=True):
            a.set_async(pages, stream=stream)
            tiled(b, a, np.int32(n), block=(32, 8, 1), grid=(n // 32, n // 32), stream=stream)
            b.get_async(stream, pages)

events = json.loads(path.read_text())["traceEvents"]
names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
work = [event for event in events if event["ph"] == "X" and event["cat"] != "driver"]
rows = sorted({names[event["pid"], event["tid"]] for event in work})
start = min(event["ts"] for event in work)
assert len(work) == 12 and len(rows) == 2

figure, axis = plt.subplots(figsize=(9, 2.2), layout="constrained")
for event in work:
    kernel = event["name"] == "tiled"
    axis.barh(names[event["pid"], event["tid"]], event["dur"] / 1e3, left=(event["ts"] - start) / 1e3, edgecolor="white",
              color="steelblue" if kernel else "orange", label="kernel" if kernel else "copy")
handles = dict(zip(*axis.get_legend_handles_labels()[::-1], strict=True))
axis.legend(handles.values(), handles)
axis.set_xlabel("milliseconds")
plt.show()
