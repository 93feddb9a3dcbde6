"""hostcc: the includes that a source begins with are precompiled, and nothing but time tells."""

import contextlib
import ctypes
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time

import pytest

import pycuda

HOSTCC = pathlib.Path(pycuda.__path__[0]) / "hostcc"
pytestmark = pytest.mark.host

KERNEL = """__global__ void kernel(int *x)
{
    x[threadIdx.x] = NUMBER + x[threadIdx.x + 1];
}
"""
#: Headers that take long enough to be precompiled, and the rest of a source.
SLOW = "#include <type_traits>\n#include <tuple>\n"


def hostcc(folder, cache, *words, **options):
    """A process of hostcc that leads a group, in which what it leaves behind is, too."""
    return subprocess.Popen(
        [HOSTCC, "--pch-dir", cache, f"-I{folder}/early", f"-I{folder}/late", *words], cwd=folder, text=True,
        start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def ends(process):
    """Status and output, when what goes on behind the process has ended, too."""
    said = "" if process.stdout.closed else process.communicate()[0]
    with contextlib.suppress(ChildProcessError):  # they are our children now
        while os.waitpid(-process.pid, 0):
            pass
    return process.returncode, said


@pytest.fixture(autouse=True)
def adopts():
    """Who is left behind becomes a child of this process."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    yield
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


class Compiler:
    """hostcc in a folder of its own, with precompiled headers and without; the device library's is there."""

    def __init__(self, folder, library):
        self.folder, self.cache, self.library = folder, folder / "cache", folder / "library"
        for place in [self.cache, self.library]:
            shutil.copytree(library, place, symlinks=True)

    def header(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        while time.time_ns() < path.stat().st_ctime_ns + 150_000_000:
            time.sleep(0.01)  # a header that was changed of late may have been while clang read it, and is not kept
        return path

    def run(self, source, *options, cached=True):
        """Status, output, image, files of the rule; or with the library alone precompiled."""
        for path in self.library.glob("device-includes*"):
            path.unlink()
        (self.folder / "k.cu").write_text(source)
        for name in ["image", "rule"]:
            (self.folder / name).unlink(missing_ok=True)
        status, said = ends(hostcc(self.folder, self.cache if cached else self.library, *options, "k.cu", "-o", "image",
                                   "-MF", "rule"))
        if status:
            return status, said
        rule = (self.folder / "rule").read_text().replace("\\\n", " ")
        return 0, said, (self.folder / "image").read_bytes(), sorted(rule.split())

    def precompiled(self):
        return {path: path.stat().st_mtime_ns for path in self.cache.glob("device-includes-*.pch")}

    def agrees(self, source, *options, made=None):
        """Whether all compilations give the same; the last with what `made` says."""
        right = self.run(source, *options, cached=False)
        for _ in range(3):
            assert self.run(source, *options) == right
        if made is not None:
            assert len(self.precompiled()) == made
        return right


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "k.cu").write_text("")
    subprocess.run([HOSTCC, "--pch-dir", folder, "k.cu", "-o", "image"], cwd=folder, check=True)
    for name in ["k.cu", "image"]:
        (folder / name).unlink()
    return folder


@pytest.fixture
def compiler(tmp_path, library):
    return Compiler(tmp_path, library)


@pytest.mark.parametrize("headers", [
    ["vector"], ["iostream"], ["chrono", "cmath"], ["cuda_fp16.h"], ["curand_kernel.h"], ["mma.h"],
    ["cooperative_groups.h", "cooperative_groups/reduce.h"], ["cuda_bf16.h", "string", "cuda_runtime.h"]], ids=" ".join)
def test_the_same_comes_of_it(compiler, headers):
    source = "// what it does\n\n" + "".join(f"#include <{name}>\n" for name in headers) + "#define NUMBER 3\n" + KERNEL
    status, said, *_ = compiler.agrees(source)
    assert (status, said) == (0, "")


def test_it_is_made_once(compiler):
    """For the second source that begins so, and used by others, whatever they are called."""
    for k in range(4):
        assert compiler.run(f"{SLOW}#define NUMBER {k}\n{KERNEL}")[0] == 0
        before = compiler.precompiled()
        assert len(before) == (k > 0)
    (compiler.folder / "other.cu").write_text(SLOW)
    assert ends(hostcc(compiler.folder, compiler.cache, "other.cu", "-o", "image"))[0] == 0
    assert compiler.precompiled() == before


def test_sources_without_includes_leave_nothing(compiler):
    for _ in range(3):
        assert compiler.run("#define NUMBER 3\n" + KERNEL)[0] == 0
    assert not list(compiler.cache.glob("device-includes*"))


def test_other_options(compiler):
    """Each set of options has its own."""
    source = SLOW + KERNEL
    sets = [["-DNUMBER=1"], ["-DNUMBER=2"], ["-DNUMBER=2", "-std=c++14"], ["-DNUMBER=2", "-use_fast_math"]]
    images = [compiler.agrees(source, *options, made=k + 1)[2] for k, options in enumerate(sets)]
    assert images[0] != images[1]
    for more in [["-G"], ["--check=memory"], ["-lineinfo"], ["--coverage"], ["-w"], ["-arch=sm_90"],
                 ["-include", "limits.h"]]:
        compiler.agrees(source, *sets[1], *more)


def test_objects(compiler):
    """They link to the same; preprocessed sources have all of the text."""
    images = set()
    for cached in [False, True, True, True]:
        assert compiler.run(f"{SLOW}#define NUMBER 1\n{KERNEL}", "-rdc=true", cached=cached)[0] == 0
        (compiler.folder / "image").rename(compiler.folder / "k.o")
        subprocess.run([HOSTCC, "k.o", "-o", "image"], cwd=compiler.folder, check=True)
        images.add((compiler.folder / "image").read_bytes())
    assert len(images) == len(compiler.precompiled()) == 1
    text = subprocess.run([HOSTCC, "--pch-dir", compiler.cache, "-E", "k.cu"], cwd=compiler.folder, check=True,
                          capture_output=True, text=True).stdout
    assert "is_same" in text


PLAIN = "#include <mine.h>\n" + SLOW


@pytest.mark.parametrize("change", ["edited", "earlier", "asked for", "removed", "found later", "within"])
def test_a_header_changes(compiler, change):
    compiler.header("late/within.h", "#define WITHIN 0\n")
    mine = compiler.header("late/mine.h", """#include "within.h"
#if __has_include(<extra.h>)
#define NUMBER (WITHIN + 7001)
#else
#define NUMBER (WITHIN + 7000)
#endif
""")
    compiler.header("early/nothing.h", "")
    before = compiler.agrees(PLAIN + KERNEL, made=1)
    if change == "edited":  # as many letters
        compiler.header("late/mine.h", mine.read_text().replace("7000", "7002"))
    elif change == "earlier":
        compiler.header("early/mine.h", "#define NUMBER 7003\n")
    elif change == "asked for":
        compiler.header("early/extra.h", "")
    elif change == "within":
        compiler.header("late/within.h", "#define WITHIN 9\n")
    elif change == "found later":
        shutil.rmtree(compiler.folder / "early")
        compiler.header("early/type_traits", "#define NUMBER 7004\n#error mine\n")
    else:
        mine.unlink()
    after = compiler.agrees(PLAIN + KERNEL)
    assert before != after
    assert (after[0] == 0) == (change not in ("removed", "found later"))


QUOTED = '#include "mine.h"\n' + SLOW.replace("<type_traits>", '"type_traits"')


def test_quoted_names(compiler):
    """A file of an option's folder, until one beside the source takes its place, with which the rule counts."""
    compiler.header("late/mine.h", "#define NUMBER 7001\n")
    before = compiler.agrees(QUOTED + KERNEL, made=1)
    assert "./mine.h" in before[3]
    compiler.agrees(QUOTED.replace('"mine.h"', "<mine.h>").replace('"type_traits"', "<type_traits>") + KERNEL, made=1)
    beside = compiler.header("mine.h", "#define NUMBER 7002\n")
    after = compiler.agrees(QUOTED + KERNEL)
    assert before[2] != after[2]
    beside.unlink()
    assert compiler.agrees(QUOTED + KERNEL) == before


@pytest.mark.parametrize("folder", ["relative", "absolute"])
def test_quoted_names_beside_other_sources(compiler, folder):
    """Each source is in a folder of its own, as PyCUDA's are, and the last has such a file in it."""
    compiler.header("late/mine.h", '#define NUMBER 1\n__device__ char text[] = "an option names it";\n')
    compiler.header("mine.h", "#error the compiler runs here\n")
    for k in range(4):
        place = compiler.folder / f"place{k}"
        place.mkdir()
        (place / "k.cu").write_text(QUOTED + KERNEL)
        if k == 3:
            (place / "mine.h").write_text('#define NUMBER 1\n__device__ char text[] = "it is beside";\n')
        source = place / "k.cu" if folder == "absolute" else f"place{k}/k.cu"
        assert ends(hostcc(compiler.folder, compiler.cache, source, "-o", "image", "-MF", "rule")) == (0, "")
        assert (b"it is beside" if k == 3 else b"an option names it") in (compiler.folder / "image").read_bytes()
        assert f"place{k}/mine.h" in (compiler.folder / "rule").read_text()
        assert len(compiler.precompiled()) == (k > 0)


def test_an_edit_at_once(compiler):
    """Within the second, of as many letters, while it is compiled."""
    compiler.header("late/mine.h", "#define NUMBER 1000\n")
    for k in range(1000, 1005):
        (compiler.folder / "late" / "mine.h").write_text(f"#define NUMBER {k}\n")
        right = compiler.run(PLAIN + KERNEL, cached=False)
        assert compiler.run(PLAIN + KERNEL) == right == compiler.run(PLAIN + KERNEL)


@pytest.mark.parametrize("text", [
    "#warning look\n", "#error wrong\n", "static int f(int *x) { return x == 3; }\n", "#pragma message(\"look\")\n",
    "inline __device__ int f() { }\n", ("template <class T> __device__ int g(T x) { int *p = x; return 0; }\n"
    "inline __device__ int h() { return g(1.5); }\n"), "namespace open {\n", "int f()\n", "#if 1\n"],
    ids=lambda text: text.split("\n", maxsplit=1)[0])
def test_what_is_said_of_a_header(compiler, text):
    """The same, with its place and the way there."""
    compiler.header("late/mine.h", "\n" + text)
    _, said, *_ = compiler.agrees(f"\n// here\n{SLOW}#include <mine.h>\n#define NUMBER 4\n{KERNEL}")
    assert "k.cu:5" in said or "#if" in text or not said or "k.cu" in said


@pytest.mark.parametrize("rest", [
    "int *f(float *x) { return x; }\n", "__device__ int f() { }\n", "#warning here\n",
    "__device__ int h() { return shorter(300); }\n", "__device__ int h() { return noted(300); }\n",
    "__device__ int h() { char c = BIG; return c; }\n", "__device__ int h() { char c = OWN; return c; }\n",
    "template <class T> __global__ void lone(T *x) { }\nvoid f() { unheard_of<<<1, 1>>>(lone); }\n"],
    ids=lambda text: text.split("\n", maxsplit=1)[0])
@pytest.mark.parametrize("head", ["", '#line 7 "other name"\n'], ids=["", "line"])
def test_what_is_said_of_the_rest(compiler, rest, head):
    """In the right lines, also where it shows what is precompiled."""
    compiler.header("late/mine.h", """#define BIG 300
template <class T> __device__ int shorter(T x) { char c = 300; return c; }
inline __device__ int noted(int x) { return x; }
__attribute__((deprecated)) inline __device__ int noted(long x) { return x; }
#define NUMBER 5
""")
    compiler.agrees(f"// A text\n{head}/* that\n   begins so */\n{SLOW}#define OWN 300\n#include <mine.h>\n\n{rest}{KERNEL}")


def test_macros(compiler):
    compiler.header("late/mine.h", """
#define IN_HEADER __FILE__
inline __device__ int counted() { return __COUNTER__ * 100 + __INCLUDE_LEVEL__; }
#undef NUMBER
#define NUMBER 12
#undef OWN
inline const __device__ char *name() { return __FILE__; }
#pragma pack(push, 1)
struct Packed { char a; int b; };
#pragma pack(pop)
#pragma push_macro("OTHER")
#define OTHER 5
#pragma pop_macro("OTHER")
""")
    rest = """
#ifdef OWN
#error it is not
#endif
__device__ int numbers[] = {__LINE__, __COUNTER__, __COUNTER__, __INCLUDE_LEVEL__, sizeof(Packed), NUMBER, OTHER};
__device__ const char *names[] = {__FILE__, IN_HEADER, __BASE_FILE__};
__global__ void more(int *x, const char **y) { x[0] = counted(); y[0] = name(); y[1] = __FILE__; assert(x); }
"""
    compiler.agrees(f"#define OWN\n#define OTHER 3 // so\n#include <cassert>\n{SLOW}#include <mine.h>\n{rest}{KERNEL}",
                    "-DNUMBER=3", made=1)


@pytest.mark.parametrize("text", [
    '#define TIME __TIME__\ninline const __device__ char *t() { return __TIME__ "" __DATE__; }\n',
    "inline const __device__ char *t() { return __BASE_FILE__; }\n", '#include "./within.h"\n', '#pragma push_macro("NUMBER")\n'],
    ids=lambda text: text.split("\n", maxsplit=1)[0])
def test_what_cannot_be_kept(compiler, text):
    compiler.header("late/within.h", "")
    compiler.header("late/mine.h", text)
    for _ in range(3):
        assert compiler.run(f"#define NUMBER 1\n{SLOW}#include <mine.h>\n{KERNEL}")[0] == 0
    assert not compiler.precompiled()


def test_pragmas_stay(compiler):
    compiler.header("late/mine.h", "#pragma clang diagnostic ignored \"-Wreturn-type\"\n#pragma clang fp contract(off)\n")
    rest = "__device__ int f() { }\n__device__ float g(float a, float b, float c) { return a * b + c; }\n"
    rest += "__global__ void h(float *x) { x[0] = g(x[1], x[2], x[3]); }\n#define NUMBER 1\n"
    assert compiler.agrees(f"{SLOW}#include <mine.h>\n{rest}{KERNEL}", made=1)[1] == ""


def test_what_was_pushed_is_popped(compiler):
    compiler.header("late/mine.h", "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Wreturn-type\"\n")
    rest = "#pragma clang diagnostic pop\n__device__ int f() { }\n#define NUMBER 1\n"
    assert "non-void" in compiler.agrees(f"{SLOW}#include <mine.h>\n{rest}{KERNEL}", made=1)[1]


def test_host_functions_that_trap(compiler):
    """Which are called for the host and the device in what is precompiled."""
    compiler.header("late/mine.h", """
extern "C" int of_host(int);
inline int defined_of_host(int x) { return x + 1; }
inline __host__ __device__ int f(int x) { return x > 5 ? of_host(x) : x; }
inline __host__ __device__ int g(int x) { return x > 5 ? defined_of_host(x) + (int)strlen("a") : x; }
""")
    rest = "#define NUMBER f(x[0]) + g(x[1])\n"
    status, said, *_ = compiler.agrees(f"#include <cstring>\n{SLOW}#include <mine.h>\n{rest}{KERNEL}", made=1)
    assert status == 0, said


@pytest.mark.parametrize(("rest", "said"), [
    ("", ""), ("template <class T> __global__ void lone(T *x) { }\n", "'lone' has no instance"),
    ("template <class T> __global__ void named(T *x) { }\ntemplate __global__ void named(int *);\n", "'named' may lack"),
    ("template <class T> __global__ void other(T *x) { }\ntemplate __global__ void other(int *);\n", ""),
    ("void g() { unheard_of_too(); }\ntemplate <class T> __global__ void lone(T *x) { }\n", "unheard_of_too")])
def test_host_code_is_passed_over(compiler, rest, said):
    """In what is precompiled, and what its errors may have hidden is told of."""
    compiler.header("late/mine.h", "inline void f() {\n    unheard_of(1); // and named<<<1, 1>>>\n}\n")
    status, told, *_ = compiler.agrees(f"{SLOW}#include <mine.h>\n#define NUMBER 1\n{rest}{KERNEL}", made=1)
    assert status == 0
    assert said in told
    assert bool(said) == bool(told)


def test_it_is_damaged_or_gone(compiler):
    source = f"{SLOW}#define NUMBER 1\n{KERNEL}"
    right = compiler.agrees(source, made=1)
    [path] = compiler.precompiled()
    [known] = [file for file in compiler.cache.glob("device-includes-*") if file.suffix != ".pch"]
    content = path.read_bytes(), known.read_bytes()
    bad = [b"", content[0][:5000], content[0][:50000] + bytes(100) + content[0][50100:], None]
    for file, damage in [(path, text) for text in bad] + [(known, content[1][:500]), (known, b"x"), (known, b"")]:
        file.unlink() if damage is None else file.write_bytes(damage)
        assert compiler.run(source) == right
        compiler.agrees(source, made=1)
    for file in [path, known]:
        file.unlink(missing_ok=True)
        os.mkfifo(file)
        assert compiler.run(source) == right
        file.unlink()
    compiler.agrees(source, made=1)


@pytest.mark.parametrize("kind", ["full", "read-only"])
def test_it_cannot_be_written(compiler, kind):
    source = f"{SLOW}#define NUMBER 1\n{KERNEL}"
    right = compiler.run(source)
    limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))) if kind == "full" else None
    if kind == "read-only":
        compiler.cache.chmod(0o500)
    for _ in range(3):
        assert ends(hostcc(compiler.folder, compiler.cache, "k.cu", "-o", "image", preexec_fn=limit))[0] == 0
        assert (compiler.folder / "image").read_bytes() == right[2]
    compiler.cache.chmod(0o700)
    left = [path.name for path in compiler.cache.iterdir() if path.name.count(".") > (path.suffix == ".pch")]
    assert not left


