"""Kernels whose threads wait for what never comes end with an error that names the lines where
they stand."""

import os
import subprocess
import sys

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


# -- Loops ---------------------------------------------------------------------------------------

# name, grid, cooperative, what the error says, body of kernel(volatile int *x)
LOOPS = [
    ("flag", 4, False, ("waits for memory that nothing is left to write: threads 0-2, 4-63 have ended, thread 3 loops "
     "at kernel.cu:{0}"),
     """
     if (threadIdx.x == 3)
         while (x[0] == 0) // 0
             ;
     """),
    ("behind_barrier", 1, False, ("waits for memory that nothing is left to write: threads 0-39, 41-63 wait at "
     "kernel.cu:{1} (__syncthreads), thread 40 loops at kernel.cu:{0}"),
     """
     if (threadIdx.x == 40)
         while (x[0] == 0) // 0
             ;
     __syncthreads(); // 1
     x[0] = 1;
     """),
    ("lock_twice", 3, False, "waits for memory that nothing is left to write: ",
     """
     if (threadIdx.x == 0) {
         while (atomicCAS((int *)x, 0, 1) != 0)
             ;
         x[1] = x[1] + 1;
         while (atomicExch((int *)x, 1) != 0)
             __nanosleep(20);
         x[0] = 0;
     }
     """),
    ("lanes", 1, False, ("waits for memory that nothing is left to write: threads 0-15 loop at kernel.cu:{0}, "
     "threads 16-31 wait at kernel.cu:{1} (__syncwarp of lanes 0xffffffff), threads 32-63 have ended"),
     """
     if (threadIdx.x < 16)
         while (x[0] == 0) // 0
             ;
     __syncwarp(); // 1
     x[1] = 1;
     """),
    ("shared", 1, False, ("waits for memory that nothing is left to write: threads 0-31 wait at kernel.cu:{1} "
     "(__syncthreads), threads 32-63 loop at kernel.cu:{0}"),
     """
     __shared__ volatile int s;
     s = 0;
     __syncthreads();
     if (threadIdx.x >= 32)
         while (s == 0) // 0
             __threadfence_block();
     __syncthreads(); // 1
     s = 1;
     """),
    ("other_block", 3, False, "waits for memory that nothing is left to write: ",
     """
     for (int i = 0; i < 10; i++) {
         if (blockIdx.x != 1 && i == 5)
             break;
         __syncthreads();
         if (threadIdx.x == 0) {
             atomicAdd((int *)x, 1);
             while (atomicAdd((int *)x, 0) < 3 * (i + 1))
                 ;
         }
         __syncthreads();
     }
     """),
    ("grid", 2, True, ("grid barrier reached by only part of the blocks: thread 0 loops at kernel.cu:{0}, "
     "threads 1-63 wait at kernel.cu:{0} (__syncthreads)"),
     """
     if (blockIdx.x == 1)
         return;
     for (int i = 0; i < 3; i++)
         cooperative_groups::this_grid().sync(); // 0
     """),
    ("grid_half", 2, True, "grid barrier reached by only part of the blocks: ",
     """
     for (int i = 0; i < 3 + (int)blockIdx.x; i++)
         cooperative_groups::this_grid().sync();
     """),
]

PROLOGUE = """
import sys
import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule
from pycuda import gpuarray

SOURCE = open(sys.argv[1]).read()
x = gpuarray.zeros(256, np.int32)
kernel = SourceModule(SOURCE, no_extern_c=True).get_function("kernel")
"""


