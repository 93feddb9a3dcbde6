"""Graphs: captured and built, launched, changed; cooperative launches."""

import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void scale(float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= a;
}
"""
N = 64


@pytest.fixture
def scale(context):
    return SourceModule(SOURCE).get_function("scale")


@pytest.fixture
def memory(scale):
    return cuda.to_device(np.ones(N, np.float32))


def value(memory):
    result = np.empty(N, np.float32)
    cuda.memcpy_dtoh(result, memory)
    assert (result == result[0]).all()
    return result[0]


def test_capture(scale, memory):
    stream, host = cuda.Stream(), cuda.pagelocked_empty(N, np.float32)
    with stream.capture() as graph:
        assert stream.capture_status() == cuda.stream_capture_status.ACTIVE
        scale(memory, np.float32(3), np.int32(N), block=(N, 1, 1), stream=stream)
        cuda.memcpy_dtoh_async(host, memory, stream)
    assert stream.capture_status() == cuda.stream_capture_status.NONE
    assert value(memory) == 1
    assert [str(node.type) for node in graph.nodes] == ["KERNEL", "MEMCPY"]
    first, second = graph.nodes
    assert graph.edges == [(first, second)] and graph.root_nodes == [first]
    assert second.dependencies == [first] and first.dependents == [second]
    assert first.graph is graph and len({first, graph.nodes[0]}) == 1 and first != second
    run = graph.instantiate()
    run.upload(stream)
    for _ in range(3):
        run.launch(stream)
    stream.synchronize()
    assert value(memory) == 27 and (host == 27).all()
    del graph, first, second
    run.launch()
    cuda.Context.synchronize()
    assert value(memory) == 81


def test_capture_across_streams(scale, memory):
    stream, other = cuda.Stream(), cuda.Stream()
    fork, back = cuda.Event(), cuda.Event()
    more = cuda.to_device(np.ones(N, np.float32))
    graph = stream.begin_capture(cuda.stream_capture_mode.GLOBAL)
    fork.record(stream)
    other.wait_for_event(fork)
    scale(memory, np.float32(2), np.int32(N), block=(N, 1, 1), stream=stream)
    scale(more, np.float32(5), np.int32(N), block=(N, 1, 1), stream=other)
    back.record(other)
    stream.wait_for_event(back)
    assert stream.end_capture() is graph
    assert len(graph.root_nodes) == 2
    graph.instantiate().launch(stream)
    stream.synchronize()
    assert value(memory) == 2 and value(more) == 5


def test_arrays_can_be_captured(context):
    stream = cuda.Stream()
    x = gpuarray.to_gpu(np.arange(8, dtype=np.float32))
    y = gpuarray.empty_like(x)
    with stream.capture() as graph:
        cuda.memcpy_dtod_async(y.gpudata, x.gpudata, x.nbytes, stream)
        cuda.memset_d32_async(x.gpudata, 0, 8, stream)
    graph.instantiate().launch(stream)
    stream.synchronize()
    assert y.get().tolist() == list(range(8)) and not x.get().any()


@pytest.mark.parametrize("call, code", [
    (lambda stream, event: stream.synchronize(), 900),
    (lambda stream, event: stream.is_done(), 900),
    (lambda stream, event: cuda.Context.synchronize(), 900),
    (lambda stream, event: stream.wait_for_event(event), 905),
])
def test_forbidden_in_captures(context, call, code):
    stream, event = cuda.Stream(), cuda.Event()
    event.record(stream)
    stream.begin_capture()
    with pytest.raises(cuda.Error) as error:
        call(stream, event)
    assert error.value.code == code
    with pytest.raises(cuda.Error) as error:
        stream.end_capture()
    assert error.value.code == 901
    stream.synchronize()


def test_errors_of_captures(scale, memory):
    stream = cuda.Stream()
    with pytest.raises(cuda.Error):
        stream.end_capture()
    with pytest.raises(KeyError), stream.capture() as graph:
        raise KeyError
    assert stream.is_done() and graph.nodes == []
    with stream.capture() as graph, pytest.raises(cuda.LogicError, match="not ended well"):
        graph.instantiate()


def test_node_by_node(scale, memory):
    stream, host, event = cuda.Stream(), np.zeros(N, np.float32), cuda.Event()
    calls = []
    graph = cuda.Graph()
    fill = graph.add_memset(memory, 0x40000000, N, itemsize=4)  # 2.0
    kernel = graph.add_kernel(scale, (memory, np.float32(1.5), np.int32(N)), block=(N, 1, 1), after=fill)
    copy = graph.add_memcpy(host, memory, after=[kernel])
    call = graph.add_callback(lambda: calls.append(1), after=copy)
    record = graph.add_event_record(event, after=call)
    graph.add_empty(after=[record, copy])
    types = [node.type.name for node in graph.nodes]
    assert sorted(types) == sorted(
        ["MEMSET", "KERNEL", "MEMCPY", "HOST", "EVENT_RECORD", "EMPTY"])
    run = graph.instantiate()
    run.launch(stream)
    event.synchronize()
    stream.synchronize()
    assert (host == 3).all() and calls == [1]
    run.set_kernel(kernel, scale, (memory, np.float32(4), np.int32(N)), block=N)
    run.set_memset(fill, memory, 0x3F800000, N, itemsize=4)
    run.set_memcpy(copy, host[: N // 2], memory)
    run.launch(stream)
    stream.synchronize()
    assert (host[: N // 2] == 4).all() and (host[N // 2 :] == 3).all()
    run.set_enabled(kernel, False)
    assert not run.is_enabled(kernel) and run.is_enabled(copy)
    run.launch(stream)
    stream.synchronize()
    assert host[0] == 1 and len(calls) == 3
    twin = graph.clone()
    call.remove()
    with pytest.raises(cuda.LogicError, match="it was removed"):
        _ = call.type
    assert len(graph.nodes) == 5 and len(twin.nodes) == 6
    outer = cuda.Graph()
    outer.add_graph(twin)
    del twin
    outer.instantiate().launch(stream)
    stream.synchronize()
    assert host[0] == 3 and len(calls) == 4


def test_launches_outlive_their_graph(context):
    """What a launch uses of the host stays until it is done."""
    stream, memory, gate, calls = cuda.Stream(), cuda.mem_alloc(4 * N), threading.Event(), []
    stream.add_callback(lambda *args: gate.wait())
    graph = cuda.Graph()
    copy = graph.add_memcpy(memory, np.full(N, 5, np.float32))
    graph.add_callback(lambda: calls.append(len(calls)), after=copy)
    run = graph.instantiate()
    run.launch(stream)
    threading.Timer(0.05, gate.set).start()
    del graph, copy, run
    stream.synchronize()
    assert calls == [0] and (cuda.from_device(memory, N, np.float32) == 5).all()


def test_launches_in_streams_of_two_contexts(context, on_host):
    """And into a capture, which nobody can wait for, and which GPUs' drivers refuse at times."""
    memory, host = cuda.to_device(np.arange(N, dtype=np.float32)), np.zeros(N, np.float32)
    graph = cuda.Graph()
    node = graph.add_memcpy(host, memory)
    run, other = graph.instantiate(), context.get_device().make_context()
    streams = [cuda.Stream()]
    context.push()
    streams += [cuda.Stream(), cuda.Stream()]
    for stream in streams[1], streams[0], streams[1]:
        run.launch(stream)
    if on_host:
        with streams[2].capture() as captured:
            run.launch(streams[2])
        assert len(captured.nodes) == 1
    del run
    for stream in streams:
        stream.synchronize()
    assert host[N - 1] == N - 1
    with pytest.raises(TypeError, match="'<' not supported"):
        _ = node < graph.nodes[0]
    other.detach()


