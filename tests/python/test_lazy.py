"""gpuarray.lazy: the same bits as without, in fewer kernels, whatever is changed in between."""

import functools
import gc
import os
import pickle
import threading
import weakref

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, cumath, gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

pytestmark = pytest.mark.usefixtures("context")
N = 300


def host(dtype="float32", seed=0):
    x = np.random.default_rng(seed).uniform(-4, 9, N)
    return (x > 2) if dtype == "bool" else np.abs(x).astype(dtype) if dtype[0] == "u" else x.astype(dtype)


@pytest.fixture
def written():
    """Called: how many kernels were run for pending results, and of how many operations together."""
    def since():
        _, kernels, operations, _ = _native._lazy_counts()
        return kernels - before[1], operations - before[2]

    before = _native._lazy_counts()
    yield since
    assert _native._lazy_counts()[0] == 0


# -- Results -------------------------------------------------------------------------------

BINARY = [np.add, np.subtract, np.multiply, np.true_divide, np.maximum, np.less, np.equal,
          np.logical_or, np.fmin]
UNARY = [np.negative, np.absolute, np.square, np.sqrt, np.sign, np.isfinite, np.logical_not]
INTEGER = [np.bitwise_and, np.bitwise_xor, np.left_shift]
LEAVES = ["bool", "uint8", "int32", "int64", "uint64", "float32", "float64"]


def bits(array):
    """Of all but NaNs, whose sign is anybody's."""
    values = array.get()
    return np.where(np.isnan(values), np.array(np.nan if values.dtype.kind == "f" else 0).astype(
        values.dtype), values).tobytes()


def tree(random, leaves, depth):
    """A function of a list of arrays."""
    kind = random.integers(0, 10)
    if depth == 0 or kind == 0:
        k = random.integers(0, len(leaves))
        return lambda arrays: arrays[k]
    inner = tree(random, leaves, depth - 1)
    if kind < 3:
        f = UNARY[random.integers(0, len(UNARY))]
        return lambda arrays: f(inner(arrays))
    if kind < 5:
        f, scalar = BINARY[random.integers(0, 4)], [2, 0.5, np.float64(3.7), True][random.integers(0, 4)]
        return lambda arrays: f(scalar, inner(arrays))
    f, other = BINARY[random.integers(0, len(BINARY))], tree(random, leaves, depth - 1)
    if kind == 9:
        g = INTEGER[random.integers(0, len(INTEGER))]
        return lambda arrays: g(np.less(inner(arrays), 3), np.greater(other(arrays), 1))
    return lambda arrays: f(inner(arrays), other(arrays))


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("seed", range(16 if WIDE else 10))
def test_trees(seed):
    random = np.random.default_rng(seed)
    arrays = [host(dtype, k) for k, dtype in enumerate(LEAVES)]
    compute = tree(random, LEAVES, 4)
    on_device = [gpuarray.to_gpu(a) for a in arrays]
    try:
        wanted = compute(arrays)
    except TypeError as error:  # as - of booleans: the same at once
        with gpuarray.lazy(), pytest.raises(TypeError, match=str(error).split(",")[0][:20]):
            compute(on_device)
        return
    eager = compute(on_device)
    with gpuarray.lazy():
        fused = compute(on_device)
    assert fused.dtype == eager.dtype == wanted.dtype
    assert bits(fused) == bits(eager)
    assert np.allclose(fused.get().astype(float), wanted.astype(float), equal_nan=True, rtol=1e-5)


def test_multiplications_are_rounded_before_additions():
    x, y = host(seed=1), host(seed=2)
    with gpuarray.lazy():
        a, b = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
        z, w = a * b - x[0] * b, 1.25 * a + a * a
    assert np.array_equal(z.get(), x * y - x[0] * y) and np.array_equal(w.get(), 1.25 * x + x * x)


