"""What ran when: pycuda.profiler, and python -m pycuda trace."""

import itertools
import json
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.profiler import trace

BUSY = """
__global__ void busy(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[threadIdx.x] = x[threadIdx.x] * 0.5f + 1;
}"""


@pytest.fixture
def busy(context):
    return SourceModule(BUSY).get_function("busy")


def read(path):
    """The events by their kind, and the names of rows."""
    events = json.loads(path.read_text())["traceEvents"]
    assert all(event["dur"] >= 0 and event["ts"] > 0 for event in events if event["ph"] == "X")
    assert {event["ph"] for event in events} <= {"X", "M"}
    kinds = {kind: [event for event in events if event.get("cat") == kind]
             for kind in ("driver", "kernel", "copy", "fill", "graph")}
    names = {(event["pid"], event.get("tid")): event["args"]["name"] for event in events if event["ph"] == "M"}
    return kinds, names


def test_kernels_and_copies(busy, tmp_path):
    stream, x = cuda.Stream(), cuda.mem_alloc(4096)
    with trace(tmp_path / "t.json"):
        cuda.memset_d32(x, 0, 64)
        for _ in range(3):
            busy(x, np.int32(2000), block=(64, 1, 1), grid=(300, 1), stream=stream)
        stream.synchronize()
        host = cuda.from_device(x, 64, np.float32)
    kinds, names = read(tmp_path / "t.json")
    assert np.all(np.isfinite(host))
    assert [event["name"] for event in kinds["kernel"]] == ["busy"] * 3
    assert kinds["kernel"][0]["args"] == {"call": "cuLaunchKernel", "grid": [300, 1, 1], "block": [64, 1, 1]}
    assert [event["args"]["bytes"] for event in kinds["copy"]] == [256]
    assert [event["name"] for event in kinds["fill"]] == ["cuMemsetD32"]
    ends = [(event["ts"], event["ts"] + event["dur"]) for event in kinds["kernel"]]
    assert all(end <= start + 1e-3 for (_, end), (start, _) in itertools.pairwise(ends))  # in order
    row, = {(event["pid"], event["tid"]) for event in kinds["kernel"]}
    assert names[row] == f"stream 0x{stream.handle:x}" and names[row[0], None] == "device 0"
    assert {names[event["pid"], event["tid"]] for event in kinds["copy"]} == {"null stream"}


def test_work_lies_between_its_launch_and_the_end_of_the_wait(busy, tmp_path):
    x = cuda.mem_alloc(4096)
    with trace(tmp_path / "t.json"):
        busy(x, np.int32(2000), block=(64, 1, 1), grid=(300, 1))
        cuda.Context.synchronize()
    kinds, _ = read(tmp_path / "t.json")
    calls, (kernel,) = {event["name"]: event for event in kinds["driver"]}, kinds["kernel"]
    slack = 200  # microseconds between the clock of events and that of calls
    wait = calls["cuCtxSynchronize"]
    assert calls["cuLaunchKernel"]["ts"] - slack <= kernel["ts"]
    assert kernel["ts"] + kernel["dur"] <= wait["ts"] + wait["dur"] + slack


def test_threads(context, tmp_path):
    begun, done = threading.Event(), threading.Event()

    def work():
        context.push()
        cuda.mem_alloc(100)
        cuda.Context.pop()
        begun.set()
        done.wait()

    thread = threading.Thread(target=work, name="another")
    with trace(tmp_path / "t.json"):
        cuda.mem_alloc(100)
        thread.start()
        begun.wait()
    kinds, names = read(tmp_path / "t.json")
    done.set()
    thread.join()
    rows = [names[event["pid"], event["tid"]] for event in kinds["driver"] if event["name"] == "cuMemAlloc"]
    assert rows == ["MainThread", "another"]


def test_failures_captures_and_contexts_that_go(busy, tmp_path):
    stream, x = cuda.Stream(), cuda.mem_alloc(4096)
    with trace(tmp_path / "t.json"):
        with pytest.raises(cuda.MemoryError):
            cuda.mem_alloc(1 << 50)
        with stream.capture() as graph:
            busy(x, np.int32(2), block=(64, 1, 1), stream=stream)
        graph.instantiate().launch(stream)
        stream.synchronize()
        other = cuda.Device(0).make_context()
        gpuarray.zeros(100, np.float32)
        other.pop()
        other.detach()
    kinds, _ = read(tmp_path / "t.json")
    assert any(event["args"]["result"] == "CUDA_ERROR_OUT_OF_MEMORY" for event in kinds["driver"])
    assert [event["name"] for event in kinds["kernel"]] == ["pycuda_copy"] and len(kinds["graph"]) == 1