def test_launches_run_one_after_the_other(context):
    """In whichever streams; to run at once, a graph has to be instantiated twice."""
    slow = SourceModule("""__global__ void slow(volatile int *flag, volatile int *count)
    {
        int before = *count;
        while (*flag == 0)
            continue;
        *count = before + 1;
    }""").get_function("slow")
    flag, count = cuda.managed_zeros(1, np.int32), cuda.to_device(np.zeros(1, np.int32))
    graph = cuda.Graph()
    graph.add_kernel(slow, (flag, count), block=1)
    run = graph.instantiate()
    for _ in range(3):
        run.launch(cuda.Stream(cuda.stream_flags.NON_BLOCKING))
    threading.Timer(0.05, flag.fill, [1]).start()
    context.synchronize()
    assert cuda.from_device(count, 1, np.int32)[0] == 3


def test_dependencies(context):
    graph = cuda.Graph()
    first, second = graph.add_empty(), graph.add_empty()
    graph.add_dependency(first, second)
    assert graph.edges == [(first, second)]
    graph.remove_dependency(first, second)
    assert not graph.edges and all(node in graph.root_nodes for node in (first, second))
    with pytest.raises(cuda.LogicError):
        cuda.Graph().add_empty(after=first)


def test_update(scale, memory):
    stream = cuda.Stream()

    def captured(factor, twice=False):
        with stream.capture() as graph:
            for _ in range(1 + twice):
                scale(memory, np.float32(factor), np.int32(N), block=(N, 1, 1), stream=stream)
        return graph

    run = captured(2).instantiate()
    run.update(captured(7))
    run.launch(stream)
    with pytest.raises(cuda.Error, match="cuGraphExecUpdate failed: .* - ERROR_TOPOLOGY_CHANGED"):
        run.update(captured(7, twice=True))
    stream.synchronize()
    assert value(memory) == 7


