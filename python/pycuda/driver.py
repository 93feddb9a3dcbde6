"""The CUDA driver API: devices, contexts, memory, streams, modules and kernels.

`init()` chooses and loads a driver: an NVIDIA GPU's, or the host device, which runs kernels on
CPU cores (environment variable PYCUDA_DRIVER: auto, cuda, host or a path). Failed calls raise
Error and its subclasses, with the CUresult in `.code` and `.name`.
"""

from contextlib import contextmanager as _contextmanager
from contextlib import suppress as _suppress
from os import environ as _environ
from warnings import warn as _warn

import numpy as np

from pycuda import _html, _names, _native
from pycuda._driver import *
from pycuda._driver import (
    Array,
    ArrayDescriptor,
    ArrayDescriptor3D,
    Device,
    DeviceMemoryPool,
    Error,
    Event,
    Function,
    LogicError,
    ManagedAllocation,
    Memcpy2D,
    Memcpy3D,
    PagelockedHostAllocation,
    PageLockedMemoryPool,
    Stream,
    array3d_flags,
    array_format,
    device_attribute,
    function_attribute,
    memcpy_atoh,
    memcpy_dtoh,
    memcpy_htoa,
    stream_capture_mode,
)

HostAllocation = PagelockedHostAllocation
ManagedAllocationOrStub = ManagedAllocation
py_memcpy_htoa, py_memcpy_atoh = memcpy_htoa, memcpy_atoh
CUDA_DEBUGGING = False


class CompileError(Error):
    """A source did not compile: what the compiler said, and how it was called."""

    def __init__(self, msg, command_line, stdout=None, stderr=None):
        super().__init__(msg, command_line, stdout, stderr)
        self.msg, self.command_line = msg, command_line
        self.stdout, self.stderr = stdout, stderr

    def __str__(self):
        text = self.msg
        if self.stderr:
            text += f"\n[stderr:\n{self.stderr}]"
        if self.stdout:
            text += f"\n[stdout:\n{self.stdout}]"
        if self.command_line:
            text += "\n[command: " + " ".join(self.command_line) + "]"
        return text

    def _render_traceback_(self):
        """IPython shows this: what the compiler said, without frames of this package and the command."""
        said = (self.stderr or "") + (self.stdout or "")
        return [*said.splitlines(), f"{type(self).__name__}: {self.msg}"]


def __getattr__(name):
    if name == "SourceModule":  # made from this module, so it cannot be imported above
        from pycuda.compiler import SourceModule

        return SourceModule
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def set_debugging(flag=True):
    """Compile kernels from now on with -g -G, without the cache, and keep the files."""
    global CUDA_DEBUGGING
    CUDA_DEBUGGING = flag


def get_version():
    """(major, minor, revision) of the driver API that this package was written for."""
    return 13, 0, 0


def have_gl_ext():
    """Whether the driver shares memory with OpenGL (pycuda.gl); the host device does not."""
    return not _native._is_host_device()


def _get_attributes(self):
    """{device_attribute: value} of all that the driver answers. CUDA: cuDeviceGetAttribute."""
    result = {}
    for _, member in sorted(device_attribute.names.items()):
        if member in result:  # by its other name
            continue
        try:
            result[member] = self.get_attribute(member)
        except LogicError as error:
            if error.code != 1:  # INVALID_VALUE: the attribute is newer than the driver
                _warn(f"CUDA driver raised '{error}' when querying '{member}' on '{self}'",
                      stacklevel=2)
    return result


def _prepared_timed_call(self, grid, block, *args, shared_size=0):
    """As prepared_call; returns a callable that waits for the kernel and gives its time in
    seconds. CUDA: cuLaunchKernel, cuEventElapsedTime."""
    start, end = Event(), Event()
    start.record()
    self.prepared_call(grid, block, *args, shared_size=shared_size)
    end.record()

    def seconds():
        """Waits for the kernel; its time in seconds."""
        return 1e-3 * end.synchronize().time_since(start)

    return seconds


def _attribute(member):
    return property(lambda self: self.get_attribute(member), doc=f"Its function_attribute.{member.name}. CUDA: cuFuncGetAttribute.")


# Methods that are compositions of others.
Device.get_attributes = _get_attributes
Device._repr_html_ = _html.of_device
Function.prepared_timed_call = _prepared_timed_call
for _name, _member in function_attribute.names.items():
    if _name != "MAX":  # their number
        setattr(Function, _name.lower(), _attribute(_member))
