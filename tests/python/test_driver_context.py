"""Device and Context: making, pushing, popping, destroying, in any order and thread."""

import gc
import os
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, gpuarray
from pycuda.tools import DeviceMemoryPool, PageLockedMemoryPool


@pytest.fixture
def device():
    cuda.init()
    return cuda.Device(0)


def test_versions(on_host):
    assert len(cuda.get_version()) == 3 and cuda.get_version() >= (12, 0, 0)
    assert cuda.get_driver_version() >= 12000
    assert cuda.have_gl_ext() is not on_host


def test_subclasses_initialize_their_base(device):
    class Named(cuda.Device):
        def __init__(self, ordinal):
            cuda.Device.__init__(self, ordinal)
            self.name = self.name()

    assert Named(0) == device and Named(0).name == device.name()


def test_device(device, on_host):
    assert cuda.Device.count() >= 1 and isinstance(device.name(), str)
    assert cuda.Device(device.pci_bus_id()) == device
    assert device == cuda.Device(np.int32(0)) and hash(device) == hash(cuda.Device(0))
    assert device != 0
    major, _minor = device.compute_capability()
    assert device.compute_capability_major == major
    if on_host:  # what is copied to it has to fit, too
        assert device.total_memory() <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    assert device.total_memory() > 1 << 20 and isinstance(device.can_access_peer(device), bool)
    assert device.warp_size == 32 == device.get_attribute(cuda.device_attribute.WARP_SIZE)
    assert device.get_attribute(10) == 32
    assert isinstance(device.compute_mode, cuda.compute_mode)
    attributes = device.get_attributes()
    assert attributes[cuda.device_attribute.WARP_SIZE] == 32 and len(attributes) >= 100