def test_debug_dot(scale, memory, tmp_path):
    graph = cuda.Graph()
    graph.add_kernel(scale, (memory, np.float32(2), np.int32(N)), N)
    graph.debug_dot(str(tmp_path / "graph.dot"))
    assert (tmp_path / "graph.dot").read_text().lstrip().startswith("digraph")


@pytest.mark.parametrize("call, error, text", [
    (lambda g, f, m: g.add_kernel(f, (m,), 1), TypeError, "takes 3 arguments"),
    (lambda g, f, m: g.add_kernel(f, (cuda.In(np.zeros(1, np.float32)), np.float32(1), np.int32(1)),
                                  1), TypeError, "In, Out and InOut are for calls"),
    (lambda g, f, m: g.add_kernel(5, (), 1), TypeError, "function: expected pycuda.driver.Function, got int"),
    (lambda g, f, m: g.add_empty(after=[5]), TypeError, "node: expected pycuda.driver.GraphNode, got int"),
    (lambda g, f, m: g.add_memcpy(m, m), ValueError, "needed to copy from device to device"),
    (lambda g, f, m: g.add_memcpy(m, np.zeros(2), 17), ValueError, "the host memory has 16"),
    (lambda g, f, m: g.add_memset(m, 0, 4, itemsize=3), cuda.LogicError, "cuGraphAddMemsetNode"),
    (lambda g, f, m: g.add_callback(5), TypeError, "expected a callable, got int"),
    (lambda g, f, m: g.add_graph(5), TypeError, "graph: expected pycuda.driver.Graph, got int"),
    (lambda g, f, m: g.instantiate().set_kernel(g.add_empty(), f, (m, np.float32(1), np.int32(1)), 1),
     cuda.LogicError, "cuGraphExecKernelNodeSetParams"),
])
def test_bad_input(scale, memory, call, error, text):
    graph = cuda.Graph()
    with pytest.raises(error, match=text):
        call(graph, scale, memory)


@pytest.mark.parametrize("geometry, text", [
    ({"block": (2048, 1, 1)}, "block (2048, 1, 1): x must be 1 to 1024"),
    ({"block": (32, 64, 1)}, "block (32, 64, 1): 2048 threads, at most 1024"),
    ({"block": 1, "grid": (1, 70000)}, "grid (1, 70000, 1): y must be 1 to 65535"),
    ({"block": 1, "shared": 1 << 20}, "shared=1048576 bytes besides 0 static ones, at most 49152"),
])
def test_limits_are_named_as_of_a_launch(scale, memory, geometry, text):
    graph, arguments = cuda.Graph(), (memory, np.float32(1), np.int32(1))
    node = graph.add_kernel(scale, arguments, 1)
    exec_ = graph.instantiate()
    calls = {"cuLaunchKernel": lambda: scale(*arguments, **geometry),
             "cuGraphAddKernelNode": lambda: graph.add_kernel(scale, arguments, **geometry),
             "cuGraphExecKernelNodeSetParams": lambda: exec_.set_kernel(node, scale, arguments, **geometry)}
    for entry, call in calls.items():
        with pytest.raises(cuda.LogicError) as info:
            call()
        assert str(info.value).startswith(f"{entry} failed: invalid argument - kernel 'scale': {text}")
    assert graph.nodes == [node]


