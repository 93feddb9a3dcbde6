"""The driver's names as the extension has them, with its enumerations; use pycuda.driver."""

import operator
from typing import ClassVar

from pycuda import _native
from pycuda._native import *


class enum(int):
    """An integer that prints its name. `names` and `values` of each class list its members."""

    __slots__ = ()
    names: ClassVar[dict] = {}
    values: ClassVar[dict] = {}

    @property
    def name(self):
        """The member's name; absent for values without one."""
        for same in (operator.is_, operator.eq):
            for name, member in self.names.items():
                if same(member, self):
                    return name
        raise AttributeError(f"{type(self).__name__}({int(self)}) has no name")

    def __repr__(self):
        name = getattr(self, "name", None)
        prefix = f"{type(self).__module__}.{type(self).__name__}"
        return f"{prefix}.{name}" if name else f"{prefix}({int(self)})"

    def __str__(self):
        return getattr(self, "name", None) or int.__repr__(self)


def _make_enum(name, prefix, values, module="pycuda.driver"):
    cls = type(name, (enum,), {"__module__": module, "__slots__": (), "names": {}, "values": {}})
    for long_name, value in values.items():
        member = cls(value)
        cls.names[long_name.removeprefix(prefix)] = cls.values[value] = member
        setattr(cls, long_name.removeprefix(prefix), member)
    return cls


def _make_enums():
    values = _native._enum_values()
    return {
        name: _make_enum(name, prefix, values[c_name])
        for name, c_name, prefix in (
            ("ctx_flags", "CUctx_flags", "CU_CTX_"),
            ("stream_flags", "CUstream_flags", "CU_STREAM_"),
            ("event_flags", "CUevent_flags", "CU_EVENT_"),
            ("ipc_mem_flags", "CUipcMem_flags", "CU_IPC_MEM_"),
            ("array_format", "CUarray_format", "CU_AD_FORMAT_"),
            ("array_cubemap_face", "CUarray_cubemap_face", "CU_CUBEMAP_FACE_"),
            ("address_mode", "CUaddress_mode", "CU_TR_ADDRESS_MODE_"),
            ("filter_mode", "CUfilter_mode", "CU_TR_FILTER_MODE_"),
            ("device_attribute", "CUdevice_attribute", "CU_DEVICE_ATTRIBUTE_"),
            ("pointer_attribute", "CUpointer_attribute", "CU_POINTER_ATTRIBUTE_"),
            ("function_attribute", "CUfunction_attribute", "CU_FUNC_ATTRIBUTE_"),
            ("func_cache", "CUfunc_cache", "CU_FUNC_CACHE_"),
            ("shared_config", "CUsharedconfig", "CU_SHARED_MEM_CONFIG_"),
            ("memory_type", "CUmemorytype", "CU_MEMORYTYPE_"),
            ("compute_mode", "CUcomputemode", "CU_COMPUTEMODE_"),
            ("jit_option", "CUjit_option", "CU_JIT_"),
            ("jit_target", "CUjit_target", "CU_TARGET_"),
            ("jit_fallback", "CUjit_fallback", "CU_"),
            ("jit_input_type", "CUjitInputType", "CU_JIT_INPUT_"),
            ("limit", "CUlimit", "CU_LIMIT_"),
            ("mem_attach_flags", "CUmemAttach_flags", "CU_MEM_ATTACH_"),
            ("graphics_register_flags", "CUgraphicsRegisterFlags", "CU_GRAPHICS_REGISTER_FLAGS_"),
            ("graphics_map_flags", "CUgraphicsMapResourceFlags", "CU_GRAPHICS_MAP_RESOURCE_FLAGS_"),
            ("stream_capture_mode", "CUstreamCaptureMode", "CU_STREAM_CAPTURE_MODE_"),
            ("stream_capture_status", "CUstreamCaptureStatus", "CU_STREAM_CAPTURE_STATUS_"),
            ("stream_wait_value_flags", "CUstreamWaitValue_flags", "CU_STREAM_WAIT_VALUE_"),
            ("graph_node_type", "CUgraphNodeType", "CU_GRAPH_NODE_TYPE_"),
            ("graph_exec_update_result", "CUgraphExecUpdateResult", "CU_GRAPH_EXEC_UPDATE_"),
            ("graph_instantiate_flags", "CUgraphInstantiate_flags",
             "CUDA_GRAPH_INSTANTIATE_FLAG_"),
            ("graph_debug_dot_flags", "CUgraphDebugDot_flags", "CU_GRAPH_DEBUG_DOT_FLAGS_"),
            ("mempool_attribute", "CUmemPool_attribute", "CU_MEMPOOL_ATTR_"),
            ("mem_access_flags", "CUmemAccess_flags", "CU_MEM_ACCESS_FLAGS_"),
            ("mem_advice", "CUmem_advise", "CU_MEM_ADVISE_"),
            ("mem_range_attribute", "CUmem_range_attribute", "CU_MEM_RANGE_ATTRIBUTE_"),
            ("profiler_output_mode", "CUoutput_mode", "CU_OUT_"),
        )
    }


_enums = _make_enums()
_native._enum_classes(_enums)
globals().update(_enums)


class PointerHolderBase:
    """Base for classes that know a device address: define get_pointer()."""

    def get_pointer(self):
        """The device address as an integer; subclasses define it."""
        raise NotImplementedError("PointerHolderBase.get_pointer must be overridden")

    def __index__(self):
        return operator.index(self.get_pointer())

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
