"""Array code as a graph: operations are noted once, and launched together from then on."""

import contextlib

from pycuda import _native


@contextlib.contextmanager
def capture():
    """``with gpuarray.capture() as graph:`` array code of the body becomes a driver.Graph instead of
    being run; `graph.instantiate().launch()` runs all of it, on what the arrays hold then.

    Captured is what this thread does without naming a stream: operations on arrays, and launches of
    kernels. Arrays made in the body get their values with each launch, in memory that the graph
    keeps; those from outside must stay as long as it is launched. Expressions in a `lazy` block
    become one node. RuntimeError where values are asked for in the body, as by get(), or copied there
    from the host, and where captures are nested or another thread has one; LogicError where the body waits
    for the device. An exception in the body ends the capture. Until it ends, other threads leave the
    context's default stream alone: their work there raises LogicError and makes the capture invalid. Arrays with an allocator of their own take memory
    from that, which must outlive the graph. CUDA: cuStreamBeginCapture, cuStreamEndCapture.
    """
    stream, pool = _native.Stream(), _native.DeviceMemoryPool()
    kept = []  # while a check is on, pools give back at once what arrays leave

    def allocate(size):
        memory = pool.allocate(size)
        if _native._checks():
            kept.append(memory)
        return memory

    with stream.capture() as graph:
        stream._capture_arrays(allocate)
        try:
            yield graph
        finally:
            stream._capture_arrays(None)
    graph._memory = pool, kept  # for as long as it may be launched
