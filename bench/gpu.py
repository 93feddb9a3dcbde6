"""Array functions on a GPU beside CuPy, torch and a plain copy, taking turns in one run.

    PYCUDA_DRIVER=cuda python bench/gpu.py [ROW ...]

Large arrays: medians of GB/s (bytes that must be read and written) or TFLOP/s; small ones and calls: microseconds.
A contender that lacks the function shows "-". In a turn each makes as many calls as take TURN, then waits.
The last column is ours over the best of the others, above 1: ours is the faster.
"""

import random
import statistics
import sys
import time
from functools import partial

import numpy as np

import pycuda.autoprimaryctx  # noqa: F401
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

SIDE, LONG, SHORT = 16384, 1 << 26, 1024
WHOLE = 4 * SIDE * SIDE
TURN = 12e-3  # seconds: its first launch and the wait at its end take some 50 us


def peers():
    """name -> module, of those that are here."""
    found = {}
    for name in ("cupy", "torch"):
        try:
            found[name] = __import__(name)
        except ImportError:
            pass
    return found


def large(owner, make, is_torch):
    """name -> (bytes or operations, call) over arrays that are much larger than caches."""
    host = np.random.default_rng(0).random((SIDE, SIDE), np.float32)
    x, row, at = make(host), make(host[0]), make(np.random.default_rng(1).permutation(SIDE))
    flat, axis = x.reshape(-1), "dim" if is_torch else "axis"
    sharp = {"correction": 0} if is_torch else {}
    wide = owner.float64 if owner is not gpuarray else np.float64
    return {
        "copy": (2 * WHOLE, lambda: x.clone() if is_torch else x.copy()),
        "argmax": (WHOLE, lambda: x.argmax()),
        "argmin": (WHOLE, lambda: x.argmin()),
        "argmax(axis=0)": (WHOLE, lambda: x.argmax(**{axis: 0})),
        "argmax(axis=1)": (WHOLE, lambda: x.argmax(**{axis: 1})),
        "sum": (WHOLE, lambda: x.sum()),
        "sum(axis=0)": (WHOLE, lambda: x.sum(**{axis: 0})),
        "sum(axis=1)": (WHOLE, lambda: x.sum(**{axis: 1})),
        "mean(axis=1)": (WHOLE, lambda: x.mean(**{axis: 1})),
        "max(axis=0)": (WHOLE, lambda: x.amax(0) if is_torch else x.max(axis=0)),
        "std": (WHOLE, lambda: x.std(**sharp)),
        "var": (WHOLE, lambda: x.var(**sharp)),
        "var(axis=0)": (WHOLE, lambda: x.var(**{axis: 0}, **sharp)),
        "x + row": (2 * WHOLE, lambda: x + row),
        "x[rows]": (2 * WHOLE, lambda: x[at]),
        "x[:, columns]": (2 * WHOLE, lambda: x[:, at]),
        "x[x > 0.5]": (3 * WHOLE // 2, lambda: x[x > 0.5]),
        "cumsum": (2 * WHOLE, lambda: flat.cumsum(0)),
        "x[::2, ::2] + 1": (WHOLE // 2, lambda: x[::2, ::2] + 1),
        "x.T.copy()": (2 * WHOLE, lambda: x.T.clone(memory_format=owner.contiguous_format) if is_torch else
                       x.T.ravel() if owner is gpuarray else x.T.copy()),
        "astype(float64)": (3 * WHOLE, lambda: x.to(wide) if is_torch else x.astype(wide)),
    }


def products(owner, make, is_torch):
    table = {}
    for size, dtype in ((4096, np.float32), (4096, np.float64), (4096, np.float16), (1024, np.float32)):
        a = make(np.random.default_rng(0).random((size, size)).astype(dtype))
        table[f"a @ b {size} {np.dtype(dtype).name}"] = 2 * size**3, lambda a=a: a @ a
    return table


def factorisations(owner, make, is_torch):
    """Milliseconds of one matrix of float64."""
    algebra, table = (np if owner is gpuarray else owner).linalg, {}
    for size in (128, 512, 2048):
        a = np.random.default_rng(0).random((size, size))
        a = make(a @ a.T + size * np.eye(size))
        calls = {"solve": (algebra.solve, a, a[0])}
        calls |= {name: (getattr(algebra, name), a) for name in ("inv", "det", "cholesky", "qr", "eigvalsh", "eigh", "svd")}
        table |= {f"{name} {size}": (None, partial(*call)) for name, call in calls.items()}
    return table


def stacks(owner, make, is_torch):
    """Milliseconds of stacks of small matrices of float64."""
    algebra, table = (np if owner is gpuarray else owner).linalg, {}
    for count, size in ((10_000, 16), (512, 64)):
        a = np.random.default_rng(0).uniform(-1, 1, (count, size, size))
        definite, right, a = make(a @ a.swapaxes(1, 2) + size * np.eye(size)), make(a[..., :1]), make(a)
        calls = {"solve": (algebra.solve, a, right), "svd": (partial(algebra.svd, full_matrices=False), a)}
        calls |= {name: (getattr(algebra, name), a) for name in ("inv", "det", "qr")}
        calls |= {name: (getattr(algebra, name), definite) for name in ("cholesky", "eigvalsh", "eigh")}
        table |= {f"{name} {count} x {size}": (None, partial(*call)) for name, call in calls.items()}
    return table


def long_ones(owner, make, is_torch):
    """Milliseconds over 2^26 elements."""
    rng = np.random.default_rng(0)
    x, k = make(rng.random(LONG, np.float32)), make(rng.integers(0, 1 << 20, LONG, np.int32))
    few = make(np.sort(rng.random(1 << 20, np.float32)))
    at = make(rng.permutation(LONG).astype(np.int64 if is_torch else np.int32))
    calls = {
        "sort float32": ("sort", x), "sort int32": ("sort", k), "argsort float32": ("argsort", x), "unique": ("unique", k),
        "bincount": ("bincount", k), "searchsorted": ("searchsorted", few, x), "nonzero": ("nonzero", k),
        "take": ("take", x, at), "histogram, 256": ("histc" if is_torch else "histogram", x, 256),
        "percentile": ("percentile", x, 30)}
    owner = np if owner is gpuarray else owner  # whose functions take our arrays
    return {name: (None, partial(getattr(owner, what), *rest))
            for name, (what, *rest) in calls.items() if hasattr(owner, what)}


def sorts(owner, make, is_torch):
    """Milliseconds over 2^28 elements."""
    rng, table = np.random.default_rng(0), {}
    for dtype in (np.int32, np.float32, np.int64, np.float64):
        x = rng.integers(0, 1 << 30, WHOLE // 4, dtype) if dtype in (np.int32, np.int64) else rng.random(WHOLE // 4, dtype)
        x = make(x)
        for name in ("sort", "argsort"):
            table[f"{name} {np.dtype(dtype).name}"] = None, partial(getattr(np if owner is gpuarray else owner, name), x)
    return table


def short_ones(owner, make, is_torch):
    """Microseconds of calls where the GPU has next to nothing to do."""
    x, y = (make(np.random.default_rng(0).random(SHORT, np.float32)) for _ in range(2))

    def fused():
        if owner is not gpuarray:
            return 2 * x + 3 * y - 1
        with gpuarray.lazy():
            return 2 * x + 3 * y - 1

    table = {"x + y, 1024": (0, lambda: x + y), "2 x + 3 y - 1, 1024": (0, fused),
             "sum(x).get(), 1024": (0, lambda: x.sum().item() if owner is not gpuarray else gpuarray.sum(x).get())}
    if owner is gpuarray:
        kernel = SourceModule("__global__ void f(float *x) {}").get_function("f")
        host, prepared = np.zeros(SHORT, np.float32), kernel.prepare("P")
        table["kernel with InOut of 4 KB"] = 0, lambda: kernel(cuda.InOut(host), block=(32, 1, 1))
        table["kernel call"] = 0, lambda: kernel(x, block=(32, 1, 1))
        table["prepared call"] = 0, lambda: prepared.prepared_call((1, 1), (32, 1, 1), x.gpudata)
        table["mem_alloc and free"] = 0, lambda: cuda.mem_alloc(4096).free()
    elif not is_torch:
        raw = owner.RawKernel('extern "C" __global__ void f(float *x) {}', "f")
        table["kernel call"] = 0, lambda: raw((1,), (32,), (x,))
        table["mem_alloc and free"] = 0, lambda: owner.cuda.runtime.free(owner.cuda.runtime.malloc(4096))
    return table


def spent(calls, seconds, turns=9):
    """Seconds of each turn's call, contender by contender; each turn lasts about so long."""
    times, counts = [[] for _ in calls], []
    for call in calls:
        call()
        cuda.Context.synchronize()
        start = time.perf_counter()
        call()
        cuda.Context.synchronize()
        counts.append(max(1, min(500, int(seconds / (time.perf_counter() - start)))))
    for _ in range(turns):
        for place in random.sample(range(len(calls)), len(calls)):
            start = time.perf_counter()
            for _ in range(counts[place]):
                calls[place]()
            cuda.Context.synchronize()
            times[place].append((time.perf_counter() - start) / counts[place])
    return [statistics.median(each) for each in times]


def versions(others):
    """The day, the device and who takes part."""
    parts = [time.strftime("%Y-%m-%d"), cuda.Context.get_device().name(), f"CUDA {cuda.get_driver_version() // 1000}",
             f"NumPy {np.__version__}", *(f"{name} {module.__version__}" for name, module in others.items())]
    return ", ".join(parts)


def main(chosen):
    others = peers()
    print(versions(others), end="\n\n")
    owners = {"ours": (gpuarray, gpuarray.to_gpu, False)}
    if "cupy" in others:
        owners["CuPy"] = others["cupy"], others["cupy"].asarray, False
    if "torch" in others:
        owners["torch"] = others["torch"], lambda x: others["torch"].as_tensor(x).cuda(), True
    for group, unit in ((large, "GB/s"), (products, "TFLOP/s"), (factorisations, "ms"), (stacks, "ms"), (long_ones, "ms"), (sorts, "ms"), (short_ones, "us")):
        tables = {name: group(*owner) for name, owner in owners.items()}
        print(f"{unit:<28}" + "".join(f"{name:>10}" for name in tables) + f"{'ratio':>8}")
        for row in dict.fromkeys(name for table in tables.values() for name in table):
            if chosen and row not in chosen:
                continue
            there = [name for name in tables if row in tables[name]]
            seconds = dict(zip(there, spent([tables[name][row][1] for name in there], TURN), strict=True))
            scale = {"GB/s": 1e-9, "TFLOP/s": 1e-12}.get(unit)
            cells = {name: tables[name][row][0] / took * scale if scale else took * {"ms": 1e3, "us": 1e6}[unit]
                     for name, took in seconds.items()}
            rivals = [took for name, took in seconds.items() if name != "ours"]
            ratio = f"{min(rivals) / seconds['ours']:8.2f}" if rivals and "ours" in seconds else f"{'-':>8}"
            print(f"{row:<28}" + "".join(f"{cells[name]:>10.4g}" if name in cells else f"{'-':>10}" for name in tables) +
                  ratio, flush=True)
        tables = None  # the next group needs the memory
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
