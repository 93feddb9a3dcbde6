"""A wave in a box, for any number of processes, each with a device of its own.

    mpirun -n 4 python mpi_wave.py RESULT.npy
"""

import sys

import numpy as np

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

try:
    from mpi4py import MPI
    rank, size, trade = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size, MPI.COMM_WORLD.Sendrecv
    none = MPI.PROC_NULL
except ImportError:
    rank, size = 0, 1

cuda.init()
context = cuda.Device(rank % cuda.Device.count()).make_context()

wave = SourceModule("""
/* Rows 0 and rows + 1 belong to the neighbours. Outside of the box the wave is zero. */
__global__ void step(float *next, const float *now, const float *before, int rows, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + 1, i = y * n + x;
    if (x == 0 || x >= n - 1)
        return;
    next[i] = 2 * now[i] - before[i] + 0.25f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i]);
}
""").get_function("step")

n, steps = 256, 260  # a number of processes divides n
rows = n // size
y, x = np.mgrid[rank * rows - 1:(rank + 1) * rows + 1, :n]
start = np.exp(-((x - 90) ** 2 + (y - 70) ** 2) / 40).astype(np.float32)
start[:, [0, -1]] = 0
start[(y[:, 0] < 0) | (y[:, 0] >= n)] = 0
now, before, following = gpuarray.to_gpu(start), gpuarray.to_gpu(start), gpuarray.zeros_like(gpuarray.to_gpu(start))


def exchange(u):
    """Sends the outermost rows of our own, and receives the neighbours'."""
    if size == 1:
        return
    up, down = (rank - 1 if rank else none), (rank + 1 if rank + 1 < size else none)
    for mine, theirs, to, origin in ((1, rows + 1, up, down), (rows, 0, down, up)):
        received = np.zeros(n, np.float32)
        trade(u[mine].get(), to, recvbuf=received, source=origin)
        u[theirs].set(received)


for _ in range(steps):
    exchange(now)
    wave(following, now, before, np.int32(rows), np.int32(n), block=(64, 1, 1), grid=(n // 64, rows))
    before, now, following = now, following, before

mine = now[1:-1].get()
parts = MPI.COMM_WORLD.gather((cuda.Context.get_device().pci_bus_id(), mine)) if size > 1 else [("", mine)]
if rank == 0:
    np.save(sys.argv[1], np.concatenate([part for _, part in parts]))
    print(size, "processes on", len({device for device, _ in parts}), "devices")
context.pop()
