"""ReductionKernel against NumPy."""

import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray, reduction
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel
from pycuda.tools import get_or_register_dtype

pytestmark = pytest.mark.usefixtures("context")

SIZES = [0, 1, 2, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 8193, 2**20 + 3]


def numbers(n, dtype, top=100):
    return np.random.default_rng(n).integers(0, top, n).astype(dtype)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64, np.float32,
                                   np.float64, np.complex64, np.complex128])
def test_sum(dtype):
    kernel = ReductionKernel(dtype, neutral="0", reduce_expr="a+b", map_expr="in[i]")
    for n in SIZES:
        x = numbers(n, dtype, 10)  # sums are exact
        result = kernel(gpuarray.to_gpu(x))
        assert result.shape == () and result.dtype == dtype
        assert result.get() == x.sum(dtype=dtype)


def test_dot_and_scalars():
    kernel = ReductionKernel(np.float64, neutral="0", reduce_expr="a+b",
                             map_expr="weight * x[i] * y[i] + i - i",
                             arguments="double weight, const float *x, const int *y")
    for n in SIZES:
        x, y = numbers(n, np.float32), numbers(n, np.int32)[::-1].copy()
        result = kernel(0.5, gpuarray.to_gpu(x), gpuarray.to_gpu(y)).get()
        assert result == 0.5 * np.dot(x.astype(np.float64), y)


def test_minimum_with_infinity():
    kernel = ReductionKernel(np.float32, neutral="1.0f / 0.0f", reduce_expr="fminf(a, b)",
                             arguments="float *in")
    x = np.random.default_rng(0).standard_normal(54321).astype(np.float32)
    assert kernel(gpuarray.to_gpu(x)).get() == x.min()
    assert kernel(gpuarray.empty(0, np.float32)).get() == np.inf


def test_struct():
    dtype = get_or_register_dtype(
        "extremes", np.dtype([("low", np.int32), ("high", np.int32)]))
    kernel = ReductionKernel(dtype, neutral="extremes()", reduce_expr="wider(a, b)",
                             map_expr="extremes(x[i])", arguments="int *x", preamble="""
        struct extremes {
            int low, high;
            __device__ extremes() : low(2147483647), high(-2147483647) {}
            __device__ extremes(int x) : low(x), high(x) {}
        };
        __device__ extremes wider(extremes a, extremes b)
        {
            a.low = min(a.low, b.low);
            a.high = max(a.high, b.high);
            return a;
        }""")
    for n in SIZES[1:]:
        x = numbers(n, np.int32, 10**6)
        assert kernel(gpuarray.to_gpu(x)).get().item() == (x.min(), x.max())


def test_the_reference_way_to_write_structs():
    """With members that are volatile, as PyCUDA's documentation asks for."""
    dtype = get_or_register_dtype("mmc_type", np.dtype([("cur_min", np.int32), ("pad", np.int32)]))
    kernel = ReductionKernel(dtype, neutral="mmc_neutral()", reduce_expr="agg(a, b)",
                             map_expr="mmc_from(x[i])", arguments="int *x", preamble="""
        struct mmc_type {
            int cur_min, pad;
            __device__ mmc_type() {}
            __device__ mmc_type(int a, int b) : cur_min(a), pad(b) {}
            __device__ mmc_type(mmc_type const &s) : cur_min(s.cur_min), pad(s.pad) {}
            __device__ mmc_type(mmc_type volatile const &s) : cur_min(s.cur_min), pad(s.pad) {}
            __device__ mmc_type volatile &operator=(mmc_type const &s) volatile
            { cur_min = s.cur_min; pad = s.pad; return *this; }
        };
        __device__ mmc_type mmc_neutral() { return mmc_type(10000, 0); }
        __device__ mmc_type mmc_from(int x) { return mmc_type(x, 0); }
        __device__ mmc_type agg(mmc_type a, mmc_type b) { return a.cur_min < b.cur_min ? a : b; }
        """)
    x = numbers(10_000, np.int32, 9999)
    assert kernel(gpuarray.to_gpu(x)).get()["cur_min"] == x.min()


def test_deterministic():
    x = gpuarray.to_gpu(np.random.default_rng(0).standard_normal(3_000_001).astype(np.float32))
    kernel = ReductionKernel(np.float32, neutral="0", reduce_expr="a+b", arguments="float *in")
    results = {kernel(x).get().tobytes() for _ in range(30)}
    assert len(results) == 1
    assert np.isclose(kernel(x).get(), x.get().astype(np.float64).sum(), atol=1)