def test_at_once(compiler):
    """Processes that make it at the same time."""
    source = f"{SLOW}#define NUMBER 1\n{KERNEL}"
    right = compiler.run(source)
    many = [hostcc(compiler.folder, compiler.cache, "k.cu", "-o", f"image{k}") for k in range(4)]
    assert [ends(one) for one in many] == [(0, "")] * 4
    assert {(compiler.folder / f"image{k}").read_bytes() for k in range(4)} == {right[2]}
    compiler.agrees(source)


@pytest.fixture
def stopped(compiler):
    """A compilation that has ended, and what is precompiled behind it was stopped halfway."""
    source = f"#include <algorithm>\n{SLOW}#define NUMBER 1\n{KERNEL}"
    for _ in range(20):
        right = compiler.run(source)
        one = hostcc(compiler.folder, compiler.cache, "k.cu", "-o", "image")
        begun = time.monotonic()
        while not list(compiler.cache.glob("*.tmp")) and not compiler.precompiled():
            assert time.monotonic() < begun + 60
            time.sleep(0.001)
        os.killpg(one.pid, signal.SIGSTOP)
        os.kill(one.pid, signal.SIGCONT)
        assert one.communicate() == ("", None)  # nobody waits for what is stopped
        assert one.returncode == 0
        assert (compiler.folder / "image").read_bytes() == right[2]
        if not compiler.precompiled():
            break
        os.killpg(one.pid, signal.SIGKILL)  # it was too fast
        ends(one)
        for path in compiler.cache.glob("device-includes*"):
            path.unlink()
    assert compiler.run(source) == right
    assert not compiler.precompiled()
    return one, source


