"""gpuarray.capture: array code as a graph, which computes what the code does with what arrays hold then."""

import contextlib
import gc
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import cumath, debug, gpuarray
from pycuda.elementwise import ElementwiseKernel

pytestmark = pytest.mark.usefixtures("context")
N = 1000


def numbers(seed):
    return np.random.default_rng(seed).uniform(1, 4, N).astype(np.float32)


@pytest.fixture
def arrays():
    return [gpuarray.to_gpu(numbers(k)) for k in range(2)]


def elsewhere(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def twenty_operations(x, y):
    for _ in range(4):
        z = 2 * x + y
        z -= x / y
        y = abs(z) * 0.5
    return z, y


def functions_and_views(x, y):
    z = cumath.exp(-x) + np.sin(y)[::-1]
    z[::2] *= x[1::2]
    return z, np.where(x < y, z, 3), z.reshape(10, 100).T.reshape(-1), z.astype(np.float64)


def reductions(x, y):
    return gpuarray.sum(x * y), (x - x.max()).reshape(100, 10).sum(axis=0), gpuarray.dot(x, y), np.cumsum(y)


def new_arrays(x, y):
    z = gpuarray.zeros_like(x)
    z[10:20] = y[:10]
    w = gpuarray.empty_like(x)
    w.fill(3)
    w += z
    return z, w, gpuarray.concatenate((x, w)), np.sort(x * y)


scale = ElementwiseKernel("float *x, float a", "x[i] *= a")


def kernels_of_ones_own(x, y):
    z = x + y
    scale(z, 3)
    return z, z + 1


def in_place(x, y):
    z = x + 0
    y = y + 0
    z += y
    y *= z
    z[1:] -= z[:-1]
    return z, y


def products(x, y):
    a, b = x.reshape(20, 50), y.reshape(50, 20)
    z = a @ b
    return z, z @ z.T + 1, np.matmul(b.reshape(5, 10, 20), z)


CASES = [twenty_operations, functions_and_views, reductions, new_arrays, kernels_of_ones_own, in_place, products]


@pytest.mark.parametrize("is_lazy", [False, True], ids=["", "lazy"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_replays(case, is_lazy, arrays):
    """The same bits as the code itself, whatever the arrays held when it was captured; other arrays that
    come and go in between lie elsewhere."""
    with gpuarray.capture() as graph, gpuarray.lazy() if is_lazy else contextlib.nullcontext():
        results = case(*arrays)
    run = graph.instantiate()
    others = [gpuarray.to_gpu(numbers(9)) for _ in range(20)]
    for seed in range(2, 5):
        for k, x in enumerate(arrays):
            x.set(numbers(seed + k))
        run.launch()
        wanted = case(*(gpuarray.to_gpu(numbers(seed + k)) for k in range(2)))
        for one, other in zip(results, wanted, strict=True):
            assert one.dtype == other.dtype and one.get().tobytes() == other.get().tobytes()
        others[seed] = gpuarray.to_gpu(numbers(9)) + 0
        gc.collect()
    assert all((x.get() == numbers(9)).all() for x in others)


def test_nothing_runs_meanwhile(arrays):
    x, y = arrays
    with gpuarray.capture() as graph:
        x += 1
    assert (x.get() == numbers(0)).all()
    run = graph.instantiate()
    run.launch()
    run.launch()
    assert (x.get() == numbers(0) + 1 + 1).all() and (y.get() == numbers(1)).all()


def test_lazy_blocks_become_one_node(arrays):
    x, y = arrays
    with gpuarray.capture() as graph, gpuarray.lazy():
        z = 2 * x + y - x * y
    with gpuarray.capture() as single:
        w = 2 * x + y - x * y
    assert len(graph.nodes) == 1 and len(single.nodes) == 4
    graph.instantiate().launch()
    single.instantiate().launch()
    assert (z.get() == w.get()).all()


def test_what_was_pending_before_is_not_captured(arrays):
    x, y = arrays
    with gpuarray.lazy():
        z = x + y
        with gpuarray.capture() as graph:
            w = z * 2
        z += 1
    graph.instantiate().launch()
    total = numbers(0) + numbers(1)
    assert (z.get() == total + 1).all() and (w.get() == (total + 1) * 2).all()


def test_memory_outlives_the_code(arrays):
    """That of temporary arrays is the graph's, and that of results, too, when their names are gone."""
    x, y = arrays
    out = gpuarray.zeros_like(x)
    with gpuarray.capture() as graph:
        made = gpuarray.empty(N, np.float32)
        np.multiply(x, y, made)
        np.add(made, 1, out)
        del made
    run = graph.instantiate()
    del graph
    gc.collect()
    others = [gpuarray.zeros(N, np.float32) for _ in range(50)] + [x * 0 for _ in range(50)]
    run.launch()
    assert (out.get() == numbers(0) * numbers(1) + 1).all() and not any(other.get().any() for other in others)


@pytest.mark.parametrize("call", [
    lambda x: x.get(), lambda x: x.set(numbers(3)), lambda x: x[3].item(), lambda x: bool(x[0]), str,
    lambda x: x.__setitem__(slice(0, 3), np.arange(3)), lambda x: gpuarray.to_gpu(numbers(3)),
    lambda x: float(gpuarray.sum(x).get())])
def test_values_are_not_there_yet(call, arrays):
    """Said in a sentence, and the capture goes on."""
    x, y = arrays
    with gpuarray.capture() as graph:
        with pytest.raises(RuntimeError, match="cannot be captured"):
            call(x)
        z = x + y
    graph.instantiate().launch()
    assert (z.get() == numbers(0) + numbers(1)).all()


@pytest.mark.parametrize("call", [np.fft.fft, lambda x: np.linalg.inv(x.reshape(2, 2))], ids=["transform", "inverse"])
def test_what_waits_for_its_library_is_refused(call):
    x = gpuarray.to_gpu(np.arange(1, 5, dtype=np.float32))
    with pytest.raises(RuntimeError, match="cannot be captured with array code"), gpuarray.capture():
        call(x)
    np.testing.assert_allclose(call(x).get(), call(x.get()), rtol=1e-5)


def test_exceptions_end_it(arrays):
    x, y = arrays
    with pytest.raises(KeyError), gpuarray.capture():
        x += y
        raise KeyError
    assert (x.get() == numbers(0)).all()
    assert ((x + y).get() == numbers(0) + numbers(1)).all()  # runs again


def test_captures_do_not_nest(arrays):
    x, y = arrays
    with gpuarray.capture() as graph:
        with pytest.raises(RuntimeError, match="captured already"), gpuarray.capture():
            pass
        z = x + y
    graph.instantiate().launch()
    assert (z.get() == numbers(0) + numbers(1)).all()


def test_other_threads_go_on(arrays):
    x, y = arrays
    context, seen = cuda.Context.get_current(), []

    def work():
        context.push()
        stream = cuda.Stream(1)
        out = gpuarray.empty(N, np.float32)
        seen.append(cumath.sqrt(x, out=out, stream=stream).get(stream=stream))
        cuda.Context.pop()

    with gpuarray.capture() as graph:
        z = x + y
        elsewhere(work)
        w = z * 2
    graph.instantiate().launch()
    assert np.allclose(seen[0], np.sqrt(numbers(0))) and (w.get() == (numbers(0) + numbers(1)) * 2).all()
    assert len(graph.nodes) == 2


def test_one_thread_captures_at_a_time(arrays):
    x, y = arrays
    context, seen = cuda.Context.get_current(), []

    def work():
        context.push()
        with pytest.raises(RuntimeError, match="another thread captures array code") as caught, gpuarray.capture():
            pass
        seen.append(caught)
        cuda.Context.pop()

    with gpuarray.capture() as graph:
        z = x + y
        elsewhere(work)
        z += 1
    graph.instantiate().launch()
    assert seen and (z.get() == numbers(0) + numbers(1) + 1).all()


def test_nothing_is_left_when_its_context_ends():
    cuda.init()
    context = cuda.Device(0).make_context()
    x = gpuarray.to_gpu(numbers(0))
    with pytest.raises((RuntimeError, cuda.Error)), gpuarray.capture():
        x + x
        cuda.Context.pop()
        context.detach()
    other = cuda.Device(0).make_context()
    y = gpuarray.to_gpu(numbers(0))
    assert ((y + y).get() == 2 * numbers(0)).all()
    del y
    other.pop()


@pytest.mark.parametrize("ends", [True, False])
def test_stream_that_is_captured_no_longer(arrays, ends):
    """As a destructor or another thread may end it."""
    x, y = arrays
    stream = cuda.Stream()
    with pytest.raises(RuntimeError, match="begin_capture"):
        stream._capture_arrays(cuda.mem_alloc)
    graph = stream.begin_capture()
    stream._capture_arrays(cuda.DeviceMemoryPool().allocate if ends else lambda size: stream.end_capture())
    if ends:
        with gpuarray.lazy():
            z = x + y
            assert stream.end_capture() is graph
        graph.instantiate().launch()
        assert (z.get() == numbers(0) + numbers(1)).all()
    else:
        with pytest.raises((TypeError, RuntimeError)):
            x + y
    assert ((x + y).get() == numbers(0) + numbers(1)).all()


@pytest.mark.host
@pytest.mark.parametrize("kind", ["memory", "init"])
def test_memory_of_arrays_that_are_gone_under_a_check(arrays, kind):
    x, y = arrays
    with debug.check(kind):
        with gpuarray.capture() as graph:
            between = x + y
            z = between * 2
            del between
        graph.instantiate().launch()
        cuda.Context.synchronize()
    assert (z.get() == 2 * (numbers(0) + numbers(1))).all()
