"""What holds memory of devices, and how much of it: pycuda.tools shows these names as its own."""

import contextlib
import gc
from typing import NamedTuple

from pycuda import _names, _native


class LiveMemory(NamedTuple):
    """Memory that is alive, of live_memory(): how many bytes, the object that owns it, and "program.py:12", the line
    outside this package that asked for it (None where no Python code was under way)."""

    bytes: int
    object: object
    where: str | None


def live_memory():
    """What holds memory of devices, and page-locked and other memory of the host that this package made: a list
    of LiveMemory (bytes, object, where), the largest first.

    The objects are GPUArrays that own their memory, allocations that no such array owns, and those
    whose array is gone while others look into it. Freed memory and memory of contexts that ended does not count, nor do
    blocks that a pool holds for later. It walks all objects of the process, so it is for looking, not for loops.
    """
    arrays = {}
    for thing in gc.get_objects():
        if isinstance(thing, _native.GPUArray):
            with contextlib.suppress(_native.Error, RuntimeError):  # its memory was freed, or its context
                owner = thing.gpudata  # of a view, a number
                if isinstance(owner, _native.DeviceAllocation):
                    arrays[id(owner)] = thing
    found = [LiveMemory(size, arrays.get(id(owner), owner), where) for size, owner, where in _native._live_memory()]
    return sorted(found, key=lambda one: -one.bytes)


class MemoryUsage(NamedTuple):
    """Bytes of memory that are alive, of memory_usage(), and the most that were at any one time: of the device, and
    of the host (page-locked, aligned and registered)."""

    device: int
    device_peak: int
    host: int
    host_peak: int


def memory_usage():
    """How much memory of the current context is alive, and how much was at most since it was made, or since
    reset_peak_memory(): a MemoryUsage. It counts the bytes that were asked for by objects that live, as
    live_memory() lists them; blocks that pools hold for later are no part of it."""
    return MemoryUsage(*_native._memory_counts())


def reset_peak_memory():
    """Starts the peaks of memory_usage() again, from what is alive now."""
    _native._memory_counts(reset=True)


_names.publish("pycuda.tools", globals())
