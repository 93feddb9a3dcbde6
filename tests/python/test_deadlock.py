"""Kernels whose threads wait for what never comes end with an error that names the lines where
they stand."""

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.host  # a GPU hangs

# name, block, what the error says after "kernel ..., block (0,0,0): ", source; __LINE__ of the marked lines in order
WAITS = [
    ("other_barrier", (32, 1, 1),
     ("barrier reached by only part of the block's threads: threads 0-15 wait at kernel.cu:{1} (__syncthreads), "
      "threads 16-31 wait at kernel.cu:{0} (__syncthreads)"),
     """
     if (threadIdx.x >= 16)
         __syncthreads(); // 0
     else {
         x[threadIdx.x] = 1;
         __syncthreads(); // 1
         x[threadIdx.x] = 2;
     }
     """),
    ("rows", (8, 4, 1),
     ("barrier reached by only part of the block's threads: threads (0,0,0) to (7,1,0), (0,3,0) to (7,3,0) wait at "
      "kernel.cu:{1} (__syncthreads), threads (0,2,0) to (7,2,0) wait at kernel.cu:{0} (__syncthreads)"),
     """
     if (threadIdx.y == 2) {
         __syncthreads(); // 0
         x[threadIdx.x] = 1;
     }
     __syncthreads(); // 1
     """),
    ("counting", (32, 1, 1),
     ("barrier reached by only part of the block's threads: thread 0 waits at kernel.cu:{0} (__syncthreads_count), "
      "threads 1-31 wait at kernel.cu:{1} (__syncthreads)"),
     """
     if (threadIdx.x == 0)
         x[0] = __syncthreads_count(1); // 0
     else
         __syncthreads(); // 1
     """),
    ("shuffle", (64, 1, 1),
     ("__shfl_down_sync waits for lanes that never arrive: threads 0-7, 32-39 wait at kernel.cu:{0} "
      "(__shfl_down_sync of lanes 0x0000ffff), threads 8-31, 40-63 wait at kernel.cu:{1} (__syncthreads)"),
     """
     if (threadIdx.x % 32 < 8)
         x[threadIdx.x] = __shfl_down_sync(0xffff, x[threadIdx.x], 1); // 0
     __syncthreads(); // 1
     """),
    ("syncwarp", (32, 1, 1),
     ("__syncwarp waits for lanes that never arrive: threads 0-3 wait at kernel.cu:{0} (__syncwarp of lanes "
      "0x000000ff), threads 4-7 wait at kernel.cu:{1} (__syncwarp of lanes 0x0000ffff), threads 8-15 have ended, "
      "threads 16-31 wait at kernel.cu:{2} (__syncthreads)"),
     """
     if (threadIdx.x < 4)
         __syncwarp(0xff); // 0
     else if (threadIdx.x < 8)
         __syncwarp(0xffff); // 1
     else if (threadIdx.x < 16)
         return;
     __syncthreads(); // 2
     """),
    ("scattered", (32, 1, 1),
     ("barrier reached by only part of the block's threads: threads 0, 3, 6, 9 and 7 more wait at kernel.cu:{0} "
      "(__syncthreads), threads 1-2, 4-5, 7-8, 10-11 and 13 more wait at kernel.cu:{1} (__syncthreads)"),
     """
     if (threadIdx.x % 3 == 0)
         __syncthreads(); // 0
     else {
         x[threadIdx.x] = 2;
         __syncthreads(); // 1
     }
     x[0] = 1;
     """),
]


def marked_lines(source):
    lines = source.splitlines()
    return [next(n for n, line in enumerate(lines, 1) if line.endswith(f"// {k}"))
            for k in range(source.count("// "))]


@pytest.mark.parametrize("name, block, expected, body", WAITS, ids=[row[0] for row in WAITS])
def test_block(context, name, block, expected, body):
    source = f'extern "C" __global__ void {name}(int *x)\n{{{body}}}\n'
    kernel = SourceModule(source, no_extern_c=True).get_function(name)
    memory = cuda.mem_alloc(4096)
    cuda.memset_d8(memory, 0, 4096)
    kernel(memory, block=block)
    with pytest.raises(cuda.LaunchError) as caught:
        cuda.Context.synchronize()
    text = str(caught.value)
    assert f"kernel {name}, block (0,0,0): {expected.format(*marked_lines(source))};" in text


def test_ended_threads_are_not_waited_for(context):
    """CUDA: a barrier waits for all threads that have not exited, and so do warp functions."""
    kernel = SourceModule("""
    __global__ void some(int *x)
    {
        if (threadIdx.x >= 40)
            return;
        __shared__ int s[40];
        s[threadIdx.x] = threadIdx.x;
        __syncthreads();
        int all = __popc(__ballot_sync(0xffffffff, 1));
        x[threadIdx.x] = s[39 - threadIdx.x] + 100 * all;
    }
    """).get_function("some")
    x = np.zeros(64, np.int32)
    kernel(cuda.Out(x), block=(64, 1, 1))
    expected = 39 - np.arange(40) + 100 * np.where(np.arange(40) < 32, 32, 8)
    np.testing.assert_array_equal(x[:40], expected)
