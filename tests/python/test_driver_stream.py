"""Streams and events: their order, what waits for them, priorities."""

import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda.compiler import SourceModule


def test_stream(context):
    stream = cuda.Stream()
    assert stream.is_done() is True and stream.handle > 0
    stream.synchronize()
    assert cuda.Stream(1).is_done() and cuda.Stream(flags=cuda.stream_flags.NON_BLOCKING)
    assert cuda.Stream(0, priority=0).handle != stream.handle


def test_event(context):
    start, end = cuda.Event(), cuda.Event(flags=cuda.event_flags.BLOCKING_SYNC)
    assert start.record() is start
    stream = cuda.Stream()
    stream.wait_for_event(start)
    assert end.record(stream) is end and end.synchronize() is end
    assert end.query() is True and start.query() is True
    assert isinstance(end.time_since(start), float)
    assert start.time_till(end) == end.time_since(start) >= 0


def test_stream_protocol(context):
    class Foreign:
        def __init__(self, answer):
            self.answer = answer

        def __cuda_stream__(self):
            return self.answer

    stream = cuda.Stream()
    assert stream.__cuda_stream__() == (0, stream.handle)
    cuda.Event().record(Foreign((0, stream.handle)))
    with pytest.raises(TypeError, match=r"__cuda_stream__\(\) must return \(version, handle\)"):
        cuda.Event().record(Foreign(7))


@pytest.mark.parametrize("call, error, text", [
    (lambda: cuda.Event().record(5), TypeError,
     "stream: expected Stream, None or an object with __cuda_stream__, got int"),
    (lambda: cuda.Stream().wait_for_event(None), TypeError,
     "event: expected pycuda.driver.Event, got NoneType"),
    (lambda: cuda.Event().time_since(cuda.Event()), cuda.LogicError,
     "cuEventElapsedTime failed: invalid resource handle"),
    (lambda: cuda.Event(flags=cuda.event_flags.DISABLE_TIMING).record()
     .time_since(cuda.Event().record()), cuda.LogicError, "cuEventElapsedTime failed"),
    (lambda: cuda.Event.from_ipc_handle("x"), cuda.LogicError,
     "event_from_ipc_handle failed: invalid argument - argument is not a bytes array"),
    (lambda: cuda.Event.from_ipc_handle(bytearray(3)), cuda.LogicError,
     "event_from_ipc_handle failed: invalid argument - handle has the wrong size"),
    (lambda: cuda.Stream(-1), OverflowError, "flags: -1 is out of range"),
    (lambda: cuda.Stream("a"), TypeError, "flags: expected an integer, got str"),
    (lambda: cuda.Stream(1 << 20), cuda.LogicError, "cuStreamCreate failed: invalid argument"),
])
def test_errors(context, call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_not_ready_is_an_answer(context, inject):
    inject("cuStreamQuery", 600)
    assert cuda.Stream().is_done() is False
    inject("cuEventQuery", 600)
    assert cuda.Event().query() is False
    inject("cuEventQuery", 999)
    with pytest.raises(cuda.Error, match="cuEventQuery failed: unknown error") as info:
        cuda.Event().query()
    assert type(info.value) is cuda.Error


def test_attributes_weakrefs_subclasses(context):
    import weakref

    class Mine(cuda.Stream):
        def __init__(self, flags, extra):
            self.extra = extra

        def __new__(cls, flags, extra):
            return super().__new__(cls, flags)

    stream = Mine(1, "extra")
    stream.anything = [stream]
    assert stream.extra == "extra" and isinstance(stream, cuda.Stream)
    reference = weakref.ref(stream)
    del stream
    import gc

    gc.collect()
    assert reference() is None
    assert np.zeros(3).sum() == 0


def test_callback(context):
    calls, memory = [], cuda.mem_alloc(1 << 20)
    stream, ended = cuda.Stream(), threading.Event()
    cuda.memset_d8_async(memory, 1, 1 << 20, stream)
    stream.add_callback(lambda *args: calls.append((*args, threading.get_ident())), "arg")
    stream.add_callback(lambda stream, status, arg: ended.set())
    cuda.memset_d8_async(memory, 2, 1 << 20, stream)
    stream.synchronize()
    (given, status, arg, thread), = calls
    assert given is stream and (status, arg) == (0, "arg") and ended.is_set()
    assert thread != threading.get_ident()


def test_callback_may_hold_the_last_reference(context, unraisable):
    """Of the stream and of memory: both go in the main thread."""
    class Held:
        def __init__(self):
            self.memory = cuda.mem_alloc(64)

        def __del__(self):
            gone.append(threading.get_ident())

    gone = []
    cuda.Stream().add_callback(lambda stream, status, arg: None, Held())
    cuda.Context.synchronize()
    for _ in range(1000):
        if gone:
            break
        threading.Event().wait(0.001)
    assert gone == [threading.get_ident()] and not unraisable


def test_callback_that_raises(context, unraisable):
    stream = cuda.Stream()
    stream.add_callback(lambda stream, status, arg: 1 / 0)
    stream.synchronize()
    assert unraisable == ["division by zero"]
    with pytest.raises(TypeError, match="callback: expected a callable, got int"):
        stream.add_callback(3)


def test_callbacks_among_many_launches(context):
    """A callback that waits for the GIL does not stop who launches."""
    kernel = SourceModule("__global__ void f(int *x) { ++*x; }").get_function("f")
    x, stream, count = cuda.to_device(np.zeros(1, np.int32)), cuda.Stream(), []
    for i in range(2000):
        if i % 100 == 0:
            stream.add_callback(lambda *args: count.append(args[2]), i)
        kernel(x, block=(1, 1, 1), stream=stream)
    stream.synchronize()
    assert count == list(range(0, 2000, 100)) and cuda.from_device(x, 1, np.int32)[0] == 2000