# What ends a pool for good: held blocks are freed now, those in use when they are released.
DeviceMemoryPool.destroy = DeviceMemoryPool.stop_holding
PageLockedMemoryPool.destroy = PageLockedMemoryPool.stop_holding

# -- Device memory to arrays ---------------------------------------------------------------


def from_device(devptr, shape, dtype, order="C"):
    """A new numpy.ndarray with a copy of device memory. CUDA: cuMemcpyDtoH."""
    if isinstance(shape, list):  # NumPy reads on in one that an element's __index__ shortens
        shape = tuple(shape)
    result = np.empty(shape, dtype, order)
    memcpy_dtoh(result, devptr)
    return result


def from_device_like(devptr, other_ary):
    """A new numpy.ndarray of the shape, dtype and order of another, from device memory."""
    result = np.empty_like(other_ary)
    memcpy_dtoh(result, devptr)
    return result


# -- Graphs --------------------------------------------------------------------------------


@_contextmanager
def _capture(self, mode=stream_capture_mode.RELAXED):
    """``with stream.capture() as graph:`` work of the body becomes the Graph, see begin_capture."""
    graph = self.begin_capture(mode)
    try:
        yield graph
    except BaseException:
        with _suppress(Error):
            self.end_capture()
        raise
    self.end_capture()


Stream.capture = _capture


# -- Launching step by step, as before CUDA 4 -----------------------------------------------


class _Steps:
    """Methods of Function, also with an underscore before their names; calling it is better."""

    def set_block_shape(self, x, y, z):
        """The block of the launches to come."""
        self._block = x, y, z

    def set_shared_size(self, bytes):
        """Bytes of dynamic shared memory of the launches to come."""
        self._shared = bytes

    def param_set_size(self, bytes):
        """Bytes of all arguments; comes before those."""
        self._arguments = bytearray(bytes)

    def param_setv(self, offset, buffer):
        """The bytes of an argument from a buffer."""
        data = memoryview(buffer).cast("B")
        room = len(getattr(self, "_arguments", b""))
        if not 0 <= offset <= room - len(data):
            raise LogicError(f"param_setv failed: invalid argument - {len(data)} bytes at {offset} "
                             f"are not inside the {room} of param_set_size")
        self._arguments[offset : offset + len(data)] = data

    def param_seti(self, offset, value):
        """An argument of four bytes, from an integer with or without sign."""
        self.param_setv(offset, int(value).to_bytes(4, "little", signed=value < 0))

    def param_setf(self, offset, value):
        """An argument of type float."""
        self.param_setv(offset, np.float32(float(value)).tobytes())

    def launch(self):
        """Launches one block."""
        self.launch_grid(1, 1)

    def launch_grid(self, width, height):
        """Launches width x height blocks. CUDA: cuLaunchKernel."""
        self.launch_grid_async(width, height, None)

    def launch_grid_async(self, width, height, stream):
        """The same in a stream."""
        self._launch_kernel((width, height), getattr(self, "_block", (1, 1, 1)),
                            getattr(self, "_arguments", b""), getattr(self, "_shared", 0), stream)


for _name in [name for name in vars(_Steps) if not name.startswith("_")]:
    setattr(Function, _name, vars(_Steps)[_name])
    setattr(Function, "_" + _name, vars(_Steps)[_name])


# -- CUDA arrays from host and GPU arrays --------------------------------------------------

_FORMATS = {
    "u1": array_format.UNSIGNED_INT8,
    "u2": array_format.UNSIGNED_INT16,
    "u4": array_format.UNSIGNED_INT32,
    "i1": array_format.SIGNED_INT8,
    "i2": array_format.SIGNED_INT16,
    "i4": array_format.SIGNED_INT32,
    "f2": array_format.HALF,
    "f4": array_format.FLOAT,
}
# Types that no format has travel as several 32-bit integers.
_AS_INTEGERS = {"f8": 2, "c8": 2, "c16": 4}


def dtype_to_array_format(dtype):
    """The array_format of a NumPy dtype; TypeError if there is none."""
    try:
        return _FORMATS[np.dtype(dtype).str.lstrip("|<")]
    except KeyError:
        raise TypeError(f"cannot convert dtype '{np.dtype(dtype)}' to array format") from None


def _format_and_channels(dtype, allow_integers):
    channels = _AS_INTEGERS.get(np.dtype(dtype).str.lstrip("<")) if allow_integers else None
    if channels:
        return array_format.SIGNED_INT32, channels
    return dtype_to_array_format(dtype), 1