def test_one_at_a_time(context, tmp_path):
    first = trace(str(tmp_path / "t.json"))
    with pytest.raises(RuntimeError, match="start\\(\\) comes first"):
        first.stop()
    assert first.start() is first and "recording" in repr(first)
    with pytest.raises(RuntimeError, match="recorded already, to"):
        trace("another").start()
    first.stop()
    kinds, _ = read(tmp_path / "t.json")
    assert kinds["driver"] == [] and repr(first) == f"<pycuda.profiler.trace to {str(tmp_path / 't.json')!r}>"
    with first:
        cuda.mem_alloc(4)
    assert [event["name"] for event in read(tmp_path / "t.json")[0]["driver"]][:2] == ["cuCtxGetCurrent", "cuMemAlloc"]


def test_command(run_python, tmp_path):
    program, path = tmp_path / "program.py", tmp_path / "t.json"
    program.write_text("import sys, numpy as np, pycuda.autoinit; from pycuda import gpuarray\n"
                       "print(gpuarray.zeros(3, np.float32) + 1, sys.argv[1:])\n"
                       "sys.exit(3)")
    done = run_python("import sys; from pycuda.__main__ import main\n"
                      f"sys.exit(main(['trace', '-o', {str(path)!r}, {str(program)!r}, '--option', 'b']))")
    assert (done.stdout, done.returncode) == ("[1. 1. 1.] ['--option', 'b']\n", 3), done.stderr
    assert "perfetto" in done.stderr and len(read(path)[0]["kernel"]) == 2
    done = run_python("from pycuda.__main__ import main; main(['trace', 'nothing.py'])")
    assert done.stderr == "python -m pycuda trace: no such file: nothing.py\n"


def test_primary_context_serves_threads(run_python):
    """Before and behind each call: arrays, launches, allocations, Context.get_current()."""
    code = """
import threading
import numpy as np
import pycuda.autoprimaryctx, pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
x = gpuarray.zeros(3, np.float32)
f = SourceModule("__global__ void f(float *x) { x[threadIdx.x] += 1; }").get_function("f")
ways = [lambda: x.get(), lambda: f(x, block=(3, 1, 1)), lambda: cuda.mem_alloc(4), lambda: x + 1, cuda.Stream,
        lambda: cuda.Context.synchronize()]
seen = []
def work(way):
    way()
    seen.append(cuda.Context.get_current() is pycuda.autoprimaryctx.context)
for way in ways:
    thread = threading.Thread(target=work, args=(way,)); thread.start(); thread.join()
thread = threading.Thread(target=lambda: seen.append(cuda.Context.get_current() is pycuda.autoprimaryctx.context))
thread.start(); thread.join()
print(seen == [True] * 7, x)
"""
    done = run_python(code)
    assert (done.stdout, done.stderr, done.returncode) == ("True [1. 1. 1.]\n", "", 0)


@pytest.mark.parametrize("where", ["the thread that imported it", "another"])
def test_a_thread_that_pops_the_primary_context_does_without(run_python, where):
    """A loop that pops all there is comes to an end, and what needs a context says that there is none."""
    done = run_python(f"""if True:
        import threading
        import pycuda.autoprimaryctx, pycuda.driver as cuda
        def work():
            memory = cuda.mem_alloc(4)
            while cuda.Context.get_current() is not None:
                cuda.Context.pop()
            try:
                cuda.mem_alloc(4)
            except cuda.LogicError as error:
                print("no currently active context" in str(error))
            pycuda.autoprimaryctx.context.push()
        if {where == "another"}:
            thread = threading.Thread(target=work); thread.start(); thread.join()
        else:
            work()
        """)
    assert (done.stdout, done.stderr, done.returncode) == ("True\n", "", 0)


def test_a_detached_context_serves_nobody(run_python):
    done = run_python("""if True:
        import atexit, threading
        import pycuda.autoprimaryctx, pycuda.driver as cuda
        cuda.Context.pop()
        pycuda.autoprimaryctx.context.detach()
        def work():
            print(cuda.Context.get_current())
        thread = threading.Thread(target=work); thread.start(); thread.join()
        """)
    assert done.stdout == "None\n"
