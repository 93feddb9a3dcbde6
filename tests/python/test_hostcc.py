"""hostcc on the command line: options, objects, files that cannot be, and what it says of its stages."""

import math
import os
import pathlib
import re
import resource
import shlex
import signal
import string
import subprocess
import sys
import time

import numpy as np
import pytest

import pycuda
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

HOSTCC = pathlib.Path(pycuda.__path__[0]) / "hostcc"
pytestmark = pytest.mark.host

SOURCE = """
#if defined FAST && !defined __USE_FAST_MATH__
#error slow
#endif
#ifdef SYSTEM
#include <only_here.h>
#endif
#ifdef MISSING
extern __device__ int missing(int);
#else
__device__ int missing(int x) { return x + ANSWER; }
#endif
extern "C" __global__ void f(int *x)
{
    x[threadIdx.x] = missing(x[threadIdx.x]);
}
"""
ANSWER = ["-DANSWER=42", "k.cu"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostcc")
    (folder / "k.cu").write_text(SOURCE)
    (folder / "system").mkdir()
    (folder / "system" / "only_here.h").write_text("#define ANSWER 42\nint f() { }\n")
    (folder / "broken.o").write_bytes(b"BC\xc0\xde and no more")
    for name, more in [("whole", []), ("part", ["-DMISSING"])]:
        assert hostcc(folder, "-rdc=true", *more, *ANSWER, "-o", f"{name}.o") == (0, "")
    return folder


def hostcc(folder, *arguments, **environment):
    run = subprocess.run([HOSTCC, "--pch-dir", folder, *arguments], check=False, cwd=folder,
                         text=True, env=os.environ | environment, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    return run.returncode, run.stdout


def test_lambdas_in_two_objects(folder, context):
    """clang defines threadIdx where a lambda that the host could call uses it: once is not twice."""
    for name in "ab":
        (folder / f"lambda_{name}.cu").write_text(f"""extern "C" __global__ void {name}(int *x)
            {{ auto number = [&] {{ return threadIdx.x + blockDim.x; }}; x[threadIdx.x] = number(); }}""")
        assert hostcc(folder, "-rdc=true", f"lambda_{name}.cu", "-o", f"lambda_{name}.o") == (0, "")
    assert hostcc(folder, "lambda_a.o", "lambda_b.o", "-o", "lambdas") == (0, "")
    x = np.zeros(3, np.int32)
    for name in "ab":
        cuda.module_from_file(str(folder / "lambdas")).get_function(name)(cuda.InOut(x), block=(3, 1, 1))
        assert x.tolist() == [3, 4, 5]
        x[:] = 0


def test_needs_no_other_program(folder, context):
    """128-bit integers and the C library's functions come from libraries that every machine has."""
    (folder / "alone.cu").write_text("""extern "C" __global__ void f(double *x, __int128 a, __int128 b)
        { x[threadIdx.x] = lgamma(x[threadIdx.x]) + double(a / b); }""")
    assert hostcc(folder, "alone.cu", "-o", "alone", PATH="/nonexistent") == (0, "")
    x = np.array([1.0, 2, 3])
    big = np.array([3 << 60, 0], np.uint64)
    small = np.array([1 << 60, 0], np.uint64)
    cuda.module_from_file(str(folder / "alone")).get_function("f")(
        cuda.InOut(x), big, small, block=(3, 1, 1))
    assert np.allclose(x, [3, 3, 3 + math.log(2)], rtol=1e-15)


def test_takes_no_headers_of_the_machine(folder):
    """Those that it needs are its own, whatever is installed; a folder that the user names is searched before."""
    (folder / "own").mkdir()
    (folder / "own" / "ctype.h").write_text("#define ANSWER 42\n")
    for options, expected in [([], 1), (["-Iown"], 0)]:
        status, output = hostcc(folder, *options, "-include", "ctype.h", "k.cu", "-o", "image")
        assert status == expected and ("ANSWER" in output) == (expected == 1), output
    (folder / "all.cu").write_text("".join(f"#include <{name}>\n" for name in (
        "algorithm", "array", "cassert", "cmath", "cstdio", "cstdlib", "cstring", "iostream", "limits", "math.h",
        "new", "stdint.h", "stdio.h", "stdlib.h", "string.h", "thread", "tuple", "type_traits", "utility",
        "vector")) + "__global__ void f(int *x) { x[0] = std::max(x[1], x[2]); }")
    assert hostcc(folder, "all.cu", "-MF", "rule", "-o", "image") == (0, "")
    files, _, absent = (folder / "rule").read_text().partition("absent:")
    words = files.replace("\\\n", " ").split()[1:]
    assert not [word for word in words if word != "all.cu" and not word.startswith(str(HOSTCC.parent))]
    assert "/usr/include" not in absent


@pytest.mark.parametrize(("arguments", "said"), [
    (["--version"], r"hostcc [\d.]+, LLVM [\d.]+, abi \d+\n"),
    (["--help"], r"usage: hostcc (.|\n)*"),
    (["-E", *ANSWER], r"(.|\n)*return x \+ 42;(.|\n)*"),
    (["-v", *ANSWER, "-o", "image"], r"(\S*clang -x cuda .*\n)+"),
    (["-use_fast_math", "-DFAST", *ANSWER, "-o", "image"], ""),
    (["-isystem", "system", "-DSYSTEM", "k.cu", "-o", "image"], ""),
    (["-include", "system/only_here.h", "-w", "k.cu", "-o", "image"], ""),
    (["whole.o", "-o", "image"], ""),
])
def test_does(folder, arguments, said):
    status, output = hostcc(folder, *arguments)
    assert status == 0 and re.fullmatch(said, output), output


NEVER_CONSTANT = """
__device__ constexpr int never(int x) { return clock() + x; }
__global__ void f(int *x) { *x = never(*x); }
"""
# Of host code, so that its operators are those that C++ declares by itself.
DELETES = "struct S { ~S(); }; void drop(S *s) { delete s; }\n__global__ void f(int *x) { *x = 1; }\n"


@pytest.mark.parametrize(("text", "options", "said"), [
    (NEVER_CONSTANT, [], r"taken.cu:2:.* warning: constexpr function never produces a constant(.|\n)*"),
    (NEVER_CONSTANT, ["-w"], ""),
    ("\ufeff__global__ void f(int *x) { *x = 1; }", [], ""),
    *[(DELETES, [f"-std=c++{year}"], "") for year in (11, 14, 17, 20, 23)],
    ("#include <memory>\n#include <sstream>\n", ["-std=c++20"], ""),
    ("__global__ void __launch_bounds__(64, 2, 1) f(int *x) { *x = 1; }", ["-arch=sm_90"], ""),
], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_takes(folder, text, options, said):
    (folder / "taken.cu").write_text(text)
    status, output = hostcc(folder, *options, "taken.cu", "-o", "image")
    assert status == 0 and re.fullmatch(said, output), output


def test_a_byte_order_mark_in_a_module(context):
    for source, bare in [("__global__ void f(int *x) { }", False), ('extern "C" __global__ void f(int *x) { }', True)]:
        assert SourceModule("\ufeff" + source, no_extern_c=bare).get_function("f")


@pytest.mark.parametrize(("arguments", "said"), [
    ([], "no source file"),
    (["k.cu"], "no output file: give -o IMAGE"),
    (["--nonsense", "k.cu"], "unrecognized option '--nonsense'"),
    (["-DX"] * 300, "too many options"),
    (["--cpu=x86-64", *ANSWER, "-o", "image"],
     "--cpu=x86-64: only x86-64-v2, x86-64-v3 and x86-64-v4 are known"),
    (["--gathers=words", *ANSWER, "-o", "image"],
     "--gathers: 'words' is not one of loads, instructions"),
    (["--divergent-loops=words", *ANSWER, "-o", "image"],
     "--divergent-loops: 'words' is not one of vectors, scalar, counted"),
    ([*ANSWER, "-o", "nowhere/image"], "No such file or directory"),
    ([*ANSWER, "-o", "system"], "cannot write 'system'"),
    (["-rdc=true", *ANSWER, "-o", "nowhere/object"], "cannot write 'nowhere/object'"),
    (["k.cu", "k.cu", "-o", "image"],
     "k.cu: not an object; make one of a source with -rdc=true"),
    (["broken.o", "-o", "image"], r"error: .*\n.*broken.o: not an object of this version of hostcc"),
    (["part.o", "whole.o", "-o", "image"], r"symbol multiply defined(.|\n)*whole.o: linking failed"),
    (["part.o", "-o", "image"], r"function '_Z7missingi' is declared but not defined"),
])
def test_refuses(folder, arguments, said):
    status, output = hostcc(folder, *arguments)
    assert status == 1 and re.search(said, output), output
    assert not list(folder.glob("*.[0-9]*"))


LAUNCHES = """
template <class T> __global__ void scale(T *x, T by) { *x *= by; }
template <class T> __global__ void named(T *x) { *x = 1; }
template <class T> __global__ void fine(T *x) { *x = 2; }
namespace deep { template <class T> __global__ void none(T *x) { *x = 3; } }
__global__ void plain(int *x) { *x = 4; }
template <class T> void run(T *x) { deep::none<T><<<1, 1>>>(x); }
void host(float *x, int *y)
{
    scale<<<1, 1>>>(x, 2.f);
    scale<<<1, 1>>>(nowhere(y), 2);
    fine<<<1, 1>>>(x);
    plain<<<1, nothing>>>(y);
    named<<<1, 1>>>(y);
    auto unknown = somewhere(y);
    run(unknown);
}
"""


def test_launches_that_cannot_be_read_are_told(folder):
    """Where templates lack instances for it; the image is made all the same."""
    (folder / "launches.cu").write_text(LAUNCHES)
    status, text = hostcc(folder, "launches.cu", "-o", "launches")
    told = re.findall(r"launches.cu:(\d+):\d+: (\w+): (.*)", text)
    assert status == 0 and told == [
        ("2", "warning", "the template of kernels 'scale' may lack instances: host code that may launch it was passed over"),
        ("11", "note", "use of undeclared identifier 'nowhere'"),
        ("5", "warning", "the template of kernels 'none' has no instance: host code that may launch it was passed over"),
        ("11", "note", "use of undeclared identifier 'nowhere'"),
        ("13", "note", "use of undeclared identifier 'nothing'"),
        ("15", "note", "use of undeclared identifier 'somewhere'")], text
    (folder / "launches.cu").write_text("".join(line + "\n" for line in LAUNCHES.splitlines()
                                                if not re.search("n[o]where|nothing|somewhere|unknown", line)))
    assert hostcc(folder, "launches.cu", "-o", "launches") == (0, "")


# As nvcc reads <stdlib.h> and <string.h> itself.
WITHOUT_HEADERS = """
#define CHECK(call) do { if (call) exit(EXIT_FAILURE); } while (0)
template <class T> __global__ void scale(T *x) { *x *= 2; }
int main(int count, char **words)
{
    int n = count > 1 && strcmp(words[1], "-") ? atoi(words[1]) : 1;
    float *x, *host = (float *)malloc(n * sizeof *host);
    memcpy(memset(host, 0, n * sizeof *host), words[0], strlen(words[0]));
    CHECK(cudaMalloc(&x, n * sizeof *x));
    scale<<<1, n>>>(x);
    free(host);
    return EXIT_SUCCESS;
}
"""
OWN = """
__device__ int strlen(const char *s) { int n = 0; while (s[n]) n++; return n; }
__device__ int strcmp(const char *a, const char *b) { return *a - *b; }
__device__ int atoi(const char *s) { return *s - '0'; }
extern "C" __global__ void own(int *x, const char *s) { *x = strlen(s) + strcmp(s, s) + atoi(s); }
"""


@pytest.mark.parametrize("header", ["", "<stdlib.h>", "<string.h>", "<cstdlib>", "<cstring>", "<string>", "<algorithm>"])
def test_what_the_c_library_has(folder, header):
    """Host code has it without headers, and before and behind them; device code may have functions of the same names."""
    include = header and f"#include {header}\n"
    for source in (include + WITHOUT_HEADERS, WITHOUT_HEADERS + include, OWN + WITHOUT_HEADERS, f'extern "C" {{{OWN}}}'):
        (folder / "usual.cu").write_text(source)
        assert hostcc(folder, "usual.cu", "-o", "usual") == (0, "")


SYSTEM_HEADER = """
%s
struct both { __device__ int twice(int x); int thrice(int x); };
inline int both::twice(int x) { return 2 * x; }
inline int both::thrice(int x) { return x + ; }
template <class T> int launch(T *x) { return + ; }
constexpr int squared(int x) { return x * x; }
inline auto of_unknown_type(int x) { return x + 0.5; }
inline __host__ __device__ int on_both(int x) { return x + 1; }
"""
USES_IT = """
#include "header.h"
template <class T> __global__ void f(T *x) { both b; *x = b.twice(3) + squared(4) + on_both(5); }
void host(decltype(of_unknown_type(1)) *x) { launch(x); f<<<1, 1>>>(x); }
"""


def test_bodies_of_host_functions_in_system_headers_are_skipped(folder):
    """Not in other headers, nor those that declarations or kernels need."""
    (folder / "uses_it.cu").write_text(USES_IT)
    for pragma, skipped in [("#pragma GCC system_header", True), ("", False)]:
        (folder / "header.h").write_text(SYSTEM_HEADER % pragma)
        status, text = hostcc(folder, "uses_it.cu", "-o", "uses_it")
        assert (status == 0) == skipped and ("expected" in text) != skipped, text


def test_an_endless_name_costs_no_minutes(tmp_path):
    """clang would look letter by letter for a name that is like it: quadratic in its length."""
    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
    (tmp_path / "k.cu").write_text("a" * 100_000)
    run = subprocess.run([HOSTCC, "k.cu", "-o", "k"], check=False, cwd=tmp_path, text=True,
                         capture_output=True, preexec_fn=limited)
    assert (run.returncode, "unknown type name 'aaaa" in run.stderr) == (1, True)


def test_a_name_that_is_nearly_right_is_said(tmp_path):
    (tmp_path / "k.cu").write_text("__device__ int answer; __device__ int f() { return answr; }")
    run = subprocess.run([HOSTCC, "k.cu", "-o", "k"], check=False, cwd=tmp_path, text=True, capture_output=True)
    assert (run.returncode, "did you mean 'answer'" in run.stderr) == (1, True)


def test_every_pass_leaves_what_llvm_takes(tmp_path):
    (tmp_path / "k.cu").write_text("""template <class T> __global__ void fill(T *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 1;
}
template __global__ void fill<short>(short *y, int n);""")
    run = subprocess.run([HOSTCC, "k.cu", "-o", "k"], check=False, cwd=tmp_path, text=True, capture_output=True,
                         env={**os.environ, "HOSTCC_VERIFY": "1"})
    assert (run.returncode, run.stderr) == (0, "")


def test_says_what_it_does(folder):
    stages = ("frontend defer_source lines retarget locals simplify parameters indices phis canonical stores rows grid induction "
              "check written races shared functions scalar defer_scalar regions vectors calls defer_vectors imports table inline "
              "divide optimize registers gathers masked debug_info emit")
    status, output = hostcc(folder, *ANSWER, "-o", "image", HOSTCC_DUMP=stages, HOSTCC_TIME="1")
    assert status == 0
    assert re.findall("; -- after (.*)", output) == stages.split()
    assert re.findall(r"^(\w+) +[\d.]+ ms", output, re.MULTILINE) == [*stages.split(), "link"]


def test_dumps_can_be_read(folder):
    """LLVM's tools refuse a function in which two values have one name."""
    source = pathlib.Path(__file__).parents[1] / "ir/induction_widened.cu"
    status, output = hostcc(folder, source, "-o", "image", HOSTCC_DUMP="induction,vectors")
    functions = re.findall(r"^define .*?^}", output, re.MULTILINE | re.DOTALL)
    assert status == 0 and len(functions) > 3
    for function in functions:
        names = re.findall(r"^  (%\S+) =", function, re.MULTILINE)
        assert names and len(set(names)) == len(names)


def test_code_for_a_level_is_not_run(folder, context):
    """It may use what this processor lacks, and the cache takes images to be for this one."""
    assert hostcc(folder, "--cpu=x86-64-v2", *ANSWER, "-o", "image") == (0, "")
    with pytest.raises(cuda.Error, match="made for another processor"):
        cuda.module_from_file(str(folder / "image"))


@pytest.fixture
def many(folder):
    source = pathlib.Path(__file__).parents[1] / "kernels/language/many_kernels.cu"
    (folder / "many.cu").write_text(source.read_text())
    return ["many.cu", "-o", "many", "--gathers=loads"]  # not measured: that may differ on a busy machine


def limited(folder, arguments, limit):
    """Runs hostcc in a process that calls limit() first."""
    return subprocess.run([HOSTCC, "--pch-dir", folder, *arguments], check=False, cwd=folder, preexec_fn=limit).returncode


@pytest.mark.parametrize("level", ["-O3", "-O0"])
def test_images_do_not_tell_how_many_processes_made_them(folder, many, level):
    status, output = hostcc(folder, *many, level, HOSTCC_TIME="1")
    assert status == 0 and len(re.findall("^emit ", output, re.MULTILINE)) > 1
    image = (folder / "many").read_bytes()
    one = min(os.sched_getaffinity(0))
    assert limited(folder, [*many, level], lambda: os.sched_setaffinity(0, {one})) == 0
    assert (folder / "many").read_bytes() == image


@pytest.mark.parametrize("source", ["k.cu", "many.cu"])
def test_what_ends_one_process_ends_all(folder, many, source):
    """An object must not be larger than its process may write."""
    arguments = ["-DANSWER=42", source, "-o", "never"]
    assert hostcc(folder, *arguments) == (0, "")
    (folder / "never").unlink()
    assert limited(folder, arguments, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))) == -signal.SIGXFSZ
    assert not list(folder.glob("never*"))


def test_children_that_nobody_waits_for(folder, many, tmp_path):
    """The first compilation makes the precompiled library too, in a process of its own."""
    for library in (folder, tmp_path):
        assert limited(folder, ["--pch-dir", library, *many], lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)) == 0


