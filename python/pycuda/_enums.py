"""The driver's enumerations: for each a class of the names and values that C has of src/cuda/enums.def. Type
checkers read their members in a stub that tools/enum_stubs.py makes of that file and of the table here."""

import operator
from typing import ClassVar

from pycuda import _native

# The class, the driver's type, and what its names begin with in C.
_CLASSES = (
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
    ("graph_instantiate_flags", "CUgraphInstantiate_flags", "CUDA_GRAPH_INSTANTIATE_FLAG_"),
    ("graph_debug_dot_flags", "CUgraphDebugDot_flags", "CU_GRAPH_DEBUG_DOT_FLAGS_"),
    ("mempool_attribute", "CUmemPool_attribute", "CU_MEMPOOL_ATTR_"),
    ("mem_access_flags", "CUmemAccess_flags", "CU_MEM_ACCESS_FLAGS_"),
    ("mem_advice", "CUmem_advise", "CU_MEM_ADVISE_"),
    ("mem_range_attribute", "CUmem_range_attribute", "CU_MEM_RANGE_ATTRIBUTE_"),
    ("profiler_output_mode", "CUoutput_mode", "CU_OUT_"),
)


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


_all = _native._make_driver_enums(enum, "pycuda.driver", _CLASSES)
globals().update(_all)
__all__ = ["enum"]
__all__.extend(_all)
