"""NVRTC stands in for nvcc: the same source means the same. Sizes and alignments are those of nvcc 13,
which follows GCC's rule: an attribute behind the body of a class is of the class."""

import random
import re
import warnings

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
MOVED = [
    ("struct { int v; } __align__(8) x;", "struct alignas ( 8 ) { int v; } x;"),
    (f"struct {{ int v; }} {A} x;", "struct alignas ( 8 ) { int v; } x;"),
    (f"typedef union T {{ int v; }} {A} U;", "typedef union alignas ( 8 ) T { int v; } U;"),
    ("struct T : B<(2)> { int v; } __align__(8);", "struct alignas ( 8 ) T : B<(2)> { int v; } ;"),
    ("struct { struct { int v; } __align__(8) in; } __align__(16) x;",
     "struct alignas ( 16 ) { struct alignas ( 8 ) { int v; } in; } x;"),
    ("struct __align__(8) T { };", "struct alignas ( 8 ) T { };"),
    ("struct {\n} __align__( // eight\n 8) x;", "struct alignas ( 8 ) { } x;"),
    ("struct { } __attribute__((packed)) x;", "struct __attribute__ ( ( packed ) ) { } x;"),
    ("struct { } __attribute__((packed)) __align__(4) x;",
     "struct __attribute__ ( ( packed ) ) __align__ ( 4 ) { } x;"),
    ("template <class X> struct T { } __align__(8);", "template <class X> struct alignas ( 8 ) T { } ;"),
    ("enum { A } __attribute__((packed));", "enum __attribute__ ( ( packed ) ) { A } ;"),
    ("#define AL(n) __align__(n)\nstruct { } AL(8) x;",
     "#define AL(n) __align__(n) struct AL ( 8 ) { } x;"),
    ("#define S(n) struct { int v; } \\\n __align__(n)\nS(8) x;",
     "#define S(n) struct alignas ( n ) { int v; } \\ S(8) x;"),
    ("class { } /* a } */ __align__(8) x; // } __align__(4)",
     "class alignas ( 8 ) { } /* a } */ x; // } __align__(4)"),
]
KEPT = [
    "enum { A } __align__(8) x;", "struct T { } x;", "int x __align__(8);",
    "struct T f() { } __align__(8) int x;", "void f() { } __attribute__((unused)) int x;",
    "struct T x = { } __align__(8);", 'char *s = "struct { } __align__(8) x;";',
    "const char *s = R\"(struct { } __align__(8) x;)\";", "// struct { } __align__(8) x;",
    "struct T { int v __align__(8); };", "struct T; __align__(8) int x; struct T *p;",
    "namespace n { } __align__(8) int x;", "template <class T> void f() { } __align__(8) int x;",
    "int x = 1'000'000; // '", "#define X }} __align__(8) x", "}}} __align__(8) x;", "struct { __align__(8",
]


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
        text = compiler.compile("// PTX\n" + source, nvcc="nvrtc", target="ptx", no_extern_c=True,
                                cache_dir=False).rstrip(b"\0").decode()
        if len(text.encode()) < 250:
            assert text.count("\n") == source.count("\n") + 2
            if "__a" not in source:
                assert text == f"PTX\n{source}\n"


@pytest.mark.parametrize("text, why", [
    ("struct { int v; } __align__(8) x;", "an attribute stands behind the body of a class"),
    ("\ufeff#define N 1", "it begins with a byte order mark"),
], ids=["attribute", "mark"])
@pytest.mark.parametrize("nvcc", [False, True])
def test_a_header_that_is_not_for_nvrtc(fake_nvrtc, monkeypatch, tmp_path, nvcc, text, why):
    """NVRTC reads it from the disk, so nvcc has to do the work, or nobody."""
    (tmp_path / "a.h").write_text(text)
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.setenv(name, "/nonexistent")
    source = '#include "a.h"\n__global__ void f() {}'
    if nvcc:
        (tmp_path / "nvcc").write_text('#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || image=$2; shift; '
                                       "done\necho by nvcc >$image\n")
        (tmp_path / "nvcc").chmod(0o755)
        assert compiler.compile(source, target="ptx", include_dirs=[tmp_path]) == b"by nvcc\n"
    else:
        with pytest.raises(drv.CompileError, match=rf"{tmp_path}/a\.h: {why}"):
            compiler.compile(source, nvcc="nvrtc", target="ptx", include_dirs=[tmp_path])


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
def test_an_alignment_below_the_classes_own_is_refused(name):
    with pytest.raises(drv.CompileError) as caught:
        compiler.compile("struct __align__(2) T { int v; };", nvcc=name, no_extern_c=True)
    assert "alignment cannot be set to less than the default alignment" in caught.value.stderr


@pytest.mark.parametrize("name", ["nvrtc"] if works() else [])
def test_nothing_is_included_from_where_we_are(name, tmp_path, monkeypatch):
    (tmp_path / "here.h").write_text("#define X 1")
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings(), pytest.raises(drv.CompileError, match=r"here\.h"):
        compiler.compile('#include "here.h"', nvcc=name, no_extern_c=True)