def test_one_kernel(written):
    a, b, c = (gpuarray.to_gpu(host(seed=k)) for k in range(3))
    with gpuarray.lazy():
        z = 2 * a + b * c - a / 3
        assert written() == (0, 0)
        assert (z.shape, z.dtype) == ((N,), np.float32) and written() == (0, 0)
    assert written() == (1, 5)
    assert np.array_equal(z.get(), (2 * a + b * c - a / 3).get()) and written() == (1, 5)


def test_kernels_are_shared(written):
    before = _native._lazy_counts()[3]
    for n in (5, 70, 1000):
        a = gpuarray.to_gpu(np.arange(n, dtype=np.float32))
        for scalar in (2, 3.5):
            with gpuarray.lazy():
                z = a * scalar + a * a * a
            assert np.array_equal(z.get(), (a * scalar + a * a * a).get())
    assert _native._lazy_counts()[3] == before + 1 and written() == (6, 24)


def test_what_is_kept_is_written_too(written):
    a, b = gpuarray.to_gpu(host()), gpuarray.to_gpu(host(seed=1))
    with gpuarray.lazy():
        product = a * b
        z = product + 1
        w = product - z
    assert written() == (3, 3)  # each has the earlier ones to read
    assert np.array_equal(w.get(), (a * b - (a * b + 1)).get())


def test_long_chains():
    x = host()
    a, wanted = gpuarray.to_gpu(x), x
    with gpuarray.lazy():
        z = a
        for _ in range(150):
            z, wanted = z * 0.75 + a, wanted * np.float32(0.75) + x
    assert np.array_equal(z.get(), wanted)


def test_many_results(written):
    a, x = gpuarray.to_gpu(host()), host()
    with gpuarray.lazy():
        results = [a + k for k in range(250)]
        assert written()[0] == 200
    assert written()[0] == 250
    assert all(np.array_equal(z.get(), x + np.float32(k)) for k, z in enumerate(results))


@pytest.mark.parametrize("order", ["C", "F"])
def test_axes_and_orders(order, written):
    x = np.asarray(np.arange(60, dtype=np.float32).reshape(3, 4, 5), order=order)
    a = gpuarray.to_gpu(x)
    with gpuarray.lazy():
        z = a * 2 - a
    assert written() == (1, 2) and z.strides == x.strides and np.array_equal(z.get(), x)


# -- Everything that asks for memory -------------------------------------------------------

scale = ElementwiseKernel("float *x", "x[i] *= 3")


def user_kernel(x, y):
    z = x + y
    scale(x)
    return z, x


def memory_of_the_driver(x, y):
    z = x + y
    cuda.memset_d8(x.gpudata, 0, x.nbytes)
    return z, x


def address_as_number(x, y):
    z, address = x + y, x.ptr
    w = x * 2
    cuda.memset_d8(address, 0, x.nbytes)
    return z, w


def address_of_a_result(x, y):
    z, w = x + y, gpuarray.empty_like(x)
    cuda.memcpy_dtod(w.ptr, z.ptr, z.nbytes)
    return w, z


def no_longer_there(x, y):
    x, y = x + 1, y + 1
    z = x * y
    del x, y
    gc.collect()
    other = gpuarray.zeros(N, np.float32)
    return z, other


def in_place(x, y):
    z = x + y
    x += 1
    y *= z
    return x, y, z


def in_place_twice(x, y):
    z = x * 2
    z += 1
    z *= z
    return z, x


def axpy(x, y):
    y += 2 * x
    y += y * x
    return y, x


def view_written(x, y):
    z, v = x + y, x[10:50]
    v *= 2
    x[100:] = 5
    return z, x


def view_of_what_waits(x, y):
    z = x + y
    v = z[10:40]
    w = v * 2
    z += 1
    v -= 3
    return z, w, v


def view_and_its_array(x, y):
    z = x + y
    z += z[:]
    w = z[:] * 2
    z += w
    return z, w


def shifted(x, y):
    x[1:] += x[:-1] * y[1:]
    return x


