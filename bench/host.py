"""The host device beside native C and NumPy, in one run on the same memory.

    make bench            or:  PYCUDA_DRIVER=host python bench/host.py [row ... | arrays]

Native is the same work in plain C (bench/host_native.c), built by gcc -O3 -march=native -ffast-math -fopenmp with
as many threads. The machine may be busy, so contenders take turns, in an order drawn anew each round (who comes after
another that read the same memory finds some of it in the cache), and each row gives medians; what counts is the ratio,
native time over ours (above 1 is faster than native).
"""

import ctypes
import itertools
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial

import numpy as np

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # OpenMP's threads would spin on in our turn

import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

HERE = pathlib.Path(__file__).parent
N, MATRIX, BODIES, PICTURE = 1 << 24, 1024, 8192, 1024
rng = np.random.default_rng(1)
i4, f4 = np.int32, np.float32
SERIAL = itertools.count()


def native_library(source="host_native.c"):
    folder = tempfile.mkdtemp()
    path = f"{folder}/native.so"
    subprocess.check_call(["gcc", "-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC",
                           "-o", path, str(HERE / source), "-lm"])
    library = ctypes.CDLL(path)
    os.remove(path)
    os.rmdir(folder)
    return library


def native_argument(value):
    """Device memory of the host device is memory: native code works on the same bytes."""
    if isinstance(value, (f4, np.float64)):
        return (ctypes.c_float if isinstance(value, f4) else ctypes.c_double)(value)
    return ctypes.c_int(value) if isinstance(value, (i4, int)) else ctypes.c_void_p(int(value))


def take_turns(*contenders, rounds=15):
    """Median milliseconds of each; None stays None."""
    times = [[] for _ in contenders]
    for _ in range(rounds):
        for run, spent in random.sample(list(zip(contenders, times, strict=True)), len(times)):
            if run:
                start = time.perf_counter()
                run()
                spent.append(time.perf_counter() - start)
    return [1e3 * statistics.median(spent) if spent else None for spent in times]


def launcher(function, arguments, block, grid):
    def run():
        function(*arguments, block=block, grid=grid)
        cuda.Context.synchronize()
    return run


