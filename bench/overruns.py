"""Which share of overruns goes unseen, in the default mode and under check: percent of kernels that write out of bounds.

    PYCUDA_DRIVER=host python bench/overruns.py [TRIALS]

Sizes are drawn anew, of float32 arrays up to 16 M elements; "whole" sizes are multiples of 256 bytes. Under check all
must be seen.
"""

import random
import sys

import numpy as np

import pycuda.driver as cuda
from pycuda import debug, gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
__device__ int seen;
__global__ void global_array(float *x, long long at) { x[at] = 42; }
__global__ void shared_array(int at) { __shared__ float s[100]; s[at] = 42; __syncthreads(); seen = s[0]; }
__global__ void local_array(int at)
{
    float l[100];
    for (int i = 0; i < 100; i++)
        l[i] = i;
    l[at] = 42;
    for (int i = 0; i < 100; i++)
        seen += l[i];
}
"""
PLACES = {"one element past the end": lambda n: n, "100 elements past the end": lambda n: n + 99,
          "twice the length": lambda n: 2 * n, "one element before the start": lambda n: -1,
          "far away": lambda n: random.choice([-1, 1]) * random.randrange(1 << 28, 1 << 36)}
MEMORY = {"mem_alloc": lambda n: cuda.mem_alloc(4 * n), "GPUArray": lambda n: gpuarray.empty(n, np.float32)}


def size(whole):
    n = int(2 ** random.uniform(0, 24))
    return (n + 63) // 64 * 64 if whole else n + (n % 64 == 0)


def is_seen(name, *arguments, check):
    """In a context of its own, which the fault may end."""
    context = cuda.Device(0).make_context()
    kernel = SourceModule(SOURCE, check=check).get_function(name)
    try:
        arguments = [argument() if callable(argument) else argument for argument in arguments]
        kernel(*arguments, block=(1, 1, 1))
        context.synchronize()
    except cuda.Error:
        return True
    finally:
        del arguments, kernel
        debug.clear_reports()
        context.pop()
    return False


def rate(trials, make, **how):
    return 100 * sum(not is_seen(*make(), **how) for _ in range(trials)) / trials


def main(trials):
    cuda.init()
    worst = 0
    print(f"{'% unseen':<54}{'default':>9}{'check':>9}")
    cases = {f"{where}, {kind}, {'whole' if whole else 'other'} sizes": (kind, place, whole)
             for where, place in PLACES.items() for kind in MEMORY for whole in (True, False)}
    makes = {}
    for name, (kind, place, whole) in cases.items():
        def make(kind=kind, place=place, whole=whole):
            n = size(whole)
            return "global_array", lambda: MEMORY[kind](n), np.int64(place(n))
        makes[name] = make
    for space in ("shared", "local"):
        makes[f"up to 100 elements past a {space} array"] = lambda space=space: (
            f"{space}_array", np.int32(random.randrange(100, 200)))
    for name, make in makes.items():
        default, checked = rate(trials, make, check=""), rate(trials, make, check="memory")
        worst = max(worst, checked)
        print(f"{name:<54}{default:>9.0f}{checked:>9.0f}", flush=True)
    print(f"{'the most under check, at most 0':<63}{worst:>9.0f}  {'ok' if worst == 0 else 'ABOVE'}")


if __name__ == "__main__":
    random.seed(1)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
