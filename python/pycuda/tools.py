"""Contexts by default, memory pools, occupancy, C names of dtypes, and caches a context."""

import atexit
import contextlib
import functools
import gc
import os
import re
import sys
from collections import Counter
from warnings import warn
from weakref import WeakKeyDictionary

import numpy as np

import pycuda.driver as cuda
from pycuda._driver import (  # noqa: F401
    DeviceAllocation,
    DeviceMemoryPool,
    PageLockedAllocator,
    PageLockedMemoryPool,
    PooledDeviceAllocation,
    bitlog2,
)

# -- The default context -------------------------------------------------------------------


def _chosen_ordinal():
    """The device number of $CUDA_DEVICE or ~/.cuda_device, or None."""
    text = os.environ.get("CUDA_DEVICE")
    if text is None:
        try:
            with open(os.path.join(os.path.expanduser("~"), ".cuda_device")) as file:
                text = file.read().strip()
        except OSError:
            return None
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"CUDA_DEVICE (or ~/.cuda_device) is no device number: {text!r}") from None


def get_default_device(default=0):
    """The Device that $CUDA_DEVICE, ~/.cuda_device or else `default` names. Deprecated."""
    warn("get_default_device() is deprecated; use make_default_context()", DeprecationWarning, 2)
    ordinal = _chosen_ordinal()
    return cuda.Device(default if ordinal is None else ordinal)


def make_default_context(ctx_maker=None):
    """A current Context on the device that $CUDA_DEVICE or ~/.cuda_device names, else on the first
    that works. ctx_maker(device): makes it; default Device.make_context."""
    ctx_maker = cuda.Device.make_context if ctx_maker is None else ctx_maker
    count = cuda.Device.count()
    if count == 0:
        raise RuntimeError("No CUDA enabled device found. Please check your installation.")
    ordinal = _chosen_ordinal()
    if ordinal is not None:
        return ctx_maker(cuda.Device(ordinal))
    for i in range(count):
        try:
            return ctx_maker(cuda.Device(i))
        except cuda.Error as error:
            last = error
    raise RuntimeError("make_default_context() wasn't able to create a context on any of the "
                       f"{count} detected devices: {last}") from last


def _automatic_context(namespace, ctx_maker=None):
    """What importing autoinit does: put `context` and `device` into a module's namespace, and take
    the context away again at exit."""
    cuda.init()
    namespace["context"] = context = make_default_context(ctx_maker)
    namespace["device"] = context.get_device()

    def finish_up():
        with contextlib.suppress(cuda.LogicError):  # in a forked child
            if cuda.Context.get_current() is namespace["context"] is not None:
                namespace["context"].pop()
        clear_context_caches()

    atexit.register(finish_up)


# -- Caches a context ----------------------------------------------------------------------

context_dependent_memoized_functions = []


def context_dependent_memoize(func):
    """Remember results by arguments, for each current context on its own."""
    cache = func._pycuda_ctx_dep_memoize_dic = {}
    context_dependent_memoized_functions.append(func)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        key = (args, frozenset(kwargs.items())) if kwargs else args
        results = cache.setdefault(cuda.Context.get_current(), {})
        try:
            return results[key]
        except KeyError:
            result = results[key] = func(*args, **kwargs)
            return result

    return wrapper


def clear_context_caches():
    """Forget what context_dependent_memoize remembered, so that contexts can end."""
    for func in context_dependent_memoized_functions:
        func._pycuda_ctx_dep_memoize_dic.clear()


def init_cuda_context_fixture():
    """Generator for a pytest fixture: a context of its own around each test."""
    cuda.init()
    context = make_default_context()
    try:
        yield context
    finally:
        if cuda.Context.get_current() is context:
            context.pop()
        clear_context_caches()
        gc.collect()


def mark_cuda_test(inner_f):
    """Run a test function in a context of its own; marks it `cuda` where pytest is there."""

    @functools.wraps(inner_f)
    def test(*args, **kwargs):
        with contextlib.contextmanager(init_cuda_context_fixture)():
            return inner_f(*args, **kwargs)

    try:
        from pytest import mark
    except ImportError:
        return test
    return mark.cuda(test)