def test_keywords():
    kernel = ReductionKernel(np.int32, neutral="0", reduce_expr="a+b", arguments="int *in")
    x, stream = gpuarray.arange(1000, dtype=np.int32), cuda.Stream()
    out = gpuarray.zeros((), np.int32)
    assert kernel(x, out=out, stream=stream) is out
    stream.synchronize()
    assert out.get() == 499500
    assert kernel(x, allocator=cuda.mem_alloc).get() == 499500
    into = gpuarray.zeros(3, np.int32)
    kernel(x, out=into)
    assert into.get().tolist() == [499500, 0, 0]


def test_attributes():
    kernel = ReductionKernel("f4", "0", "a+b", arguments="float *in")
    assert kernel.dtype_out == np.float32


def test_two_dimensions():
    kernel = ReductionKernel(np.float64, "0", "a+b", "x[i]*y[i]", "double *x, double *y")
    a, b = np.random.default_rng(0).random((2, 30, 40))
    assert np.isclose(kernel(gpuarray.to_gpu(a), gpuarray.to_gpu(b)).get(), (a * b).sum())
    f = np.asfortranarray(a)
    assert np.isclose(kernel(gpuarray.to_gpu(f), gpuarray.to_gpu(f)).get(), (a * a).sum())


def test_another_context():
    kernel = ReductionKernel(np.int32, "0", "a+b", arguments="int *in")
    for _ in range(3):
        other = cuda.Device(0).make_context()
        assert kernel(gpuarray.arange(100_000, dtype=np.int64).astype(np.int32)).get() == \
            np.arange(100_000).sum().astype(np.int32)
        other.pop()
        other.detach()
    assert kernel(gpuarray.arange(10, dtype=np.int32)).get() == 45


def test_threads_and_streams():
    kernel = ReductionKernel(np.int64, "0", "a+b", arguments="long *in")
    context, wrong = cuda.Context.get_current(), []

    def work(k):
        context.push()
        stream = cuda.Stream()
        x = gpuarray.to_gpu(np.full(100_000, k, np.int64))
        for _ in range(20):
            result = kernel(x, stream=stream)
            stream.synchronize()
            if result.get() != 100_000 * k:
                wrong.append(k)
        cuda.Context.pop()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def ints(n=10):
    return gpuarray.zeros(n, np.int32)


def test_views():
    kernel = ReductionKernel(np.int32, "0", "a + b", "x[i] * y[i]", "int *x, int *y")
    host = numbers(600, np.int32).reshape(20, 30)
    x = gpuarray.to_gpu(host)
    for cut in [np.s_[::2, ::-1], np.s_[3:9, 1:], np.s_[:, 4]]:
        assert kernel(x[cut], x[cut]).get() == (host[cut] ** 2).sum()
    assert kernel(x[:, :20].T, x[:, :20]).get() == (host[:, :20].T * host[:, :20]).sum()


@pytest.mark.parametrize("call, error, text", [
    (lambda k: k(ints(11), ints()), ValueError, "'x' has 11 elements, 'y' has 10"),
    (lambda k: k(ints()), TypeError, r"takes 2 arguments \(int \*x, int \*y\), got 1"),
    (lambda k: k(ints(), ints().astype(np.int64)), TypeError, "expected a GPUArray of int32, got"),
    (lambda k: k(ints(), 5), TypeError, "argument 'y' of kernel 'reduce_kernel'"),
    (lambda k: k(ints(), ints(), out=gpuarray.zeros((), np.float32)), ValueError,
     "out must have the same dtype as dtype_out"),
    (lambda k: k(ints(), ints(), out=ints(0)), ValueError, "out array is empty"),
    (lambda k: k(ints(), ints(), out=np.zeros(1, "i4")), TypeError, "out: expected a GPUArray"),
    (lambda k: ReductionKernel("i4", "0", "a+b", "n", "int n"), AssertionError,
     "at least one vector argument"),
    (lambda k: ReductionKernel("i4", "0", "a+c", "x[i]", "int *x")(ints()), cuda.CompileError,
     r"reduce_expr[:(]1"),
    (lambda k: ReductionKernel("i4", "0", "a+b", "y[i]", "int *x")(ints()), cuda.CompileError,
     r"map_expr[:(]1"),
    (lambda k: ReductionKernel("i4", "nil", "a+b", "x[i]", "int *x")(ints()), cuda.CompileError,
     r"neutral[:(]1"),
])
def test_errors(call, error, text):
    kernel = ReductionKernel("i4", "0", "a+b", "x[i] * y[i]", "int *x, int *y")
    with pytest.raises(error, match=text):
        call(kernel)


def test_no_memory(inject):
    kernel, x = ReductionKernel("i4", "0", "a+b", arguments="int *in"), ints(100_000)
    out = gpuarray.zeros((), np.int32)
    inject("cuMemAlloc", 2)
    with pytest.raises(cuda.MemoryError):
        kernel(x, out=out)
    assert kernel(x).get() == 0