def _order_shape(shape, order):
    """Lengths from the fastest axis to the slowest."""
    if order not in ("C", "F"):
        raise LogicError("order must be either F or C")
    return tuple(reversed(shape)) if order == "C" else tuple(shape)


def _fill_array(array, lengths, itemsize, set_source):
    """Copy `lengths` (fastest axis first) of elements into a CUDA array."""
    copy = Memcpy2D() if len(lengths) == 2 else Memcpy3D()
    set_source(copy)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = lengths[0] * itemsize
    copy.height = lengths[1]
    if len(lengths) == 3:
        copy.src_height, copy.depth = lengths[1], lengths[2]
        copy()
    else:
        copy(aligned=True)
    return array


def _make_array(lengths, dtype, allow_integers, flags):
    if len(lengths) == 2 and not flags:
        descr = ArrayDescriptor()
        descr.width, descr.height = lengths
    elif len(lengths) in (2, 3):
        descr = ArrayDescriptor3D()
        descr.width, descr.height = lengths[:2]
        descr.depth = lengths[2] if len(lengths) == 3 else 0
        descr.flags = flags
    else:
        raise LogicError(f"only 2 and 3 dimensions can become a CUDA array, not {len(lengths)}")
    descr.format, descr.num_channels = _format_and_channels(dtype, allow_integers)
    return Array(descr)


def _array_of(source, order, allow_integers, allow_writes=False):
    lengths = _order_shape(source.shape, order)
    array = _make_array(lengths, source.dtype, allow_integers,
                        array3d_flags.SURFACE_LDST if allow_writes else 0)
    if isinstance(source, _native.GPUArray):
        source = source.astype(source.dtype, order=order, copy=False)
        return _fill_array(array, lengths, source.dtype.itemsize,
                           lambda copy: copy.set_src_device(source.gpudata))
    source = np.asarray(_native._fixed(source), order=order)
    return _fill_array(array, lengths, source.itemsize, lambda copy: copy.set_src_host(source))


def matrix_to_array(matrix, order, allow_double_hack=False):
    """An Array with a copy of a 2-D numpy.ndarray; order: which axis is the fast one ("C": the
    last). allow_double_hack: float64 as two int32."""
    if matrix.ndim != 2:
        raise LogicError("matrix_to_array takes 2 dimensions")
    return _array_of(matrix, order, allow_double_hack and matrix.dtype == np.float64)


def np_to_array(nparray, order, allowSurfaceBind=False):
    """An Array with a copy of a 2-D or 3-D numpy.ndarray. float64 and complex travel as int32
    channels. allowSurfaceBind: kernels may write to it through a surface."""
    return _array_of(nparray, order, True, allowSurfaceBind)


def gpuarray_to_array(gpuarray, order, allowSurfaceBind=False):
    """The same from a GPUArray, on the device."""
    return _array_of(gpuarray, order, True, allowSurfaceBind)


def make_multichannel_2d_array(ndarray, order):
    """An Array of several channels from (channels, width, height) in order "F", or (height,
    width, channels) in order "C"."""
    channels, width, height = _order_shape(ndarray.shape, order)
    descr = ArrayDescriptor()
    descr.width, descr.height = width, height
    descr.format, descr.num_channels = dtype_to_array_format(ndarray.dtype), channels
    source = np.asarray(_native._fixed(ndarray), order=order)
    return _fill_array(Array(descr), (width, height), ndarray.itemsize * channels,
                       lambda copy: copy.set_src_host(source))


def bind_array_to_texref(ary, texref):
    """Bind an Array to a TextureReference: two dimensions, clamped, no filter; on the host device alone."""
    texref.set_array(ary)
    texref.set_address_mode(0, address_mode.CLAMP)
    texref.set_address_mode(1, address_mode.CLAMP)
    texref.set_filter_mode(filter_mode.POINT)


def matrix_to_texref(matrix, texref, order):
    """Bind a copy of a 2-D numpy.ndarray to a TextureReference; on the host device alone."""
    bind_array_to_texref(matrix_to_array(matrix, order), texref)


_names.publish(__name__, globals())

if _environ.get("HOSTCUDA_CHECK_REPORT"):
    from pycuda._checks import write_at_exit as _write_at_exit

    _write_at_exit(_environ["HOSTCUDA_CHECK_REPORT"])

if _environ.get("HOSTCUDA_COVERAGE"):
    from pycuda._coverage import write_at_exit as _write_coverage_at_exit

    _write_coverage_at_exit(_environ["HOSTCUDA_COVERAGE"])