def other_assignments(x, y):
    z, w, v = x + y, x - y, x * y
    x[...] = 1
    y.fill(2)
    return z, w, v, x, y


def not_fusable(x, y):
    z = (x + y) * np.exp(y) + np.sin(x * y) ** 2
    return z, (x + y).astype(np.float64), (x + y)[::-1] * x


def broadcast(x, y):
    z = x.reshape(10, 30) + y[:30]
    return z, (x * 2).sum(), z * (x + y)[:30]


def mixed_types(x, y):
    z = (x + y).astype(np.float16) * 2
    w = (x * y).astype(np.complex64) * (x + 1)
    return z, w


def choices(x, y):
    less = x < y
    return np.where(less, x * 2, y + 1), less & (y > 0), ~less


def with_out(x, y):
    z = x * y
    np.add(z, x, z)
    np.multiply(z, 2, z)
    return z, x


CASES = [user_kernel, memory_of_the_driver, address_as_number, address_of_a_result, no_longer_there,
         in_place, in_place_twice, axpy, view_written, view_of_what_waits, view_and_its_array,
         shifted, other_assignments, not_fusable, broadcast, mixed_types, choices, with_out]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_same_as_without(case, written):
    def run():
        results = case(gpuarray.to_gpu(host()), gpuarray.to_gpu(host(seed=1)))
        return results if isinstance(results, tuple) else (results,)

    eager = run()
    with gpuarray.lazy():
        fused = run()
    for a, b in zip(eager, fused, strict=True):
        assert a.dtype == b.dtype and np.array_equal(a.get(), b.get(), equal_nan=True)


def test_in_place_is_one_kernel(written):
    x, y = gpuarray.to_gpu(host()), gpuarray.to_gpu(host(seed=1))
    with gpuarray.lazy():
        y += 2 * x - 1
        assert written() == (1, 3)


@pytest.mark.parametrize("look", [
    lambda z: z.get(), str, repr, pickle.dumps, lambda z: z.item(), lambda z: z.gpudata,
    lambda z: z.ptr, lambda z: z.copy(),
    np.cumsum, lambda z: z.__dlpack__(), lambda z: z.astype(np.int8)])
def test_looking(look, written):
    x = gpuarray.to_gpu(np.array([[3]], np.float32))
    with gpuarray.lazy():
        z = x + x
        look(z)
        assert written() == (1, 1)
        assert z.get() == 6 and written() == (1, 1)


# -- Scopes --------------------------------------------------------------------------------


def test_scopes(written):
    x = gpuarray.to_gpu(host())
    with gpuarray.lazy():
        with gpuarray.lazy():
            z = x + 1
        assert written() == (0, 0)
        w = z * x
        del z
    assert written() == (1, 2)
    x + 1
    assert written() == (1, 2)
    with pytest.raises(KeyError), gpuarray.lazy():
        z = x + 2
        raise KeyError
    assert written() == (2, 3) and np.array_equal(w.get(), ((x + 1) * x).get())
    assert np.array_equal(z.get(), (x + 2).get())


def test_results_go_with_their_names():
    """Without the collector."""
    x = gpuarray.to_gpu(host())
    gc.disable()
    try:
        with gpuarray.lazy():
            part = 2 * x
            whole = part + 3 * x
        gone = [weakref.ref(part), weakref.ref(whole)]
        del part, whole
        assert [reference() for reference in gone] == [None, None]
    finally:
        gc.enable()


def test_nothing_is_left_undone_for_nobody(written):
    x = gpuarray.to_gpu(host())
    with gpuarray.lazy():
        x + x
    assert written() == (0, 0)


@pytest.mark.parametrize("call, error, text", [
    (lambda x: x + x[:3], ValueError, "broadcast"),
    (lambda x: x + "a", TypeError, "unsupported operand"),
    (lambda x: x & x, TypeError, "bitwise_and"),
    (lambda x: gpuarray.zeros(N, np.uint8) + 1000, OverflowError, "1000"),
])
def test_errors_come_at_once(call, error, text):
    with gpuarray.lazy(), pytest.raises(error, match=text):
        call(gpuarray.to_gpu(host()))


