"""A fork after init(): the child hears of it at each call and takes nothing of its parent along."""

import pytest

import pycuda.driver as cuda

PARENT = """
import multiprocessing, os, sys
import numpy as np
import pycuda.autoinit, pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
context, memory, pool = pycuda.autoinit.context, cuda.mem_alloc(64), cuda.DeviceMemoryPool()
stream, event, module = cuda.Stream(), cuda.Event(), SourceModule("__global__ void f(int *x) { ++*x; }")
x, block, host = gpuarray.zeros(4, np.int32), pool.allocate(64), cuda.pagelocked_zeros(4, np.int32)
kernel = module.get_function("f").prepare("P")
kernel(x, block=(1, 1, 1))
other = cuda.Device(0).make_context()
other.pop()
"""
CHILD = """
CALLS = {
    "init": cuda.init, "get_driver_version": cuda.get_driver_version,
    "Device": lambda: cuda.Device(0), "Device.name": pycuda.autoinit.device.name,
    "make_context": pycuda.autoinit.device.make_context,
    "retain_primary_context": pycuda.autoinit.device.retain_primary_context,
    "get_current": cuda.Context.get_current, "synchronize": cuda.Context.synchronize,
    "push": context.push, "pop": context.pop,
    "mem_alloc": lambda: cuda.mem_alloc(4), "to_device": lambda: cuda.to_device(b"1234"),
    "memcpy_dtoh": lambda: cuda.memcpy_dtoh(bytearray(4), memory),
    "memset_d8": lambda: cuda.memset_d8(memory, 0, 4), "allocate": lambda: pool.allocate(64),
    "pagelocked_empty": lambda: cuda.pagelocked_empty(4, int), "Stream": cuda.Stream,
    "Stream.synchronize": stream.synchronize, "Event.record": event.record, "query": event.query,
    "launch": lambda: kernel(memory, block=(1, 1, 1)),
    "prepared_call": lambda: kernel.prepared_call((1, 1), (1, 1, 1), memory),
    "In": lambda: kernel(cuda.In(np.zeros(1, np.int32)), block=(1, 1, 1)),
    "get_function": lambda: module.get_function("f"), "num_regs": lambda: kernel.num_regs,
    "SourceModule": lambda: SourceModule("__global__ void g() { }"),
    "get": x.get, "x + x": lambda: x + x, "sum": lambda: gpuarray.sum(x), "fill": lambda: x.fill(1),
    "zeros": lambda: gpuarray.zeros(4, int), "detach": other.detach,
}

def child():
    for name, call in CALLS.items():
        try:
            print(name, call())
        except cuda.LogicError as error:
            assert "initialization error - this process was forked after" in str(error), error
            assert "set_start_method('spawn')" in str(error) and error.code == 3, error
    memory.free()
"""
BY_HAND = """
child_pid = os.fork()
if child_pid == 0:
    child()
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child_pid, 0)[1]))
"""
BY_MULTIPROCESSING = """
process = multiprocessing.get_context("fork").Process(target=child)
process.start(), process.join()
print(process.exitcode)
"""
BY_SPAWN = """
process = multiprocessing.get_context("spawn").Process(target=cuda.init)
process.start(), process.join()
print(process.exitcode)
"""
ALIVE = """
kernel(x, block=(1, 1, 1))
assert x.get()[0] == 2 and cuda.Context.get_current() is context
other.push(), cuda.mem_alloc(4).free(), other.pop()
"""


@pytest.mark.parametrize("way, status", [(BY_HAND, 7), (BY_MULTIPROCESSING, 0), (BY_SPAWN, 0)])
def test_child(run_python, way, status):
    # Of threads, such as a GPU's driver starts, Python warns itself.
    done = run_python(PARENT + CHILD + way + ALIVE, PYTHONWARNINGS="ignore::DeprecationWarning")
    assert (done.stderr, done.stdout, done.returncode) == ("", f"{status}\n", 0)


def test_child_of_one_that_only_imported(run_python):
    done = run_python("import os, sys, pycuda.driver as cuda\n"
                      "if os.fork() == 0:\n"
                      "    import pycuda.autoinit; cuda.mem_alloc(4); print('fine'); sys.exit()\n"
                      "assert os.wait()[1] == 0")
    assert (done.stderr, done.stdout, done.returncode) == ("", "fine\n", 0)


def test_parent_is_not_told():
    cuda.init()
    with pytest.raises(cuda.LogicError) as info:
        cuda.Device(99)
    assert "fork" not in str(info.value)