def test_nobody_waits_for_it(compiler, stopped):
    one, source = stopped
    os.killpg(one.pid, signal.SIGCONT)
    ends(one)
    assert len(compiler.precompiled()) == 1
    compiler.agrees(source, made=1)


def test_what_makes_it_is_killed(compiler, stopped):
    """It is tried again when a minute has passed."""
    one, source = stopped
    os.killpg(one.pid, signal.SIGKILL)
    ends(one)
    compiler.run(source)
    assert not compiler.precompiled()
    [known] = [path for path in compiler.cache.glob("device-includes-*") if not path.suffix]
    os.utime(known, (time.time() - 62,) * 2)
    compiler.agrees(source, made=1)


def test_as_pycuda_writes_sources(compiler):
    """Everything stands in extern "C", under two names."""
    head = '#line 1 "pycuda.compiler"\nextern "C" {\n#line 1 "kernel.cu"\n'
    compiler.header("late/mine.h", "inline __device__ int f() { return 4; }\nint __device__ twice(int);\n" + "".join(
        f"inline __device__ int f{k}(int x) {{ return x * {k} + f() / 3; }}\n" for k in range(5000)))
    rest = "#define NUMBER f()\n__device__ int twice(int x) { return 2 * x; }\n"
    source = f"{head}#include <curand_kernel.h>\n#include <mine.h>\n{rest}{KERNEL}"
    image = compiler.agrees(source + "}\n", made=1)[2]
    assert b"_Z6kernel" not in image
    for wrong in ["", "}\n}\n"]:
        assert compiler.agrees(source + wrong)[0] == 1