@pytest.mark.parametrize("entry, call", [
    ("cuGraphCreate", lambda g, s: cuda.Graph()),
    ("cuGraphAddEmptyNode", lambda g, s: g.add_empty()),
    ("cuGraphInstantiateWithFlags", lambda g, s: g.instantiate()),
    ("cuGraphLaunch", lambda g, s: g.instantiate().launch()),
    ("cuStreamBeginCapture", lambda g, s: s.begin_capture()),
    ("cuGraphClone", lambda g, s: g.clone()),
])
def test_failures_of_the_driver(context, inject, entry, call):
    graph, stream = cuda.Graph(), cuda.Stream()
    inject(entry, 2)
    with pytest.raises(cuda.MemoryError, match=f"{entry} failed: out of memory"):
        call(graph, stream)


def test_graphs_outlive_their_context():
    cuda.init()
    context = cuda.Device(0).make_context()
    graph = cuda.Graph()
    node, run = graph.add_empty(), graph.instantiate()
    context.pop()
    context.detach()
    for call in (graph.instantiate, run.launch, lambda: node.type, graph.add_empty):
        with pytest.raises(RuntimeError, match="cannot activate dead context"):
            call()


# -- Cooperative launches and attributes -----------------------------------------------------

GRID_SYNC = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rounds(int *x, int *sums)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), n = (int)grid.size();
    for (int round = 0; round < 5; round++) {
        x[i] = i + round;
        grid.sync();
        int other = (i + blockDim.x) % n;
        sums[i] += x[other] - round;
        grid.sync();
    }
}
"""


@pytest.mark.parametrize("checked", [{}, pytest.param({"check": "all"}, marks=pytest.mark.host)], ids=["plain", "checked"])
def test_grid_sync(context, checked):
    rounds = SourceModule(GRID_SYNC, no_extern_c=True, options=["-std=c++17"], **checked)
    kernel = rounds.get_function("_Z6roundsPiS_")
    threads = 96
    blocks = kernel.max_active_blocks(threads) * context.get_device().multiprocessor_count
    blocks = min(blocks, 40)
    n = blocks * threads
    x, sums = gpuarray.empty(n, np.int32), gpuarray.zeros(n, np.int32)
    kernel(x, sums, block=(threads, 1, 1), grid=(blocks, 1), cooperative=True)
    assert (sums.get() == (np.arange(n) + threads) % n * 5).all()
    with pytest.raises(cuda.Error) as error:
        kernel(x, sums, block=(threads, 1, 1), grid=(1 << 20, 1), cooperative=True)
    assert error.value.code == 720


@pytest.mark.host
def test_grid_sync_needs_a_cooperative_launch(context):
    module = SourceModule(GRID_SYNC, no_extern_c=True)
    x = gpuarray.zeros(32, np.int32)
    module.get_function("_Z6roundsPiS_")(x, x, block=(32, 1, 1))
    with pytest.raises(cuda.LaunchError, match="trap"):
        context.synchronize()


def test_launch_attributes(scale, memory, on_host):
    args = (memory, np.float32(2), np.int32(N))
    scale(*args, block=(N, 1, 1), cooperative=False, priority=0)
    assert value(memory) == 2
    if on_host:
        with pytest.raises(cuda.Error, match="clusters of one block only"):
            scale(*args, block=(N, 1, 1), grid=(2, 1), cluster=(2, 1, 1))
    with pytest.raises(TypeError):
        scale(*args, block=(N, 1, 1), priority="high")
