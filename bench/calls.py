"""What single calls of pycuda.driver cost, in microseconds: the best of several runs.

    PYCUDA_DRIVER=host python bench/calls.py
"""

import timeit

import numpy as np

import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

module = SourceModule("""
__global__ void scale(float *a, unsigned int n, float factor)
{
    if (threadIdx.x < n)
        a[threadIdx.x] *= factor;
}
__global__ void sixteen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,
                        int k, int l, int m, int n, int o, int p) {}
__global__ void nothing() {}
""")
scale, nothing = module.get_function("scale"), module.get_function("nothing")
sixteen = module.get_function("sixteen")
memory, n, factor = cuda.mem_alloc(4096), np.uint32(32), np.float32(1)
many = [np.int32(i) for i in range(16)]
array = np.zeros(1024, np.float32)
block, grid, synchronize = (32, 1, 1), (1, 1), cuda.Context.synchronize
prepared = scale.prepare("PIf").prepared_call
pool, event, stream = cuda.DeviceMemoryPool(), cuda.Event(), cuda.Stream()
allocate = pool.allocate


def call_and_synchronize():
    scale(memory, n, factor, block=block, grid=grid)
    synchronize()


def prepared_and_synchronize():
    prepared(grid, block, memory, 32, 1.0)
    synchronize()


ROWS = [
    ("kernel call and synchronize", call_and_synchronize),
    ("kernel call, three arguments", lambda: scale(memory, n, factor, block=block, grid=grid)),
    ("kernel call, sixteen arguments", lambda: sixteen(*many, block=block, grid=grid)),
    ("kernel call, no arguments", lambda: nothing(block=block)),
    ("prepared call and synchronize", prepared_and_synchronize),
    ("prepared call", lambda: prepared(grid, block, memory, 32, 1.0)),
    ("kernel call with InOut of 4 KB", lambda: scale(cuda.InOut(array), n, factor, block=block)),
    ("Context.synchronize", synchronize),
    ("mem_alloc and free", lambda: cuda.mem_alloc(4096)),
    ("pool allocate and free", lambda: allocate(4096)),
    ("memcpy_htod of 4 KB", lambda: cuda.memcpy_htod(memory, array)),
    ("memcpy_dtoh of 4 KB", lambda: cuda.memcpy_dtoh(array, memory)),
    ("Event.record", event.record),
    ("Event.query", event.query),
    ("Stream.is_done", stream.is_done),
    ("Context.get_current", cuda.Context.get_current),
    ("(an empty Python function)", lambda: None),
]

print(pycuda.autoinit.device.name())
for name, function in ROWS:
    function()
    synchronize()
    times = []
    for _ in range(7):
        times.append(timeit.timeit(function, number=1000))
        synchronize()
    print(f"{name:32} {min(times) * 1e3:8.3f}")
