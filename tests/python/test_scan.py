"""InclusiveScanKernel and ExclusiveScanKernel against NumPy."""

import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel
from pycuda.tools import dtype_to_ctype, get_or_register_dtype

pytestmark = pytest.mark.usefixtures("context")

SIZES = [0, 1, 2, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 65536,
         32 * 4096 + 1, 2**20 + 3]


def exclusive(x, neutral):
    return np.concatenate([np.array([neutral], x.dtype), x[:-1]])[:len(x)]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64,
                                   np.float64, np.complex64, np.complex128])
def test_sums(dtype):
    inclusive_kernel = InclusiveScanKernel(dtype, "a+b")
    exclusive_kernel = ExclusiveScanKernel(dtype, "a+b", neutral=0)
    for n in SIZES:
        x = np.random.default_rng(n).integers(0, 9, n).astype(dtype)
        wanted = np.cumsum(x, dtype=dtype)
        assert np.array_equal(inclusive_kernel(gpuarray.to_gpu(x)).get(), wanted)
        assert np.array_equal(exclusive_kernel(gpuarray.to_gpu(x)).get(), exclusive(wanted, 0))
        aligned_less = gpuarray.to_gpu(np.r_[x[:1], x])[1:]
        assert np.array_equal(exclusive_kernel(aligned_less).get(), exclusive(wanted, 0)[:n])


def test_scratch_memory_grows():
    kernel = InclusiveScanKernel(np.complex128, "a+b")
    for n in (5000, 2**21):
        assert kernel(gpuarray.ones(n, np.complex128))[-1].get() == n


def test_maxima():
    x = np.random.default_rng(1).standard_normal(300_000).astype(np.float32)
    wanted = np.maximum.accumulate(x)
    kernel = InclusiveScanKernel(np.float32, "a > b ? a : b")
    assert np.array_equal(kernel(gpuarray.to_gpu(x)).get(), wanted)
    kernel = ExclusiveScanKernel(np.float32, "a > b ? a : b", neutral="-1e30f")
    assert np.array_equal(kernel(gpuarray.to_gpu(x)).get(), exclusive(wanted, -1e30))


def test_many_tiles():
    """Groups of groups of them, on a GPU; the same bits each time."""
    n = 1025 * 4096 + 7
    x = np.random.default_rng(3).standard_normal(n).astype(np.float32)
    kernel, a = InclusiveScanKernel(np.float32, "a + b"), gpuarray.to_gpu(x)
    sums = kernel(a, output_ary="new").get()
    assert np.allclose(sums, np.cumsum(x, dtype=np.float64), rtol=1e-4, atol=0.02)
    assert all(np.array_equal(kernel(a, output_ary="new").get(), sums) for _ in range(3))
    ones = ExclusiveScanKernel(np.int32, "a + b", neutral=5)(gpuarray.ones(n, np.int32))
    assert np.array_equal(ones.get(), np.r_[5, 6:n + 5])


@pytest.mark.parametrize("kind, width", [
    (np.uint8, 3), (np.uint16, 3), (np.int32, 3), (np.int32, 10), (np.int32, 16), (np.int32, 40),
    (np.int32, 170)])
def test_wide_elements(kind, width):
    kind = np.dtype(kind)
    name = f"scan_of_{width}_{kind}"
    dtype = get_or_register_dtype(name, np.dtype([("x", kind, width)]))
    x = np.zeros(5000, dtype)
    x["x"] = np.random.default_rng(4).integers(0, 99, (5000, width))
    preamble = f"""
        struct {name} {{ {dtype_to_ctype(kind)} x[{width}]; }};
        __device__ {name} add({name} a, {name} b)
        {{ for (int k = 0; k < {width}; k++) a.x[k] += b.x[k]; return a; }}
    """
    wanted = np.cumsum(x["x"], 0, dtype=kind)
    kernel = ExclusiveScanKernel(dtype, "add(a, b)", f"{name}()", preamble=preamble)
    sums = kernel(gpuarray.to_gpu(np.r_[x[:1], x])[1:]).get()["x"]
    assert not sums[0].any() and np.array_equal(sums[1:], wanted[:-1])


def test_order_is_kept():
    """Composition of x -> p x + q modulo 256: associative, not commutative."""
    dtype = get_or_register_dtype("affine_map", np.dtype([("p", np.uint8), ("q", np.uint8)]))
    kernel = InclusiveScanKernel(dtype, "compose(a, b)", preamble="""
        struct affine_map { unsigned char p, q; };
        __device__ affine_map compose(affine_map a, affine_map b)
        { affine_map c = {(unsigned char)(a.p * b.p), (unsigned char)(b.p * a.q + b.q)}; return c; }
    """)
    n = 20_000
    maps = np.empty(n, dtype)
    maps["p"], maps["q"] = np.random.default_rng(2).integers(0, 256, (2, n)) | [[1], [0]]
    result = kernel(gpuarray.to_gpu(maps)).get()
    p, q = 1, 0
    for i in range(n):
        a, b = int(maps["p"][i]), int(maps["q"][i])
        p, q = p * a & 255, a * q + b & 255
        assert (result["p"][i], result["q"][i]) == (p, q)