# -- Memory pools --------------------------------------------------------------------------


class DebugMemoryPool(DeviceMemoryPool):
    """A DeviceMemoryPool that prints what is allocated; `interactive`: it waits for Enter each
    time. logfile: where to; default sys.stdout. Subclasses may describe() callers their way."""

    def __init__(self, interactive=True, logfile=None):
        self.blocks = WeakKeyDictionary()
        self.interactive = interactive
        self.logfile = logfile or sys.stdout

    def describe(self, stack, size):
        """What the histogram calls who allocates `size` bytes. stack: the names of the functions
        under way, the outermost first."""
        return "|".join(stack)

    def allocate(self, size):
        """A PooledDeviceAllocation; prints a histogram of all by size and describe()."""
        block = super().allocate(size)
        stack, frame = [], sys._getframe(1)
        while frame:
            stack.insert(0, frame.f_code.co_name)
            frame = frame.f_back
        self.blocks[block] = self.describe(tuple(stack), size)
        histogram = Counter((len(other), where) for other, where in self.blocks.items())
        for (bytes_, description), count in sorted(histogram.items()):
            print(f"{count} x {bytes_} bytes from {description}", file=self.logfile)
        print(f"{self.active_bytes} bytes in use, {self.managed_bytes} managed", file=self.logfile)
        if self.interactive:
            input("press Enter to go on ")
        return block


_OF_MEMORY = "LiveMemory", "MemoryUsage", "live_memory", "memory_usage", "reset_peak_memory"


def __getattr__(name):
    if name in _OF_MEMORY:  # whose module is imported when it is first needed
        from pycuda import _live_memory
        return getattr(_live_memory, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_OF_MEMORY})


# -- Devices and occupancy -----------------------------------------------------------------


def _int_ceiling(value, multiple_of=1):
    return -(-value // multiple_of) * multiple_of


def _int_floor(value, multiple_of=1):
    return value // multiple_of * multiple_of


def _exact_div(dividend, divisor):
    quotient, rest = divmod(dividend, divisor)
    assert rest == 0, f"{divisor} does not divide {dividend}"
    return quotient


class DeviceData:
    """Figures of a device (default: the current context's) for tuning: threads, registers, shared
    memory in bytes, and the granularity in which they are given out."""

    def __init__(self, dev=None):
        dev = cuda.Context.get_device() if dev is None else dev
        self.max_threads = dev.max_threads_per_block
        self.warp_size = dev.warp_size
        self.warps_per_mp = dev.max_threads_per_multiprocessor // dev.warp_size
        self.thread_blocks_per_mp = dev.max_blocks_per_multiprocessor
        self.registers = dev.max_registers_per_block
        self.shared_memory = dev.max_shared_memory_per_block
        self.smem_alloc_granularity = 128
        self.smem_granularity = 32
        self.register_allocation_unit = "warp"

    def align(self, bytes, word_size=4):
        """Bytes rounded up to what words of that size are aligned to."""
        return _int_ceiling(bytes, self.align_bytes(word_size))

    def align_dtype(self, elements, dtype_size):
        """The same in elements."""
        return _int_ceiling(elements, self.align_words(dtype_size))

    def align_words(self, word_size):
        """The alignment in words."""
        return _exact_div(self.align_bytes(word_size), word_size)

    def align_bytes(self, word_size=4):
        """The alignment of words of 4, 8 or 16 bytes; ValueError for other sizes."""
        if word_size == 4:
            return 64
        if word_size in (8, 16):
            return 128
        raise ValueError(f"no alignment is possible for words of {word_size} bytes")

    def coalesce(self, thread_count):
        """Threads rounded up to half warps."""
        return _int_ceiling(thread_count, 16)

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} {vars(self)}>"

    @staticmethod
    def make_valid_tex_channel_count(size):
        """The next channel count that textures have: 1, 2 or 4."""
        for valid in (1, 2, 4):
            if size <= valid:
                return valid
        raise ValueError(f"no texture has {size} channels")