def run(tmp_path, body, program, limit=600):
    """The errors of a program with one thread of Python: a test runner has more."""
    source = ("#include <cooperative_groups.h>\n"
              f'extern "C" __global__ void kernel(volatile int *x)\n{{{body}}}\n')
    (tmp_path / "kernel.cu").write_text(source)
    done = subprocess.run([sys.executable, "-c", PROLOGUE + program, str(tmp_path / "kernel.cu")],
                          capture_output=True, text=True, check=False, timeout=limit,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    return source, done


@pytest.mark.parametrize("name, grid, cooperative, expected, body", LOOPS, ids=[row[0] for row in LOOPS])
def test_loop(tmp_path, name, grid, cooperative, expected, body):
    source, done = run(tmp_path, body, f"""
kernel(x, block=(64, 1, 1), grid=({grid}, 1), cooperative={cooperative})
try:
    cuda.Context.synchronize()
except cuda.LaunchError as error:
    print(error)
""")
    assert f"): {expected.format(*marked_lines(source))}" in done.stdout, done


SOMEBODY_COMES = [
    ("counter", "for (int i = 0; i < 300000 && x[0] == 0; i++) ; if (threadIdx.x == 0) x[1] = 5;",
     "kernel(x, block=(64, 1, 1))"),
    ("clock", "long long t = clock64(); while (x[0] == 0 && clock64() - t < 1500000000ll) ; x[1] = 5;",
     "kernel(x, block=(64, 1, 1))"),
    ("tickets", """
     if (threadIdx.x == 0)
         for (int i = 0; i < 3000; i++) {
             while (x[0] != i * gridDim.x + blockIdx.x)
                 ;
             x[0] = i * gridDim.x + blockIdx.x + 1;
             x[1] = 5;
         }""", "kernel(x, block=(64, 1, 1), grid=(3, 1))"),
    ("another_stream", """
     if (gridDim.x == 2) {
         long long t = clock64();
         while (clock64() - t < 1500000000ll) ;
         x[0] = 1;
     } else {
         while (x[0] == 0) ;
         x[1] = 5;
     }""", """
one, two = cuda.Stream(), cuda.Stream()
kernel(x, block=(1, 1, 1), stream=one)
kernel(x, block=(1, 1, 1), grid=(2, 1), stream=two)
one.synchronize()
"""),
    ("copy_behind_event", """
     if (gridDim.x == 2) {
         long long t = clock64();
         while (clock64() - t < 1500000000ll) ;
     } else {
         while (x[0] == 0) ;
         x[1] = 5;
     }""", """
one, two = cuda.Stream(), cuda.Stream()
flag = gpuarray.ones(1, np.int32)
kernel(x, block=(1, 1, 1), stream=one)
kernel(x, block=(1, 1, 1), grid=(2, 1), stream=two)
cuda.memcpy_dtod_async(x.ptr, flag.ptr, 4, two)
one.synchronize()
"""),
    ("callback", "while (x[0] == 0) ; x[1] = 5;", """
import time
one, two = cuda.Stream(), cuda.Stream()
flag = np.ones(1, np.int32)
kernel(x, block=(1, 1, 1), stream=one)
two.add_callback(lambda *args: time.sleep(0.5))
cuda.memcpy_htod_async(x.ptr, flag, two)
one.synchronize()
"""),
    ("thread", "while (x[0] == 0) ; x[1] = 5;", """
import threading, time
context, stream = cuda.Context.get_current(), cuda.Stream()
def later():
    time.sleep(0.5)
    context.push()
    cuda.memcpy_htod_async(x.ptr, np.ones(1, np.int32), stream)
    stream.synchronize()
    cuda.Context.pop()
thread = threading.Thread(target=later)
thread.start()
kernel(x, block=(1, 1, 1), stream=cuda.Stream())
cuda.Context.synchronize()
"""),
    ("managed", "while (x[0] == 0) ; x[1] = 5;", """
import threading
x = cuda.managed_zeros(2, np.int32)
kernel(x, block=(1, 1, 1), stream=cuda.Stream())
timer = threading.Timer(0.5, lambda: x.__setitem__(0, 1))
timer.start()
cuda.Context.synchronize()
x = gpuarray.to_gpu(np.array(x))
"""),
]


@pytest.mark.parametrize("name, body, program", SOMEBODY_COMES, ids=[row[0] for row in SOMEBODY_COMES])
def test_no_deadlock(tmp_path, name, body, program):
    done = run(tmp_path, body, program + "\nprint(x.get()[1])")[1]
    assert (done.returncode, done.stdout) == (0, "5\n"), done.stderr