def test_outputs():
    kernel = InclusiveScanKernel(np.int32, "a+b")
    x = gpuarray.arange(1000, dtype=np.int32)
    wanted = np.cumsum(np.arange(1000))
    new = kernel(x, output_ary="new")
    assert new is not x and np.array_equal(new.get(), wanted)
    assert np.array_equal(x.get(), np.arange(1000))
    out = gpuarray.empty(1000, np.int32)
    assert kernel(x, out) is out and np.array_equal(out.get(), wanted)
    made = kernel(x, output_ary="new", allocator=cuda.mem_alloc)
    assert np.array_equal(made.get(), wanted)
    assert kernel(x) is x and np.array_equal(x.get(), wanted)


def test_stream_and_calls_in_a_row():
    kernel, stream = InclusiveScanKernel(np.int64, "a+b"), cuda.Stream()
    x = gpuarray.to_gpu(np.ones(100_000, np.int64))
    for _ in range(3):
        kernel(x, stream=stream)
    stream.synchronize()
    wanted = np.ones(100_000, np.int64)
    for _ in range(3):
        wanted = np.cumsum(wanted)
    assert np.array_equal(x.get(), wanted)


def test_threads():
    kernel, context, wrong = InclusiveScanKernel(np.int32, "a+b"), cuda.Context.get_current(), []

    def work(k):
        context.push()
        stream = cuda.Stream()
        for n in (100, 5000, 90_000):
            x = gpuarray.to_gpu(np.full(n, k, np.int32))
            kernel(x, stream=stream)
            stream.synchronize()
            if not np.array_equal(x.get(), k * np.arange(1, n + 1)):
                wrong.append((k, n))
        cuda.Context.pop()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("cut", [np.s_[::3], np.s_[::-1], np.s_[7:1:-2]])
def test_views(cut):
    host = np.arange(1, 101, dtype=np.int32)
    kernel, x, z = InclusiveScanKernel(np.int32, "a+b"), gpuarray.to_gpu(host), gpuarray.to_gpu(-host)
    assert np.array_equal(kernel(x[cut], "new").get(), np.cumsum(host[cut]))
    kernel(x[cut], z[cut])
    wanted = -host
    wanted[cut] = np.cumsum(host[cut])
    assert np.array_equal(z.get(), wanted)
    kernel(x[cut])
    host[cut] = np.cumsum(host[cut])
    assert np.array_equal(x.get(), host)


def test_integers_signed_or_not():
    """As for other kernels: the scan says what elements are, and results have the dtype of their array."""
    host = np.arange(1, 1001, dtype=np.uint32)
    x = gpuarray.to_gpu(host)
    made, out = InclusiveScanKernel(np.int32, "a+b")(x, "new"), gpuarray.zeros(1000, np.int32)
    assert made.dtype == np.uint32 and np.array_equal(made.get(), np.cumsum(host, dtype=np.uint32))
    ExclusiveScanKernel(np.uint32, "a+b", neutral="0")(x[::2], out[::2])
    assert np.array_equal(out.get()[::2], np.cumsum(host[::2]) - host[::2]) and not out.get()[1::2].any()


@pytest.mark.parametrize("call, error, text", [
    (lambda k, x: k(x.reshape(10, 10)), ValueError, "expected one axis, got 2"),
    (lambda k, x: k(x, gpuarray.empty(7, np.int32)), ValueError, "same shape"),
    (lambda k, x: k(x.astype(np.float32)), TypeError, "expected dtype int32, got float32"),
    (lambda k, x: k(x, x.astype(np.int64)), TypeError, "output_ary of scan 'scan'"),
    (lambda k, x: k(x, "old"), TypeError, "output_ary: expected a GPUArray, got str"),
    (lambda k, x: k(np.zeros(5, np.int32)), TypeError, "input_ary: expected a GPUArray"),
    (lambda k, x: k(), TypeError, "argument"),
    (lambda k, x: ExclusiveScanKernel(np.int32, "a+b"), ValueError,
     "neutral element is required for exclusive scan"),
    (lambda k, x: InclusiveScanKernel(np.int32, "a+c")(x), cuda.CompileError, r"scan_expr[:(]1"),
])
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call(InclusiveScanKernel(np.int32, "a+b"), gpuarray.arange(100, dtype=np.int32))


@pytest.mark.parametrize("kernel", [ExclusiveScanKernel, InclusiveScanKernel])
@pytest.mark.parametrize("source, target", [
    (np.s_[:-1], np.s_[1:]), (np.s_[1:], np.s_[:-1]), (np.s_[:-500], np.s_[500:]), (np.s_[::-1], np.s_[:]),
    (np.s_[:], np.s_[::-1]), (np.s_[:], np.s_[:]), (np.s_[: 2 * 4000 : 2], np.s_[: 4000])])
def test_overlap(kernel, source, target):
    """As if the input had been copied first."""
    for n in (8001, 100_000):
        host = np.arange(n) % 1000
        x, scan = gpuarray.to_gpu(host), kernel(np.int64, "a + b", neutral=0)
        scan(x[source], x[target])
        sums = np.cumsum(host[source])
        host[target] = exclusive(sums, 0) if kernel is ExclusiveScanKernel else sums
        assert np.array_equal(x.get(), host), n