def test_namespaces(compiler):
    """Their other names, and those used, at the beginning, in which PyCUDA puts a source in extern "C" or does not."""
    compiler.header("late/mine.h", """namespace far {
namespace away { __device__ inline int f(int x) { return x + 7; } typedef int number; }
}
""" + "".join(f"struct of_many_{k} {{ int a, b[{k + 1}]; }};\n" for k in range(20_000)))  # that it takes long, in C as well
    head = ('#include "mine.h"\nnamespace cg = far::away;\nusing namespace far::away; // which has f\n'
            "namespace away=::far::away;\n#include <curand_kernel.h>\n")
    rest = "#define NUMBER f(2) + cg::f(3) + away::f(4) + (number)x[2]\n"
    assert compiler.agrees(f"{head}{SLOW}{rest}{KERNEL}", made=1)[0] == 0
    assert compiler.agrees(f'extern "C" {{\n{head}{rest}{KERNEL}}}\n', made=2)[0] == 0
    status, said = compiler.agrees(f"{head}{SLOW}{rest}__device__ int f(int);\n{KERNEL}", made=2)
    assert status == 1
    assert "ambiguous" in said


LINES = ["// a comment\n", "\n", "/* one */\n", "/* of\n   two lines */\n", "#include <cstddef>\n", "#include <tuple>\n",
         "#include <utility> // for pairs\n", "# include <limits>\n", "#\tinclude\t<cstdint>\t/* so */\n",
         "#include <mine.h>\n", '#include "mine.h"\n', '# include\t"tuple" // so\n', "using namespace std;\n",
         "namespace s = std; // so\n", "#define OWN 3\n", "#undef OWN\n", "#define CALL(x) f(x)\n", '#include "other.h"\n',
         '#line 30 "renamed"\n', "#line 3\n", 'extern "C" {\n', "#if 0\n#endif\n", "int outside;\n", "#pragma once\n",
         "#define TWO \\\n  2\n", "#include \\\n<tuple>\n", "// goes on \\\n#include <tuple>\n", "#include <tuple> junk\n",
         "/* a */ #include <tuple>\n", "#include <tuple>\r\n", "#include <missing.h>\n", "#define A /* goes\n on */ 3\n",
         "#define H <tuple>\n", "#include H\n", "??=include <tuple>\n", "%:include <tuple>\n", "#import <tuple>\n",
         '#include "mine>.h"\n', '#include "mine.h\n', '#include ""\n', '#include "missing.h"\n',
         '#define R R"(\n#include <tuple>\n)"\n', "extern \"C++\" {\n}\n",
         "using std::pair;\n", "namespace s = nothing;\n", "namespace s { }\n", "using namespace\n  std;\n",
         "__device__ int line = __LINE__;\n"]


@pytest.mark.parametrize("seed", range(12))
def test_any_beginning(compiler, seed):
    """Texts of lines that may or may not be precompiled."""
    rng = random.Random(seed)
    compiler.header("late/mine.h", "#ifdef OWN\n#define NUMBER OWN\n#else\n#define NUMBER 8\n#endif\n#undef OWN\n")
    compiler.header("other.h", "__device__ int other = __LINE__;\n")
    lines = rng.choices(LINES[:17], k=rng.randrange(6)) + rng.choices(LINES, k=rng.randrange(4))
    source = "".join(lines[:3]) + SLOW + "".join(lines[3:])
    source += "#ifndef NUMBER\n#define NUMBER 9\n#endif\n#ifdef OWN\n__device__ int own = OWN;\n#endif\n"
    source += "__device__ int last = __LINE__;\n" + KERNEL + "}\n" * source.count('extern "C" {')
    compiler.agrees(source)