def throughput_rows(module, native):
    """Name, kernel, its arguments, block, grid, native function and arguments, NumPy, unit, work, target."""
    x, y = (rng.standard_normal(N).astype(f4) for _ in range(2))
    dx, dy = cuda.to_device(x), cuda.to_device(y)
    dz, small = cuda.mem_alloc(x.nbytes), cuda.mem_alloc(1 << 16)
    a, b = (rng.random((MATRIX, MATRIX), dtype=f4) for _ in range(2))
    da, db, dc = cuda.to_device(a), cuda.to_device(b), cuda.mem_alloc(a.nbytes)
    body = rng.random((BODIES, 4), dtype=f4)
    dbody, dforce = cuda.to_device(body), cuda.mem_alloc(12 * BODIES)
    letters = rng.integers(0, 256, N, dtype=np.uint8)
    dletters = cuda.to_device(letters)
    n, two, three, one = i4(N), f4(2), f4(3), f4(1)
    line, wide = (256, 1, 1), ((N + 255) // 256, 1)
    square, tiles = (16, 16, 1), (MATRIX // 16, MATRIX // 16)
    shared = (dz, dx, dy, two, three, n)
    gb, flop = "GB/s", "GFLOP/s"
    return [
        ("2a+3b", "combine", shared, line, wide, "combine", shared, lambda: 2 * x + 3 * y, gb, 12 * N, 0.95),
        ("2a+3b, grid-stride", "combine_stride", shared, line, (256, 1), "combine", shared, None, gb, 12 * N, 0.9),
        ("double_array", "double_array", (dx, n, one), line, wide, "double_array", (dx, n, one),
         lambda: np.multiply(x, 1, out=x), gb, 8 * N, 0.8),
        ("double_array, grid-stride", "double_stride", (dx, n, one), line, (256, 1), "double_array", (dx, n, one),
         None, gb, 8 * N, 0.5),
        ("sum, grid-stride and tree", "sum", (small, dx, n), line, (256, 1), "sum", (small, dx, n),
         lambda: x.sum(), gb, 4 * N, 0.85),
        ("16x16 tiled matrix product", "multiply", (dc, da, db, i4(MATRIX)), square, tiles, "multiply",
         (dc, da, db, i4(MATRIX)), None, flop, 2 * MATRIX**3, 1),
        ("n-body 8192", "forces", (dforce, dbody, i4(BODIES)), line, (BODIES // 256, 1), "forces",
         (dforce, dbody, i4(BODIES)), None, "Gint/s", BODIES**2, 0.8),
        ("block scan of 256", "block_scan", (dz, dx), line, wide, "block_scan", (dz, dx, n), None, "ms", None, 0.9),
        ("sin(x)*exp(-x*x)", "wave", (dz, dx, n), line, wide, "wave", (dz, dx, n),
         lambda: np.sin(x) * np.exp(-x * x), "ms", None, None),
        ("histogram, shared atomics", "histogram", (small, dletters, n), line, (64, 1), "histogram",
         (small, dletters, n), lambda: np.bincount(letters), "ms", None, 0.8),
        ("Mandelbrot 1024, 256 rounds", "mandelbrot", (dz, i4(PICTURE), i4(256)), square,
         (PICTURE // 16, PICTURE // 16), "mandelbrot", (dz, i4(PICTURE), i4(256)), None, "ms", None, None),
    ]


def show(name, unit, values, ratio, target):
    cells = "".join(f"{'-' if value is None else format(value, '.3g'):>10}" for value in values)
    verdict = "" if target is None else f"   {target:>6}  {'ok' if ratio >= target else 'BELOW'}"
    print(f"{name:<34}{cells}  {unit:<8}{'' if ratio is None else format(ratio, '.2f'):>6}{verdict}")


def throughput(wanted):
    module = SourceModule((HERE / "host_kernels.cu").read_text(), no_extern_c=True)
    native = native_library()
    print(f"{'':<34}{'ours':>10}{'native':>10}{'NumPy':>10}  {'unit':<8}{'ratio':>6}   target")
    for name, kernel, arguments, block, grid, c_name, c_arguments, numpy, unit, work, target in \
            throughput_rows(module, native):
        if wanted and not any(word in name for word in wanted):
            continue
        ours = launcher(module.get_function(kernel), arguments, block, grid)
        theirs = partial(getattr(native, c_name), *map(native_argument, c_arguments))
        times = take_turns(ours, theirs, numpy)
        values = [time and (work / time / 1e6 if work else time) for time in times]
        show(name, unit, values, times[1] / times[0], target)


def per_call(run, number=2000):
    """Median over runs of the microseconds that one call takes."""
    spent = []
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(number):
            run()
        spent.append((time.perf_counter() - start) / number)
    return 1e6 * statistics.median(spent)


def new_module(folder):
    SourceModule(f"""
        __global__ void scale(float *x, int n, float factor)
        {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) {{
                float old = x[i];
                float new_value = old * factor + {next(SERIAL)}.5f;
                x[i] = new_value;
            }}
        }}""", cache_dir=folder)


def import_cost(name):
    code = f"import numpy, time; s = time.perf_counter(); import {name}; print(time.perf_counter() - s)"
    return 1e3 * statistics.median(
        float(subprocess.check_output([sys.executable, "-c", code], cwd=HERE)) for _ in range(5))


def latencies(folder):
    from pycuda import gpuarray
    ga = gpuarray.to_gpu(np.ones(1024, f4))
    gb, ha = ga + ga, np.ones(1024, f4)
    times = [take_turns(partial(new_module, folder), rounds=1)[0] for _ in range(9)]
    print(f"\n{'':<40}{'ours':>10}   target")
    for name, value, unit, target in [
        ("GPUArray x + y, 1024 floats", per_call(lambda: ga + gb), "us", 1.5),
        ("NumPy x + y, 1024 floats", per_call(lambda: ha + ha), "us", None),
        ("new SourceModule", statistics.median(times), "ms", 100),
        ("SourceModule from the cache", per_call(lambda: SourceModule("__global__ void f() {}", cache_dir=folder), 50) / 1e3, "ms", 2),
        ("import pycuda.driver after numpy", import_cost("pycuda.driver"), "ms", 10),
        ("import pycuda.gpuarray after numpy", import_cost("pycuda.gpuarray"), "ms", 30),
    ]:
        verdict = "" if target is None else f"{target:>9}  {'ok' if value <= target else 'ABOVE'}"
        print(f"{name:<40}{value:>10.3g} {unit}{verdict}")


def arrays():
    """GPUArrays of 2^24 floats; the ratio is to native code where there is a row of it, else to NumPy."""
    from pycuda import gpuarray
    from pycuda.elementwise import ElementwiseKernel
    from pycuda.scan import InclusiveScanKernel

    x, y = (gpuarray.to_gpu(rng.standard_normal(N).astype(f4)) for _ in range(2))
    a, b = (gpuarray.to_gpu(rng.random((MATRIX, MATRIX), dtype=f4)) for _ in range(2))
    k, rows = x.view(np.int32), x[:1_000_000].reshape(1000, 1000)
    hx, hy, ha, hb, hk, host_rows = (array.get() for array in (x, y, a, b, k, rows))
    out, small, product = gpuarray.empty_like(x), gpuarray.empty(1, f4), gpuarray.empty_like(a)
    both = ElementwiseKernel("float a, float *x, float b, float *y, float *z", "z[i] = a * x[i] + b * y[i]")
    scan = InclusiveScanKernel(f4, "a + b")
    native = native_library()

    def plain(name, *arguments):
        return partial(getattr(native, name), *(native_argument(getattr(value, "gpudata", value))
                                                for value in arguments))

    n, flop = i4(N), 2 * MATRIX**3
    print(f"\n{'GPUArrays':<34}{'ours':>10}{'native':>10}{'NumPy':>10}  {'unit':<8}{'ratio':>6}   target")
    for name, run, c, numpy, unit, work, target in [
        ("x + y", lambda: x + y, None, lambda: hx + hy, "GB/s", 12 * N, 1),
        ("a * x + b * y, one kernel", lambda: both(2, x, 3, y, out), None, lambda: 2 * hx + 3 * hy,
         "GB/s", 12 * N, 1.8),
        ("sum", lambda: gpuarray.sum(x), plain("sum", small, x, n), hx.sum, "GB/s", 4 * N, 0.9),
        ("dot", lambda: gpuarray.dot(x, y), plain("dot", small, x, y, n), lambda: hx @ hy, "GB/s", 8 * N, 0.9),
        ("max", lambda: gpuarray.max(x), plain("largest", small, x, n), hx.max, "GB/s", 4 * N, 0.9),
        ("running sum", lambda: scan(x, out), None, lambda: np.cumsum(hx), "GB/s", 8 * N, 1),
        ("a @ b, 1024", lambda: a @ b, plain("multiply", product, a, b, i4(MATRIX)), lambda: ha @ hb, "GFLOP/s",
         flop, 1),
        ("sort, int32", lambda: np.sort(k), None, lambda: np.sort(hk), "M/s", 1000 * N, 1),
        ("sort, float32", lambda: np.sort(x), None, lambda: np.sort(hx), "M/s", 1000 * N, 1),
        ("sort of rows of 1,000, float32", lambda: np.sort(rows), None, lambda: np.sort(host_rows), "M/s", 10**9, 1),
        ("argsort of 2^20, float32", lambda: np.argsort(x[:1 << 20]), None, lambda: np.argsort(hx[:1 << 20]), "M/s",
         1000 << 20, 2),
    ]:
        def synchronized(run=run):
            run()
            cuda.Context.synchronize()

        times = take_turns(synchronized, c, numpy)
        ratio = (times[1] or times[2]) / times[0]
        show(name, unit, [time and work / time / 1e6 for time in times], ratio, target)


def main(words):
    if words != ["arrays"]:
        throughput(words)
    if not words:
        with tempfile.TemporaryDirectory() as folder:
            latencies(folder)
    if words in ([], ["arrays"]):
        arrays()


if __name__ == "__main__":
    main(sys.argv[1:])
