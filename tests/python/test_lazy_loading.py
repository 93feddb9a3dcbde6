"""Kernels of large sources are compiled when they are loaded (CUDA's lazy loading)."""

import ctypes
import logging
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native
from pycuda.compiler import SourceModule, compile

pytestmark = [pytest.mark.host, pytest.mark.usefixtures("context")]

ALL = ["--lazy-loading=all"]  # also what is small
SOURCE = """
__device__ int counter;
static __device__ int hidden = 5;
__constant__ float scale[4] = {1, 2, 3, 4};
__device__ int *const where[] = {&counter, &hidden};
struct alignas(64) wide { double x[8]; };
__device__ wide block;
static __device__ const float table[] = {3, 1, 4, 1, 5, 9, 2, 6};
template <class T> __device__ T last;
extern "C" {
__global__ void writes(float *x)
{
    x[threadIdx.x] = scale[threadIdx.x & 3] * table[threadIdx.x & 7];
    atomicAdd(&counter, 1);
    if (threadIdx.x == 0) {
        hidden++;
        block.x[7] = 8;
        last<double> = 2.5;
    }
}
__global__ void reads(double *x)
{
    x[0] = counter, x[1] = hidden, x[2] = *where[0], x[3] = *where[1], x[4] = block.x[7], x[5] = last<double>;
    x[6] = (unsigned long long)&block % 64;
}
__global__ void turns(float *x)
{
    extern __shared__ float more[];
    __shared__ float s[64];
    static __device__ int runs;
    s[threadIdx.x] = x[threadIdx.x];
    more[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x] + more[63 - threadIdx.x];
    if (threadIdx.x == 0)
        x[0] = ++runs;
}
__global__ void __launch_bounds__(96) faulty(float *x)
{
    x[1l << 40] = 0; // line 40
}
}"""


def many(kernels):
    """A source of which no code is generated at once, without being asked for that."""
    body = "".join(f"x[i] = x[i] * {k}.f + sinf(x[i]); if (x[i] > {k}) x[i] -= expf(x[i - {k}]);" for k in range(10))
    return "".join(
        f"__global__ void k{n}(float *x, int n) {{ int i = threadIdx.x; if (i < n) {{ {body} x[i] = {n}; }} }}\n"
        for n in range(kernels))


def module(options=ALL, source=SOURCE, **keywords):
    return SourceModule(source, options=options, **{"no_extern_c": source is SOURCE, **keywords})


def is_loaded(function_module, name):
    library = ctypes.CDLL(_native._driver_path())
    function, state = ctypes.c_void_p(), ctypes.c_int(-1)
    functions = (ctypes.c_void_p * 256)()
    count = ctypes.c_uint()
    handle = ctypes.c_void_p(function_module.module.handle)
    assert library.cuModuleGetFunctionCount(ctypes.byref(count), handle) == 0
    assert library.cuModuleEnumerateFunctions(functions, count, handle) == 0
    for function in functions[:count.value]:
        text = ctypes.c_char_p()
        assert library.cuFuncGetName(ctypes.byref(text), ctypes.c_void_p(function)) == 0
        if text.value.decode() == name:
            assert library.cuFuncIsLoaded(ctypes.byref(state), ctypes.c_void_p(function)) == 0
    return state.value == 1


def results(m):
    x, y = np.zeros(64, "f4"), np.zeros(8)
    kernels = [m.get_function(name) for name in ("writes", "reads", "turns")]
    for _ in range(2):
        kernels[0](cuda.Out(x), block=(64, 1, 1))
    cuda.memcpy_htod(m.get_global("scale")[0], np.full(4, 2, "f4"))
    out = [x.copy()]
    kernels[0](cuda.Out(x), block=(64, 1, 1))
    kernels[1](cuda.Out(y), block=(1, 1, 1))
    out += [x.copy(), y]
    for _ in range(2):
        kernels[2](cuda.InOut(x), block=(64, 1, 1), shared=256)
    counter = np.zeros(1, "i4")
    cuda.memcpy_dtoh(counter, m.get_global("counter")[0])
    return [*out, x, counter, [k.shared_size_bytes for k in kernels], [k.max_threads_per_block for k in kernels]]


