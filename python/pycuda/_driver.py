"""The driver's names as the extension has them, and its enumerations; use pycuda.driver."""

from operator import index as _index

from pycuda import _native
from pycuda._enums import *
from pycuda._native import *


class PointerHolderBase:
    """Base for classes that know a device address: define get_pointer()."""

    def get_pointer(self):
        """The device address as an integer; subclasses define it."""
        raise NotImplementedError("PointerHolderBase.get_pointer must be overridden")

    def __index__(self):
        return _index(self.get_pointer())

    __int__ = __index__

    def as_buffer(self, size, offset=0):
        """A writable memoryview of `size` bytes at the address, for memory the host can reach."""
        return _native._as_buffer(self, size, offset)


class array3d_flags:
    """Flags of ArrayDescriptor3D."""

    ARRAY3D_2DARRAY = ARRAY3D_LAYERED = LAYERED = 1
    SURFACE_LDST = 2
    CUBEMAP = 4
    TEXTURE_GATHER = 8


setattr(array3d_flags, "2DARRAY", 1)


class host_alloc_flags:
    """Flags of page-locked memory."""

    PORTABLE = 1
    DEVICEMAP = 2
    WRITECOMBINED = 4


class mem_host_register_flags:
    """Flags of register_host_memory."""

    PORTABLE = 1
    DEVICEMAP = 2
    IOMEMORY = 4
    READ_ONLY = 8


TRSA_OVERRIDE_FORMAT = 1
TRSF_READ_AS_INTEGER = 1
TRSF_NORMALIZED_COORDINATES = 2
TR_DEFAULT = -1

__all__ = [name for name in globals() if not name.startswith("_")]