KERNELS = """
    struct holder { float *p; };
    __device__ float *pointer;
    __global__ void set(float *p) { p[threadIdx.x] = 100; }
    __global__ void set_in(holder h) { h.p[threadIdx.x] = 100; }
    __global__ void set_there() { pointer[threadIdx.x] = 100; }
"""


@pytest.fixture(scope="module")
def kernels():
    return functools.cache(lambda context: SourceModule(KERNELS, no_extern_c=False))


def by_number(kernels, x):
    address = x.ptr
    return lambda: kernels.get_function("set")(address, block=(32, 1, 1))


def by_number_of_numpy(kernels, x):
    address = np.uint64(x.ptr)
    return lambda: kernels.get_function("set")(address, block=(32, 1, 1))


def by_prepared_call(kernels, x):
    address, function = x.ptr, kernels.get_function("set").prepare("P")
    return lambda: function.prepared_call((1, 1), (32, 1, 1), address)


def by_struct(kernels, x):
    holder = np.array([x.ptr], np.uint64).view([("p", "u8")])[0]
    return lambda: kernels.get_function("set_in")(holder, block=(32, 1, 1))


def by_global_pointer(kernels, x):
    cuda.memcpy_htod(kernels.get_global("pointer")[0], np.array([x.ptr], np.uint64))
    return lambda: kernels.get_function("set_there")(block=(32, 1, 1))


def by_graph(kernels, x):
    graph = cuda.Graph()
    graph.add_memset(x.gpudata, 0, x.nbytes)
    return graph.instantiate().launch


def by_captured_launch(kernels, x):
    stream, address = cuda.Stream(), x.ptr

    def run():
        graph = stream.begin_capture()
        kernels.get_function("set")(address, block=(32, 1, 1), stream=stream)
        stream.end_capture()
        graph.instantiate().launch()

    return run


def by_copy_of_boxes(kernels, x):
    copy, host = cuda.Memcpy2D(), np.full(32, 100, np.float32)
    copy.set_src_host(host)
    copy.set_dst_device(x.ptr)
    copy.width_in_bytes, copy.height = 128, 1
    return copy


def by_free(kernels, x):
    memory = x.gpudata

    def run():
        memory.free()
        return [gpuarray.zeros(32, np.float32) for _ in range(8)]

    return run


@pytest.mark.parametrize("way", [
    by_number, by_number_of_numpy, by_prepared_call, by_struct, by_global_pointer, by_graph,
    by_captured_launch, by_copy_of_boxes, by_free], ids=lambda way: way.__name__)
def test_memory_that_is_named_otherwise(way, kernels):
    """Addresses that were told before: a launch writes what waits first."""
    x = gpuarray.zeros(32, np.float32) + 1
    change = way(kernels(cuda.Context.get_current()), x)
    with gpuarray.lazy():
        y = x * 2
        change()
    assert (y.get() == 2).all()


def numpys_view(x):
    gpuarray.open_to_host()
    try:
        return x, np.asarray(x)
    finally:
        gpuarray.open_to_host(False)


def dlpacks_view(x):
    return x, np.from_dlpack(x)


def dlpacks_view_of_a_part(x):
    return x, np.from_dlpack(x[::-1])


def buffer_of_the_memory(x):
    return x, np.frombuffer(x.gpudata.as_buffer(x.nbytes), np.float32)


def managed_memory(x):
    host = cuda.managed_zeros(32, np.float32, mem_flags=cuda.mem_attach_flags.GLOBAL)
    host[:] = 1
    return gpuarray.GPUArray(32, np.float32, gpudata=host), host


def results_in_managed_memory(x):
    def allocate(size):
        held.append(cuda.managed_empty(size, np.uint8, mem_flags=cuda.mem_attach_flags.GLOBAL))
        return held[-1]

    held = []
    z = gpuarray.GPUArray(32, np.float32, allocator=allocate)
    z.fill(1)
    return z, held[0].view(np.float32)


