"""Every driver call that the binding makes is failed once: a clear exception, no crash, and what
was half made is gone."""

import gc

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native


def box():
    copy = cuda.Memcpy2D()
    copy.set_src_host(np.zeros(4, np.uint8))
    copy.set_dst_host(np.zeros(4, np.uint8))
    copy.width_in_bytes, copy.height = 4, 1
    return copy


def memory():
    return cuda.mem_alloc(16)


def descriptor():
    descr = cuda.ArrayDescriptor()
    descr.width, descr.num_channels, descr.format = 4, 1, 1
    return descr


ENTRIES = [
    ("cuDeviceGetCount", lambda: cuda.Device.count()),
    ("cuDeviceGetName", lambda: cuda.Device(0).name()),
    ("cuDeviceGetPCIBusId", lambda: cuda.Device(0).pci_bus_id()),
    ("cuDeviceTotalMem", lambda: cuda.Device(0).total_memory()),
    ("cuDeviceGetAttribute", lambda: cuda.Device(0).compute_capability()),
    ("cuDeviceGetAttribute", lambda: cuda.Device(0).warp_size),
    ("cuDeviceCanAccessPeer", lambda: cuda.Device(0).can_access_peer(cuda.Device(0))),
    ("cuDevicePrimaryCtxRetain", lambda: cuda.Device(0).retain_primary_context()),
    ("cuCtxCreate", lambda: cuda.Device(0).make_context()),
    ("cuCtxGetCurrent", memory),
    ("cuCtxSynchronize", lambda: cuda.Context.synchronize()),
    ("cuCtxPushCurrent", lambda: cuda.Context.get_current().push()),
    ("cuCtxPopCurrent", lambda: cuda.Context.pop()),
    ("cuCtxGetDevice", lambda: cuda.Context.get_device()),
    ("cuCtxGetLimit", lambda: cuda.Context.get_limit(0)),
    ("cuStreamCreate", lambda: cuda.Stream()),
    ("cuStreamCreateWithPriority", lambda: cuda.Stream(priority=0)),
    ("cuStreamSynchronize", lambda: cuda.Stream().synchronize()),
    ("cuStreamWaitEvent", lambda: cuda.Stream().wait_for_event(cuda.Event())),
    ("cuEventCreate", lambda: cuda.Event()),
    ("cuEventRecord", lambda: cuda.Event().record()),
    ("cuEventSynchronize", lambda: cuda.Event().synchronize()),
    ("cuEventElapsedTime", lambda: cuda.Event().record().time_since(cuda.Event().record())),
    ("cuMemAlloc", memory),
    ("cuMemAlloc", lambda: cuda.to_device(b"1234")),
    ("cuMemAlloc", lambda: cuda.DeviceMemoryPool().allocate(16)),
    ("cuMemcpyHtoD", lambda: cuda.to_device(b"1234")),
    ("cuMemFree", lambda: memory().free()),
    ("cuMemAllocPitch", lambda: cuda.mem_alloc_pitch(4, 4, 4)),
    ("cuMemAllocManaged", lambda: cuda.managed_empty(4, int)),
    ("cuMemHostAlloc", lambda: cuda.pagelocked_empty(4, int)),
    ("cuMemHostAlloc", lambda: cuda.PageLockedMemoryPool().allocate(4, int)),
    ("cuMemFreeHost", lambda: cuda.pagelocked_empty(4, int).base.free()),
    ("cuMemHostRegister", lambda: cuda.register_host_memory(np.zeros(4))),
    ("cuMemHostGetDevicePointer", lambda: cuda.pagelocked_empty(4, int).base.get_device_pointer()),
    ("cuMemGetInfo", lambda: cuda.mem_get_info()),
    ("cuMemcpyDtoH", lambda: cuda.from_device(memory(), 4, np.int32)),
    ("cuMemcpyDtoDAsync", lambda: cuda.memcpy_dtod_async(memory(), memory(), 4, cuda.Stream())),
    ("cuMemsetD2D16", lambda: cuda.memset_d2d16(memory(), 4, 0, 2, 2)),
    ("cuMemcpy2DUnaligned", lambda: box()()),
    ("cuMemcpy2DAsync", lambda: box()(cuda.Stream())),
    ("cuArrayCreate", lambda: cuda.Array(descriptor())),
    ("cuArrayGetDescriptor", lambda: cuda.Array(descriptor()).get_descriptor()),
    ("cuModuleLoad", lambda: cuda.module_from_file("x")),
    ("cuModuleLoadDataEx", lambda: cuda.module_from_buffer(b"x")),
    ("cuLinkCreate", lambda: cuda.Linker()),
    ("cuProfilerStart", lambda: cuda.start_profiler()),
    ("cuStreamAddCallback", lambda: cuda.Stream().add_callback(print)),
    ("cuIpcOpenMemHandle", lambda: cuda.IPCMemoryHandle(bytes(64))),
    ("cuGraphClone", lambda: cuda.Graph().clone()),
    ("cuGraphInstantiateWithFlags", lambda: cuda.Graph().instantiate()),
    ("cuStreamBeginCapture", lambda: cuda.Stream().begin_capture()),
    ("cuMemPoolCreate", lambda: cuda.MemoryPool()),
]


# Out of memory: garbage is collected, and the call made again.
RETRIED = ("cuMemAlloc", "cuMemAllocPitch", "cuMemAllocManaged", "cuMemHostAlloc", "cuArrayCreate")


@pytest.mark.parametrize("status, error", [
    (1, cuda.LogicError), (2, cuda.MemoryError), (719, cuda.LaunchError), (100, cuda.RuntimeError),
    (999, cuda.Error), (12345, cuda.LogicError),
])
@pytest.mark.parametrize("entry, call", ENTRIES)
def test_failure(context, inject, unraisable, entry, call, status, error):
    gc.collect()
    on_host = _native._is_host_device()
    before = on_host and _native._live_objects()
    inject(entry, status)
    if status == 2 and entry in RETRIED:
        call()
    else:
        with pytest.raises(error) as info:
            call()
        assert type(info.value) is error and info.value.code == status
        assert " failed: " in str(info.value)
        del info
    inject(entry, 0, 0)
    gc.collect()
    unsaved = entry in ("cuMemFree", "cuMemFreeHost")  # the driver never heard of these
    assert not on_host or unsaved or _native._live_objects() <= before
    assert cuda.Context.get_current() is context


def test_driver_text_is_the_exception_text(context, inject):
    inject("cuMemGetInfo", 702)
    with pytest.raises(cuda.LaunchError) as info:
        cuda.mem_get_info()
    assert str(info.value).startswith("cuMemGetInfo failed: the launch timed out and was terminated")
    assert (info.value.code, info.value.name) == (702, "CUDA_ERROR_LAUNCH_TIMEOUT")


def test_failure_of_activation(context, inject):
    """A context that cannot be entered frees nothing and does not fail."""
    pool = cuda.DeviceMemoryPool()
    block = pool.allocate(64)
    context.pop()
    inject("cuCtxPushCurrent", 201)
    pool.free_held()
    with pytest.raises(cuda.LogicError, match="memory_pool::allocate failed: invalid device con"):
        inject("cuCtxPushCurrent", 201)
        pool.allocate(1 << 16)
    context.push()
    block.free()
