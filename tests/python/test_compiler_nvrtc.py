"""NVRTC stands in for nvcc: the same source means the same. Sizes and alignments are those of nvcc 13,
which follows GCC's rule: an attribute behind the body of a class is of the class."""

import os
import random
import re
import subprocess
import warnings

import alignment_forms
import pytest

import pycuda.driver as drv
from pycuda import compiler


@pytest.fixture(autouse=True)
def no_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("PYCUDA_CACHE_DIR", str(tmp_path / "cache"))


def seen_by_nvrtc(source):
    """What NVRTC is given, from the word PTX on."""
    image = compiler.compile("// PTX\n" + source, nvcc="nvrtc", target="ptx", no_extern_c=True)
    text = image.rstrip(b"\0").decode()
    assert text.count("\n") == source.count("\n") + 2
    return " ".join(text.removeprefix("PTX\n").split())


A = "__attribute__((aligned(8)))"
S = "__pycuda_aligned( __align__ ( 8 ) )"  # strict, by a macro of the preamble
SA = "__pycuda_aligned( __attribute__ ( ( aligned ( 8 ) ) ) )"
MOVED = [
    ("struct { int v; } __align__(8) x;", f"struct {S} {{ int v; }} x;"),
    (f"struct {{ int v; }} {A} x;", f"struct {SA} {{ int v; }} x;"),
    (f"typedef union T {{ int v; }} {A} U;", f"typedef union {SA} T {{ int v; }} U;"),
    ("struct T : B<(2)> { int v; } __align__(8);", f"struct {S} T : B<(2)> {{ int v; }} ;"),
    ("struct { struct { int v; } __align__(8) in; } __align__(8) x;",
     f"struct {S} {{ struct {S} {{ int v; }} in; }} x;"),
    ("struct __align__(8) T { };", f"struct {S} T {{ }};"),
    ("struct {\n} __align__( // eight\n 8) x;", f"struct {S} {{ }} x;"),
    ("struct { } __attribute__((packed)) x;", "struct __attribute__ ( ( packed ) ) { } x;"),
    ("struct { } __attribute__((packed)) __align__(4) x;",
     "struct __attribute__ ( ( packed ) ) __align__ ( 4 ) { } x;"),
    ("template <class X> struct T { } __align__(8);", f"template <class X> struct {S} T {{ }} ;"),
    ("enum { A } __attribute__((packed));", "enum __attribute__ ( ( packed ) ) { A } ;"),
    ("#define AL(n) __align__(n)\nstruct { } AL(8) x;",
     "#define AL(n) __align__(n) struct __pycuda_aligned( AL ( 8 ) ) { } x;"),
    ("#define S(n) struct { int v; } \\\n __align__(n)\nS(8) x;",
     "#define S(n) struct __pycuda_aligned( __align__ ( n ) ) { int v; } \\ S(8) x;"),
    ("class { } /* a } */ __align__(8) x; // } __align__(4)",
     f"class {S} {{ }} /* a }} */ x; // }} __align__(4)"),
    ("struct T { __align__(8) float2 v; };", f"struct T {{ {S} float2 v; }};"),
    ("struct T { int v __align__(8); };", f"struct T {{ int v {S} ; }};"),
    ("struct T { int v[3] __align__(8); };", f"struct T {{ {S} int v[3] ; }};"),
    ("struct T { const __align__(8) int v; };", f"struct T {{ {S} const int v; }};"),
    ("struct T { int *__align__(8) v; };", f"struct T {{ {S} int * v; }};"),
    ("struct T { int v __align__(8), w; };", f"struct T {{ int v {S} , w; }};"),
    ("struct T { public: __align__(8) int v; };", f"struct T {{ public: {S} int v; }};"),
    ("struct T { void f() {} __align__(8) int v; };", f"struct T {{ void f() {{}} {S} int v; }};"),
    ("struct T { struct { int v; } in __align__(8); };", f"struct T {{ struct {{ int v; }} in {S} ; }};"),
    ("struct T { __align__(8) struct { int v; } in; };", f"struct T {{ {S} struct {{ int v; }} in; }};"),
    ("void f() { struct T { __align__(8) int v; }; }", f"void f() {{ struct T {{ {S} int v; }}; }}"),
    ("#define AL\n#define A AL\n#define AL __align__(8)\nstruct T { A int v; };",
     "#define AL #define A AL #define AL __align__(8) struct T { __pycuda_aligned( A ) int v; };"),
    ("#define C struct\nC __align__(8) T { };", f"#define C struct C {S} T {{ }};"),
    ("#define C struct __align__(8)\nC T { };", f"#define C struct {S} C T {{ }};"),
    ("#define A alignas(8)\nstruct T { int A v; };", "#define A alignas(8) struct T { int __pycuda_aligned( A ) v; };"),
    ("struct __align__(8) T;", f"struct {S} T;"),
]
KEPT = [
    "#define C template <class X> void\nC T() { __align__(8) int v; }",
    "enum { A } __align__(8) x;", "struct T { } x;", "int x __align__(8);",
    "struct T f() { } __align__(8) int x;", "void f() { } __attribute__((unused)) int x;",
    "struct T x = { } __align__(8);", 'char *s = "struct { } __align__(8) x;";',
    "const char *s = R\"(struct { } __align__(8) x;)\";", "// struct { } __align__(8) x;",
    "struct T; __align__(8) int x; struct T *p;",
    "namespace n { } __align__(8) int x;", "template <class T> void f() { } __align__(8) int x;",
    "int x = 1'000'000; // '", "#define X }} x", "}}} __align__(8) x;",
    "extern __shared__ __align__(8) int x[];", "typedef float2 F __align__(4);", "struct __align__(8) T x;",
    "struct T { typedef float2 F __align__(4); static __align__(4) float2 x; };",
    "struct T { void f(int x __align__(8)) { __align__(8) int y; } };", "struct T { alignas(8) int v; };",
    "struct T { __attribute__((packed)) int v; __attribute__((unused)) int w; };",
    "struct __attribute__((packed)) __align__(2) T { int v; };", "struct __attribute__((aligned)) T { int v; };",
]
REFUSED = {
    "struct __align__(8) __align__(4) T { int v; };": "two alignments",
    "struct __align__(8) T { int v; } __align__(16);": "two alignments",
    "struct T { __align__(8) int v __align__(16); };": "two alignments",
    "enum { A } __attribute__((packed)) __align__(8) x;": "behind the body of an enumeration",
    "typedef float F __attribute__((vector_size(16)));": "vector_size",
    "typedef int F __attribute__((__mode__(DI)));": "vector_size and mode",
    "struct [[gnu::aligned(8)]] T { };": r"\[\[gnu::",
    "struct [[using gnu: packed]] T { };": r"\[\[gnu::",
    "#define A alignas(8)\nstruct T { } A;": "an alignas stands behind the body",
    "#define END } __align__(8)\nstruct T { int v; END;": "one of the two braces",
    "#define BEGIN struct T {\nBEGIN __align__(2) float2 v; };": "one of the two braces",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_cannot_be_written_anew_is_refused(fake_nvrtc, monkeypatch, source):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    with pytest.raises(drv.CompileError, match=REFUSED[source]):
        seen_by_nvrtc(source)


@pytest.mark.parametrize("source, expected", MOVED, ids=lambda text: text[:30])
def test_attributes_behind_bodies_are_moved(fake_nvrtc, monkeypatch, source, expected):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    assert seen_by_nvrtc(source) == expected


@pytest.mark.parametrize("source", KEPT)
def test_other_texts_are_not_touched(fake_nvrtc, monkeypatch, source):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    assert seen_by_nvrtc(source) == " ".join(source.split())


def test_any_text_is_read(fake_nvrtc, monkeypatch):
    """Random pieces of C++: nothing crashes, no line is lost, and text without attributes stays."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    rng = random.Random(4)
    pieces = ["struct", "union", "enum class", "class", "{", "}", "{", "}", "(", ")", "<", ">", ";", ":", "=",
              "T", "int", "template", "__align__(8)", "__align__", "__attribute__((aligned(8)))",
              "__attribute__((", "#define M", "\n#define A __align__(4)\n", "\n", "\\\n", "\r\n", "//", "/*", "*/",
              '"', "'", 'R"(', ')"', "A", "1'0", "\\", "#", "alignas(8)", "\t", "é", "packed"]
    for k in range(3000):
        source = " ".join(rng.choices(pieces, k=rng.randrange(1, 25))) + " ;"
        if k % 3 == 0:
            source = source.replace("__a", "__b")
        try:
            text = compiler.compile("// PTX\n" + source, nvcc="nvrtc", target="ptx", no_extern_c=True,
                                    cache_dir=False).rstrip(b"\0").decode()
        except drv.CompileError as error:
            assert "or install nvcc" in str(error) and "align" in source
            continue
        if len(text.encode()) < 250:
            assert text.count("\n") == source.count("\n") + 2
            if "__a" not in source:
                assert text == f"PTX\n{source}\n"


@pytest.fixture
def nvcc(tmp_path, monkeypatch):
    """An nvcc whose image is b"by nvcc\\n" and the source, the only one."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.setenv(name, "/nonexistent")
    (tmp_path / "nvcc").write_text("""#!/bin/sh
while [ $# -gt 0 ]; do case $1 in -o) image=$2 ;; *.cu) source=$1 ;; esac; shift; done
{ echo by nvcc && cat $source; } >$image
""")
    (tmp_path / "nvcc").chmod(0o755)


@pytest.mark.parametrize("source", [
    next(iter(REFUSED)),
    "struct __align__(8) T { double3 v; }; FAIL",  # NVRTC's error may be about the alignment
    "#define A \"a.h\"\n#include A\n",  # and what stands in there, nobody knows
], ids=["known", "tried", "unseen"])
def test_nvcc_does_what_nvrtc_would_do_in_another_way(fake_nvrtc, monkeypatch, nvcc, source):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    image = compiler.compile(source, target="ptx").decode()
    assert image.startswith("by nvcc\n") and source in image  # as the user wrote it
    if "#include" in source:
        assert compiler.compile(source, nvcc="nvrtc", target="ptx")
    else:
        with pytest.raises(drv.CompileError):
            compiler.compile(source, nvcc="nvrtc", target="ptx")


def test_other_errors_are_not_for_nvcc(fake_nvrtc, monkeypatch, nvcc):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    with pytest.raises(drv.CompileError):
        compiler.compile("struct T { int v; }; FAIL", target="ptx")


def headers_in_memory(tmp_path, source, files, **options):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    image = compiler.compile(source, nvcc="nvrtc", target="ptx", include_dirs=[tmp_path], no_extern_c=True, **options)
    return " ".join(image.rstrip(b"\0").decode().split())


def test_headers_are_written_anew(fake_nvrtc, monkeypatch, tmp_path):
    """All of them: NVRTC would look for "b.h" in other folders than beside a.h, which is in memory."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    seen = headers_in_memory(tmp_path, '#include <in/a.h>\n#include "in/b.h"\n', {
        "in/a.h": "// PTX\n#include \"b.h\"\nstruct { int v; } __align__(8) x;", "in/b.h": "// PTX 1"})
    assert seen == (f'in/a.h: PTX #include "b.h" struct {S} {{ int v; }} x;'
                    'in/b.h: PTX 1')
    seen = headers_in_memory(tmp_path, '#include "a.h"\n', {"a.h": "\ufeff// PTX"})
    assert seen == "a.h: PTX"
    assert "PTX" not in headers_in_memory(tmp_path, '#include "b.h"\n', {"b.h": "// PTX\nstruct T { int v; };"})


def test_nvidias_headers_are_left_alone(fake_nvrtc, monkeypatch, tmp_path):
    """Wherever they lie: they are written for both compilers."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    files = {"a.h": "// PTX\nstruct { int v; } __align__(8) x;", "nv/target": ""}
    assert "PTX" not in headers_in_memory(tmp_path, '#include "a.h"\n', files)


def test_macros_of_headers_and_options_are_known(fake_nvrtc, monkeypatch, tmp_path):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    seen = headers_in_memory(tmp_path, '#include "a.h"\n// PTX\nstruct T { AL float2 v; OF float2 w; };', {
        "a.h": "#define AL A8\n", "b.h": ""}, options=["-DOF=__align__(8)", "-D", "A8=__align__(8)"])
    assert seen == "PTX struct T { __pycuda_aligned( AL ) float2 v; __pycuda_aligned( OF ) float2 w; };"


def test_two_headers_of_one_name(fake_nvrtc, monkeypatch, tmp_path):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    with pytest.raises(drv.CompileError, match="two headers are included by the same name"):
        headers_in_memory(tmp_path, '#include "in/a.h"\n#include "b.h"', {
            "in/a.h": '#include "b.h"\nstruct { } __align__(8) x;', "in/b.h": "", "b.h": ""})


def works():
    try:
        return bool(compiler.compile("", nvcc="nvrtc", cache_dir=False))
    except drv.CompileError:
        return False


# Declarations of T, and what sizeof and alignof are.
LAYOUTS = {
    "struct T { int v; short w; } __align__(32);": (32, 32),
    "typedef struct { int v; short w; } __align__(32) T;": (32, 32),
    "typedef struct S { int v; short w; } __attribute__((aligned(32))) T;": (32, 32),
    "typedef struct { int v; short w; } T __align__(32);": (8, 32),
    "typedef struct __align__(32) { int v; short w; } T;": (32, 32),
    "typedef struct { int v; short w; char c; } __attribute__((packed)) T;": (7, 1),
    "typedef struct { int v; short w; } __attribute__((packed, aligned(16))) T;": (16, 16),
    "typedef struct { int v; short w; } __attribute__((aligned)) T;": (16, 16),
    "struct T { char c; struct { int v; short w; } __align__(32) in; char d; };": (96, 32),
    "struct T { char c; struct { int v; short w; } in __align__(32); char d; };": (64, 32),
    "template <class X> struct U { X v; short w; } __align__(32); typedef U<int> T;": (32, 32),
    "typedef union { int v; short w; } __align__(32) T;": (32, 32),
    "struct S { int v; short w; }; struct T : S { int z; } __align__(32);": (32, 32),
    "typedef enum { A } __attribute__((packed)) T;": (1, 1),
    "typedef enum { A } __align__(32) T;": (4, 32),
    "typedef struct { int v; short w; } __align__(32) T, *P;": (32, 32),
    "struct T { int v; short w; char c; };": (8, 4),
    "struct T { unsigned a : 3; unsigned long long b : 40; char c : 2; };": (8, 8),
    "typedef struct { double d; int v; } __attribute__((packed)) __align__(4) T;": (12, 4),
    "struct T { char c; long l; };": (16, 8),
    "typedef wchar_t T;": (4, 4),
    "struct T { char c; double3 v; };": (32, 8),
    "struct T { char c; float4 v; };": (32, 16),
    "struct T { char c; int v[3] __align__(16); };": (32, 16),
    "struct T { char c; const __align__(8) int v; };": (16, 8),
    "\n#define AL(n) __attribute__((aligned(n)))\nstruct T { char c; AL(8) int v; };": (16, 8),
    "struct T { char c; float2 v __align__(16); char d; };": (32, 16),
    "typedef float2 F __align__(2); struct T { char c; F v; };": (10, 2),
}
PREDEFINED = {
    "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__": True, "__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__": False,
    "__SIZEOF_LONG__ == 8 && __SIZEOF_POINTER__ == 8": True, "__CHAR_BIT__ == 8": True,
    "__INT_MAX__ == 2147483647": True, "defined(__linux__)": True, "defined(_LP64)": True,
    "defined(__USE_FAST_MATH__)": False, "defined(__CUDACC__)": True, "__cplusplus == 201703L": True,
    "__CUDA_ARCH__ == 900": True, "'\\xff' < 0": True,
}


@pytest.mark.parametrize("name", ["nvrtc"] if works() else [])
def test_layouts_are_those_of_nvcc(name):
    lines = [f'namespace n{i} {{ {text} extern "C" __device__ const int out_{i}[] = {{sizeof(T), alignof(T)}}; }}'
             for i, text in enumerate(LAYOUTS)]
    ptx = compiler.compile("\n".join(lines), nvcc=name, target="ptx", arch="compute_90", no_extern_c=True).decode()
    for i, (text, expected) in enumerate(LAYOUTS.items()):
        (found,) = re.findall(rf"out_{i}\[8\] = {{(.*?)}}", ptx)
        assert tuple(map(int, found.split(",")))[::4] == expected, text


def constants(ptx):
    """What stands in each out_SEED."""
    answers = {}
    for seed, values in re.findall(r"out_(\d+)\[16\] = \{(.*?)\}", ptx):
        listed = [int(value) for value in values.split(",")]
        answers[int(seed)] = bytes(listed + [0] * (16 - len(listed)))
    return answers


def by_nvcc(forms, folder):
    """The constants that nvcc makes; a form that is wrong for it has none."""
    (folder / "k.cu").write_text(alignment_forms.source(forms))
    done = subprocess.run(["nvcc", "-w", "-std=c++17", "-arch=compute_90", "-ptx", folder / "k.cu", "-o", folder / "k.ptx"],
                          capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return constants((folder / "k.ptx").read_text())
    lines = alignment_forms.source(forms).splitlines()
    wrong = set()
    for line in re.findall(r"k\.cu\((\d+)\): (?:catastrophic )?error", done.stdout + done.stderr):
        starts = [found for text in lines[:int(line)] if (found := re.match(r"namespace n(\d+) ", text))]
        wrong.add(int(starts[-1][1]))
    if not wrong:  # nvcc itself falls over one of them
        half = len(forms) // 2
        parts = [dict(list(forms.items())[:half]), dict(list(forms.items())[half:])]
        return {} if not half else by_nvcc(parts[0], folder) | by_nvcc(parts[1], folder)
    return by_nvcc({seed: text for seed, text in forms.items() if seed not in wrong}, folder)


@pytest.mark.parametrize("name", ["nvrtc"] if works() else [])
def test_no_alignment_means_something_else(name, tmp_path):
    """Every form is as with nvcc, or refused: never another layout."""
    count = 5000 if os.environ.get("PYCUDA_TESTS_WIDE") else 100
    forms = {seed: alignment_forms.some_form(seed) for seed in range(count)}
    try:
        expected = by_nvcc(forms, tmp_path)
    except FileNotFoundError:
        pytest.skip("there is no nvcc to compare with")
    same = 0
    for seed, text in forms.items():
        try:
            ptx = compiler.compile(alignment_forms.source({seed: text}), nvcc=name, target="ptx", arch="compute_90",
                                   no_extern_c=True, options=["-w"], cache_dir=False).decode()
        except drv.CompileError:
            continue
        if seed in expected:
            assert constants(ptx) == {seed: expected[seed]}, text
            same += 1
    assert same > 0.5 * len(expected)


@pytest.mark.parametrize("name", ["nvrtc"] if works() else [])
def test_what_is_predefined_is_what_nvcc_has(name):
    lines = [f'#if {text}\nextern "C" __device__ const int out_{i} = 7;\n#endif' for i, text in enumerate(PREDEFINED)]
    ptx = compiler.compile("\n".join(lines), nvcc=name, target="ptx", arch="compute_90", no_extern_c=True).decode()
    for i, (text, expected) in enumerate(PREDEFINED.items()):
        assert (f"out_{i} = 7" in ptx) == expected, text
    fast = compiler.compile("\n".join(lines), nvcc=name, target="ptx", arch="compute_90", no_extern_c=True,
                            options=["-use_fast_math"]).decode()
    assert f"out_{list(PREDEFINED).index('defined(__USE_FAST_MATH__)')} = 7" in fast


@pytest.mark.parametrize("name", ["nvrtc"] if works() else [])
@pytest.mark.parametrize("source", ["struct __align__(2) T { int v; };", "struct T { __align__(2) float2 v; };",
                                    "#define A __attribute__((aligned(4)))\nstruct T { A double v; };"])
def test_an_alignment_below_the_types_own_is_refused(name, source):
    with pytest.raises(drv.CompileError) as caught:
        compiler.compile(source, nvcc=name, no_extern_c=True)
    assert "alignment cannot be set to less than the default alignment" in caught.value.stderr


@pytest.mark.parametrize("name", ["nvrtc"] if works() else [])
def test_nothing_is_included_from_where_we_are(name, tmp_path, monkeypatch):
    (tmp_path / "here.h").write_text("#define X 1")
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings(), pytest.raises(drv.CompileError, match=r"here\.h"):
        compiler.compile('#include "here.h"', nvcc=name, no_extern_c=True)
