"""Arrays and kernels against NumPy, and on a GPU against CuPy and torch, taking turns in one run.

arrays.py [TURNS]. Shown are microseconds (medians) and the median of the turns' ratios: above 1, ours
is the faster.
"""

import sys
import time

import numpy as np

import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda import _native, cumath, curandom, gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel


def peers():
    """name -> (module, make an array of NumPy's, wait) of what else is here."""
    found = {"numpy": (np, np.array, lambda: None)}
    if _native._is_host_device():
        return found
    try:
        import cupy
        found["cupy"] = cupy, cupy.asarray, cupy.cuda.get_current_stream().synchronize
    except ImportError:
        pass
    try:
        import torch
        found["torch"] = torch, lambda x: torch.as_tensor(x).cuda(), torch.cuda.synchronize
    except ImportError:
        pass
    return found


combine = ElementwiseKernel("float *z, float *x, float *y", "z[i] = 2 * x[i] + 3 * y[i]")
norm = ReductionKernel(np.float32, "0", "a + b", "x[i] * x[i]", "float *x")
scan_int = InclusiveScanKernel(np.int32, "a + b")
scan_float = InclusiveScanKernel(np.float32, "a + b")


def ours(n, host):
    x, y, k = (gpuarray.to_gpu(a) for a in host)
    z, out = gpuarray.empty_like(x), gpuarray.empty_like(k)
    philox = curandom.Philox4x32_10RandomNumberGenerator(1)
    xorwow = curandom.XORWOWRandomNumberGenerator()

    def fused():
        with gpuarray.lazy():
            return 2 * x + 3 * y

    return {
        "x + y": lambda: x + y,
        "sqrt(x)": lambda: cumath.sqrt(x),
        "2 x + 3 y, ElementwiseKernel": lambda: combine(z, x, y),
        "2 x + 3 y, two steps or fused": fused,
        "sum(x)": lambda: gpuarray.sum(x),
        "dot(x, y)": lambda: gpuarray.dot(x, y),
        "max(x)": lambda: gpuarray.max(x),
        "sum(x x), ReductionKernel": lambda: norm(x),
        "running sum, int32": lambda: scan_int(k, out),
        "running sum, float32": lambda: scan_float(x, z),
        "rand": lambda: curandom.rand(n),
        "uniform, Philox": lambda: philox.fill_uniform(z),
        "uniform, XORWOW": lambda: xorwow.fill_uniform(z),
        "normal, Philox": lambda: philox.fill_normal(z),
    }


def theirs(np_like, make, n, host):
    x, y, k = map(make, host)
    is_torch = np_like.__name__ == "torch"
    draw = np.random.default_rng() if np_like is np else np_like.random
    uniform = (lambda: np_like.rand(n, device="cuda")) if is_torch else \
        (lambda: draw.random(n, dtype=np.float32)) if np_like is np else \
        (lambda: draw.rand(n, dtype=np.float32))
    normal = (lambda: np_like.randn(n, device="cuda")) if is_torch else \
        (lambda: draw.standard_normal(n, dtype=np.float32))
    axis = {"dim": 0} if is_torch else {"dtype": np.int32}
    return {
        "x + y": lambda: x + y,
        "sqrt(x)": lambda: np_like.sqrt(x),
        "2 x + 3 y, ElementwiseKernel": lambda: 2 * x + 3 * y,
        "2 x + 3 y, two steps or fused": lambda: 2 * x + 3 * y,
        "sum(x)": lambda: x.sum(),
        "dot(x, y)": lambda: np_like.dot(x, y),
        "max(x)": lambda: x.max(),
        "sum(x x), ReductionKernel": lambda: (x * x).sum(),
        "running sum, int32": lambda: np_like.cumsum(k, **axis),
        "running sum, float32": lambda: np_like.cumsum(x, 0),
        "rand": uniform, "uniform, Philox": uniform, "uniform, XORWOW": uniform,
        "normal, Philox": normal,
    }


def measure(calls, waits, turns):
    """Seconds of each turn, for each call."""
    spent = np.empty((turns, len(calls)))
    for turn in range(-1, turns):  # the first is to warm up
        for k, (call, wait) in enumerate(zip(calls, waits, strict=True)):
            start = time.perf_counter()
            call()
            wait()
            spent[turn, k] = time.perf_counter() - start
    return spent


def main():
    turns, others = int(sys.argv[1]) if len(sys.argv) > 1 else 15, peers()
    waits = [cuda.Context.synchronize, *(wait for _, _, wait in others.values())]
    for n in (1024, 2**24):
        random = np.random.default_rng(0)
        host = [*random.random((2, n), np.float32), random.integers(0, 9, n, np.int32)]
        tables = [ours(n, host), *(theirs(lib, make, n, host) for lib, make, _ in others.values())]
        print(f"\n{n:,} elements, us" + " " * 23 + "ours" + "".join(f"{name:>18}" for name in others))
        for name in tables[0]:
            spent = measure([table[name] for table in tables], waits, turns)
            cells = "".join(f"{np.median(spent[:, k]) * 1e6:11,.1f} {np.median(spent[:, k] / spent[:, 0]):5.2f}x"
                            for k in range(1, len(tables)))
            print(f"{name:<30}{np.median(spent[:, 0]) * 1e6:12,.1f}{cells}")


if __name__ == "__main__":
    main()
