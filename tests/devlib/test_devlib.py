"""The device library of the host device, python/pycuda/include/host, and pycuda-complex.hpp.

accuracy.cpp  error bounds of the mathematics, a row a function, against long double
exact.cpp     rounding modes, conversions, functions with one right answer
narrow.cpp    half precision and bfloat16
complex.cpp   pycuda::complex against std::complex
names.cu      every name once in device code

The mathematics is compiled here as host C++ (shim.h) so that it can be held against the C library;
the names are compiled as hostcc does it. No CUDA toolkit is looked for.
"""

import pathlib
import re
import subprocess

import pytest

import pycuda

HERE = pathlib.Path(__file__).parent
INCLUDE = HERE.parents[1] / "python/pycuda/include"
BUILT = pathlib.Path(pycuda.__path__[0]) / "include/host"  # with the copies of clang's and libc++'s headers
HOST = ["clang++-19", "-std=c++17", "-O2", "-march=native", "-fno-math-errno", f"-I{INCLUDE}"]
DEVICE = [
    "clang-19", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75", "-nocudainc",
    "-nocudalib", "-nogpulib", "-nogpuinc", "--cuda-path=/nonexistent", "-fno-math-errno",
    "-ffp-contract=fast", "-fno-exceptions", "-emit-llvm", "-O2", "-Xclang",
    "-disable-llvm-passes", "-S", "-o", "-", "-isystem", str(INCLUDE / "host"), "-include",
    str(INCLUDE / "host" / "device.h"), f"-I{INCLUDE}", "-resource-dir", str(BUILT / "clang"), "-nostdlibinc",
    "-stdlib++-isystem", str(BUILT / "c++"), "-idirafter", str(INCLUDE / "host/libc"),
]  # fmt: skip


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def compiled(source, *options):
    """The LLVM text of CUDA source, or of a file; the compiler's messages fail the test."""
    name, text = ("-", source) if isinstance(source, str) else (source, None)
    done = run(*DEVICE, *options, name, text=text)
    assert done.returncode == 0, done.stderr[:4000]
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    "program, options",
    [
        ("accuracy.cpp", ["-ffp-contract=fast"]),
        ("accuracy.cpp", ["-ffp-contract=off"]),
        ("exact.cpp", ["-ffp-contract=fast", "-frounding-math"]),
        ("narrow.cpp", ["-ffp-contract=fast"]),
        ("complex.cpp", []),
    ],
)
def test_program(program, options, tmp_path):
    exe = tmp_path / "program"
    built = run(*HOST, *options, HERE / program, "-o", exe)
    assert built.returncode == 0, built.stderr[:4000]
    done = run(exe)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
def test_names(standard):
    ours = re.compile(r"__hostcc_\w+|llvm\..*|vprintf")
    ir = compiled(HERE / "names.cu", f"-std={standard}")
    undefined = re.findall(r"^declare .*@([\w.]+)\(", ir, re.MULTILINE)
    assert [name for name in undefined if not ours.fullmatch(name)] == []


def test_fast_math_and_ndebug():
    ir = compiled(HERE / "names.cu", "-D__USE_FAST_MATH__", "-DNDEBUG")
    assert "__hostcc_libm_sinf" not in ir
    assert "__hostcc_libm_fmod(" in ir
    assert "__hostcc_assert_fail" not in ir


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("f[0] = sqrt(f[1])", "llvm.sqrt.f32"),
        ("d[0] = fma(d[1], d[2], d[3])", "llvm.fma.f64"),
        ("f[0] = floorf(f[1])", "llvm.floor.f32"),
        ("f[0] = fmaxf(f[1], f[2])", "llvm.maxnum.f32"),
        ("f[0] = rint(f[1])", "llvm.rint.f32"),
        ("u[0] = __popc(u[1])", "llvm.ctpop.i32"),
        ("atomicAdd(u, 1)", "atomicrmw add ptr .* monotonic"),
        ("atomicAdd(f, 1)", "atomicrmw fadd ptr .*float .* monotonic"),
        ("atomicAdd(d, 1)", "atomicrmw fadd ptr .*double .* monotonic"),
        ("atomicMax((int *)u, 1)", "atomicrmw max ptr"),
        ("atomicMax(u, 1)", "atomicrmw umax ptr"),
        ("atomicExch(f, 1)", "atomicrmw xchg ptr"),
        ("atomicCAS(u, 1, 2)", "cmpxchg ptr .* monotonic monotonic"),
        ("__threadfence()", "fence seq_cst"),
        ("__syncthreads()", "call void @__hostcc_barrier"),
        ("f[0] = __shfl_down_sync(~0u, f[0], 1)", "@__hostcc_shuffle_down_32"),
        ("d[0] = __shfl_xor(d[0], 1)", "@__hostcc_shuffle_xor_64"),
        ("__trap()", "llvm.trap"),
        ("f[0] = lgammaf(f[1])", "@__hostcc_libm_lgammaf"),
    ],
)
def test_becomes(expression, expected):
    ir = compiled(f"__global__ void k(float *f, double *d, unsigned *u) {{ {expression}; }}")
    assert re.search(expected, ir)


def test_parts_of_complex_numbers_are_read_as_others():
    """Not as volatile memory, which keeps every number of a reduction there."""
    ir = compiled("#include <pycuda-complex.hpp>\n__global__ void k(pycuda::complex<float> *z)"
                  "{ z[0] = z[1].real() + z[2].imag() + real(z[3]); }")
    assert "load volatile" not in ir


def test_standard_headers():
    """Those of ours, those that the build makes of them, and libstdc++'s, all in one source."""
    built = pathlib.Path(pycuda.__file__).parent / "include" / "host"
    compiled(HERE / "headers.cu", "-std=c++17", "-isystem", str(built))


@pytest.mark.parametrize(
    "source, message",
    [
        ("__device__ void f(float *x) { atomicAnd(x, 1); }", "atomic operation"),
        ("__device__ float f(float *x) { return sin(x); }", "no matching function for call to"),
        ("__device__ int f(int *x) { return __shfl_sync(~0u, *(dim3 *)x, 0).x; }", "type"),
        ("__device__ void f(int *x) { cudaMalloc(x, 4); }", "call to __host__ function from __device__ function"),
    ],
)
def test_errors(source, message):
    done = run(*DEVICE, "-", text=source)
    assert done.returncode == 1
    assert message in done.stderr