@pytest.mark.host  # whose memory the host may look at
@pytest.mark.parametrize("see", [numpys_view, dlpacks_view, dlpacks_view_of_a_part, buffer_of_the_memory,
                                 managed_memory, results_in_managed_memory], ids=lambda see: see.__name__)
def test_memory_that_the_host_sees(see):
    """Nothing waits that reads it, or that would be read there."""
    x = gpuarray.GPUArray(32, np.float32)
    x.fill(1)
    x, host = see(x)
    with gpuarray.lazy():
        y = x * 2
        cuda.Context.synchronize()
        host[:] = 50
        z = x + 1
        x += 1
        cuda.Context.synchronize()
        assert (host == 51).all()
    assert (y.get() == 2).all() and (z.get() == 51).all()


@pytest.mark.host
def test_memory_that_the_host_sees_later():
    x = gpuarray.zeros(32, np.float32)
    with gpuarray.lazy():
        y = x + 1
        host = np.from_dlpack(y)
        assert (host == 1).all()
        z = y * 2
        cuda.Context.synchronize()
        host[:] = 7
    assert (z.get() == 2).all() and (y.get() == 7).all()


@pytest.mark.host
def test_memory_that_the_host_sees_is_written():
    """A kernel that DLPack's call for the address launches has ended when it returns."""
    x = gpuarray.zeros(1 << 24, np.float32)
    for _ in range(5):
        with gpuarray.lazy():
            last = np.from_dlpack(x + 1)[::-(1 << 16)].copy()
        assert (last == 1).all()