def test_children_of_who_became_hostcc(folder, many):
    line = f"sh -c 'exit 3' & sh -c 'kill -9 $$' & exec {shlex.join(map(str, [HOSTCC, '--pch-dir', folder, *many]))}"
    assert subprocess.run(["sh", "-c", line], check=False, cwd=folder).returncode == 0


COMPILE = """
import sys
from pycuda.compiler import compile
compile("#define NAMED <endless.h>\\n#include NAMED\\n", nvcc="hostcc", cache_dir=False, include_dirs=[sys.argv[1]])
"""


GUARDS = """
__global__ void k(int *o)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 600  // the same for both
    o[1] = 1;
#elif __CUDA_ARCH__ >= 800
    o[0] = 1;
#endif
}
"""


@pytest.mark.parametrize("arch, told", [(None, False), ("sm_75", False), ("sm_60", False), ("sm_80", True), ("sm_90a", True)])
def test_code_for_newer_gpus_is_told(context, arch, told, recwarn):
    SourceModule(GUARDS, arch=arch, cache_dir="")
    messages = [str(warning.message) for warning in recwarn]
    assert len(messages) == told
    assert not told or re.search(r"kernel\.cu:6: warning: .*counts as sm_75, so '__CUDA_ARCH__ >= 800' is not", messages[0])


