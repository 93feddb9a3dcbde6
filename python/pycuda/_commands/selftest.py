"""Runs small programs on every driver that is here and checks their results against NumPy.

Run as a module it does so on the one driver that PYCUDA_DRIVER names.
"""

import sys
import time
import traceback

import numpy as np

from pycuda._commands import drivers, info

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def draw(*shape):
    return np.random.default_rng(7).normal(size=shape).astype(np.float32)


@check
def arithmetic_of_arrays():
    from pycuda import cumath, gpuarray
    x, y = draw(300, 257), draw(257)
    a, b = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
    np.testing.assert_array_equal((2 * a + b - a * b).get(), 2 * x + y - x * y)
    np.testing.assert_array_equal(a[::-1, 3::2].get(), x[::-1, 3::2])
    np.testing.assert_allclose(cumath.exp(a).get(), np.exp(x), rtol=1e-6)


@check
def reductions_and_scans():
    from pycuda import gpuarray
    from pycuda.scan import InclusiveScanKernel
    x = np.arange(100_003, dtype=np.int64)
    a = gpuarray.to_gpu(x)
    assert gpuarray.sum(a).get() == x.sum() and gpuarray.max(a).get() == x.max()
    np.testing.assert_array_equal(InclusiveScanKernel(np.int64, "a + b")(a).get(), np.cumsum(x))
    y = draw(64, 1000)
    np.testing.assert_allclose(gpuarray.to_gpu(y).sum(axis=0).get(), y.sum(axis=0), atol=1e-4)


@check
def generated_kernels():
    from pycuda import gpuarray
    from pycuda.elementwise import ElementwiseKernel
    from pycuda.reduction import ReductionKernel
    x, y = draw(10_000), draw(10_000)
    a, b = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
    dot = ReductionKernel(np.float64, "0", "a + b", "(double)x[i] * y[i]", "float *x, float *y")
    np.testing.assert_allclose(dot(a, b).get(), x.astype(float) @ y, rtol=1e-9)
    ElementwiseKernel("float *x, float *y, float s", "x[i] = fmaxf(x[i], s) - y[i]")(a, b, 0.25)
    np.testing.assert_array_equal(a.get(), np.maximum(x, np.float32(0.25)) - y)


@check
def random_numbers():
    from pycuda.curandom import XORWOWRandomNumberGenerator
    x = XORWOWRandomNumberGenerator().gen_normal(200_000, np.float32).get()
    assert abs(x.mean()) < 0.02 and abs(x.std() - 1) < 0.02, (x.mean(), x.std())


TRANSPOSE = """
__constant__ float factor;

__global__ void transpose(float *out, const float *in, int n, unsigned *count)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    out[y * n + x] = factor * tile[threadIdx.x][threadIdx.y];
    atomicAdd(count, 1);
}

__global__ void sums_of_warps(int *out)
{
    int v = threadIdx.x;
    for (int step = 16; step; step /= 2)
        v += __shfl_down_sync(0xffffffff, v, step);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = v;
}
"""


@check
def kernels_with_shared_memory_constants_atomics_and_warps():
    import pycuda.driver as cuda
    from pycuda import gpuarray
    from pycuda.compiler import SourceModule
    module = SourceModule(TRANSPOSE)
    address, size = module.get_global("factor")
    assert size == 4
    cuda.memcpy_htod(address, np.float32(2))
    x = draw(256, 256)
    a, out, count = gpuarray.to_gpu(x), gpuarray.zeros((256, 256), np.float32), gpuarray.zeros(1, np.uint32)
    module.get_function("transpose")(out, a, np.int32(256), count, block=(16, 16, 1), grid=(16, 16))
    np.testing.assert_array_equal(out.get(), 2 * x.T)
    assert count[0].get() == 256 * 256
    sums = gpuarray.zeros(4, np.int32)
    module.get_function("sums_of_warps")(sums, block=(128, 1, 1))
    np.testing.assert_array_equal(sums.get(), np.arange(128).reshape(4, 32).sum(axis=1))


@check
def streams_events_and_copies():
    import pycuda.driver as cuda
    x = cuda.pagelocked_empty(1 << 20, np.uint8)
    x[:] = np.arange(1 << 20) % 251
    y, stream, start, end = np.empty_like(x), cuda.Stream(), cuda.Event(), cuda.Event()
    memory = cuda.mem_alloc(x.nbytes)
    start.record(stream)
    cuda.memcpy_htod_async(memory, x, stream)
    end.record(stream)
    stream.synchronize()
    cuda.memcpy_dtoh(y, memory)
    np.testing.assert_array_equal(x, y)
    assert end.time_since(start) >= 0


@check
def errors_are_exceptions():
    import pycuda.driver as cuda
    from pycuda.compiler import SourceModule
    try:
        SourceModule("__global__ void f(int *x) { *x = undeclared; }")
    except cuda.CompileError as problem:
        assert "undeclared" in str(problem)
    else:
        raise AssertionError("a wrong kernel was compiled")


def _run_here():
    import pycuda.autoinit
    print(f"{pycuda.autoinit.device.name()}", flush=True)
    failed = 0
    for function in CHECKS:
        start = time.perf_counter()
        try:
            function()
        except Exception:  # noqa: BLE001 - whatever it is, the other checks run
            failed += 1
            traceback.print_exc(file=sys.stdout)
            state = "FAILED"
        else:
            state = "ok"
        seconds = time.perf_counter() - start
        print(f"  {function.__name__.replace('_', ' '):60} {state:6} {seconds:6.2f} s", flush=True)
    return failed


def add_arguments(parser):
    parser.add_argument("--driver", choices=drivers.NAMES, help="this one alone, and it must be here")


def run(options):
    wanted = [options.driver] if options.driver else list(drivers.NAMES)
    failed = tried = 0
    for driver in wanted:
        problem = info.ask(driver).get("problem")
        if problem:
            print(f"{drivers.NAMES[driver]}: not usable: {problem}")
            failed += bool(options.driver)
            continue
        tried += 1
        failed += drivers.run_on(driver, __name__).returncode != 0
    print("all is well" if tried and not failed else "something is wrong" if tried else "no driver is usable")
    return 0 if tried and not failed else 1


if __name__ == "__main__":
    sys.exit(bool(_run_here()))
