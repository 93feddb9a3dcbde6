"""
Several devices and MPI
=======================

A wave in a box that four processes share, each with a device of its own. A process owns a strip of rows, and before each step
trades the rows at its edges with its neighbours. ``HOSTCUDA_DEVICES=4`` makes four devices out of one CPU, so that such a
program can be tried where there is no GPU, or one. Without MPI the same program runs as one process.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import matplotlib.pyplot as plt
import numpy as np

PROGRAM = '''
"""wave.py RESULT: a wave in a box, for any number of processes."""

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

n, steps = 256, 260
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
'''


def run(processes):
    """The wave as so many processes leave it, and what they say."""
    with tempfile.TemporaryDirectory() as folder:
        program, result = pathlib.Path(folder, "wave.py"), pathlib.Path(folder, "wave.npy")
        program.write_text(PROGRAM)
        command = [sys.executable, str(program), str(result)]
        if processes > 1:
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), *command]
        done = subprocess.run(command, check=False, capture_output=True, text=True,
                              env=os.environ | {"HOSTCUDA_DEVICES": "4", "HOSTCUDA_THREADS": "1"})
        if done.returncode:
            raise RuntimeError(done.stderr)
        print(done.stdout, end="")
        return np.load(result)


# %%
# One process and four compute the same numbers, bit by bit.

alone = run(1)
if shutil.which("mpirun"):
    np.testing.assert_array_equal(run(4), alone)

plt.figure(figsize=(5, 4.6), layout="constrained")
plt.imshow(alone, cmap="RdBu", vmin=-0.12, vmax=0.12)
for strip in (1, 2, 3):
    plt.axhline(64 * strip - 0.5, color="black", linewidth=0.6)
plt.axis("off")
plt.show()