def test_scratch_memory_of_streams(on_host):
    """It is a stream's own, goes with what streams come after it, and stays a graph's."""
    kernel, x = ReductionKernel("i4", "0", "a+b", arguments="int *in"), gpuarray.arange(100_000, dtype=np.int32)
    wanted = np.arange(100_000, dtype=np.int32).sum(dtype=np.int32)
    kernel(x)
    free = []
    for _ in range(120):
        stream = cuda.Stream()
        result = kernel(x, stream=stream)
        stream.synchronize()
        assert result.get() == wanted
        del stream
        free.append(cuda.mem_get_info()[0])
    assert free[40] == free[-1] or not on_host  # not more and more of it; others may use a GPU, too
    stream, out = cuda.Stream(), gpuarray.zeros((), np.int32)
    graph = stream.begin_capture()
    kernel(x, out=out, stream=stream)
    assert stream.end_capture() is graph
    run = graph.instantiate()
    wide = ReductionKernel(np.complex128, "0", "a+b", arguments="pycuda::complex<double> *in")
    assert wide(gpuarray.ones(3_000_000, np.complex128), stream=stream).get() == 3_000_000  # grows
    for _ in range(3):
        out.fill(0)
        run.launch(stream)
        stream.synchronize()
        assert out.get() == wanted


def test_scans_and_reductions_of_threads_in_one_stream():
    """Its scratch memory grows while other threads are about to use it."""
    context, wrong = cuda.Context.get_current(), []
    scan = InclusiveScanKernel(np.int64, "a + b")

    def work(k):
        context.push()
        for n in (20_000 * k + 7, 400_000 + k, 50_000):
            x = gpuarray.to_gpu(np.full(n, k, np.int64))
            if gpuarray.sum(x).get() != k * n or scan(x)[-1].get() != k * n:
                wrong.append((k, n))
        cuda.Context.pop()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_scans_of_threads_that_start_at_once():
    """A scan is several launches, and those of another thread may come between them."""
    context, wrong, n, count = cuda.Context.get_current(), [], 300_000, 4
    scan, start = InclusiveScanKernel(np.int64, "a + b"), threading.Barrier(count)

    def work(k):
        context.push()
        x, sums = gpuarray.to_gpu(np.full(n, k, np.int64)), gpuarray.empty(n, np.int64)
        for _ in range(30):
            start.wait()
            scan(x, sums)
            start.wait()
            if sums[-1].get() != k * n:
                wrong.append(k)
        cuda.Context.pop()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, count + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# -- What programs take of PyCUDA's two stages ----------------------------------------------------


@pytest.mark.parametrize("size", [1, 700, 300_000])
def test_stages_launched_by_oneself(size):
    """As a subclass does that wants fewer launches: out, arguments, elements a thread, elements."""
    kernel = ReductionKernel(np.float64, "0", "a+b", "s * x[i]", "float s, float *x")
    host = np.arange(size, dtype=np.float32) % 100
    x, turns = gpuarray.to_gpu(host), 4
    threads, blocks = kernel.block_size, -(-size // (turns * kernel.block_size))
    partial, out = gpuarray.empty(blocks, np.float64), gpuarray.empty((), np.float64)
    kernel.stage1_func((blocks, 1), (threads, 1, 1), None, partial.gpudata, np.float32(2), x.gpudata, turns, size)
    assert np.array_equal(partial.get(), [2 * host[i:i + turns * threads].sum(dtype=float)
                                          for i in range(0, size, turns * threads)])
    kernel.stage2_func((1, 1), (threads, 1, 1), None, out.gpudata, partial.gpudata, np.float32(2), x.gpudata,
                       -(-blocks // threads), blocks, shared_size=threads * 8)
    assert out.get() == 2 * host.sum(dtype=float)
    assert [each.name for each in kernel.stage1_arg_types] == ["s", "x"]


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.float32, np.complex128])
def test_kernels_of_pycuda(dtype):
    """Those that programs take from pycuda.reduction."""
    rng = np.random.default_rng(5)
    a, b = ((rng.integers(1, 9, 5000) - (3 if np.dtype(dtype).kind != "u" else 0)).astype(dtype) for _ in range(2))
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    wide = np.result_type(dtype, np.int64) if np.dtype(dtype).kind in "iu" else dtype
    assert reduction.get_sum_kernel(wide, dtype)(x).get() == a.sum(dtype=wide)
    assert reduction.get_dot_kernel(wide, dtype, dtype)(x, y).get() == (a.astype(wide) * b).sum()
    if np.dtype(dtype).kind != "c":
        assert reduction.get_minmax_kernel("min", dtype)(x).get() == a.min()
        assert reduction.get_minmax_kernel("max", dtype)(-x if np.dtype(dtype).kind in "if" else x).get() == \
            (-a if np.dtype(dtype).kind in "if" else a).max()
