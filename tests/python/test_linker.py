"""Modules linked from several sources, and the Linker behind them."""

import glob
import os
import tempfile

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import debug, gpuarray
from pycuda.compiler import DynamicModule, DynamicSourceModule, SourceModule, compile

KERNEL = """
extern __device__ float halved(float);
extern __device__ int calls;
__global__ void halve(float *x)
{
    x[threadIdx.x] = halved(x[threadIdx.x]);
    atomicAdd(&calls, 1);
}"""
LIBRARY = """
__device__ int calls = 3;
static __device__ float two() { return 2; }
__device__ float halved(float x) { return x / two(); }"""
SAME_NAMES = "static __device__ float two() { return 3; } __device__ float third() { return two(); }"


def halved(module, n=100):
    x = np.arange(n, dtype="f4")
    module.get_function("halve")(cuda.InOut(x), block=(n, 1, 1))
    np.testing.assert_array_equal(x, np.arange(n, dtype="f4") / 2)
    count = np.empty(1, "i4")
    cuda.memcpy_dtoh(count, module.get_global("calls")[0])
    return count[0]


def test_two_sources(context):
    module = DynamicModule()
    assert module.add_source(KERNEL) is module
    module.add_source(LIBRARY, name="library").add_source(SAME_NAMES)
    assert module.link() is module
    assert halved(module) == 103
    assert halved(module) == 203


def test_from_disk(context, on_host, tmp_path):
    target = "cubin" if on_host else "ptx"
    kind = cuda.jit_input_type.CUBIN if on_host else cuda.jit_input_type.PTX
    images = [compile(source, options=["-rdc=true"], target=target) for source in (KERNEL, LIBRARY)]
    (tmp_path / "library").write_bytes(images[1])
    linker = cuda.Linker()
    linker.add_data(images[0], kind, "kernel")
    linker.add_file(str(tmp_path / "library"), kind)
    assert halved(linker.link_module()) == 103


def test_one_source(context, on_host):
    if not on_host:
        source = "__global__ void child(float *x) { x[threadIdx.x] /= 2; }" + KERNEL.replace(
            "x[threadIdx.x] = halved(x[threadIdx.x]);", "if (!threadIdx.x) child<<<1, blockDim.x>>>(x);")
        assert halved(DynamicSourceModule(source + "__device__ int calls = 3;")) == 103
        return
    assert halved(DynamicSourceModule(LIBRARY + KERNEL)) == 103


PUT, FILL = "__device__ void put(int *p, int i)", "__global__ void fill(int *p, int n) { put(p, threadIdx.x + n); }"


def linked_fill():
    module = DynamicModule().add_source(f"{PUT};\n{FILL}")
    return module.add_source(f"{PUT}\n{{\n    p[i] = i;\n}}", name="library").link().get_function("fill")


@pytest.mark.host
@pytest.mark.parametrize("kinds", ["memory", "all"])
def test_checks(context, kinds):
    x = gpuarray.zeros(8, np.int32)
    with debug.check(kinds):
        fill = linked_fill()
        fill(x, np.int32(0), block=(8, 1, 1))
        context.synchronize()
        with pytest.raises(debug.CheckError, match=r"kernel fill, .* thread \(6,0,0\), kernel.cu:3: write of 4 bytes"):
            fill(x, np.int32(2), block=(8, 1, 1))
            context.synchronize()
    assert x.get().tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


def test_what_is_missing(context):
    messages = []
    module = DynamicModule(message_handler=lambda *said: messages.append(said))
    module.add_source(KERNEL)
    with pytest.raises(cuda.Error, match="cuLinkComplete failed: .*(calls|halved)"):
        module.link()
    assert [done for done, _, _ in messages] == [False]
    assert "calls" in messages[0][2] or "halved" in messages[0][2]


def test_what_is_there_twice(context):
    with pytest.raises(cuda.Error, match="cuLink(AddData|Complete) failed: .*(halved|calls)"):
        DynamicModule().add_source(LIBRARY).add_source(LIBRARY).add_source(KERNEL).link()


@pytest.mark.parametrize("data", [b"", b"no image at all", b"\x7fELF"])
def test_no_objects(context, data):
    with pytest.raises(cuda.Error, match="cuLinkAddData failed"):
        cuda.Linker().add_data(data, cuda.jit_input_type.CUBIN, "nothing")


@pytest.mark.host
def test_errors(context):
    with pytest.raises(cuda.LogicError, match="nothing was added"):
        cuda.Linker().link_module()
    whole = compile(LIBRARY)
    with pytest.raises(cuda.Error, match="thing is no object for the host device: compile its "):
        cuda.Linker().add_data(whole, cuda.jit_input_type.CUBIN, "thing")
    with pytest.raises(cuda.Error, match="cuLinkAddFile failed: file not found"):
        cuda.Linker().add_file("/nowhere", cuda.jit_input_type.CUBIN)
    with pytest.raises(cuda.Error, match="has yet to be linked"):
        SourceModule(LIBRARY, options=["-rdc=true"])
    with pytest.raises(cuda.CompileError, match="expected"):
        DynamicModule().add_source("__global__ void f( {}")
    linker = cuda.Linker()
    linker.add_data(compile(LIBRARY, options=["-rdc=true"]), cuda.jit_input_type.CUBIN)
    linker.link_module()
    with pytest.raises(cuda.LogicError, match="it was linked already"):
        linker.link_module()


@pytest.mark.host
def test_no_files_stay(context, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    halved(DynamicModule().add_source(LIBRARY).add_source(KERNEL).link())
    unused = cuda.Linker()
    unused.add_data(compile(LIBRARY, options=["-rdc=true"]), cuda.jit_input_type.CUBIN)
    assert glob.glob(f"{tmp_path}/hostcuda-*")
    del unused
    assert os.listdir(tmp_path) == []


@pytest.mark.host
def test_no_compiler(context, monkeypatch):
    module = DynamicModule().add_source(LIBRARY)
    monkeypatch.setenv("PYCUDA_HOSTCC", "/nowhere/hostcc")
    with pytest.raises(cuda.Error, match="/nowhere/hostcc cannot be run: No such file"):
        module.link()


def test_library(context, on_host):
    module = DynamicModule(cuda_libdir="/nowhere").add_source(LIBRARY)
    if on_host:
        assert module.add_stdlib("cudadevrt") is module
        return
    with pytest.raises(OSError, match='CUDA SDK library file "libcudadevrt.a" not found'):
        module.add_stdlib("cudadevrt")