WRAPPING = ["(x + 1) > x", "np.maximum(x, y) - np.minimum(x, y)", "abs(x - y) >= 0", "(x * 2) // 2",
            "-abs(x) <= 0", "(x - 1) < x", "x * y + x - y", "(x + y) - y == x", "abs(abs(x)) == abs(x)",
            "(x * 4 > 0) == (x > 0)", "-(-x) == x", "(x << 1) >> 1", "np.square(x) >= 0", "x * x * x",
            "np.sign(-x)", "np.sign(-x) == -np.sign(x)", "(x - y > 0) == (x > y)"]


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("kind", "bhiqBHIQ" if WIDE else "bhHqI")
def test_integers_wrap(kind):
    limits = np.iinfo(kind)
    x = np.array([limits.max, limits.min, 5, limits.max // 2 + 1, 0, limits.max - 1] * 20, kind)
    y = np.array([limits.max - 4, 7, 3, limits.min, limits.max, 1, 2, 9] * 15, kind)
    on_device = {"x": gpuarray.to_gpu(x), "y": gpuarray.to_gpu(y), "np": np}
    for text in WRAPPING:
        wanted = eval(text, {"x": x, "y": y, "np": np})
        with gpuarray.lazy():
            fused = eval(text, on_device)
        assert np.array_equal(fused.get(), wanted), text
        assert np.array_equal(eval(text, on_device).get(), wanted), text


def test_operand_freed():
    """The value is asked for, and the error is there; what else waits is written nevertheless."""
    x, y = gpuarray.to_gpu(host()), gpuarray.to_gpu(host(seed=1))
    with gpuarray.lazy():
        x.gpudata.free()
        z, w = x + 1, y * 2
        with pytest.raises(cuda.LogicError, match="was freed"):
            z.get()
    assert np.array_equal(w.get(), host(seed=1) * 2)


def test_kernel_fails(inject):
    """The error is there once, for one result; the others are as they should be, and nothing stays
    locked."""
    x, context = gpuarray.to_gpu(host()), cuda.Context.get_current()
    values = []

    def look():
        context.push()
        values.append(several[3].get())
        cuda.Context.pop()

    with gpuarray.lazy():
        several = [x + k for k in range(4)]
        inject("cuLaunchKernel", 2)
        with pytest.raises(cuda.MemoryError):
            cumath.exp(several[3])
        assert _native._lazy_counts()[0] == 3
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert np.array_equal(values[0], host() + np.float32(3))
    assert all(np.array_equal(several[k].get(), host() + np.float32(k)) for k in (1, 2))


def test_left_in_another_thread():
    """Refused, and the scope is still its thread's."""
    x, scope, errors = gpuarray.to_gpu(host()), gpuarray.lazy(), []

    def leave():
        try:
            scope.__exit__()
        except RuntimeError as error:
            errors.append(str(error))

    with scope:
        thread = threading.Thread(target=leave)
        thread.start()
        thread.join()
        z = x + 1
        assert _native._lazy_counts()[0] == 1
    assert "another thread" in errors[0] and np.array_equal(z.get(), host() + 1)


def test_context_is_gone(unraisable):
    """What was pending there is forgotten; its user hears why."""
    context = cuda.Device(0).make_context()
    with gpuarray.lazy():
        z = gpuarray.to_gpu(host()) + 1
        context.detach()
        y = gpuarray.to_gpu(host()) * 2
    assert np.array_equal(y.get(), host() * 2)
    with pytest.raises(RuntimeError, match="dead context"):
        z.get()


def test_looked_at_while_it_ends(written):
    """A weak reference's callback asks for memory while a pending result is on its way out."""
    x, seen = gpuarray.to_gpu(host()), []
    with gpuarray.lazy():
        z = x + 1
        reference = weakref.ref(z, lambda _: seen.append(x.get()))
        del z
    assert reference() is None and np.array_equal(seen[0], host()) and written() == (0, 0)


class Holder(gpuarray.GPUArray):
    """Its slot ends while the array does."""

    __slots__ = ("held",)

    def _new_like_me(self, dtype=None, order="C"):
        return Holder(self.shape, dtype or self.dtype)


class Asks:
    def __init__(self, array, seen):
        self.array, self.seen = array, seen

    def __del__(self):
        self.seen.append(self.array.get())


def test_subclass_that_ends(written):
    x, seen = Holder(N, np.float32), []
    x.set(host())
    with gpuarray.lazy():
        z = x + 1
        assert type(z) is Holder
        z.held = Asks(x, seen)
        del z
        assert np.array_equal(seen[0], host())
        w = x * 2
    assert np.array_equal(w.get(), host() * 2) and written() == (1, 1)


def test_streams():
    x, stream = gpuarray.to_gpu(host()), cuda.Stream()
    with gpuarray.lazy():
        z = x * 2
        w = cumath.sqrt(z * z, stream=stream)
        assert np.array_equal(w.get(stream=stream), np.abs(2 * host()))


def test_threads():
    """Each in its own scope; what waits in one is written when another asks for it."""
    context, x, errors = cuda.Context.get_current(), gpuarray.to_gpu(host()), []

    def work(k):
        context.push()
        try:
            for _ in range(20):
                with gpuarray.lazy():
                    z = x * k + shared - k
                    w = z * z
                    if not np.array_equal(w.get(), (host() * k + host() * 2 - k) ** 2):
                        errors.append(k)
        finally:
            cuda.Context.pop()

    with gpuarray.lazy():
        shared = x * 2
        threads = [threading.Thread(target=work, args=(np.float32(k),)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not errors and np.array_equal(shared.get(), 2 * host())


def test_another_context(written):
    x, other = gpuarray.to_gpu(host()), cuda.Device(0).make_context()
    cuda.Context.pop()
    with gpuarray.lazy():
        z = x * 2 + 1
        other.push()
        y = gpuarray.to_gpu(host(seed=1))  # an address: z is written, where it belongs
        assert written() == (1, 2) and cuda.Context.get_current() is other
        del y
        cuda.Context.pop()
    assert np.array_equal(z.get(), 2 * host() + 1)
    other.detach()