def test_ends_with_python(tmp_path):
    """A header that never ends keeps hostcc; Python dies without a word."""
    os.mkfifo(tmp_path / "endless.h")
    process = subprocess.Popen([sys.executable, "-c", COMPILE, str(tmp_path)])
    with open(tmp_path / "endless.h", "wb", buffering=0) as header:  # waits for hostcc to read
        process.kill()
        process.wait()
        with pytest.raises(BrokenPipeError):  # nobody reads any more
            for _ in range(6000):
                header.write(b"\n")
                time.sleep(0.01)


HEADERS = ["cooperative_groups.h", "cooperative_groups/reduce.h", "cuComplex.h", "cuda_awbarrier.h", "cuda_bf16.h",
           "cuda_fp16.h", "cuda_fp4.h", "cuda_fp6.h", "cuda_fp8.h", "cuda_pipeline.h", "curand_kernel.h", "math.h", "mma.h",
           "pycuda-complex.hpp", "pycuda-helpers.hpp", "stdio.h", "stdlib.h"]


def test_nothing_is_said_of_style(context, recwarn):
    """nvcc says nothing of an else that could belong to two ifs, of doubled parentheses, of macros made of `defined`, nor of
    comments in comments."""
    module = SourceModule("""
#define HAS_IT defined(__CUDACC__)
#if HAS_IT
__global__ void k(int *x)  /* one /* and another */
{
    if (x[0] > 0)
        if ((x[1] == 3))
            x[2] = 4;
        else
            x[2] = 5;
}
#endif
""")
    x = np.array([1, 3, 0], "i4")
    module.get_function("k")(cuda.InOut(x), block=(1, 1, 1))
    assert x[2] == 4 and not list(recwarn)


@pytest.mark.parametrize("header", HEADERS)
def test_macros_of_one_letter_before_a_header(context, header):
    """Programs define N, S or T and include what they use behind it. They mean the same after it."""
    letters = [letter for letter in string.ascii_letters if letter not in "xyzw"]  # .x of vectors is the program's own
    macros = "".join(f"#define {letter} {ord(letter)}\n" for letter in letters)
    source = f"{macros}#include <{header}>\n" \
             f'extern "C" __global__ void kernel(int *out) {{ *out = {" + ".join(letters)}; }}'
    out = np.zeros(1, np.int32)
    SourceModule(source, no_extern_c=True).get_function("kernel")(cuda.Out(out), block=(1, 1, 1))
    assert out[0] == sum(map(ord, letters))
