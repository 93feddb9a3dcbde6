"""ElementwiseKernel against NumPy: arguments, code around the loop, ranges, and what is refused."""

import gc
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import elementwise, gpuarray, reduction
from pycuda._cluda import CLUDA_PREAMBLE
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel, ScalarArg, VectorArg
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel
from pycuda.tools import get_or_register_dtype

pytestmark = pytest.mark.usefixtures("context")

SIZES = [0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 2**20 + 3]
DTYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64,
          np.float16, np.float32, np.float64, np.complex64, np.complex128]


def gpu(values, dtype=np.float32):
    return gpuarray.to_gpu(np.asarray(values, dtype))


def ints(*shape):
    return gpuarray.zeros(shape or 10, np.int32)


# -- Arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize("n", SIZES)
def test_linear_combination(n):
    kernel = ElementwiseKernel("float a, float *x, float b, float *y, float *z",
                               "z[i] = a*x[i] + b*y[i]", "linear_combination")
    x, y = np.random.default_rng(n).integers(0, 1000, (2, n)).astype(np.float32)
    z = gpuarray.zeros(n, np.float32)
    assert kernel(5, gpu(x), 6, gpu(y), z) is None
    assert np.array_equal(z.get(), 5 * x + 6 * y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    kernel = ElementwiseKernel(
        [VectorArg(dtype, "z"), VectorArg(dtype, "x"), ScalarArg(dtype, "a")],
        "z[i] = i % 2 ? x[i] : a", preamble="#include <cuda_fp16.h>")
    x = np.arange(1000).astype(dtype)
    z = gpuarray.empty(1000, dtype)
    for a in (dtype(1), np.array(1, dtype)[()]):
        kernel(z, gpuarray.to_gpu(x), a)
        assert np.array_equal(z.get(), np.where(np.arange(1000) % 2, x, dtype(1)))


@pytest.mark.parametrize("text", [
    "float *x, float a", "float * x , float a", "float* x, float a", "const float *x, const float a",
    "float *__restrict__ x, float a", "float x[], float a", "float *x,\n    float a",
])
def test_declarations(text):
    x = gpu([1, 2, 3])
    ElementwiseKernel(text, "(void)(x[i] + a)")(x, 4)
    writable = text.replace("const ", "")
    ElementwiseKernel(writable, "x[i] += a")(x, 4)
    assert x.get().tolist() == [5, 6, 7]


def test_argument_objects_are_left_alone():
    arguments = [VectorArg(np.int32, "x"), ScalarArg(np.int32, "a")]
    kernel = ElementwiseKernel(arguments, "x[i] = a + i")
    x = ints()
    kernel(x, 3)
    kernel(x, 7, range=slice(0, 5, 1))
    assert len(arguments) == 2
    assert x.get().tolist() == [7, 8, 9, 10, 11, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("declared, given", [
    ("float", 2), ("float", 2.5), ("float", np.float64(2.5)), ("float", np.int8(2)), ("int", 2),
    ("int", True), ("double", np.float32(0.5)), ("unsigned char", 255), ("long", -2**62),
    ("unsigned long", 2**64 - 1), ("bool", True), ("half", 0.5),
    ("pycuda::complex<float>", 1 + 2j), ("pycuda::complex<double>", 3),
])
def test_scalars(declared, given):
    argument = ElementwiseKernel(f"{declared} a, int *x", "x[i] = i").arguments[0]
    kernel = ElementwiseKernel([VectorArg(argument.dtype, "x"), argument], "x[i] = a",
                               preamble="#include <cuda_fp16.h>")
    x = gpuarray.zeros(3, argument.dtype)
    kernel(x, given)
    assert x.get().tolist() == [argument.dtype.type(given)] * 3


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("declared, given, error, text", [
    ("int", 2.5, TypeError, "argument 'a' of kernel 'kernel': expected a number of int32, got"),
    ("float", 1j, TypeError, "expected a number of float32"),
    ("float", "2", TypeError, "expected a number of float32, got"),
    ("float", None, TypeError, "expected a number of float32"),
    ("int", 2**31, OverflowError, ""),
    ("unsigned char", -1, OverflowError, ""),
    ("int", np.int64(2**31), OverflowError, "argument 'a' of kernel 'kernel': np.int64(2147483648) does not fit int32"),
    ("int", np.array(-2**40), OverflowError, "does not fit int32"),
    ("unsigned char", np.int64(-1), OverflowError, "does not fit uint8"),
    ("unsigned long long", np.int8(-1), OverflowError, "does not fit uint64"),
    ("long long", np.uint64(2**63), OverflowError, "does not fit int64"),
    ("float", 1e300, OverflowError, "argument 'a' of kernel 'kernel': 1e+300 does not fit float32"),
    ("float", np.float64(-1e39), OverflowError, "does not fit float32"),
    ("float", 2**200, OverflowError, "does not fit float32"),
    ("float", np.zeros(2, np.float32), TypeError, ""),
])
def test_wrong_scalars(declared, given, error, text):
    kernel = ElementwiseKernel(f"{declared} a, int *x", "x[i] = i")
    with pytest.raises(error) as raised:
        kernel(given, ints())
    assert text in str(raised.value)


def test_struct():
    dtype = get_or_register_dtype(
        "particle", np.dtype([("x", np.float32), ("v", np.float32), ("id", np.int64)], align=True))
    kernel = ElementwiseKernel(
        "particle *p, particle shift, float dt",
        "p[i].x += dt * p[i].v + shift.x; p[i].id += shift.id",
        preamble="struct particle { float x, v; long long id; };")
    host = np.zeros(100, dtype)
    host["x"], host["v"], host["id"] = np.arange(100), 2, np.arange(100)
    p = gpuarray.to_gpu(host)
    shift = np.zeros((), dtype)
    shift["x"], shift["id"] = 1000, 7
    kernel(p, shift, 0.5)
    assert np.array_equal(p.get()["x"], np.arange(100) + 1001)
    assert np.array_equal(p.get()["id"], np.arange(100) + 7)
    kernel(p, shift[()], 0.5)
    assert np.array_equal(p.get()["id"], np.arange(100) + 14)


def test_complex():
    kernel = ElementwiseKernel("pycuda::complex<float> *z, float *r",
                               "r[i] = abs(z[i]); z[i] = conj(z[i]) * z[i]")
    host = (np.arange(5) + 1j * np.arange(5)[::-1]).astype(np.complex64)
    z, r = gpuarray.to_gpu(host), gpuarray.zeros(5, np.float32)
    kernel(z, r)
    assert np.allclose(r.get(), abs(host)) and np.allclose(z.get(), abs(host) ** 2)


def test_complex_header_and_common_names_in_a_module():
    """Around its source stands extern "C"."""
    module = SourceModule("#include <pycuda-complex.hpp>" + CLUDA_PREAMBLE + """
        KERNEL void f(GLOBAL_MEM pycuda::complex<float> *z)
        {
            LOCAL_MEM int place[4];
            place[LID_0] = LID_0 + LDIM_0 * GID_0;
            local_barrier();
            z[place[LID_0]] *= pycuda::complex<float>(0, GDIM_0);
        }""")
    z = gpuarray.to_gpu(np.arange(8).astype(np.complex64))
    module.get_function("f")(z, grid=(2, 1), block=(4, 1, 1))
    assert z.get().tolist() == [2j * k for k in range(8)]


# -- Code ----------------------------------------------------------------------------------


def test_code_around_the_loop():
    kernel = ElementwiseKernel(
        "int *x, int *y", "y[i] = twice(x[i]) + base; if (i == n - 1) y[i] = -1",
        preamble="__device__ int twice(int x) { return 2 * x; }", loop_prep="int base = 100",
        after_loop="if (tid == 0 && cta_start == 0) y[0] = total_threads > 0 ? -7 : 0")
    y = ints(1000)
    kernel(gpuarray.arange(1000, dtype=np.int32), y)
    wanted = 2 * np.arange(1000) + 100
    wanted[0], wanted[-1] = -7, -1
    assert np.array_equal(y.get(), wanted)


def test_control_flow_in_the_operation():
    kernel = ElementwiseKernel("int *x", """
        if (i % 3 == 0)
            continue;  // the next element
        for (int k = 0; k < 10; k++) {
            if (k == i % 5)
                break;
            x[i] += k;
        }""")
    x = ints(1000)
    kernel(x)
    k = np.arange(1000) % 5
    assert np.array_equal(x.get(), np.where(np.arange(1000) % 3, k * (k - 1) // 2, 0))


def test_one_array_by_several_names():
    kernel = ElementwiseKernel("int *x, int *y, int *z", "y[i] = 2 * x[i]; z[i] = x[i] + 1")
    a, b = gpuarray.arange(5000, dtype=np.int32), ints(5000)
    kernel(a, b, a)
    assert np.array_equal(a.get(), np.arange(5000) + 1)
    assert np.array_equal(b.get(), 2 * np.arange(5000))
    kernel(a, a, b)
    assert np.array_equal(a.get(), 2 * np.arange(1, 5001))
    assert np.array_equal(b.get(), a.get() + 1)


def test_names_that_users_like():
    kernel = ElementwiseKernel("float *out, float *in, float step, float start",
                               "out[i] = in[i] * step + start", name="my_kernel")
    z = gpuarray.zeros(4, np.float32)
    kernel(z, gpu([0, 1, 2, 3]), 2, 10)
    assert z.get().tolist() == [10, 12, 14, 16]
    assert kernel.name == "my_kernel"


def test_options():
    kernel = ElementwiseKernel("int *x", "x[i] = WHAT", options=["-DWHAT=42"])
    x = ints()
    kernel(x)
    assert set(x.get()) == {42}


def test_keep(capsys):
    ElementwiseKernel("int *x", "x[i] = 8765", keep=True)(ints())
    assert "*** compiler output in " in capsys.readouterr().out


def test_compile_errors_name_the_users_lines():
    for keyword, label in (("operation", "operation"), ("preamble", "preamble"),
                           ("loop_prep", "loop_prep"), ("after_loop", "after_loop")):
        words = {"operation": "x[i] = 0"} | {keyword: "\nint y = nonsense"}
        kernel = ElementwiseKernel("int *x", **words)
        with pytest.raises(cuda.CompileError) as raised:
            kernel(ints())
        text = str(raised.value)
        assert f"{label}:2" in text or f"{label}(2)" in text and "nonsense" in text


# -- Ranges --------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [
    slice(0, 100, 1), slice(5, 90), slice(7, 100, 3), slice(99, -1, -1), slice(90, 4, -7),
    slice(50, 50), slice(60, 50), slice(40, 41), slice(0, 100, 1000), slice(0, 0), slice(9),
])
def test_range(given):
    start = 0 if given.start is None else given.start
    step = 1 if given.step is None else given.step
    x = ints(100)
    ElementwiseKernel("int *x", "x[i] += 1 + i")(x, range=given)
    wanted = np.zeros(100, int)
    for i in range(start, given.stop, step):
        wanted[i] = 1 + i
    assert np.array_equal(x.get(), wanted)


@pytest.mark.parametrize("given", [
    slice(None), slice(10, None), slice(-10, None), slice(None, None, -1), slice(None, None, 7),
    slice(20, 10, -3), slice(200, 300), slice(-1000, 5),
])
def test_slice(given):
    x = ints(100)
    ElementwiseKernel("int *x", "x[i] = i + 1")(x, slice=given)
    wanted = np.zeros(100, int)
    wanted[given] = np.arange(1, 101)[given]
    assert np.array_equal(x.get(), wanted)


def test_far_range():
    """i is 64 bits wide: nothing of the arithmetic is done in 32."""
    x = gpuarray.zeros(4, np.int64)
    kernel = ElementwiseKernel("long *x", "x[i & 3] = i")
    kernel(x, range=slice(2**40, 2**40 + 4))
    assert x.get().tolist() == [2**40 + k for k in range(4)]
    kernel(x, range=slice(-2**40, 2**40, 2**39))
    assert x.get()[0] in {-2**40, -2**39, 0, 2**39}


# -- Shapes, streams, contexts -------------------------------------------------------------


@pytest.mark.parametrize("order", ["C", "F"])
def test_shapes(order):
    host = np.asarray(np.random.default_rng(0).random((4, 5, 6)), order=order)
    x, z = gpuarray.to_gpu(host), gpuarray.empty((4, 5, 6), np.float64, order=order)
    ElementwiseKernel("double *z, double *x", "z[i] = 2 * x[i]")(z, x)
    assert np.array_equal(z.get(), 2 * host)


def test_contiguous_views():
    x = gpuarray.arange(100, dtype=np.int32)
    ElementwiseKernel("int *x", "x[i] = -1")(x[10:20])
    wanted = np.arange(100)
    wanted[10:20] = -1
    assert np.array_equal(x.get(), wanted)


# Cuts of an array of shape (6, 8, 10), all of 3 * 4 * 5 elements of no one stretch but the first.
VIEWS = {
    "stretch": lambda x: x.ravel()[100:160].reshape(3, 4, 5),
    "F order": lambda x: x.T.ravel()[:60].reshape(5, 4, 3).T,
    "stepped": lambda x: x[::2, ::2, ::2],
    "padded": lambda x: x[1:4, 2:6, 3:8],
    "reversed": lambda x: x[::-2, ::-2, ::-2],
    "transposed": lambda x: x[:5, :4, :3].transpose((2, 1, 0)),
    "one axis": lambda x: x.ravel()[::8],
    "rows": lambda x: x[:, :, :5].reshape(48, 5)[::4],
}


@pytest.mark.parametrize("a", VIEWS)
def test_views(a):
    """Elements correspond in C order, however the arrays lie; what is beside them stays."""
    kernel = ElementwiseKernel("int *z, const int *x, int shift", "z[i] = 2 * x[i] + shift")
    source, target = np.arange(480, dtype=np.int32).reshape(6, 8, 10), np.zeros((6, 8, 10), np.int32)
    for b, cut in VIEWS.items():
        x, z = gpuarray.to_gpu(source), gpuarray.to_gpu(target)
        into = cut(z)
        kernel(into, VIEWS[a](x), 1)
        wanted = 2 * VIEWS[a](source).ravel() + 1
        assert np.array_equal(into.get().ravel(), wanted), b
        assert z.get().sum() == (wanted.sum() if np.shares_memory(cut(target), target) else 0)


def test_views_used_as_pointers():
    x = gpuarray.arange(20, dtype=np.int32)[::-2]
    z = ints(40)[::4]
    ElementwiseKernel("int *z, int *x, int n_", "z[i] = x[n_ - 1 - i] + *x + *(x + 1) + (x + i - 1)[1]")(
        z, x, 10)
    host = np.arange(20)[::-2]
    assert np.array_equal(z.get(), host[::-1] + host[0] + host[1] + host)


def test_ranges_of_views():
    x = gpuarray.arange(40, dtype=np.int32)
    kernel = ElementwiseKernel("int *x", "x[i] = -1")
    kernel(x[::2], slice=slice(1, 7, 2))
    kernel(x[1::2], range=slice(2, 4))
    wanted = np.arange(40)
    wanted[[2, 6, 10, 5, 7]] = -1
    assert np.array_equal(x.get(), wanted)


def test_broadcast_views():
    row = gpuarray.arange(5, dtype=np.int32)
    spread = gpuarray.GPUArray((3, 5), np.int32, gpudata=row.gpudata, base=row, strides=(0, 4))
    z = ints(3, 5)
    ElementwiseKernel("int *z, int *x", "z[i] = x[i]")(z, spread)
    assert z.get().tolist() == [list(range(5))] * 3


def test_many_outputs():
    """As many results as there are vectors, of any dtypes, views among them."""
    kernel = ElementwiseKernel("float *x, float *double_, int *whole, double *root",
                               "double_[i] = 2 * x[i]; whole[i] = x[i]; root[i] = sqrt((double)x[i])")
    x = np.linspace(0, 9, 50, dtype=np.float32)
    double, whole, root = gpu(x), ints(100)[::2], gpuarray.empty(50, np.float64)
    kernel(gpu(x), double, whole, root)
    assert np.array_equal(double.get(), 2 * x)
    assert np.array_equal(whole.get(), x.astype(np.int32))
    assert np.allclose(root.get(), np.sqrt(x.astype(float)), 1e-15)


def test_many_arguments():
    """As many as fit a launch: 4096 bytes of them."""
    names = [f"x{k}" for k in range(200)]
    kernel = ElementwiseKernel(", ".join(f"int *{name}" for name in names),
                               "; ".join(f"{name}[i] = i + {k}" for k, name in enumerate(names)))
    arrays = [ints(3) for _ in names]
    kernel(*arrays)
    assert [x.get().tolist() for x in arrays] == [[k, k + 1, k + 2] for k in range(200)]
    with pytest.raises(ValueError, match="a kernel takes at most 512 arguments, not 600"):
        ElementwiseKernel(", ".join(f"int *x{k}" for k in range(600)), "x0[i] = 1")


def test_vectors_used_elsewhere_may_differ_in_size():
    table, index, z = gpu([10, 20, 30]), ints(1000), gpuarray.zeros(1000, np.float32)
    ElementwiseKernel("float *z, float *table, int *index", "z[i] = table[index[i] + i % 3]")(
        z, table, index)
    assert np.array_equal(z.get(), np.tile([10, 20, 30], 334)[:1000])


def test_streams():
    kernel, streams = ElementwiseKernel("long *x", "x[i] += i"), [cuda.Stream() for _ in range(4)]
    arrays = [gpuarray.zeros(100_000, np.int64) for _ in streams]
    for _ in range(10):
        for x, stream in zip(arrays, streams, strict=True):
            kernel(x, stream=stream)
    for x, stream in zip(arrays, streams, strict=True):
        stream.synchronize()
        assert np.array_equal(x.get(), 10 * np.arange(100_000))


def test_contexts_come_and_go():
    kernel = ElementwiseKernel("int *x", "x[i] = i + 5")
    for _ in range(3):
        other = cuda.Device(0).make_context()
        x = ints()
        kernel(x)
        assert x.get()[-1] == 14
        del x
        other.pop()
        other.detach()
    x = ints()
    kernel(x)
    assert x.get()[-1] == 14


def test_a_kernel_goes_before_its_context():
    for k in range(20):
        kernel, x = ElementwiseKernel("int *x", f"x[i] = {k % 3}"), ints()
        kernel(x)
        del kernel
        gc.collect()
        assert set(x.get()) == {k % 3}


def test_threads():
    kernel = ElementwiseKernel("int *x, int k", "x[i] = k * i")
    context, wrong = cuda.Context.get_current(), []

    def work(k):
        context.push()
        for n in (10, 1000, 100_000):
            x = ints(n)
            kernel(x, k)
            if not np.array_equal(x.get(), k * np.arange(n)):
                wrong.append((k, n))
        cuda.Context.pop()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_no_context(run_python):
    done = run_python("from pycuda import driver, gpuarray; driver.init()\n"
                      "from pycuda.elementwise import ElementwiseKernel\n"
                      "ElementwiseKernel('int *x', 'x[i] = 1')(5)")
    assert "LogicError" in done.stderr and done.returncode == 1


# -- What is refused -----------------------------------------------------------------------


@pytest.mark.parametrize("call, error, text", [
    (lambda k: k(ints(*[3] * 7)[(np.s_[::2],) * 7], ints(*[2] * 7)), NotImplementedError,
     r"argument 'x' of kernel 'kernel' lies in too many pieces: use x.copy\(\)"),
    (lambda k: k(ints(11), ints()), ValueError, "'x' has 11 elements, 'y' has 10"),
    (lambda k: k(ints()), TypeError, r"takes 2 arguments \(int \*x, int \*y\), got 1"),
    (lambda k: k(ints(), ints(), ints()), TypeError, "takes 2 arguments .* got 3"),
    (lambda k: k(ints(), gpu([1])), TypeError, "'y' of kernel 'kernel': expected a GPUArray of int32"),
    (lambda k: k(ints(), np.zeros(10, np.int32)), TypeError, "'y' .* got <class 'numpy.ndarray'>"),
    (lambda k: k(ints(), 3), TypeError, "'y' .* got <class 'int'>"),
    (lambda k: k(ints(), ints(), speed=3), TypeError, "invalid keyword arguments specified: speed"),
    (lambda k: k(ints(), ints(), range=slice(1), slice=slice(1)), TypeError,
     "both range and slice"),
    (lambda k: k(ints(), ints(), range=5), TypeError, "expected a slice, got int"),
    (lambda k: k(ints(), ints(), range=slice(None)), TypeError, "must have a stop"),
    (lambda k: k(ints(), ints(), range=slice(0, 5, 0)), ValueError, "zero"),
    (lambda k: k(ints(), ints(), stream=7), TypeError, "[Ss]tream"),
    (lambda k: ElementwiseKernel("int n", "n"), AssertionError, "at least one vector argument"),
    (lambda k: ElementwiseKernel("nonsense *x", "x[i] = 1"), ValueError, "nonsense"),
    (lambda k: ElementwiseKernel("int *x", 5), TypeError, "expected text, got int"),
    (lambda k: ElementwiseKernel("int *x", "x[i] = 1", name="not a name")(ints()),
     cuda.CompileError, ""),
])
def test_errors(call, error, text):
    kernel = ElementwiseKernel("int *x, int *y", "x[i] = y[i]")
    with pytest.raises(error, match=text or None):
        call(kernel)


def test_failures_of_the_driver(inject):
    kernel, x = ElementwiseKernel("int *x", "x[i] = 9"), ints()
    for entry in ("cuModuleLoadData", "cuModuleGetFunction", "cuLaunchKernel"):
        inject(entry, 2)
        with pytest.raises(cuda.MemoryError, match=entry):
            kernel(x)
    kernel(x)
    assert set(x.get()) == {9}


@pytest.mark.parametrize("module", [elementwise, reduction])
def test_kernels_of_the_reference_are_named_when_asked_for(module):
    """Programs ask for them with hasattr, or import them if they are there."""
    with pytest.raises(AttributeError, match="'get_nothing_kernel': PyCUDA's own kernels are part of"):
        _ = module.get_nothing_kernel
    assert not hasattr(module, "get_nothing_kernel") and not hasattr(module, "sum_kernel")


# -- Halves, and kernels to launch by oneself ---------------------------------------------------


def test_halves_need_no_include():
    x = gpu(range(5), np.float16)
    y = gpuarray.empty_like(x)
    ElementwiseKernel("half *x, half *y, half a", "y[i] = x[i] * x[i] + a")(x, y, 2)
    assert y.get().tolist() == [2, 3, 6, 11, 18]
    assert ReductionKernel(np.float16, "0", "a + b", "x[i]", "half *x")(x).get() == 10
    assert InclusiveScanKernel(np.float16, "a + b")(x).get().tolist() == [0, 1, 3, 6, 10]


def test_functions_of_kernels():
    x = gpuarray.zeros(10, "f")
    function = elementwise.get_elwise_kernel("float *x, float a", "x[i] = a * i + n + one",
                                             preamble="const float one = 1;")
    function.prepared_async_call(x._grid, x._block, None, x.gpudata, 2, x.size)
    assert x.get().tolist() == [2 * i + 11 for i in range(10)]
    module, function, arguments = elementwise.get_elwise_kernel_and_types(
        [elementwise.VectorArg(np.float32, "x")], "x[i] = -i", name="down", use_range=True)
    function.prepared_call((1, 1), (32, 1, 1), x.gpudata, 9, 0, -4)
    assert x.get()[[9, 5, 1, 0]].tolist() == [-9, -5, -1, 11] and module.get_function("down")
    assert [argument.name for argument in arguments] == ["x", "start", "stop", "step"]


@pytest.mark.parametrize("make", [
    lambda: ElementwiseKernel("float *a, float *b", "a[i] = 1", "again"),
    lambda: ReductionKernel(np.float32, "0", "a + b", "a[i] + b[i]", "float *a, float *b", name="again"),
    lambda: InclusiveScanKernel(np.float32, "a + b", name_prefix="again")])
def test_defining_a_kernel_that_is_being_called(make):
    kernel, x = make(), gpuarray.zeros(16, np.float32)

    class Restless:
        @property
        def __cuda_array_interface__(self):
            kernel.__init__(*arguments)
            return {"shape": x.shape, "typestr": x.dtype.str, "data": (x.ptr, False), "version": 3}

    arguments = ("float *a", "a[i] = 1") if type(kernel) is ElementwiseKernel else \
        (np.float32, "0", "a + b", "a[i]", "float *a") if type(kernel) is ReductionKernel else (np.float32, "a + b")
    with pytest.raises(RuntimeError, match="'again' is being called and cannot be defined anew"):
        kernel(Restless(), x)
    kernel(x, x)
    kernel.__init__(*arguments)
    kernel(x)


@pytest.mark.parametrize("ctype, code, dtype, wanted", [
    ("float2", "x[i].y += 1", np.complex64, 1j), ("char", "x[i] = x[i] == 0", np.bool_, True),
    ("char", "x[i] += 1", np.uint8, 1), ("int", "x[i] += 1", np.uint32, 1), ("long", "x[i] += 1", np.uint64, 1),
    ("pycuda::complex<float>", "x[i] = pycuda::complex<float>(1, 2)", gpuarray.vec.float2, (1, 2))])
def test_operands_of_the_same_layout(ctype, code, dtype, wanted):
    x = gpuarray.zeros(300, dtype)
    argument = VectorArg(gpuarray.vec.float2, "x") if ctype == "float2" else f"{ctype} *x"
    ElementwiseKernel([argument] if ctype == "float2" else argument, code)(x)
    assert (x.get() == np.array(wanted, dtype)).all()


def test_other_layouts_are_refused():
    kernel = ElementwiseKernel("int *x", "x[i] = 0")
    for dtype in (np.float32, np.int16, ">i4", [("a", "i2", 2)], "S4"):
        with pytest.raises(TypeError, match="'x' of kernel 'kernel': expected a GPUArray of int32"):
            kernel(gpuarray.zeros(5, dtype))


def test_later_vectors_may_be_longer():
    x, y = gpu(range(7)), gpu(range(100))
    ElementwiseKernel("float *x, float *y", "x[i] += y[i]")(x, y)
    assert x.get().tolist() == list(range(0, 14, 2))
    assert ReductionKernel(np.float32, "0", "a + b", "x[i] * y[i]", "float *x, float *y")(gpu([1, 2]), y).get() == 2


@pytest.mark.parametrize("make", [
    lambda: ElementwiseKernel("int *x", "x[i] += 2"),
    lambda: ReductionKernel(np.int32, "0", "a + b", "x[i]", "int *x"),
    lambda: InclusiveScanKernel(np.int32, "a + b"),
], ids=["elementwise", "reduction", "scan"])
def test_a_device_that_does_not_tell_what_it_is(inject, make):
    """The first kernel in a context asks the device: the call fails, and the next one works."""
    x = gpuarray.to_gpu(np.zeros(4, np.int32))
    kernel = make()
    inject("cuDeviceGetAttribute", 1)
    with pytest.raises(cuda.LogicError, match="cuDeviceGetAttribute"):
        kernel(x)
    kernel(x)


def test_errors_of_generated_kernels_say_what_helps():
    kernel = ElementwiseKernel("float *x", "x[i] = 1", preamble='#include "nobody_has_this.h"')
    with pytest.raises(cuda.CompileError, match=r"as do options that begin with -I") as caught:
        kernel(gpuarray.zeros(3, np.float32))
    assert "nobody_has_this.h" in caught.value.stderr and caught.value.command_line


def test_kernels_of_pycuda():
    """Those that programs take from pycuda.elementwise and launch by themselves."""
    x = np.linspace(-3, 3, 1000).astype(np.float32)
    y = (x * (2 - 1j)).astype(np.complex64)
    on_x, on_y, z = gpuarray.to_gpu(x), gpuarray.to_gpu(y), gpuarray.empty(1000, np.complex64)

    def launch(function, *arguments):
        function.prepared_async_call(z._grid, z._block, None, *arguments, z.mem_size)

    launch(elementwise.get_fill_kernel(np.complex64), np.complex64(1 + 2j), z.gpudata)
    assert (z.get() == 1 + 2j).all()
    launch(elementwise.get_copy_kernel(np.complex64, np.float32), z.gpudata, on_x.gpudata)
    assert np.array_equal(z.get(), x)
    launch(elementwise.get_axpbyz_kernel(np.float32, np.complex64, np.complex64), np.float32(2), on_x.gpudata,
           np.complex64(1j), on_y.gpudata, z.gpudata)
    assert np.allclose(z.get(), 2 * x + 1j * y)
    launch(elementwise.get_axpbyz_kernel(np.float32, np.complex64, np.complex64, x_is_scalar=True), np.float32(2),
           np.float32(4), np.complex64(1), on_y.gpudata, z.gpudata)
    assert np.allclose(z.get(), 8 + y)
    launch(elementwise.get_axpbz_kernel(np.float32, np.complex64), np.complex64(3j), on_x.gpudata, np.complex64(1),
           z.gpudata)
    assert np.allclose(z.get(), 3j * x + 1)
    launch(elementwise.get_binary_op_kernel(np.complex64, np.float32, np.complex64, "*"), on_y.gpudata, on_x.gpudata,
           z.gpudata)
    assert np.allclose(z.get(), x * y)
    out = gpuarray.empty(1000, np.float64)
    launch(elementwise.get_unary_func_kernel("fabs", np.float32, np.float64), on_x.gpudata, out.gpudata)
    assert np.array_equal(out.get(), abs(x).astype(float))
    assert gpuarray._get_common_dtype(on_x, on_y) == np.complex64
    assert gpuarray._get_common_dtype(on_x, out) == np.float64


OF_NUMPY = {  # a kernel, what it is launched with, and what comes out
    "arange": (lambda e: e.get_arange_kernel("f4"), lambda x, y, z: (z, 3, 2), lambda x, y: 3 + 2 * np.arange(x.size)),
    "binary": (lambda e: e.get_binary_func_kernel("atan2", "f4", "f4", "f4"), lambda x, y, z: (x, y, z), np.arctan2),
    "binary number": (lambda e: e.get_binary_func_scalar_kernel("fmin", "f4", "f4", "f4"), lambda x, y, z: (x, 1, z),
                      lambda x, y: np.minimum(x, 1)),
    "maximum": (lambda e: e.get_binary_minmax_kernel("max", "f4", "f4", "f4", False), lambda x, y, z: (x, y, z),
                np.maximum),
    "linear": (lambda e: e.get_linear_combination_kernel(((False, "f4", "f4"),) * 2, "f4")[0],
               lambda x, y, z: (2, x, 3, y, z), lambda x, y: 2 * x + 3 * y),
    "not": (lambda e: e.get_logical_not_kernel("f4", "f4"), lambda x, y, z: (x, z), lambda x, y: x == 0),
    "power": (lambda e: e.get_pow_kernel("f4"), lambda x, y, z: (2, x, z), lambda x, y: x * x),
    "powers": (lambda e: e.get_pow_array_kernel("f4", "f4", "f4", False, True), lambda x, y, z: (2, y, z),
               lambda x, y: np.exp2(y)),
    "put": (lambda e: e.get_put_kernel("f4", "i4"), lambda x, y, z: (np.arange(999, -1, -1, dtype="i4"), z, x),
            lambda x, y: x[::-1]),
    "quotient": (lambda e: e.get_rdivide_elwise_kernel("f4", "f4"), lambda x, y, z: (y, 3, z), lambda x, y: 3 / y),
    "reverse": (lambda e: e.get_reverse_kernel("f4"), lambda x, y, z: (x, z), lambda x, y: x[::-1]),
    "number": (lambda e: e.get_scalar_op_kernel("f4", "f4", "f4", "-"), lambda x, y, z: (x, 3, z), lambda x, y: x - 3),
    "positive": (lambda e: e.get_if_positive_kernel("f4", "f4"), lambda x, y, z: (x, y, x, z),
                 lambda x, y: np.where(x > 0, y, x)),
    "where": (lambda e: e.get_where_kernel("f4", "f4"), lambda x, y, z: (x, y, x, z), lambda x, y: np.where(x, y, x)),
    "fmod": (lambda e: e.get_fmod_kernel(), lambda x, y, z: (x, y, z), np.fmod),
    "modf": (lambda e: e.get_modf_kernel(), lambda x, y, z: (x, z, np.empty_like(x)), lambda x, y: np.modf(x)[1]),
    "frexp": (lambda e: e.get_frexp_kernel(), lambda x, y, z: (x, np.empty_like(x), z), lambda x, y: np.frexp(x)[1]),
    "ldexp": (lambda e: e.get_ldexp_kernel(), lambda x, y, z: (x, np.ones_like(x), z), lambda x, y: 2 * x),
    "imag": (lambda e: e.get_imag_kernel("c8", "f4"), lambda x, y, z: (x + 1j * y, z), lambda x, y: y),
}


@pytest.mark.parametrize("make, given, want", OF_NUMPY.values(), ids=OF_NUMPY)
def test_more_kernels_of_pycuda(make, given, want):
    x, y = np.linspace(-3, 3, 1000, dtype="f4"), np.linspace(0.1, 2, 1000, dtype="f4")
    z = gpuarray.zeros(1000, "f4")
    arguments = [gpuarray.to_gpu(each) if isinstance(each, np.ndarray) else each for each in given(x, y, z)]
    launched = [each.gpudata if isinstance(each, gpuarray.GPUArray) else each for each in arguments]
    make(elementwise).prepared_async_call(z._grid, z._block, None, *launched, z.mem_size)
    np.testing.assert_allclose(z.get(), want(x, y), rtol=1e-5, atol=1e-6)


def test_numbers_on_the_device_were_textures():
    with pytest.raises(NotImplementedError, match="CUDA 12 took away"):
        elementwise.get_linear_combination_kernel(((True, np.float32, np.float32),), np.float32)