@pytest.mark.parametrize("call, error, text", [
    (lambda: cuda.Device(99), cuda.LogicError, "cuDeviceGet failed: invalid device ordinal"),
    (lambda: cuda.Device(-1), cuda.LogicError, "cuDeviceGet failed: invalid device ordinal"),
    (lambda: cuda.Device("rubbish"), cuda.LogicError, "cuDeviceGetByPCIBusId failed"),
    (lambda: cuda.Device(1.5), TypeError, "ordinal: expected an integer, got float"),
    (lambda: cuda.Device(), TypeError, r"Device\(ordinal\): argument 1 is missing"),
    (lambda: cuda.Device(1 << 40), OverflowError, "ordinal: 1099511627776 is out of range"),
    (lambda: cuda.Device(0).nonsense, AttributeError,
     "type object 'device_attribute' has no attribute 'NONSENSE'"),
    (lambda: cuda.Device(0).get_attribute(-5), cuda.LogicError, "cuDeviceGetAttribute failed"),
    (lambda: cuda.Device(0).can_access_peer(3), TypeError, "device: expected pycuda.driver.Dev"),
    (lambda: cuda.Device(0).make_context(1 << 30), cuda.LogicError, "cuCtxCreate failed: invalid"),
    (lambda: cuda.init(flags=7), cuda.LogicError, "cuInit failed: invalid argument"),
    (lambda: cuda.init(1, 2), TypeError, r"init\(flags=0\): too many arguments"),
    (lambda: cuda.init(bad=2), TypeError, r"init\(flags=0\): there is no argument 'bad'"),
])
def test_device_errors(device, call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_failed_make_context_keeps_the_stack(context, inject):
    inject("cuCtxCreate", 2)
    with pytest.raises(cuda.MemoryError) as info:
        cuda.Device(0).make_context()
    assert info.value.code == 2 and info.value.name == "CUDA_ERROR_OUT_OF_MEMORY"
    assert cuda.Context.get_current() is context


def test_stack(context):
    second = cuda.Device(0).make_context()
    assert cuda.Context.get_current() is second
    context.push()
    assert cuda.Context.get_current() is context
    cuda.Context.pop()
    assert cuda.Context.get_current() is second
    second.pop()
    assert cuda.Context.get_current() is context
    assert second != context and len({second, context, context}) == 2
    second.detach()


def test_pop_of_nothing(context):
    cuda.Context.pop()
    with pytest.raises(cuda.LogicError) as info:
        cuda.Context.pop()
    assert str(info.value) == ("context::pop failed: invalid device context - "
                               "cannot pop non-current context")


def test_thread_is_told_to_push(context):
    said = []

    def work():
        try:
            cuda.mem_alloc(16)
        except cuda.LogicError as problem:
            said.append(str(problem))
        context.push()
        said.append(cuda.mem_alloc(16))
        cuda.Context.pop()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert "push() first and Context.pop() at the end" in said[0]
    assert isinstance(said.pop(), cuda.DeviceAllocation)


def test_nothing_current(context):
    context.pop()
    assert cuda.Context.get_current() is None
    with pytest.raises(cuda.LogicError) as info:
        cuda.mem_alloc(16)
    assert str(info.value).startswith("explicit_context_dependent failed: invalid device context - "
                                      "no currently active context? `import pycuda.autoinit` makes one; ")
    with pytest.raises(cuda.LogicError, match="cuCtxGetDevice failed: invalid device context"):
        cuda.Context.get_device()


def test_detach(context):
    second = cuda.Device(0).make_context()
    memory = cuda.mem_alloc(16)
    stream = cuda.Stream()
    second.detach()
    assert cuda.Context.get_current() is context
    with pytest.raises(cuda.LogicError) as info:
        second.detach()
    assert str(info.value) == ("context::detach failed: invalid device context - "
                               "cannot detach from invalid context")
    for use in (second.push, second.get_api_version, stream.synchronize, stream.is_done):
        with pytest.raises(RuntimeError, match="cannot activate dead context"):
            use()
    memory.free()  # gone with its context: nothing to do
    del memory, stream


def test_detach_of_a_buried_context(context):
    second = cuda.Device(0).make_context()
    context.push()
    second.detach()
    assert cuda.Context.get_current() is context
    cuda.Context.pop()
    assert cuda.Context.get_current() is context  # the dead one below was passed over


def test_pushed_context_outlives_its_variables(context):
    cuda.Device(0).make_context()
    gc.collect()
    assert cuda.Context.get_current() is not context
    cuda.mem_alloc(16).free()
    cuda.Context.pop()
    assert cuda.Context.get_current() is context


def test_with_statement(context):
    second = cuda.Device(0).make_context()
    second.pop()
    with second as entered:
        assert entered is second is cuda.Context.get_current()
    assert cuda.Context.get_current() is context


def test_primary_context(context, device):
    first = device.retain_primary_context()
    assert cuda.Context.get_current() is context
    assert device.retain_primary_context() is first
    first.push()
    memory = cuda.mem_alloc(64)
    first.pop()
    memory.free()
    first.detach()
    first.push()  # retained once more
    first.pop()
    first.detach()
    with pytest.raises(cuda.LogicError, match="cannot detach from invalid context"):
        first.detach()


@pytest.mark.host  # which counts
def test_primary_context_outlives_what_arrays_kept_in_it(context, device):
    import ctypes

    library, handle = ctypes.CDLL(_native._driver_path()), ctypes.c_void_p()
    assert library.cuDevicePrimaryCtxRetain(ctypes.byref(handle), 0) == 0
    before, primary = _native._live_objects(), device.retain_primary_context()
    primary.push()
    assert gpuarray.sum(gpuarray.ones(50_000, np.float32)).get() == 50_000
    primary.pop()
    primary.detach()
    assert _native._live_objects() == before
    assert library.cuDevicePrimaryCtxRelease_v2(0) == 0


def test_foreign_context(context, device, on_host):
    """A context that another library made current is found and respected."""
    import ctypes

    library = ctypes.CDLL(_native._driver_path())
    handle = ctypes.c_void_p()
    assert library.cuDevicePrimaryCtxRetain(ctypes.byref(handle), 0) == 0
    assert library.cuCtxPushCurrent_v2(handle) == 0
    foreign = cuda.Context.get_current()
    assert foreign is not context and foreign.handle == handle.value
    assert cuda.Context.get_current() is foreign
    memory = cuda.mem_alloc(64)
    assert cuda.Context.attach() is foreign
    foreign.pop()
    assert library.cuCtxPopCurrent_v2(ctypes.byref(handle)) == 0
    assert cuda.Context.get_current() is context
    mine = device.retain_primary_context()
    assert mine is foreign
    del foreign, memory
    assert device.retain_primary_context() is mine
    mine.detach()
    assert mine.get_api_version() > 0  # once more
    mine.detach()
    assert library.cuDevicePrimaryCtxRelease_v2(0) == 0


@pytest.mark.parametrize("times, popped", [(1, False), (1, True), (2, False)])
def test_detach_after_attach(context, times, popped):
    """What was there before is there again: the context, current once."""
    array = gpuarray.arange(3)
    attached = [cuda.Context.attach() for _ in range(times)]
    if popped:
        cuda.Context.pop()
    for each in attached:
        each.detach()
    assert cuda.Context.get_current() is context and array.tolist() == [0, 1, 2]
    context.pop()
    assert cuda.Context.get_current() is None
    context.push()


def test_detach_of_a_foreign_context(context):
    """It is its owner's to destroy; what was made in it here is let go of."""
    import ctypes

    library, handle = ctypes.CDLL(_native._driver_path()), ctypes.c_void_p()
    assert library.cuCtxCreate_v2(ctypes.byref(handle), 0, 0) == 0
    foreign, stream = cuda.Context.get_current(), cuda.Stream()
    foreign.detach()
    with pytest.raises(RuntimeError, match="dead context"):
        stream.synchronize()
    again = cuda.Context.get_current()
    assert again is not foreign and again.handle == handle.value
    assert library.cuCtxDestroy_v2(handle) == 0
    assert cuda.Context.get_current() is context


def test_limits_and_configuration(context):
    context.set_limit(cuda.limit.PRINTF_FIFO_SIZE, 1 << 20)
    assert cuda.Context.get_limit(cuda.limit.PRINTF_FIFO_SIZE) >= 1 << 20
    cuda.Context.set_cache_config(cuda.func_cache.PREFER_L1)
    assert isinstance(cuda.Context.get_cache_config(), cuda.func_cache)
    assert isinstance(cuda.Context.get_shared_config(), cuda.shared_config)
    assert context.get_api_version() >= 3010
    assert context.get_device() == cuda.Device(0)
    cuda.Context.synchronize()
    with pytest.raises(cuda.LogicError, match="cuCtxGetLimit failed"):
        context.get_limit(12345)
    with pytest.raises(cuda.LogicError, match="cuCtxEnablePeerAccess failed"):
        context.enable_peer_access(context)
    with pytest.raises(TypeError, match="context: expected pycuda.driver.Context, got int"):
        context.disable_peer_access(5)


def test_objects_released_in_other_threads(context):
    objects = [cuda.mem_alloc(64), cuda.Stream(), cuda.Event(),
               cuda.pagelocked_empty(8, np.uint8), cuda.DeviceMemoryPool().allocate(100)]

    def drop():
        assert cuda.Context.get_current() is None
        objects.clear()
        gc.collect()

    thread = threading.Thread(target=drop)
    thread.start()
    thread.join()
    assert not objects


def test_thread_pushes_the_same_context(context):
    results = []

    def work():
        context.push()
        memory = cuda.to_device(np.arange(5))
        results.append(cuda.from_device(memory, 5, int).sum())
        context.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [10] * 4


@pytest.mark.host
def test_contexts_leave_nothing(context):
    gc.collect()
    before = _native._live_objects()
    for _ in range(50):
        other = cuda.Device(0).make_context()
        cuda.mem_alloc(100), cuda.Stream(), cuda.Event(), cuda.DeviceMemoryPool().allocate(9)
        other.pop()
        del other
    gc.collect()
    assert _native._live_objects() == before


@pytest.mark.parametrize("code", [
    "cuda.Device(0).make_context()",
    "c = cuda.Device(0).make_context(); m = cuda.mem_alloc(64); s = cuda.Stream()",
    "c = cuda.Device(0).make_context(); m = cuda.mem_alloc(64); c.detach()",
    "c = cuda.Device(0).make_context(); m = cuda.mem_alloc(64); c.pop(); del c",
    "import pycuda.autoinit; p = cuda.DeviceMemoryPool(); m = p.allocate(99)",
    "import pycuda.autoinit; pycuda.autoinit.context.pop()",
    "import pycuda.autoinit; pycuda.autoinit.context.detach()",
    "import pycuda.autoprimaryctx; m = cuda.mem_alloc(64)",
    ("import threading\ndef f(): cuda.Device(0).make_context(); cuda.mem_alloc(7)\n"
    "t = threading.Thread(target=f); t.start(); t.join()"),
    "c = cuda.Device(0).make_context(); c.me = c; m = cuda.mem_alloc(8); m.me = m",
])
def test_exit_is_silent(run_python, code):
    done = run_python("import pycuda.driver as cuda\ncuda.init()\n" + code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.host  # which counts
def test_a_thread_that_ends_gives_up_its_pushes(context):
    def leave_pushed(lent):
        lent.push(), lent.push(), cuda.Device(0).make_context(), cuda.mem_alloc(64)

    before, lent = _native._live_objects("context"), cuda.Device(0).make_context()
    lent.pop()
    thread = threading.Thread(target=leave_pushed, args=(lent,))
    thread.start()
    thread.join()
    del thread
    assert _native._live_objects("context") == before + 1
    lent.push()
    cuda.mem_alloc(64).free()
    lent.pop()
    assert cuda.Context.get_current() is context
    del lent
    assert _native._live_objects("context") == before


@pytest.mark.host  # which counts
def test_memory_pool_does_not_go_with_its_context(context):
    before, other = _native._live_objects("pool"), cuda.Device(0).make_context()
    pool = cuda.MemoryPool()
    other.detach()
    assert _native._live_objects("pool") == before + 1
    del pool
    assert _native._live_objects("pool") == before


LOOKS = {
    "page-locked": lambda: cuda.pagelocked_zeros(5000, np.float32),
    "of a page-locked pool": lambda: PageLockedMemoryPool().allocate(5000, np.float32),
    "managed": lambda: cuda.managed_zeros(5000, np.float32, mem_flags=cuda.mem_attach_flags.GLOBAL),
}
LOOKS_AT_DEVICE_MEMORY = {  # the host cannot read a GPU's
    "DLPack": lambda: np.from_dlpack(gpuarray.zeros(5000, np.float32)),
    "as_buffer": lambda: np.frombuffer(gpuarray.zeros(5000, np.float32).gpudata.as_buffer(20_000), np.float32),
    "pooled as_buffer": lambda: np.frombuffer(
        DeviceMemoryPool().allocate(20_000).as_buffer(20_000), np.float32),
}


@pytest.mark.parametrize("look", [
    *(pytest.param(look, id=name) for name, look in LOOKS.items()),
    *(pytest.param(look, id=name, marks=pytest.mark.host) for name, look in LOOKS_AT_DEVICE_MEMORY.items())])
def test_arrays_outlive_the_context_whose_memory_they_look_into(look, on_host):
    cuda.init()
    before = _native._live_objects("context") if on_host else None
    context = cuda.Device(0).make_context()
    array = look()
    context.detach()
    array[:] = 3
    assert array.sum() == 15_000
    with pytest.raises(cuda.LogicError):
        context.detach()
    with pytest.raises(RuntimeError, match="dead context"):
        context.push()
    if on_host:
        assert _native._live_objects("context") == before + 1
        del array
        gc.collect()
        assert _native._live_objects("context") == before
