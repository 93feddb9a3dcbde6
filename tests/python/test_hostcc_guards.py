"""Comparisons that end the threads behind the data at a kernel's start, against the same in Python."""

import itertools
import random

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda.compiler import SourceModule

pytestmark = [pytest.mark.usefixtures("context"), pytest.mark.host]

RANGE = {"int": (-(1 << 31), 1 << 31), "unsigned": (0, 1 << 32), "long long": (-(1 << 63), 1 << 63),
         "unsigned long long": (0, 1 << 64)}
# What is compared, as CUDA C and as Python; `t` is converted to the type, where unsigned ones wrap around.
COUNTERS = [("t(blockIdx.x * blockDim.x + threadIdx.x)", "bx * dx + x"), ("t(threadIdx.x)", "x"),
            ("t(threadIdx.x) + t(a)", "x + a"), ("t(a) + t(blockIdx.x) * 64 + t(threadIdx.x)", "a + bx * 64 + x"),
            ("t(threadIdx.x) - t(a)", "x - a"), ("t(a) - t(threadIdx.x)", "a - x"), ("t(threadIdx.x) * 3", "x * 3"),
            ("t(threadIdx.x & 15)", "x & 15"), ("t(threadIdx.x ^ 32)", "x ^ 32"), ("t(threadIdx.x / 3)", "x // 3"),
            ("t(threadIdx.y * 8 + threadIdx.x)", "y * 8 + x"), ("t(blockIdx.x * 256 | threadIdx.x)", "bx * 256 | x"),
            ("t((unsigned char)threadIdx.x)", "x & 255"), ("t((unsigned)(threadIdx.x + a))", "(x + a) % 2**32")]
ORDERS = ["<", "<=", ">", ">=", "==", "!="]
GUARDS = ["if ({c}) out[at] = at + 1;", "if (!({c})) return; out[at] = at + 1;", "if ({c} && threadIdx.y < h) out[at] = at + 1;",
          "if (threadIdx.y >= h) return; if ({c}) out[at] = at + 1;", "if (!({c}) || threadIdx.y >= h) return; out[at] = at + 1;",
          "if ({c}) out[at] = at + 1; else out[at] = -1;", "out[at] = -2; if ({c}) out[at] = at + 1;",
          "*(volatile int *)(out + at) = -2; if ({c}) out[at] = at + 1;"]
GEOMETRIES = [((64, 1), 3), ((100, 1), 2), ((1024, 1), 1), ((16, 4), 2), ((7, 5), 2), ((33, 3), 2), ((1, 9), 2), ((256, 2), 2)]

KERNEL = """
typedef %s t;
extern "C" __global__ void k(int *out, unsigned a_, unsigned long long n_, unsigned h)
{
    t a = a_, n = n_;
    int at = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    %s
}
"""


def wrapped(value, low, high):
    return (value - low) % (high - low) + low


def expected(kind, counter, order, swapped, guard, block, grid, a, n, h):
    low, high = RANGE[kind]
    (dx, dy), out = block, []
    n, a = wrapped(n, low, high), wrapped(a, low, high)
    for bx, y, x in itertools.product(range(grid), range(dy), range(dx)):
        value = wrapped(eval(counter, {"bx": bx, "x": x, "y": y, "dx": dx, "a": a}), low, high)
        passes = eval(f"n {order} value" if swapped else f"value {order} n", {"n": n, "value": value})
        in_rows = "threadIdx.y" not in guard or y < h
        nothing = -1 if "else" in guard else -2 if "= -2" in guard else 0
        out.append(len(out) + 1 if passes and in_rows else nothing)
    return np.array(out, np.int32)


def overflows(kind, counter, block, grid, a):
    """Whether a signed value is out of its type's range, which C++ leaves undefined."""
    low, high = RANGE[kind]
    return low < 0 and any(not low <= eval(counter, {"bx": bx, "x": x, "y": block[1] - 1, "dx": block[0],
                                                     "a": wrapped(a, low, high)}) < high
                           for bx in (0, grid - 1) for x in (0, block[0] - 1))


@pytest.mark.parametrize("kind", RANGE)
def test_guards(kind):
    random_ = random.Random(kind)
    low, high = RANGE[kind]
    for c_counter, counter in COUNTERS:
        for _ in range(3):
            order, swapped, guard = random_.choice(ORDERS[:4] * 3 + ORDERS), random_.random() < 0.3, random_.choice(GUARDS)
            test = f"n {order} {c_counter}" if swapped else f"{c_counter} {order} n"
            kernel = SourceModule(KERNEL % (kind, guard.format(c=test)), no_extern_c=True).get_function("k")
            for block, grid in random_.sample(GEOMETRIES, 3):
                for a in (0, 5, random_.choice([17, 250, 0x7FFFFFF0, 0xFFFFFFF0])):
                    n = random_.choice([0, random_.randrange(block[0] * grid + 2), a + random_.randrange(20, 120), low,
                                        high - random_.randrange(1, 4)])
                    if overflows(kind, counter, block, grid, a):
                        continue
                    h = random_.randrange(block[1] + 1)
                    wanted = expected(kind, counter, order, swapped, guard, block, grid, a, n, h)
                    out = np.zeros(len(wanted), np.int32)
                    kernel(cuda.InOut(out), np.uint32(a), np.uint64(n % 2**64), np.uint32(h), block=(*block, 1),
                           grid=(grid, 1))
                    assert np.array_equal(out, wanted), (test, guard, block, grid, a, n, h)
