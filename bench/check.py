"""What checks cost: kernels compiled with them beside the same kernels without, in one run.

    PYCUDA_DRIVER=host python bench/check.py [memory | race | init | coverage] ... [-k NAME]

The kernels are those of bench/host.py and twelve more (check_kernels.cu). The two take turns, and a row gives medians
of milliseconds and their ratio; a section ends with the geometric mean, which is what counts.
"""

import pathlib
import random
import statistics
import sys
import time

import numpy as np

import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda import debug
from pycuda.compiler import SourceModule

HERE = pathlib.Path(__file__).parent
TARGETS = {"memory": 3, "race": 8, "init": 4, "coverage": 2}
N, WIDTH, BODIES = 1 << 20, 512, 2048
rng = np.random.default_rng(1)
i4, f4, u8 = np.int32, np.float32, np.uint64


def rows():
    """Name, arguments, block, grid, dynamic shared memory."""
    x, y = (rng.standard_normal(N).astype(f4) for _ in range(2))
    dx, dy, dz, small = (*map(cuda.to_device, (x, y, y)), cuda.mem_alloc(1 << 16))
    square = cuda.to_device(rng.random((WIDTH, WIDTH), dtype=f4))
    body, force = cuda.to_device(rng.random((BODIES, 4), dtype=f4)), cuda.mem_alloc(12 * BODIES)
    letters = cuda.to_device(rng.integers(0, 256, N, dtype=np.uint8))
    order, ints = cuda.to_device(rng.permutation(N).astype(i4)), cuda.to_device(rng.integers(0, 1 << 31, N, i4))
    start, column = cuda.to_device(np.arange(0, N + 16, 16, i4)), cuda.to_device(rng.integers(0, N // 16, N, dtype=i4))
    table = cuda.to_device(np.array([int(dz) + 4 * 4096 * k for k in range(N // 4096)], u8))
    struct = np.zeros(1, np.dtype([("x", u8), ("y", u8), ("n", i4)], align=True))
    struct["x"], struct["y"], struct["n"] = int(dx), int(dy), N
    line, all_, n, tiles = (256, 1, 1), (N // 256, 1), i4(N), (WIDTH // 16, WIDTH // 16)
    kept = (dx, dy, dz, small, square, body, force, letters, order, ints, start, column, table)
    return kept, [
        ("combine", (dz, dx, dy, f4(2), f4(3), n), line, all_, 0),
        ("combine_stride", (dz, dx, dy, f4(2), f4(3), n), line, (64, 1), 0),
        ("double_array", (dx, n, f4(1)), line, all_, 0),
        ("double_stride", (dx, n, f4(1)), line, (64, 1), 0),
        ("sum", (small, dx, n), line, (64, 1), 0),
        ("multiply", (dz, square, square, i4(WIDTH)), (16, 16, 1), tiles, 0),
        ("forces", (force, body, i4(BODIES)), line, (BODIES // 256, 1), 0),
        ("block_scan", (dz, dx), line, all_, 0),
        ("wave", (dz, dx, n), line, all_, 0),
        ("histogram", (small, letters, n), line, (64, 1), 0),
        ("mandelbrot", (dz, i4(WIDTH), i4(64)), (16, 16, 1), tiles, 0),
        ("gather", (dz, dx, order, n), line, all_, 0),
        ("scatter", (dz, dx, order, n), line, all_, 0),
        ("stencil", (dz, dx, i4(1024), i4(N // 1024)), (32, 8, 1), (32, N // 8192), 0),
        ("transpose", (dz, square, i4(WIDTH)), (16, 16, 1), tiles, 0),
        ("sparse", (dz, start, column, dx, dy, i4(N // 16)), line, (N // 4096, 1), 0),
        ("drift", (dz, f4(1e-3), i4(N // 8)), line, (N // 2048, 1), 0),
        ("by_struct", (struct,), line, all_, 0),
        ("rows_of", (table, i4(4096)), line, (16, N // 4096), 0),
        ("polynomial", (dz, dx, n), line, all_, 0),
        ("sorted_four", (order, ints, n), line, all_, 0),
        ("warp_sum", (small, dx, n), line, (64, 1), 0),
        ("wide", (dz, dx, i4(N // 4)), line, (N // 1024, 1), 16 * 256),
    ]


def modules(**how):
    return [SourceModule((HERE / name).read_text(), no_extern_c=True, **how)
            for name in ("host_kernels.cu", "check_kernels.cu")]


def function(loaded, name):
    for module in loaded:
        try:
            return module.get_function(name)
        except cuda.LogicError:
            pass
    raise KeyError(name)


def median_times(contenders, rounds=15):
    times = [[] for _ in contenders]
    for _ in range(rounds):
        for run, spent in random.sample(list(zip(contenders, times, strict=True)), len(times)):
            start = time.perf_counter()
            run()
            spent.append(time.perf_counter() - start)
    return [1e3 * statistics.median(spent) for spent in times]


def section(kind, names):
    _kept, cases = rows()
    plain, checked, ratios = modules(), modules(check=kind), []
    print(f"{kind:<20}{'plain ms':>10}{'checked':>10}{'ratio':>8}")
    for name, arguments, block, grid, shared in cases:
        if names and name not in names:
            continue

        def launch(loaded, name=name, arguments=arguments, block=block, grid=grid, shared=shared):
            kernel = function(loaded, name)

            def run():
                kernel(*arguments, block=block, grid=grid, shared=shared)
                cuda.Context.synchronize()
            return run

        before, after = median_times([launch(plain), launch(checked)])
        ratios.append(after / before)
        print(f"{name:<20}{before:>10.3f}{after:>10.3f}{ratios[-1]:>8.2f}", flush=True)
    mean = statistics.geometric_mean(ratios)
    verdict = "ok" if mean <= TARGETS[kind] else "ABOVE"
    print(f"{'geometric mean':<40}{mean:>8.2f}   at most {TARGETS[kind]}: {verdict}\n")
    assert not debug.reports(), debug.reports()


if __name__ == "__main__":
    words = sys.argv[1:]
    chosen = words[words.index("-k") + 1:] if "-k" in words else []
    for kind in [word for word in words if word in TARGETS] or ["memory"]:
        section(kind, chosen)
