"""Device, host and managed memory, copies and memsets."""

import gc
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

# -- Device memory ---------------------------------------------------------------------------


def test_allocation(context):
    free, total = cuda.mem_get_info()
    assert 0 < free <= total
    memory = cuda.mem_alloc(np.int64(1000))
    assert int(memory) == memory.__index__() and hex(memory) == hex(int(memory))
    base, size = cuda.mem_get_address_range(int(memory) + 10)
    assert base == int(memory) and size >= 1000
    address = int(memory)
    memory.free()
    assert int(memory) == address
    with pytest.raises(cuda.LogicError) as info:
        memory.free()
    assert str(info.value).startswith("device_allocation::free failed: invalid resource handle")
    with pytest.raises(TypeError):
        memory + 4


def test_allocation_pitch_and_like(context):
    memory, pitch = cuda.mem_alloc_pitch(100, 7, 4)
    assert pitch >= 100 and cuda.mem_get_address_range(memory)[1] >= 7 * pitch - pitch + 100
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert cuda.mem_get_address_range(cuda.mem_alloc_like(array))[1] >= array.nbytes


def test_to_and_from_device(context):
    array = np.arange(12, dtype=np.float64).reshape(3, 4)
    memory = cuda.to_device(array)
    assert (cuda.from_device(memory, (3, 4), np.float64) == array).all()
    assert (cuda.from_device_like(memory, array) == array).all()
    turned = cuda.from_device(memory, (4, 3), np.float64, order="F")
    assert turned.flags.f_contiguous and (turned == array.T).all()
    assert cuda.from_device(cuda.to_device(b"abcd"), 4, np.uint8).tobytes() == b"abcd"


class Holder(cuda.PointerHolderBase):
    def __init__(self, memory):
        super().__init__()
        self.memory = memory

    def get_pointer(self):
        return int(self.memory)


class WithInterface:
    def __init__(self, memory):
        self.__cuda_array_interface__ = {"data": (int(memory), False), "shape": (1,),
                                         "typestr": "<f4", "version": 3}


class WithGpudata:
    def __init__(self, memory):
        self.gpudata = memory


class HolderByAttribute(cuda.PointerHolderBase):
    def __init__(self, memory):
        super().__init__()
        self.gpudata = int(memory)

    def get_pointer():  # of no use: `self` is forgotten
        raise AssertionError


@pytest.mark.parametrize("wrap", [lambda memory: memory, int, np.intp, np.uint64, Holder, HolderByAttribute,
                                  WithInterface, WithGpudata, lambda m: WithGpudata(Holder(m))])
def test_device_pointers(context, wrap):
    memory = cuda.mem_alloc(16)
    cuda.memset_d32(wrap(memory), 7, 4)
    out = np.zeros(4, np.int32)
    cuda.memcpy_dtoh(out, wrap(memory))
    assert (out == 7).all()


def test_holder(context):
    holder = Holder(cuda.mem_alloc(16))
    assert int(holder) == int(holder.memory) == range(int(holder), int(holder) + 1)[0]
    with pytest.raises(NotImplementedError, match="get_pointer must be overridden"):
        int(cuda.PointerHolderBase())
    with pytest.raises(TypeError):
        cuda.memset_d8(type("Bad", (cuda.PointerHolderBase,), {"get_pointer": lambda s: "x"})(),
                       0, 1)


def test_as_buffer(context, on_host):
    memory = cuda.mem_alloc(16)
    cuda.memset_d8(memory, 5, 16)
    view = memory.as_buffer(12, 4)
    assert len(view) == 12 and not view.readonly
    holder = type("H", (cuda.PointerHolderBase,), {"get_pointer": lambda self: int(memory) + 4})()
    for owner, size, offset in ((memory, 17, 0), (memory, 0, 17), (holder, 9, 4)):
        with pytest.raises(ValueError, match=f"{size} bytes at {offset} are not inside the memory"):
            owner.as_buffer(size, offset)
    if on_host:
        assert bytes(view) == b"\x05" * 12
        address = int(memory)
        del memory
        gc.collect()
        assert cuda.mem_get_address_range(address)[1] >= 16  # the view keeps it alive


