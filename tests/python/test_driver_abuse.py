"""Objects half made, released early or changed while they are used, and Python objects where bytes belong: exceptions
and no more. tests/fuzz/hostile.py looks for others."""

import contextlib
import gc
import operator
import sys
import threading
import weakref

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
struct Pair { double a, b; };
__global__ void pair(Pair p) {}
__global__ void eight(int a, int b, int c, int d, int e, int f, int g, int h) {}
__global__ void four(int *p, int b, int c, int d) {}
__global__ void store(int *p, int n) { p[0] = n; }
"""


@pytest.fixture
def module(context):
    return SourceModule(SOURCE)


# -- Sizes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "1000000x8s8s18446744073709551616x", "18446744073709551615s", "99999999999999999999x", "100000000i", "65536x65536x",
    "70000s", "65530s8s8s", "65536b65536b"])
def test_prepare_refuses_what_no_kernel_takes(module, text):
    with pytest.raises(ValueError, match="too many: a kernel takes less than 65536 bytes"):
        module.get_function("pair").prepare(text)


@pytest.mark.parametrize("text, letter", [("4", "counts no letter"), ("i\xe9", "unknown format letter")])
def test_prepare_refuses_what_is_no_format(module, text, letter):
    with pytest.raises(ValueError, match=letter):
        module.get_function("pair").prepare(text)


def test_prepare_keeps_a_long_declaration(module):
    with pytest.raises(TypeError, match=r"has 1 parameters \((Pair|16 bytes)\), 'iiiii.* declares 2000"):
        module.get_function("pair").prepare("2000i")


@pytest.mark.parametrize("change", [
    {"src_z": 2**64 - 1, "depth": 2}, {"src_y": 2**64 - 2, "height": 3}, {"src_x_in_bytes": 2**64 - 4},
    {"src_height": 2**63, "depth": 3}, {"src_pitch": 2**63, "height": 3}, {"width_in_bytes": 2**64 - 1}])
def test_boxes_do_not_wrap_around(context, change):
    copy = cuda.Memcpy3D()
    copy.set_src_host(np.zeros(64, np.uint8))
    copy.set_dst_device(cuda.mem_alloc(64))
    copy.width_in_bytes = copy.src_pitch = copy.dst_pitch = copy.height = copy.src_height = copy.dst_height = 4
    copy.depth = 1
    copy()
    for name, value in change.items():
        setattr(copy, name, value)
    with pytest.raises(ValueError, match="goes beyond the source buffer of 64 bytes"):
        copy()


# -- The end of objects -----------------------------------------------------------------------


def test_nobody_calls_the_end(context):
    for thing in (cuda.DeviceMemoryPool(), cuda.Stream(), cuda.Event(), cuda.mem_alloc(4), context):
        assert not hasattr(thing, "__del__")


@pytest.mark.host  # which tells what lives
@pytest.mark.parametrize("kind, cls", [("stream", cuda.Stream), ("event", cuda.Event), ("graph", cuda.Graph),
                                       ("pool", cuda.MemoryPool)])
def test_a_del_of_a_subclass_comes_first(context, kind, cls):
    before, usable = _native._live_objects(kind), []

    class Own(cls):
        def __del__(self):
            usable.append(bool(self.handle))

    for _ in range(10):
        Own()
    made = Own()
    made.itself = made
    del made
    gc.collect()
    assert (usable, _native._live_objects(kind)) == ([True] * 11, before)


@pytest.mark.host
def test_a_del_may_keep_the_object(context):
    before, kept = _native._live_objects("stream"), []

    class Own(cuda.Stream):
        def __del__(self):
            kept.append(self)

    Own()
    made = Own()
    made.itself = made
    del made
    gc.collect()
    for stream in kept:
        stream.synchronize()
    del stream
    assert vars(kept[1]) == {"itself": kept[1]} and vars(kept[0]) == {}
    vars(kept[1]).clear()
    kept.clear()
    gc.collect()
    assert _native._live_objects("stream") == before


def test_a_cycle_may_use_what_it_holds_in_its_del(context):
    seen = []

    class Holder:
        def __init__(self):
            self.stream, self.pool, self.itself = cuda.Stream(), cuda.DeviceMemoryPool(), self
            self.block = self.pool.allocate(100)

        def __del__(self):
            self.stream.synchronize()
            self.block.free()
            seen.append((self.pool.held_blocks, self.pool.active_blocks))

    Holder()
    gc.collect()
    assert seen == [(1, 0)]


def test_long_chains_end(context):
    chain = None
    for _ in range(200_000):
        chain = cuda.In(chain)
    last = weakref.ref(chain)
    del chain
    assert last() is None


def test_long_chains_end_of_links_that_others_hold_until_then(context):
    chain, others, watched = None, {}, []
    for i in range(400_000):
        others[i] = chain
        chain = cuda.In(chain)
        watched.append(weakref.ref(chain, lambda ref, i=i: others.pop(i)))
    del chain
    assert not others and watched[0]() is None


def test_a_weak_reference_is_gone_before_the_driver_is_asked(context):
    stream, seen = cuda.Stream(), []
    reference = weakref.ref(stream, lambda ref: seen.append(ref()))
    del stream
    assert seen == [None] and reference() is None


@pytest.mark.parametrize("name", ["DeviceMemoryPool", "PageLockedMemoryPool"])
def test_a_pool_survives_its_context_as_an_object(name):
    context = cuda.Device(0).make_context()
    pool = getattr(cuda, name)()
    allocate = pool.allocate if name.startswith("D") else lambda size: pool.allocate((size,), np.uint8)
    allocate(100)
    assert pool.held_blocks == 1
    context.detach()
    with pytest.raises(RuntimeError, match="dead context"):
        allocate(100)
    pool.free_held()


# -- Handlers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["In", "Out", "InOut"])
def test_handlers_without_an_array(context, module, name):
    store = module.get_function("store")
    handler = getattr(cuda, name).__new__(getattr(cuda, name))
    for _ in range(2):
        with pytest.raises(AttributeError, match="has no array"):
            store(handler, np.int32(1), block=(1, 1, 1))
        for method in ("pre_call", "post_call"):
            if hasattr(getattr(cuda, name), method) and (name, method) != ("Out", "pre_call"):
                with pytest.raises(AttributeError, match="has no array"):
                    getattr(handler, method)(None)
        handler.dev_alloc = cuda.mem_alloc(64)


def test_handlers_keep_to_their_memory(context, module):
    store, handler = module.get_function("store"), cuda.InOut(np.zeros(250, np.int32))
    store(handler, np.int32(1), block=(1, 1, 1))
    handler.array = np.ones(256, np.int32)
    with pytest.raises(ValueError, match="1024 bytes now, and its device memory 1000"):
        store(handler, np.int32(1), block=(1, 1, 1))
    del handler.array
    with pytest.raises(AttributeError, match="has no array"):
        store(handler, np.int32(1), block=(1, 1, 1))


def test_inout_is_an_in_and_an_out(context, module):
    handler = cuda.InOut(np.zeros(4, np.int32))
    assert isinstance(handler, cuda.In) and isinstance(handler, cuda.Out)
    assert cuda.InOut.__mro__[1:4] == (cuda.In, cuda.Out, cuda.ArgumentHandler)
    module.get_function("store")(handler, np.int32(7), block=(1, 1, 1))
    assert handler.array.tolist() == [7, 0, 0, 0]


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_element_is_a_value(context, module, shape):
    to = gpuarray.zeros(1, np.int32)
    module.get_function("store")(to, np.full(shape, 5, np.int32), block=(1, 1, 1))
    assert to.get() == [5]


def test_memory_of_a_pool_is_device_memory(context):
    for array in (gpuarray.zeros(4, np.int32) + 1, gpuarray.to_gpu(np.zeros(4)),
                  gpuarray.empty(4, np.int8, allocator=cuda.DeviceMemoryPool().allocate)):
        assert isinstance(array.gpudata, cuda.DeviceAllocation)
        assert len(array.gpudata.as_buffer(4)) == 4
    assert issubclass(cuda.PooledDeviceAllocation, cuda.DeviceAllocation)


# -- What changes while it is used ------------------------------------------------------------


def test_prepare_within_a_prepared_call(context, module):
    function, junk = module.get_function("eight"), []

    class Evil:
        def __index__(self):
            function.prepare("iiiiiiii")
            junk.extend(bytearray(b"\xff" * 256) for _ in range(100))
            return 1

    function.prepare("iiiiiiii")
    for _ in range(20):
        function.prepared_call((1, 1), (1, 1, 1), *[Evil() for _ in range(8)])
    assert len(junk) == 20 * 8 * 100


def shrinking(count, first=1):
    """A list that its first element empties when it is asked for its value."""
    items = []

    class Evil:
        def __index__(self):
            items.clear()
            gc.collect()
            self.junk = [bytearray(b"A" * (8 * count)) for _ in range(100)]
            return first

    items.append(Evil())
    items.extend([object()] * (count - 1))
    return items


@pytest.mark.parametrize("use", [
    lambda f: gpuarray.empty(shrinking(8), np.float32),
    lambda f: gpuarray.GPUArray((1,) * 8, np.float32, strides=shrinking(8, 4)),
    lambda f: gpuarray.zeros((1,) * 8, np.float32).reshape(shrinking(8)),
    lambda f: gpuarray.zeros((1,) * 8, np.float32).transpose(shrinking(8, 0)),
    lambda f: f(0, 0, 0, 0, block=shrinking(3)),
    lambda f: f(0, 0, 0, 0, block=(1, 1, 1), grid=shrinking(3)),
    lambda f: cuda.pagelocked_empty(shrinking(8), np.float32),
    lambda f: cuda.aligned_empty(shrinking(8), np.float32),
    lambda f: cuda.from_device(cuda.mem_alloc(64), shrinking(8), np.float32),
    lambda f: cuda.managed_empty(shrinking(8), np.float32),
    lambda f: cuda.PageLockedMemoryPool().allocate(shrinking(8), np.float32),
    lambda f: cuda.module_from_buffer(b"x", [(shrinking(2)[0], object())]),
    lambda f: cuda.Graph().add_empty(shrinking(3)),
    lambda f: f.prepare(shrinking(3))])
def test_lists_that_shrink(context, module, use):
    with pytest.raises((TypeError, ValueError)):
        use(module.get_function("four"))


class Falling(list):
    """Empties itself, and the list that it is in, when NumPy asks its items for their value."""

    def __init__(self, outer, size):
        class Evil:
            def __float__(evil):
                self.clear()
                outer.clear()
                gc.collect()
                self.junk = [bytearray(b"A" * (8 * size)) for _ in range(100)]
                return 1.0

            __int__ = __complex__ = __index__ = __float__

            def __array__(evil, *args, **keywords):
                return np.full(2, float(evil))

        super().__init__([Evil() for _ in range(size)])


@pytest.mark.parametrize("use", [
    gpuarray.to_gpu, lambda items: gpuarray.zeros(3, np.float32).fill(items), lambda items: gpuarray.arange(items),
    lambda items: gpuarray.full(3, items), lambda items: operator.setitem(gpuarray.zeros(3, np.float32), 0, items),
    lambda items: gpuarray.zeros(3, np.float32) + items, lambda items: gpuarray.zeros(3, np.float32)[items],
    lambda items: gpuarray.zeros(3, np.float32).put(items, 1), lambda items: gpuarray.zeros(3, np.float32).put([0], items),
    lambda items: gpuarray.zeros(3, np.float32).dot(items), lambda items: gpuarray.zeros(3, np.float32).repeat(items),
    lambda items: np.inner(gpuarray.zeros(3, np.float32), items), lambda items: np.roll(gpuarray.zeros(3, np.float32), items),
    lambda items: np.array_equal(gpuarray.zeros(3, np.float32), items)])
@pytest.mark.parametrize("nested", [False, True])
def test_lists_that_shrink_while_numpy_reads_them(context, use, nested):
    """NumPy 2.4 reads on in them, and ends the process."""
    outer = []
    inner = Falling(outer, 8)
    outer += [inner, inner]
    with contextlib.suppress(TypeError, ValueError, IndexError, OverflowError, RuntimeError, AssertionError, NotImplementedError):
        use(outer if nested else inner)
    array = gpuarray.to_gpu([[1, 2], [3, 4]])
    assert array.get().tolist() == [[1, 2], [3, 4]]


def test_records_in_lists(context):
    """Lists stay lists, tuples are records."""
    dtype = np.dtype([("a", "i4"), ("b", "f8")])
    x = gpuarray.zeros(2, dtype)
    x[:] = [(1, 2), (3, 4)]
    assert x.get().tolist() == [(1, 2.0), (3, 4.0)]


def test_a_strange_array_does_not_lay_itself_over_a_parameter(context, module):
    class Shrinks(np.ndarray):
        def __array_finalize__(self, other):
            if other is not None and self.size == 16:
                self.resize(0, refcheck=False)

    module.get_function("pair")(np.zeros(16, np.uint8).view(np.ndarray).copy(), block=(1, 1, 1))
    strange = np.ndarray.__new__(Shrinks, 16, np.uint8)
    module.get_function("pair")(strange, block=(1, 1, 1))
    assert strange.size == 16


def test_strings_are_no_structs(context, module):
    with pytest.raises(TypeError, match="invalid type on parameter #0"):
        module.get_function("pair")(np.bytes_(b"0123456789abcdef"), block=(1, 1, 1))
    with pytest.raises(TypeError, match="invalid type on parameter #0"):
        module.get_function("pair")(np.str_("abcd"), block=(1, 1, 1))


def test_an_array_that_was_not_made_is_empty(context):
    array = gpuarray.GPUArray.__new__(gpuarray.GPUArray)
    seen = []

    def allocator(size):
        seen.append(array.shape)
        assert array.get().size == 0
        raise MemoryError(size)

    with pytest.raises(MemoryError):
        array.__init__((1 << 20,), np.float32, allocator=allocator)
    assert seen == [(0,)] and array.shape == (0,) and (array + 1).get().size == 0
    array.__init__((3,), np.float32)
    assert array.fill(2).get().tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="called before"):
        array.__init__((4,), np.float32)


def test_a_linker_does_one_thing_at_a_time(context):
    seen = []

    def handler(*args):
        with pytest.raises(RuntimeError, match="another call is under way"):
            linker.link_module()
        seen.append(args[0])

    linker = cuda.Linker(handler)
    with pytest.raises(cuda.Error):
        linker.add_data(b"nothing that links", cuda.jit_input_type.PTX)
    assert seen == [False]


@pytest.mark.parametrize("option", ["INFO_LOG_BUFFER", "INFO_LOG_BUFFER_SIZE_BYTES", "ERROR_LOG_BUFFER",
                                    "ERROR_LOG_BUFFER_SIZE_BYTES", "GLOBAL_SYMBOL_NAMES", "REFERENCED_KERNEL_NAMES"])
def test_options_that_are_addresses(context, option):
    for make in (lambda options: cuda.module_from_buffer(b"x", options), lambda options: cuda.Linker(options=options)):
        with pytest.raises(ValueError, match="options: "):
            make([(getattr(cuda.jit_option, option), 8)])


def test_a_copy_needs_what_was_set(context):
    copy = cuda.Memcpy2D()
    copy.set_src_host(np.zeros(16, np.uint8))
    copy.set_dst_device(cuda.mem_alloc(16))
    copy.width_in_bytes, copy.height = 16, 1
    copy()
    copy.set_src_device(cuda.to_device(np.zeros(16, np.uint8)))
    copy.src_memory_type = cuda.memory_type.HOST
    with pytest.raises(ValueError, match="the source is host memory by its memory type, and no buffer was set"):
        copy()
    copy.src_memory_type = cuda.memory_type.ARRAY
    with pytest.raises(ValueError, match="the source is an Array by its memory type, and none was set"):
        copy()
    memory = cuda.mem_alloc(16)
    copy.set_src_device(memory)
    memory.free()
    with pytest.raises(cuda.LogicError, match="was freed"):
        copy()


# -- Python objects are no bytes --------------------------------------------------------------


class Thing:
    pass


@pytest.mark.parametrize("dtype", [object, [("a", "i4"), ("b", object)]])
def test_objects_are_not_copied(context, module, dtype):
    memory, host = cuda.to_device(np.full(8, 7, np.int64)), np.zeros(2, dtype)
    copy = cuda.Memcpy2D()
    calls = [
        lambda: cuda.memcpy_dtoh(host, memory), lambda: cuda.memcpy_htod(memory, host),
        lambda: cuda.memcpy_dtoh_async(host, memory), lambda: cuda.memcpy_htod_async(memory, host),
        lambda: cuda.memcpy_dtoh(memoryview(host), memory), lambda: cuda.memcpy_htod(memory, memoryview(host)),
        lambda: cuda.from_device(memory, (2,), dtype), lambda: cuda.from_device_like(memory, host),
        lambda: cuda.from_device_like(memory, Thing()), lambda: cuda.to_device(host),
        lambda: cuda.register_host_memory(host), lambda: cuda.pagelocked_empty(2, dtype),
        lambda: cuda.pagelocked_empty_like(host), lambda: cuda.managed_empty(2, dtype), lambda: copy.set_dst_host(host),
        lambda: copy.set_src_unified(host), lambda: cuda.Graph().add_memcpy(host, memory),
        lambda: cuda.Graph().add_memcpy(memory, host), lambda: gpuarray.to_gpu(host), lambda: gpuarray.empty(2, dtype)]
    calls += [lambda cls=cls: module.get_function("store")(cls(host), np.int32(1), block=(1, 1, 1))
              for cls in (cuda.In, cuda.Out, cuda.InOut)]
    for call in calls:
        with pytest.raises(TypeError, match="holds Python objects"):
            call()
    assert host.tolist() == np.zeros(2, dtype).tolist()


def test_bytes_with_other_formats_are_copied(context):
    memory = cuda.mem_alloc(64)
    for host in (np.zeros(4, "M8[s]"), np.zeros(4, [("O", "i4"), (":O", "f4")]), np.zeros(4, "U2"), np.zeros(4, "c16"),
                 bytearray(8), memoryview(np.zeros(4, [("O", "i4")]))):
        cuda.memcpy_htod(memory, host)
        before = bytes(memoryview(host).cast("B")) if not isinstance(host, np.ndarray) else host.tobytes()
        cuda.memcpy_dtoh(host, memory)
        assert (bytes(host) if not isinstance(host, np.ndarray) else host.tobytes()) == before


# -- The GIL ----------------------------------------------------------------------------------


def run_with_callback(call, prepare=lambda: None):
    """What `call` does while a callback of a stream waits for another thread that needs the GIL."""
    stream, given, began, ended = cuda.Stream(), prepare(), threading.Event(), threading.Event()

    def callback(*args):
        began.set()
        ended.wait(20)  # lets go of the GIL, and needs it again

    stream.add_callback(callback)
    began.wait(20)
    threading.Timer(0.05, ended.set).start()
    call(given)
    stream.synchronize()
    return ended.is_set()


@pytest.mark.parametrize("name", ["unload", "allocate", "pool", "event", "array", "global", "node", "update", "linker"])
def test_callbacks_need_the_gil(context, module, name):
    descr = cuda.ArrayDescriptor()
    descr.width = descr.height = 4
    descr.format, descr.num_channels = cuda.array_format.FLOAT, 1
    image = SourceModule("__global__ void f() {}").module
    held = {"unload": [SourceModule("__device__ int x; __global__ void g() {}")], "pool": [cuda.DeviceMemoryPool()]}
    graph = cuda.Graph()
    graph.add_empty()
    exec_ = graph.instantiate()
    calls = {
        "unload": lambda given: held["unload"].clear(),
        "allocate": lambda given: cuda.mem_alloc(1 << 20),
        "pool": lambda given: held["pool"][0].allocate(1 << 20),
        "event": lambda given: cuda.Event().record().query(),
        "array": lambda given: cuda.Array(descr),
        "global": lambda given: image.get_function("f"),
        "node": lambda given: graph.add_empty(),
        "update": lambda given: exec_.update(graph),
        "linker": lambda given: cuda.Linker()}
    assert run_with_callback(calls[name])
    gc.collect()


@pytest.mark.parametrize("name", ["array", "node", "context"])
def test_handles_are_looked_at_after_other_arguments(context, name):
    """Whose conversion runs Python code, which frees what was given beside them. A driver may not bear such a handle."""
    descr = cuda.ArrayDescriptor()
    descr.width, descr.height, descr.format, descr.num_channels = 4, 0, cuda.array_format.FLOAT, 1
    array, memory, graph = cuda.Array(descr), cuda.mem_alloc(16), cuda.Graph()
    node, exec_, other = graph.add_memset(memory, 0, 1), graph.instantiate(), cuda.Device(0).make_context()
    other.pop()

    class Number:
        def __index__(self):
            return free() or 4

        def __bool__(self):
            return not free()

    free, call, error, text = {
        "array": (array.free, lambda: cuda.memcpy_dtoa(array, Number(), memory, 4), cuda.LogicError, "Array failed.* was freed"),
        "node": (node.remove, lambda: exec_.set_enabled(node, Number()), cuda.LogicError, "GraphNode failed.* was removed"),
        "context": (other.detach, lambda: cuda.memcpy_peer(memory, memory, Number(), other), RuntimeError, "dead context"),
    }[name]
    with pytest.raises(error, match=text):
        call()


def test_callbacks_of_graphs_are_counted_while_they_may_come(context):
    called = []
    for _ in range(3):
        graph = cuda.Graph()
        graph.add_callback(lambda: called.append(1))
        exec_ = graph.instantiate()
        del graph
        exec_.launch()
        cuda.Context.synchronize()
        assert _native._callbacks() == 1
        del exec_
        assert _native._callbacks() == 0
    assert called == [1] * 3


@pytest.mark.parametrize("what", ["objects", "blocks"])
def test_nothing_is_left_over(context, module, what):
    """Each operation four hundred times: as many blocks of memory as before."""
    store, pool, stream = module.get_function("store"), cuda.DeviceMemoryPool(), cuda.Stream()
    to, host = gpuarray.zeros(1, np.int32), np.zeros(4, np.int32)
    descr = cuda.ArrayDescriptor()
    descr.width, descr.height, descr.format, descr.num_channels = 4, 4, cuda.array_format.FLOAT, 1
    store.prepare("Pi")

    def refused():
        with pytest.raises(TypeError):
            store(to, "x", block=(1, 1, 1))

    objects = [cuda.Stream, cuda.Event, cuda.Graph, cuda.DeviceMemoryPool, lambda: cuda.Array(descr),
               lambda: cuda.Graph().add_callback(print), lambda: cuda.Graph().add_memcpy(host, to.gpudata, 4),
               lambda: cuda.In(host), lambda: module.get_function("store").prepare("Pi"), cuda.Memcpy2D, cuda.Linker,
               lambda: cuda.Graph().instantiate(), lambda: cuda.MemoryPool(), lambda: gpuarray.GPUArray((4,), np.int8)]
    blocks = [lambda: pool.allocate(100), lambda: cuda.mem_alloc(100), lambda: cuda.pagelocked_empty(10, np.int8),
              lambda: cuda.managed_empty(10, np.int8), lambda: cuda.aligned_empty(10, np.int8),
              lambda: cuda.mem_alloc_async(100, stream), lambda: store(to, np.int32(1), block=(1, 1, 1)),
              lambda: store(cuda.InOut(host), np.int32(1), block=(1, 1, 1)), refused,
              lambda: store.prepared_call((1, 1), (1, 1, 1), to.gpudata, 1), lambda: cuda.from_device(to.gpudata, 1, np.int32),
              lambda: to.gpudata.as_buffer(4), lambda: cuda.Context.get_current(), lambda: cuda.Device(0).warp_size]
    for operation in {"objects": objects, "blocks": blocks}[what]:
        def repeat(times, operation=operation):
            for _ in range(times):
                operation()
            stream.synchronize()
            gc.collect()
            return sys.getallocatedblocks()

        repeat(100)
        grown = repeat(400) - repeat(1)
        assert abs(grown) < 150, operation