def test_variables_are_the_modules():
    lazy, whole = results(module()), results(module([]))
    for one, other in zip(lazy, whole, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(lazy[2][:7], [192, 8, 192, 8, 8, 2.5, 0])
    np.testing.assert_array_equal(lazy[0][:8], [3, 2, 12, 4, 5, 18, 6, 24])


# What k0, k1, ... each write to their array of ten, called one after the other.
ADDRESSES = {
    "table": ("""__device__ int a = 1, b = 2;
        extern "C" __global__ void k0(int *o, int i) { int *const q[] = {&a, &b}; o[0] = *q[i + 1]; *q[i] = 7; }
        extern "C" __global__ void k1(int *o, int i) { o[0] = a; }""", [[2], [7]]),
    "members": ("""struct pair { int *a, *b; };
        __device__ int a = 1, b = 2;
        template <class T> struct holder { static constexpr pair both{&a, &b}; };
        __device__ constexpr pair turned{&b, &a};
        __device__ int sum(const pair &p, int i) { pair all[3] = {{&a, &b}, p, {&b, &b}}; return *all[i].a + 10 * *all[i + 1].b; }
        extern "C" __global__ void k0(int *o, int i)
        {
            constexpr pair here{&a, &a};
            o[0] = sum(turned, i), o[1] = *(i ? here : holder<int>::both).b, a = 5;
        }
        extern "C" __global__ void k1(int *o, int i) { o[0] = sum(holder<int>::both, i), o[1] = *turned.b; }""",
                [[1 + 10 * 1, 2], [5 + 10 * 2, 5]]),
    "names of the C library's": ("""__device__ int index = 1, signgam = 2, daylight = 3, optind = 77;
        extern "C" __global__ void k0(int *o, int i) { int *const q[] = {&index, &signgam, &daylight, &optind}; o[0] = *q[i + 3]; }""",
                                 [[77]]),
    "end of a table": ("""static __device__ const int t[4] = {1, 2, 3, 4};
        __device__ const int *end = t + 4, *first = t;
        extern "C" __global__ void k0(int *o, int i)
        {
            int n = 0, s = 0;
            for (const int *p = t + i; p != end && n < 50; p++, n++)
                s += *p;
            o[0] = s, o[1] = n, o[2] = first - t;
        }""", [[10, 4, 0]]),
    "sentinel": ("""struct node { const node *next; int v; };
        static __device__ const node nil = {&nil, -1};
        __device__ node pool[3];
        __device__ const node *head;
        extern "C" __global__ void k0(int *o, int i)
        {
            const node *h = &nil;
            for (int k = 0; k < 3; k++)
                pool[k] = {h, k}, h = &pool[k];
            head = h;
        }
        extern "C" __global__ void k1(int *o, int i)
        {
            for (const node *p = head; p != &nil && i < 100; p = p->next)
                i++;
            o[0] = i;
        }""", [[], [3]]),
    "tags": ("""template <class T> __device__ const void *tag() { static const char c = 0; return &c; }
        __device__ const void *kept;
        extern "C" __global__ void k0(int *o, int i) { kept = tag<int>(); }
        extern "C" __global__ void k1(int *o, int i) { o[0] = kept == tag<int>(), o[1] = kept == tag<float>(); }""", [[], [1, 0]]),
    "asm labels": ("""__device__ int x asm("a.import") = 5;
        __device__ int y asm("a") = 7;
        extern "C" __global__ void k0(int *o, int i) { o[0] = x, o[1] = y; }""", [[5, 7]]),
}


@pytest.mark.parametrize("options", [[], ALL, [*ALL, "-O0"]], ids=["whole", "lazy", "lazy -O0"])
@pytest.mark.parametrize("case", ADDRESSES)
def test_addresses_are_the_same_in_all_kernels(case, options):
    source, wanted = ADDRESSES[case]
    m = module(options, source + "\n", no_extern_c=True)
    for k, numbers in enumerate(wanted):
        out = np.zeros(10, "i4")
        m.get_function(f"k{k}")(cuda.Out(out), np.int32(0), block=(1, 1, 1))
        np.testing.assert_array_equal(out[:len(numbers)], numbers)
    with pytest.raises(cuda.LogicError, match="no global"):
        m.get_global("_ZL1t")


def test_templates_of_many_kernels():
    m = module(ALL, "template <int N> __global__ void f(int *o) { o[0] = N; }" +
               "".join(f"template __global__ void f<{n}>(int *);" for n in range(300)), no_extern_c=True)
    out = np.zeros(1, "i4")
    m.get_function("f<299>")(cuda.Out(out), block=(1, 1, 1))
    assert out[0] == 299


def test_modules_are_apart():
    one, other = module(), module()
    first = results(one)
    for a, b in zip(first, results(other), strict=True):
        np.testing.assert_array_equal(a, b)


def test_large_sources(caplog, tmp_path):
    """Small ones are compiled as a whole; of others what is asked for, once."""
    caplog.set_level(logging.DEBUG, "pycuda")
    small = module([], many(2), cache_dir=tmp_path)
    large = module([], many(90), cache_dir=tmp_path)
    assert is_loaded(small, "k1") and not is_loaded(large, "k1")
    x = np.arange(64, dtype="f4")
    for name in ("k7", "k31", "k7"):
        large.get_function(name)(cuda.InOut(x), np.int32(64), block=(64, 1, 1))
        assert (x == int(name[1:])).all() and is_loaded(large, name)
    assert not is_loaded(large, "k1")
    said = [record.getMessage() for record in caplog.records]
    assert sum("hostcc compiled" in text for text in said) == 4, said
    again = module([], many(90), cache_dir=tmp_path)
    again.get_function("k7")(cuda.InOut(x), np.int32(64), block=(64, 1, 1))
    assert (x == 7).all()
    said = [record.getMessage() for record in caplog.records]
    assert sum("hostcc compiled" in text for text in said) == 4, said
    assert any(text.startswith("k7 was in the cache") for text in said), said


@pytest.mark.parametrize("mode, wanted", [("EAGER", False), ("LAZY", True), ("", True)])
def test_eager(monkeypatch, mode, wanted):
    monkeypatch.setenv("CUDA_MODULE_LOADING", mode)
    with pytest.raises(cuda.CompileError) as caught:
        module([], "error")
    assert ("--lazy-loading=large" in caught.value.command_line) == wanted


def test_options_come_along():
    source = """
    __global__ void k(float *x, float y) { x[0] = x[0] * y + 1e-38f * THIS; }
    __global__ void other(float *x) { x[0] = 1; }"""
    for more in (["-ftz=true", "-fmad=false"], ["-ftz=false", "-fmad=true"]):
        answers = []
        for loading in ([], ALL):
            x = np.array([1 + 2.0**-12], "f4")
            m = module([*more, *loading, "-DTHIS=0.1f"], source)
            m.get_function("k")(cuda.InOut(x), np.float32(1 - 2.0**-12), block=(1, 1, 1))
            answers.append(x[0])
        assert answers[0] == answers[1]


def test_virtual_functions():
    """An object that one kernel makes and another calls: their code must lie together."""
    m = module(source="""
    struct shape { __device__ virtual int sides() { return 0; } };
    struct square : shape { __device__ int sides() override { return 4; } };
    __global__ void make(shape **at) { *at = new square; }
    __global__ void ask(shape **at, int *sides) { *sides = (*at)->sides(); delete *at; }""")
    assert is_loaded(m, "_Z3askPP5shapePi") or is_loaded(m, "ask")
    at, sides = cuda.mem_alloc(8), np.zeros(1, "i4")
    m.get_function("make")(at, block=(1, 1, 1))
    m.get_function("ask")(at, cuda.Out(sides), block=(1, 1, 1))
    assert sides[0] == 4


def test_faults_tell_the_line():
    program = f"""
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
from pycuda.compiler import SourceModule
f = SourceModule({SOURCE!r}, options={ALL!r}, no_extern_c=True).get_function("faulty")
f(cuda.Out(np.zeros(4, "f4")), block=(1, 1, 1))"""
    run = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert "kernel faulty, block (0,0,0), kernel.cu:40: invalid access" in run.stderr, run.stderr


def test_compiler_that_fails(monkeypatch, tmp_path):
    m = module(cache_dir="")
    monkeypatch.setenv("PYCUDA_HOSTCC", "/bin/false")
    monkeypatch.setenv("PYCUDA_DISABLE_CACHE", "1")
    with pytest.raises(cuda.CompileError, match="hostcc compilation"):
        m.get_function("reads")
    assert not is_loaded(m, "reads")
    monkeypatch.delenv("PYCUDA_HOSTCC")
    y = np.zeros(8)
    m.get_function("reads")(cuda.Out(y), block=(1, 1, 1))
    assert y[1] == 5


def test_threads(context, monkeypatch):
    """Two compile one kernel at a time, a third another one."""
    monkeypatch.setenv("PYCUDA_DISABLE_CACHE", "1")
    m, errors = module(), []

    def work(name):
        try:
            context.push()
            m.get_function(name)
        except cuda.Error as error:
            errors.append(error)
        finally:
            cuda.Context.pop()

    threads = [threading.Thread(target=work, args=(name,)) for name in ("reads", "reads", "turns") * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    np.testing.assert_array_equal(results(m)[2][:7], [192, 8, 192, 8, 8, 2.5, 0])


def test_images_from_files(tmp_path):
    path = tmp_path / "image"
    path.write_bytes(compile(SOURCE, options=ALL, no_extern_c=True))
    m = cuda.module_from_file(os.fspath(path))
    path.unlink()
    y = np.zeros(8)
    m.get_function("reads")(cuda.Out(y), block=(1, 1, 1))
    assert y[1] == 5
    with pytest.raises(cuda.LogicError, match="no kernel 'read'"):
        m.get_function("read")