@pytest.mark.parametrize("call, error, text", [
    (lambda: cuda.mem_alloc(0), cuda.LogicError, "cuMemAlloc failed: invalid argument"),
    (lambda: cuda.mem_alloc(-1), OverflowError, "bytes: -1 is out of range"),
    (lambda: cuda.mem_alloc(1.5), TypeError, "bytes: expected an integer, got float"),
    (lambda: cuda.mem_alloc("1"), TypeError, "bytes: expected an integer, got str"),
    (lambda: cuda.mem_alloc(), TypeError, r"mem_alloc\(bytes\): argument 1 is missing"),
    (lambda: cuda.mem_alloc(1 << 64), OverflowError, "bytes: 18446744073709551616 is out of"),
    (lambda: cuda.mem_get_address_range(0), cuda.LogicError, "cuMemGetAddressRange failed"),
    (lambda: cuda.mem_get_address_range(None), TypeError,
     ("device pointer: expected an allocation, a GPU array, PointerHolderBase or an integer, "
     "got NoneType")),
    (lambda: cuda.memset_d8(np.zeros(4), 0, 4), TypeError, r"numpy.ndarray \(in host memory\)"),
    (lambda: cuda.memset_d8(0, 0, 4), cuda.LogicError, "cuMemsetD8 failed: invalid argument"),
    (lambda: cuda.memset_d8(cuda.mem_alloc(4), 256, 4), OverflowError,
     r"data: 256 is out of range \(0 to 255\)"),
    (lambda: cuda.memset_d16(cuda.mem_alloc(4), -1, 2), OverflowError, "data: -1 is out of range"),
    (lambda: cuda.memset_d2d32(cuda.mem_alloc(4), 4, 0, 1, height=1.5), TypeError, "height: expected an integer, got float"),
    (lambda: cuda.memcpy_peer(0, 0, "4"), TypeError, "size: expected an integer, got str"),
    (lambda: cuda.mem_advise(cuda.mem_alloc(4), 4, 1, device=None), TypeError, "device: expected an integer, got NoneType"),
    (lambda: cuda.memcpy_dtod(cuda.mem_alloc(4), cuda.mem_alloc(4), 5), cuda.LogicError,
     "cuMemcpyDtoD failed: invalid argument"),
    (lambda: cuda.memcpy_htod(cuda.mem_alloc(64), np.zeros((4, 4))[:, ::2]), ValueError,
     "not contiguous"),
    (lambda: cuda.memcpy_htod(cuda.mem_alloc(4), 5), TypeError, "bytes-like object"),
    (lambda: cuda.memcpy_dtoh(b"abcd", cuda.mem_alloc(4)), BufferError, "not writable"),
    (lambda: cuda.memcpy_htod(cuda.mem_alloc(4)), TypeError,
     r"memcpy_htod\(dest, src\): argument 2 is missing"),
    (lambda: cuda.memcpy_htod(1, 2, 3), TypeError,
     r"memcpy_htod\(dest, src\): too many arguments"),
    (lambda: cuda.memcpy_htod(1, dest=2), TypeError,
     r"memcpy_htod\(dest, src\): argument 'dest' is given twice"),
    (lambda: cuda.memcpy_peer(cuda.mem_alloc(4), cuda.mem_alloc(4), 4, dest_context=3),
     TypeError, "context: expected pycuda.driver.Context, got int"),
    (lambda: cuda.mem_alloc_like(5), AttributeError, "nbytes"),
    (lambda: cuda.IPCMemoryHandle(b"short"), cuda.LogicError,
     "ipc_mem_handle failed: invalid argument - handle has the wrong size"),
])
def test_errors(context, call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_freed_memory_is_refused(context):
    memory = cuda.mem_alloc(16)
    memory.free()
    for use in (lambda: cuda.memset_d8(memory, 0, 16),
                lambda: cuda.memcpy_dtoh(np.empty(16, np.uint8), memory),
                lambda: cuda.memcpy_dtoh(np.empty(16, np.uint8), int(memory)),
                lambda: memory.as_buffer(4)):
        with pytest.raises(cuda.LogicError):
            use()


def test_out_of_memory_collects_garbage(context, inject):
    class Loop:
        pass

    loop = Loop()
    loop.self, loop.memory = loop, cuda.mem_alloc(64)
    address = int(loop.memory)
    del loop
    inject("cuMemAlloc", 2)
    cuda.mem_alloc(1024)
    with pytest.raises(cuda.LogicError):
        cuda.mem_get_address_range(address)


# -- Copies and memsets ----------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, None, True])
def test_copies(context, stream):
    tail = () if stream is False else (cuda.Stream() if stream else None,)
    suffix = "" if stream is False else "_async"
    array = np.asfortranarray(np.arange(12, dtype=np.int32).reshape(3, 4))
    one, two = cuda.mem_alloc(48), cuda.mem_alloc(48)
    getattr(cuda, "memcpy_htod" + suffix)(one, array, *tail)
    getattr(cuda, "memcpy_dtod" + suffix)(two, one, 48, *tail)
    getattr(cuda, "memcpy_peer" + suffix)(one, two, 48, *((context, None) + tail if tail else ()))
    result = np.empty_like(array)
    getattr(cuda, "memcpy_dtoh" + suffix)(result, one, *tail)
    context.synchronize()
    assert (result == array).all()


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("form", ["plain", "async", "stream"])
def test_memsets(context, bits, form):
    dtype = np.dtype(f"u{bits // 8}")
    value = (1 << bits) - 2
    memory = cuda.mem_alloc(64 * dtype.itemsize)
    kwargs = {"stream": cuda.Stream()} if form == "stream" else {}
    suffix = "" if form == "plain" else "_async"
    getattr(cuda, f"memset_d{bits}{suffix}")(memory, 1, 64, **kwargs)
    getattr(cuda, f"memset_d2d{bits}{suffix}")(
        dest=memory, pitch=8 * dtype.itemsize, data=value, width=3, height=5, **kwargs)
    context.synchronize()
    result = cuda.from_device(memory, (8, 8), dtype)
    expected = np.ones((8, 8), dtype)
    expected[:5, :3] = value
    assert (result == expected).all()


def pagelocked(data):
    array = cuda.pagelocked_empty_like(data)
    array[:] = data
    return array


WAIT = "__global__ void wait(volatile int *flag) { while (*flag == 0) ; }"


@pytest.mark.parametrize("make", [
    lambda data: data.copy(),  # pageable: read before the call returns
    lambda data: cuda.register_host_memory(data.copy()),
    pagelocked,
], ids=["pageable", "registered", "pagelocked"])
@pytest.mark.parametrize("copy", ["memcpy_htod_async", "Memcpy2D"])
def test_source_may_go_after_an_asynchronous_copy(context, make, copy):
    """The stream has not come to the copy when the last reference to its source goes."""
    data = np.arange(32, dtype=np.uint8)
    kernel, flag = SourceModule(WAIT).get_function("wait"), cuda.managed_zeros(1, np.int32)
    stream, memory = cuda.Stream(cuda.stream_flags.NON_BLOCKING), cuda.mem_alloc(32)
    kernel(flag, block=(1, 1, 1), stream=stream)
    source = make(data)
    threading.Timer(0.05, flag.fill, [1]).start()
    if copy == "Memcpy2D":
        box = cuda.Memcpy2D()
        box.set_src_host(source)
        box.set_dst_device(memory)
        box.width_in_bytes = box.src_pitch = box.dst_pitch = 16
        box.height = 2
        box(stream)
        del box
    else:
        cuda.memcpy_htod_async(memory, source, stream)
    del source
    gc.collect()
    others = [np.full(32, 99, np.uint8) for _ in range(50)]
    stream.synchronize()
    assert cuda.from_device(memory, 32, np.uint8).tolist() == data.tolist()
    del others


def test_keywords(context):
    memory = cuda.mem_alloc(8)
    cuda.memcpy_htod(src=b"12345678", dest=memory)
    out = bytearray(8)
    cuda.memcpy_dtoh_async(src=memory, dest=out, stream=None)
    context.synchronize()
    assert out == b"12345678"


# -- Host memory -----------------------------------------------------------------------------

KINDS = [("pagelocked", "PagelockedHostAllocation"), ("aligned", "AlignedHostAllocation"),
         ("managed", "ManagedAllocation")]


@pytest.mark.parametrize("kind, base", KINDS)
def test_host_arrays(context, kind, base):
    empty, zeros = getattr(cuda, kind + "_empty"), getattr(cuda, kind + "_zeros")
    array = zeros((3, 4), np.float32)
    assert array.flags.c_contiguous and not array.any() and array.dtype == np.float32
    assert type(array.base).__name__ == base
    array = empty(np.int64(5), "int16", "F")
    assert array.shape == (5,) and array.dtype == np.int16
    array = zeros(shape=[2, np.int32(3)], dtype=np.complex64, order="F")
    assert array.flags.f_contiguous and array.shape == (2, 3)
    like = getattr(cuda, kind + "_zeros_like")(array)
    assert like.flags.f_contiguous and like.shape == (2, 3) and like.dtype == array.dtype
    assert getattr(cuda, kind + "_empty_like")(np.zeros(0)).shape == (0,)
    assert empty((), np.float64).shape == ()
    array[...] = 3
    del array, like
    gc.collect()


@pytest.mark.parametrize("kind, base", KINDS)
@pytest.mark.parametrize("arguments, error, text", [
    ((3, np.float32, "X"), cuda.LogicError,
     "numpy_empty failed: invalid argument - unrecognized order specifier"),
    ((-3, np.float32), ValueError, "negative dimensions are not allowed"),
    (("a", np.float32), TypeError, None),
    ((3, "nonsense"), TypeError, None),
    ((3, object), TypeError, "holds Python objects"),
    (((1 << 40, 1 << 40), np.float32), ValueError, "the array is too big"),
])
def test_host_array_errors(context, kind, base, arguments, error, text):
    with pytest.raises(error, match=text):
        getattr(cuda, kind + "_empty")(*arguments)


def test_like_errors(context):
    with pytest.raises(ValueError, match="could not detect array order"):
        cuda.pagelocked_empty_like(np.zeros((4, 4, 4))[::2, :, ::2])
    with pytest.raises(TypeError, match="array: expected numpy.ndarray, got list"):
        cuda.aligned_zeros_like([1, 2])


def test_pagelocked(context):
    array = cuda.pagelocked_empty(16, np.uint8, mem_flags=cuda.host_alloc_flags.DEVICEMAP)
    base = array.base
    assert isinstance(base, cuda.HostPointer) and isinstance(base, cuda.HostAllocation)
    assert base.get_flags() & cuda.host_alloc_flags.DEVICEMAP
    cuda.memset_d8(base.get_device_pointer(), 9, 16)
    context.synchronize()
    assert (array == 9).all()
    del array
    base.free()
    with pytest.raises(cuda.LogicError, match="pagelocked_host_allocation::free failed: invalid"):
        base.free()
    with pytest.raises(cuda.LogicError):
        base.get_flags()


def test_aligned(context):
    array = cuda.aligned_empty(16, np.uint8, alignment=256)
    assert array.ctypes.data % 256 == 0
    for bad, text in ((3, "alignment must be a power of two"), (0, "alignment must non-zero")):
        with pytest.raises(cuda.LogicError) as info:
            cuda.aligned_empty(16, np.uint8, alignment=bad)
        assert str(info.value) == f"aligned_malloc failed: invalid argument - {text}"


def test_registered(context):
    array = cuda.aligned_empty(1 << 12, np.float32, alignment=4096)
    registered = cuda.register_host_memory(array)
    assert registered.ctypes.data == array.ctypes.data and registered.shape == array.shape
    base = registered.base
    assert isinstance(base, cuda.RegisteredHostMemory) and base.base is array
    assert base.get_device_pointer()
    base.unregister()
    with pytest.raises(cuda.LogicError, match="registered_host_memory::unregister failed"):
        base.unregister()
    for bad, text in (([1], "ary argument is not a numpy array"),
                      (np.zeros((4, 4))[::2, ::2], "ary argument is not contiguous")):
        with pytest.raises(cuda.LogicError) as info:
            cuda.register_host_memory(bad)
        assert str(info.value) == f"register_host_memory failed: invalid argument - {text}"


def test_managed(context):
    array = cuda.managed_zeros(8, np.int32, mem_flags=cuda.mem_attach_flags.GLOBAL)
    memory = array.base
    assert isinstance(memory, cuda.DeviceAllocation) and memory.get_device_pointer() == int(memory)
    assert array.ctypes.data == int(memory)
    cuda.memset_d32(array[2:], 5, 3)  # views stand for their own address
    context.synchronize()
    assert array.tolist() == [0, 0, 5, 5, 5, 0, 0, 0]
    with pytest.raises(cuda.LogicError, match="cuMemAllocManaged failed: invalid argument"):
        cuda.managed_empty(8, np.int32, mem_flags=64)


def test_memory_and_events_of_other_processes(context, inject):
    """Without one: the driver's part is left out."""
    for name in ("cuIpcGetMemHandle", "cuIpcOpenMemHandle", "cuIpcCloseMemHandle", "cuIpcOpenEventHandle"):
        inject(name, 0)
    handle = cuda.mem_get_ipc_handle(cuda.mem_alloc(4))
    memory = cuda.IPCMemoryHandle(handle)
    assert isinstance(handle, bytearray) and len(handle) == 64 and int(memory) == 0
    memory.close()
    with pytest.raises(cuda.LogicError, match="ipc_mem_handle::close failed: invalid resource handle - it"):
        memory.close()
    assert isinstance(cuda.Event.from_ipc_handle(bytes(handle)), cuda.Event)


def test_destructor_reports_and_goes_on(context, inject, unraisable):
    memory = cuda.mem_alloc(64)
    inject("cuMemFree", 1)
    del memory
    assert unraisable == ["cuMemFree failed: invalid argument"]
    stream = cuda.Stream()
    inject("cuStreamDestroy", 201)  # the context is gone, and the stream with it
    del stream
    assert len(unraisable) == 1


# -- CUDA arrays and boxes -------------------------------------------------------------------


def through_gpu(source, order):
    return cuda.gpuarray_to_array(gpuarray.to_gpu(source), order)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("make, shape, dtype", [
    (cuda.matrix_to_array, (5, 7), np.float32), (cuda.np_to_array, (5, 7), np.uint16),
    (cuda.np_to_array, (3, 5, 7), np.float32), (cuda.np_to_array, (5, 7), np.float64),
    (cuda.np_to_array, (5, 7), np.complex128), (through_gpu, (5, 7), np.float32),
    (through_gpu, (3, 5, 7), np.uint8),
])
def test_array_from_numpy(context, make, shape, dtype, order):
    source = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    array = make(source, order)
    lengths = tuple(reversed(shape)) if order == "C" else shape
    descr = array.get_descriptor_3d()
    assert (descr.width, descr.height) == lengths[:2]
    assert descr.depth == (lengths[2] if len(shape) == 3 else 0)
    assert descr.num_channels == max(np.dtype(dtype).itemsize // 4, 1)
    assert isinstance(descr.format, cuda.array_format) and array.handle
    result = np.zeros(shape, dtype, order)
    copy = cuda.Memcpy3D()
    copy.set_src_array(array)
    copy.set_dst_host(result)
    copy.width_in_bytes = copy.dst_pitch = lengths[0] * result.itemsize
    copy.height = copy.dst_height = lengths[1]
    copy.depth = lengths[2] if len(shape) == 3 else 1
    copy()
    assert (result == source).all()
    array.free()
    array.free()
    with pytest.raises(cuda.LogicError, match="Array failed: invalid resource handle"):
        array.get_descriptor()


def test_linear_array_copies(context):
    descr = cuda.ArrayDescriptor()
    descr.width, descr.height = 16, np.int64(0)
    descr.format, descr.num_channels = cuda.array_format.UNSIGNED_INT8, 1
    one, two = cuda.Array(descr), cuda.Array(descr)
    assert one.get_descriptor().format is cuda.array_format.UNSIGNED_INT8
    cuda.memcpy_htoa(one, 0, bytes(range(16)))
    cuda.memcpy_atoa(two, 4, one, 0, 8)
    memory = cuda.mem_alloc(8)
    cuda.memcpy_atod(memory, two, 4, 8)
    cuda.memcpy_dtoa(two, 0, memory, 4)
    out = bytearray(8)
    cuda.py_memcpy_atoh(out, two, 0)
    assert out == bytes([0, 1, 2, 3, 0, 1, 2, 3])


def test_boxes(context):
    source = np.arange(40, dtype=np.uint8).reshape(5, 8)
    memory = cuda.to_device(source)
    for call in (lambda c: c(), lambda c: c(True), lambda c: c(aligned=False),
                 lambda c: c(cuda.Stream()), lambda c: c(None)):
        result = np.zeros((2, 3), np.uint8)
        copy = cuda.Memcpy2D()
        copy.set_src_device(memory)
        copy.src_x_in_bytes, copy.src_y, copy.src_pitch = 2, 1, 8
        copy.set_dst_host(result)
        copy.width_in_bytes, copy.height, copy.dst_pitch = 3, 2, 3
        call(copy)
        context.synchronize()
        assert (result == source[1:3, 2:5]).all()
        assert copy.src_memory_type is cuda.memory_type.DEVICE and copy.dst_y == 0
    peer = cuda.Memcpy3DPeer()
    result = np.zeros((2, 5, 4), np.uint8)
    peer.set_src_device(memory)
    peer.set_src_context(context)
    peer.set_dst_host(result)
    peer.width_in_bytes = peer.src_pitch = peer.dst_pitch = 4
    peer.height = peer.src_height = peer.dst_height = 5
    peer.depth = 2
    peer()
    assert (result.ravel() == source.ravel()).all()
    peer(cuda.Stream())
    solid, stream = cuda.Memcpy3D(), cuda.Stream()
    solid.set_src_host(result)
    solid.set_dst_device(memory)
    solid.width_in_bytes = solid.src_pitch = solid.dst_pitch = 4
    solid.height = solid.src_height = solid.dst_height = 5
    solid.depth = 2
    result += 1
    solid(stream)
    stream.synchronize()
    assert (cuda.from_device(memory, 40, np.uint8) == result.ravel()).all()


def test_boxes_in_host_memory(context):
    """Views may be left on the way to another row, but not the array that they look into."""
    source = np.arange(40, dtype=np.uint8).reshape(5, 8)
    memory = cuda.mem_alloc(100)
    copy = cuda.Memcpy2D()
    copy.set_src_host(source[1:, 2:5])
    copy.set_dst_device(memory)
    copy.src_pitch, copy.width_in_bytes, copy.height, copy.dst_pitch = 8, 3, 4, 3
    copy()
    assert (cuda.from_device(memory, (4, 3), np.uint8) == source[1:, 2:5]).all()
    copy.width_in_bytes = copy.dst_pitch = 6
    copy()
    for field, value in (("width_in_bytes", 7), ("height", 5), ("src_x_in_bytes", 1), ("src_y", 1),
                         ("src_y", 2**64 - 5), ("src_pitch", 2**62)):
        before = getattr(copy, field)
        setattr(copy, field, value)
        with pytest.raises(ValueError, match="Memcpy2D: the copy goes beyond the source buffer of 30 bytes"):
            copy(cuda.Stream())
        setattr(copy, field, before)
    box = cuda.Memcpy3D()
    box.set_src_device(memory)
    box.set_dst_host(bytearray(24))
    box.width_in_bytes = box.src_pitch = box.dst_pitch = 4
    box.height = box.src_height = box.dst_height = 3
    box.depth = 2
    box()
    box.dst_z = 1
    with pytest.raises(ValueError, match="Memcpy3D: the copy goes beyond the destination buffer of 24"):
        box()


def test_box_keeps_its_buffers(context):
    copy = cuda.Memcpy2D()
    copy.set_src_host(np.full(16, 3, np.uint8))
    copy.set_dst_device(cuda.mem_alloc(16))
    gc.collect()
    copy.width_in_bytes = copy.src_pitch = copy.dst_pitch = 16
    copy.height = 1
    copy()
    assert cuda.from_device(copy.dst_device, 16, np.uint8).sum() == 48
    with pytest.raises(BufferError, match="read-only"):
        copy.set_dst_host(b"abc")
    with pytest.raises(OverflowError):
        copy.height = -1
    with pytest.raises(TypeError):
        copy.height = 1.5
    with pytest.raises(AttributeError):
        del copy.height


def test_array_errors(context):
    with pytest.raises(cuda.LogicError, match="order must be either F or C"):
        cuda.np_to_array(np.zeros((2, 2)), "c")
    for dtype in ("complex64", ">f4"):
        with pytest.raises(TypeError, match=f"cannot convert dtype '{dtype}' to array format"):
            cuda.dtype_to_array_format(dtype)
    with pytest.raises(cuda.LogicError, match="only 2 and 3 dimensions"):
        cuda.np_to_array(np.zeros(3), "C")
    with pytest.raises(TypeError, match="descr: expected pycuda.driver.ArrayDescriptor, got int"):
        cuda.Array(3)
    with pytest.raises(cuda.LogicError, match="cuArrayCreate failed: invalid argument"):
        cuda.Array(cuda.ArrayDescriptor())
    channels = np.zeros((2, 5, 7), np.uint8, order="F")
    assert cuda.make_multichannel_2d_array(channels, "F").get_descriptor().num_channels == 2


def test_memory_for_another_process_is_written(context, inject, on_host):
    """By its object or, as PyCUDA's programs do, by its address: nothing waits that writes what others read."""
    for name in (lambda x: x.gpudata, lambda x: x, lambda x: x.ptr):
        inject("cuIpcGetMemHandle", 0)
        x = gpuarray.zeros(4, np.float32)
        with gpuarray.lazy():
            x += 1
            y = x + 1
            cuda.mem_get_ipc_handle(name(y))
            y += 1
            z = y * 2
            context.synchronize()
            cuda.memset_d32(int(y.gpudata), 0, 4)  # the other process
            assert (z.get() == 6).all()
        if on_host:
            assert x.gpudata.as_buffer(16).cast("f").tolist() == [1] * 4


def test_as_buffer_of_no_memory(context, on_host):
    """A view of what no driver knows would end the process when it is looked at."""
    host, registered = np.arange(4096, dtype=np.uint8), np.zeros(8192, np.uint8)
    holder = type("H", (cuda.PointerHolderBase,), {"get_pointer": lambda self: self.address})()
    for holder.address in (1 << 40, host.ctypes.data, (1 << 64) - 8, 8):
        with pytest.raises(cuda.LogicError, match="as_buffer failed: invalid argument - 0x[0-9a-f]+ is in no memory"):
            holder.as_buffer(8)
    locked = cuda.pagelocked_zeros(100, np.uint8)
    holder.address = int(locked.base.get_device_pointer()) + 90
    view = holder.as_buffer(10)
    with pytest.raises(ValueError, match="11 bytes at 0 are not inside"):
        holder.as_buffer(11)
    kept = cuda.register_host_memory(registered)
    holder.address = int(kept.base.get_device_pointer()) + 8000
    assert len(holder.as_buffer(192)) == 192
    if on_host:
        view[:] = b"x" * 10
        assert locked[88:].tolist() == [0] * 2 + [120] * 10


@pytest.mark.parametrize("make", [cuda.Memcpy2D, cuda.Memcpy3D])
def test_rows_without_a_pitch_have_no_gaps(context, make):
    """They begin where those before end, and what lies before the first column is of each row."""
    host = np.arange(16, dtype=np.float32)
    memory, out = cuda.to_device(host), np.full(16, -1, np.float32)
    copy = make()
    copy.set_src_device(memory)
    copy.set_dst_host(out)
    copy.src_pitch, copy.width_in_bytes, copy.height, copy.dst_x_in_bytes = 16, 8, 2, 4
    if make is cuda.Memcpy3D:
        copy.depth, copy.src_height = 2, 2
        copy()
        assert out.tolist() == [-1, 0, 1, -1, 4, 5, -1, 8, 9, -1, 12, 13, -1, -1, -1, -1]
    else:
        for aligned in (True, False):
            out[:] = -1
            copy(aligned)
            assert out.tolist() == [-1, 0, 1, -1, 4, 5] + [-1] * 10
