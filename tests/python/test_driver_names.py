"""Exceptions and enumerations of pycuda.driver."""

import pickle

import numpy as np
import pytest

import pycuda._driver
import pycuda.driver as cuda


def test_exception_classes():
    for name in ("MemoryError", "LogicError", "LaunchError", "RuntimeError", "CompileError"):
        assert issubclass(getattr(cuda, name), cuda.Error)
    assert cuda.Error.__bases__ == (Exception,)
    assert cuda.Error.__module__ == "pycuda.driver"
    assert not issubclass(cuda.MemoryError, MemoryError)
    assert not issubclass(cuda.RuntimeError, RuntimeError)
    assert cuda.Error.code is None and cuda.Error.name is None


def test_compile_error_text():
    error = cuda.CompileError("failed", ["nvcc", "-x"], stdout="out", stderr="err")
    assert str(error) == "failed\n[stderr:\nerr]\n[stdout:\nout]\n[command: nvcc -x]"
    assert str(cuda.CompileError("failed", [])) == "failed"
    assert error.command_line == ["nvcc", "-x"]
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


MEMBERS = [
    ("ctx_flags", "BLOCKING_SYNC", 4), ("ctx_flags", "SCHED_BLOCKING_SYNC", 4),
    ("ctx_flags", "FLAGS_MASK", 255), ("event_flags", "INTERPROCESS", 4),
    ("ipc_mem_flags", "LAZY_ENABLE_PEER_ACCESS", 1), ("array_format", "HALF", 16),
    ("address_mode", "BORDER", 3), ("filter_mode", "LINEAR", 1),
    ("pointer_attribute", "HOST_POINTER", 4), ("profiler_output_mode", "CSV", 1),
    ("func_cache", "PREFER_EQUAL", 3), ("shared_config", "EIGHT_BYTE_BANK_SIZE", 2),
    ("function_attribute", "PREFERRED_SHARED_MEMORY_CARVEOUT", 9), ("memory_type", "UNIFIED", 4),
    ("compute_mode", "EXCLUSIVE_PROCESS", 3), ("jit_option", "FALLBACK_STRATEGY", 10),
    ("jit_target", "COMPUTE_90A", 0x1005A), ("jit_fallback", "PREFER_BINARY", 1),
    ("jit_input_type", "LIBRARY", 4), ("limit", "DEV_RUNTIME_PENDING_LAUNCH_COUNT", 4),
    ("mem_attach_flags", "SINGLE", 4), ("graphics_register_flags", "TEXTURE_GATHER", 8),
    ("array_cubemap_face", "NEGATIVE_Z", 5), ("device_attribute", "MEMORY_POOLS_SUPPORTED", 115),
    ("device_attribute", "MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES", 29),
    ("device_attribute", "HOST_NUMA_ID", 134),
]


@pytest.mark.parametrize("class_name, name, value", MEMBERS)
def test_enum_member(class_name, name, value):
    cls = getattr(cuda, class_name)
    member = getattr(cls, name)
    assert member == value and hash(member) == hash(value) and isinstance(member, int)
    assert str(member) == member.name == name
    assert repr(member) == f"pycuda.driver.{class_name}.{name}"
    assert cls.names[name] is member and cls.values[value] == value
    assert type(member | 1) is int
    assert not hasattr(member, "__dict__")


def test_enum_without_name():
    odd = cuda.limit(77)
    assert repr(odd) == "pycuda.driver.limit(77)" and str(odd) == "77"
    with pytest.raises(AttributeError, match="has no name"):
        _ = odd.name


def test_last_alias_wins_by_value():
    assert cuda.device_attribute.values[8].name == "SHARED_MEMORY_PER_BLOCK"
    assert cuda.device_attribute.MAX_SHARED_MEMORY_PER_BLOCK.name == "MAX_SHARED_MEMORY_PER_BLOCK"


def test_plain_flag_classes():
    assert cuda.array3d_flags.SURFACE_LDST == 2
    assert getattr(cuda.array3d_flags, "2DARRAY") == 1
    assert cuda.host_alloc_flags.WRITECOMBINED == 4
    assert cuda.mem_host_register_flags.DEVICEMAP == 2
    assert cuda.TR_DEFAULT == -1 and cuda.TRSF_NORMALIZED_COORDINATES == 2


@pytest.mark.parametrize("limit", [cuda.limit.STACK_SIZE, 0, np.int64(0), np.uint8(0)])
def test_enum_arguments_may_be_integers(context, limit):
    assert context.get_limit(limit) > 0


NO_INIT = ["Context", "DeviceAllocation", "PooledDeviceAllocation", "PooledHostAllocation",
           "Module", "Function", "HostPointer", "PagelockedHostAllocation",
           "AlignedHostAllocation", "RegisteredHostMemory", "ManagedAllocation"]


@pytest.mark.parametrize("name", NO_INIT)
def test_classes_without_constructor(name):
    with pytest.raises(RuntimeError, match="This class cannot be instantiated from Python"):
        getattr(cuda, name)()


def test_names_of_underscore_driver():
    assert pycuda._driver.LogicError is cuda.LogicError
    assert pycuda._driver.device_attribute is cuda.device_attribute


def test_set_debugging():
    assert cuda.CUDA_DEBUGGING is False
    cuda.set_debugging()
    assert cuda.CUDA_DEBUGGING is True
    cuda.set_debugging(False)
    assert cuda.CUDA_DEBUGGING is False


def test_import_touches_no_driver(run_python):
    code = ("import pycuda.driver as cuda\n"
            "try: cuda.Device.count()\n"
            "except cuda.LogicError as error: print(error, error.code, error.name)\n"
            "assert cuda.Context.get_current() is None\n"
            "try: cuda.mem_alloc(4)\n"
            "except cuda.LogicError as error: print(error)\n")
    out = run_python(code)
    cure = " - `import pycuda.autoinit` comes first, or pycuda.driver.init()"
    assert out.stdout.splitlines() == [
        f"cuDeviceGetCount failed: initialization error{cure} 3 CUDA_ERROR_NOT_INITIALIZED",
        f"cuCtxGetCurrent failed: initialization error{cure}",
    ]


def test_unknown_driver_is_named(run_python):
    out = run_python("import pycuda.driver as cuda; cuda.init()", PYCUDA_DRIVER="/nowhere/libx.so")
    assert "pycuda.driver.LogicError: init failed: " in out.stderr
    assert "/nowhere/libx.so" in out.stderr
