"""A wave in a box that all devices of a machine share, and with MPI those of several.

    python wave_strips.py RESULT.npy
    mpirun -n 2 python wave_strips.py RESULT.npy

Each device has a strip of rows, and each strip a halo: a row above and one below that belong to its neighbours. With --staged
edges go to other processes by way of page-locked memory, also where MPI takes memory of devices.
"""

import ctypes
import sys

import numpy as np

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

try:
    from mpi4py import MPI
    world = MPI.COMM_WORLD
    rank, processes = world.rank, world.size
except ImportError:
    rank, processes = 0, 1

KERNEL = """
/* Rows first, first + stride ... of a strip. Outside of the box the wave is zero. */
__global__ void step(float *next, const float *now, const float *before, int n, int first, int stride)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = first + blockIdx.y * stride, i = y * n + x;
    if (x == 0 || x >= n - 1)
        return;
    next[i] = 2 * now[i] - before[i] + 0.25f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i]);
}
"""
N, STEPS = 256, 260  # a number of strips divides N


def mpi_takes(array):
    """Whether MPI sends from and receives to the array's memory: of the host device always, of a GPU if it was built so."""
    if "--staged" in sys.argv:
        return False
    if not hasattr(array, "__cuda_array_interface__"):
        return True
    try:
        return bool(ctypes.CDLL(None).MPIX_Query_cuda_support())
    except AttributeError:
        return False


class Strip:
    """Rows of the box on one device. Its edges, the rows that neighbours need, have a stream of their own: while they travel
    the other rows are computed."""

    def __init__(self, device, number, strips):
        self.number, self.rows = number, N // strips
        self.neighbours = [i for i in (number - 1, number + 1) if 0 <= i < strips]
        self.context = device.make_context()
        self.step = SourceModule(KERNEL).get_function("step").prepare("PPPiii")
        self.edges, self.middle = cuda.Stream(), cuda.Stream()
        self.edges_done, self.middle_done, self.sent = (
            cuda.Event(cuda.event_flags.DISABLE_TIMING) for _ in range(3))
        y, x = np.mgrid[number * self.rows - 1:(number + 1) * self.rows + 1, :N]
        start = np.exp(-((x - 90) ** 2 + (y - 70) ** 2) / 40).astype(np.float32)
        start[:, [0, -1]] = 0
        start[(y[:, 0] < 0) | (y[:, 0] >= N)] = 0
        self.now, self.before = gpuarray.to_gpu(start), gpuarray.to_gpu(start)
        self.next = gpuarray.zeros_like(self.now)
        self.staged = None if mpi_takes(self.now) else {
            row: cuda.pagelocked_empty(N, np.float32) for row in (0, 1, self.rows, self.rows + 1)}
        cuda.Context.synchronize()
        self.context.pop()

    def launch(self, stream, first, stride, rows):
        self.step.prepared_async_call((N // 64, rows), (64, 1, 1), stream, self.next.gpudata, self.now.gpudata,
                                      self.before.gpudata, N, first, stride)

    def compute(self):
        """Enqueues a step: the edges first, once the neighbours' rows are here."""
        for i in self.neighbours:
            if i in strips:
                self.edges.wait_for_event(strips[i].sent)
        self.edges.wait_for_event(self.middle_done)
        self.middle.wait_for_event(self.edges_done)
        self.launch(self.edges, 1, self.rows - 1, 2)
        self.edges_done.record(self.edges)
        self.launch(self.middle, 2, 1, self.rows - 2)
        self.middle_done.record(self.middle)

    def give(self, other):
        """Copies an edge into the halo of a strip on another device of this process."""
        mine, halo = (1, other.rows + 1) if other.number < self.number else (self.rows, 0)
        cuda.memcpy_peer_async(other.next[halo].gpudata, self.next[mine].gpudata, 4 * N, other.context, self.context,
                               self.edges)

    def trade(self, other):
        """The requests that send an edge to strip number `other`, of another process, and receive its own."""
        mine, halo = (1, 0) if other < self.number else (self.rows, self.rows + 1)
        rows = self.next if self.staged is None else self.staged
        if self.staged is not None:
            self.next[mine].get_async(self.edges, self.staged[mine])
        self.edges.synchronize()
        process = rank + (1 if other > self.number else -1)
        return [world.Irecv(rows[halo], process), world.Isend(rows[mine], process)]

    def take(self, other):
        """Copies what has come from strip number `other` into the halo."""
        if self.staged is not None:
            halo = 0 if other < self.number else self.rows + 1
            self.next[halo].set_async(self.staged[halo], self.edges)

    def turn(self):
        self.before, self.now, self.next = self.now, self.next, self.before


cuda.init()
devices = max(1, cuda.Device.count() // processes)
count = devices * processes
mine = range(rank * devices, (rank + 1) * devices)
strips = {number: Strip(cuda.Device(number % cuda.Device.count()), number, count) for number in mine}
for _ in range(STEPS):
    requests = []
    for strip in strips.values():
        with strip.context:
            strip.compute()
    for strip in strips.values():
        with strip.context:
            for i in strip.neighbours:
                if i in strips:
                    strip.give(strips[i])
                else:
                    requests += strip.trade(i)
    if requests:
        MPI.Request.Waitall(requests)
    for strip in strips.values():
        with strip.context:
            for i in strip.neighbours:
                if i not in strips:
                    strip.take(i)
            strip.sent.record(strip.edges)
            strip.turn()

parts = []
for strip in strips.values():
    with strip.context:
        cuda.Context.synchronize()
        parts.append(strip.now[1:-1].get())
parts = world.gather(parts) if processes > 1 else [parts]
if rank == 0:
    np.save(sys.argv[1], np.concatenate([part for of_process in parts for part in of_process]))
    print(processes, "processes on", min(count, cuda.Device.count()), "devices")