class OccupancyRecord:
    """How many blocks of `threads` threads, `shared_mem` bytes and `registers` registers a thread
    a multiprocessor holds: tb_per_mp, limited_by ("warps", "regs", "smem", "device"),
    warps_per_mp, occupancy (0 to 1), tb_per_mp_limits."""

    def __init__(self, devdata, threads, shared_mem=0, registers=0):
        if threads > devdata.max_threads:
            raise ValueError("too many threads")
        warps = _int_ceiling(threads, devdata.warp_size) // devdata.warp_size
        limits = [(devdata.thread_blocks_per_mp, "device"), (devdata.warps_per_mp // warps, "warps")]
        if registers > 0:
            used = _int_ceiling(registers * devdata.warp_size, 256) * warps
            if used > devdata.registers:
                raise ValueError("too many registers")
            limits.append((devdata.registers // used, "regs"))
        if shared_mem > 0:
            if shared_mem > devdata.shared_memory:
                raise ValueError("too much smem")
            used = _int_ceiling(shared_mem, devdata.smem_alloc_granularity)
            limits.append((devdata.shared_memory // used, "smem"))
        self.tb_per_mp_limits = limits
        self.tb_per_mp, self.limited_by = min(limits)
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} {vars(self)}>"


# -- C names of dtypes ---------------------------------------------------------------------


class TypeNameNotKnown(RuntimeError):
    """A C type name that was never registered."""


class DTypeRegistry:
    """C names to NumPy dtypes and back; the first name of a dtype is the one it is given."""

    def __init__(self):
        self.name_to_dtype = {}
        self.dtype_to_name = {}

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} of {len(vars(self).get('name_to_dtype', ()))} names>"

    def get_or_register_dtype(self, names, dtype=None):
        """The dtype of a C name (or list of names); with `dtype`, register them for it."""
        names = [names] if isinstance(names, str) else list(names)
        if dtype is None:
            if names[0] not in self.name_to_dtype:
                raise TypeNameNotKnown(names[0])
            return self.name_to_dtype[names[0]]
        dtype = np.dtype(dtype)
        dtype = next((known for known in self.dtype_to_name if known == dtype), dtype)
        for name in names:
            if self.name_to_dtype.setdefault(name, dtype) != dtype:
                raise RuntimeError(f"name '{name}' already registered to different dtype")
        self.dtype_to_name.setdefault(dtype, names[0])
        return dtype

    def dtype_to_ctype(self, dtype):
        """The C name of a dtype; ValueError if it has none."""
        if dtype is None:
            raise ValueError("dtype may not be None")
        dtype = np.dtype(dtype)
        try:
            return self.dtype_to_name[dtype]
        except KeyError:
            raise ValueError(f"unable to map dtype '{dtype}'") from None


TYPE_REGISTRY = DTypeRegistry()
NAME_TO_DTYPE = TYPE_REGISTRY.name_to_dtype
DTYPE_TO_NAME = TYPE_REGISTRY.dtype_to_name
get_or_register_dtype = TYPE_REGISTRY.get_or_register_dtype
base_dtype_to_ctype = TYPE_REGISTRY.dtype_to_ctype


def _fill_dtype_registry():
    for dtype, names in (
        (np.bool_, "bool"),
        (np.int8, "signed char,char,int8_t"),
        (np.uint8, "unsigned char,uchar,uint8_t"),
        (np.int16, "short,signed short,short int,signed short int,short signed int,int16_t"),
        (np.uint16, "unsigned short,unsigned short int,short unsigned int,ushort,uint16_t"),
        (np.int32, "int,signed,signed int,int32_t"),
        (np.uint32, "unsigned,unsigned int,uint,uint32_t"),
        (np.int64, ("long,long int,signed long,signed long int,long signed int,int64_t,long long,"
                   "long long int,signed long long,longlong,ptrdiff_t,ssize_t,intptr_t")),
        (np.uint64, ("unsigned long,unsigned long int,long unsigned int,ulong,uint64_t,"
                    "unsigned long long,unsigned long long int,ulonglong,size_t,uintptr_t")),
        (np.float16, "half,__half"),
        (np.float32, "float"),
        (np.float64, "double"),
        (np.complex64, "pycuda::complex<float>"),
        (np.complex128, "pycuda::complex<double>"),
    ):
        get_or_register_dtype(names.split(","), dtype)


_fill_dtype_registry()


def register_dtype(dtype, c_names, alias_ok=False):
    """Register C names for a dtype. Deprecated: use get_or_register_dtype."""
    dtype = np.dtype(dtype)
    if not alias_ok and dtype in DTYPE_TO_NAME:
        raise RuntimeError(f"dtype '{dtype}' already registered (as {DTYPE_TO_NAME[dtype]})")
    get_or_register_dtype(c_names, dtype)


def dtype_to_ctype(dtype, with_fp_tex_hack=False):
    """The C name of a dtype; with_fp_tex_hack: the names that texture helpers use for floats."""
    if dtype is None:
        raise ValueError("dtype may not be None")
    names = {"f4": "float", "f8": "double", "c8": "cfloat", "c16": "cdouble"}
    name = names.get(np.dtype(dtype).str[1:]) if with_fp_tex_hack else None
    return f"fp_tex_{name}" if name else base_dtype_to_ctype(dtype)


# -- Arguments of generated kernels --------------------------------------------------------


class Argument:
    """A parameter of a generated kernel: `dtype` and `name`."""

    def __init__(self, dtype, name):
        self.dtype = np.dtype(dtype)
        self.name = name

    def __repr__(self):
        return f"{type(self).__name__}({getattr(self, 'name', None)!r}, {getattr(self, 'dtype', None)})"


class VectorArg(Argument):
    """A pointer to elements."""

    struct_char = "P"

    def declarator(self):
        """The parameter in C."""
        return f"{dtype_to_ctype(self.dtype)} *{self.name}"


class ScalarArg(Argument):
    """A value."""

    def declarator(self):
        """The parameter in C."""
        return f"{dtype_to_ctype(self.dtype)} {self.name}"

    @property
    def struct_char(self):
        """Its letter for Function.prepare."""
        return f"{self.dtype.itemsize}s" if self.dtype.kind == "V" else self.dtype.char


_QUALIFIERS = re.compile(r"\b(const|volatile|__restrict__|__restrict|restrict)\b")
_DECLARATOR = re.compile(r"^\s*(?P<type>.+?)(?P<star>[\s*]+|\s)(?P<name>\w+)\s*(?P<array>\[\w*\])?\s*$")


def parse_c_arg_backend(c_arg, scalar_arg_factory, vec_arg_factory, name_to_dtype=None):
    """Make an argument of a C declarator such as "const float *x", "int n" or "float x[3]"."""
    match = _DECLARATOR.match(_QUALIFIERS.sub(" ", c_arg))
    if not match or "*" in match["type"]:
        raise ValueError(f"couldn't parse C declarator '{c_arg}'")
    type_name = " ".join(match["type"].split())
    try:
        dtype = (name_to_dtype or get_or_register_dtype)(type_name)
    except (KeyError, TypeNameNotKnown):
        raise ValueError(f"unknown type '{type_name}'") from None
    factory = vec_arg_factory if "*" in match["star"] or match["array"] else scalar_arg_factory
    return factory(dtype, match["name"])


def parse_c_arg(c_arg):
    """A ScalarArg or VectorArg of a C declarator; ValueError says what is not understood."""
    return parse_c_arg_backend(c_arg, ScalarArg, VectorArg)


def get_arg_type(c_arg):
    """The letter of a C declarator for Function.prepare: "P" for pointers."""
    return parse_c_arg(c_arg).struct_char
