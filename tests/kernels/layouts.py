"""How structs lie in memory: sizes, alignments, offsets and bits, as hostcc, nvcc and NVRTC say.

``python layouts.py [COUNT]`` compares hostcc with a CUDA toolkit's nvcc, and with NVRTC if asked by
``--nvrtc``, over the structs of STRUCTS, all in the corpus of kernels, and COUNT random ones. Nothing
runs on a GPU: the numbers are constants of the PTX. test_layouts.py runs hostcc against numbers that
follow from the Itanium C++ ABI.
"""

import argparse
import ctypes
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import corpus
import numpy as np

NVRTC = None  # the path of its library

# Name: (declaration of S, expressions about it, their values by the rules of the Itanium C++ ABI).
STRUCTS = {
    "aligned behind the brace": (
        ("typedef struct A_ { int n; } __attribute__((aligned(16))) A; "
         "typedef struct { int v; short w; A n; } __align__(32) S;"),
        {"sizeof(S)": 32, "alignof(S)": 32, "offsetof(S, n)": 16, "sizeof(A)": 16}),
    "aligned before the name": ("struct __align__(16) S { int a; char b; };",
                                {"sizeof(S)": 16, "alignof(S)": 16, "offsetof(S, b)": 4}),
    "alignas before the name": ("struct alignas(8) S { char a; };", {"sizeof(S)": 8, "alignof(S)": 8}),
    "an aligned member": ("struct S { char a; __align__(8) char b; char c; };",
                          {"sizeof(S)": 16, "alignof(S)": 8, "offsetof(S, b)": 8, "offsetof(S, c)": 9}),
    "a member aligned behind": ("struct S { char a; short b __attribute__((aligned(16))); };",
                                {"sizeof(S)": 32, "alignof(S)": 16, "offsetof(S, b)": 16}),
    "an aligned typedef": ("typedef int I __attribute__((aligned(32))); struct S { char a; I b; };",
                           {"sizeof(S)": 64, "offsetof(S, b)": 32, "alignof(S)": 32}),
    "an array of aligned": ("struct __align__(8) E { int a; }; struct S { char c; E e[3]; };",
                            {"sizeof(S)": 32, "offsetof(S, e)": 8, "sizeof(E)": 8}),
    "packed": ("struct __attribute__((packed)) S { char a; double b; short c; };",
               {"sizeof(S)": 11, "alignof(S)": 1, "offsetof(S, b)": 1, "offsetof(S, c)": 9}),
    "packed within": ("struct __attribute__((packed)) P { char a; int b; }; struct S { char c; P p; int d; };",
                      {"sizeof(S)": 12, "alignof(S)": 4, "offsetof(S, p)": 1, "offsetof(S, d)": 8}),
    "an empty base": ("struct E {}; struct S : E { int a; };", {"sizeof(S)": 4, "sizeof(E)": 1}),
    "an empty member": ("struct E {}; struct S { E e; int a; };", {"sizeof(S)": 8, "offsetof(S, a)": 4}),
    "the tail of a base": ("struct B { __device__ B(); int a; char b; }; struct S : B { char c; };", {"sizeof(S)": 8, "sizeof(B)": 8}),
    "the tail of a C struct": ("struct B { int a; char b; }; struct S : B { char c; };", {"sizeof(S)": 12, "sizeof(B)": 8}),
    "virtual": ("struct S { virtual __device__ void f(); int a; };", {"sizeof(S)": 16, "alignof(S)": 8}),
    "bits of one unit": ("struct S { unsigned a : 5; unsigned b : 20; unsigned c : 7; };", {"sizeof(S)": 4, "alignof(S)": 4}),
    "bits beside a byte": ("struct S { unsigned a : 20; unsigned char b; };", {"sizeof(S)": 4, "offsetof(S, b)": 3}),
    "40 bits": ("struct S { unsigned long long a : 40; short b; };",
                {"sizeof(S)": 8, "alignof(S)": 8, "offsetof(S, b)": 6}),
    "bits of two types": ("struct S { char a : 4; int b : 20; short c; };",
                          {"sizeof(S)": 8, "alignof(S)": 4, "offsetof(S, c)": 4}),
    "bits that end": ("struct S { int a : 3; int : 0; int b : 3; char c; };", {"sizeof(S)": 8, "offsetof(S, c)": 5}),
    "packed bits": ("struct __attribute__((packed)) S { int a : 12; int b : 21; char c; };",
                    {"sizeof(S)": 6, "alignof(S)": 1, "offsetof(S, c)": 5}),
    "a union": ("union S { char a[5]; short b; };", {"sizeof(S)": 6, "alignof(S)": 2}),
    "a union within": ("struct S { char a; union { double b; char c[9]; }; char d; };",
                       {"sizeof(S)": 32, "offsetof(S, b)": 8, "offsetof(S, d)": 24}),
    "vectors": ("struct S { char a; float3 b; float4 c; double2 d; char2 e; };",
                {"sizeof(S)": 64, "alignof(S)": 16, "offsetof(S, b)": 4, "offsetof(S, c)": 16, "offsetof(S, d)": 32,
                 "offsetof(S, e)": 48}),
    "small vectors": ("struct S { char a; uchar4 b; short2 c; uchar3 d; long2 e; };",
                      {"sizeof(S)": 32, "offsetof(S, b)": 4, "offsetof(S, c)": 8, "offsetof(S, d)": 12, "offsetof(S, e)": 16}),
}
TYPES = ["char", "short", "int", "long long", "float", "double", "bool", "uchar4", "float2", "float3", "float4", "double2",
         "short3", "E", "P", "B", "void *", "long"]
COMMON = ("struct E {}; struct __attribute__((packed)) P { char a; int b; }; "
          "struct __align__(16) B { int a; char b; };")
ALIGNED = ["__align__({})", "alignas({})", "__attribute__((aligned({})))"]


def some_struct(seed):
    """(declaration, expressions) of a random struct or union."""
    r = random.Random(seed)
    lines, names = [], []

    def aligned(chance, forms=ALIGNED):
        return r.choice(forms).format(r.choice([1, 2, 4, 8, 16, 32])) + " " if r.random() < chance else ""

    for k in range(r.randint(1, 6)):
        kind, name = r.choice(TYPES), f"m{k}"
        if kind in ("char", "short", "int", "long long", "bool", "long") and r.random() < 0.4:
            bits = {"bool": 1, "char": 8, "short": 16, "int": 32}.get(kind, 64)
            unsigned = r.choice(["", "unsigned "]) if kind != "bool" else ""
            lines.append(f"{unsigned}{kind} {name} : {r.randint(1, bits)};" if r.random() < 0.9 else f"{kind} : 0;")
            continue
        least = {"char": 1, "bool": 1, "E": 1, "P": 1}.get(kind)
        before = aligned(0.15, [ALIGNED[0], ALIGNED[2]] if least is None else ALIGNED) if kind not in ("E", "P", "B") else ""
        if "alignas" in before and least is None:
            before = ""
        lines.append(f"{before}{kind} {name}{r.choice(['', '', '', '[2]', '[3]'])};")
        names.append(name)
    key = r.choice(["struct", "struct", "struct", "union"])
    base = f" : {r.choice(['E', 'P', 'B'])}" if key == "struct" and r.random() < 0.2 else ""
    front = aligned(0.2, [ALIGNED[0], ALIGNED[2]])
    packed = "__attribute__((packed)) " if r.random() < 0.15 else ""
    body = f"{{ {' '.join(lines)} }}"
    if r.random() < 0.3 and not base:
        text = f"typedef {key} {packed}{front}{body} {aligned(0.8, [ALIGNED[0], ALIGNED[2]])}S;"
    else:
        text = f"{key} {packed}{front}S{base} {body};"
    return f"{COMMON} {text}", ["sizeof(S)", "alignof(S)", *[f"offsetof(S, {name})" for name in names]]


def source(structs):
    """A kernel for each struct that stores the numbers, in a namespace with it if there are several."""
    parts = ["#undef offsetof\n#define offsetof(type, member) ((unsigned long long)&((type *)0)->member)\n"]
    for k, (text, asked) in enumerate(structs):
        stores = " ".join(f"y[{n}] = {what};" for n, what in enumerate(asked))
        kernel = f'extern "C" __global__ void answer_{k}(volatile unsigned long long *y) {{ {stores} }}'
        parts.append(f"namespace n{k} {{ {text}\n{kernel} }}\n" if len(structs) > 1 else f"{text}\n{kernel}\n")
    return "".join(parts)


def of_ptx(ptx):
    """The numbers that each kernel stores."""
    answers = []
    for body in re.split(r"\.visible \.entry answer_", ptx)[1:]:
        registers = dict(re.findall(r"mov\.\w+\s+(%rd\d+), (\d+);", body))
        stores = re.findall(r"st\.volatile\.global\.\w+\s+\[%rd\d+(?:\+(\d+))?\], (%rd\d+|\d+);", body)
        values = {int(at or 0) // 8: int(registers.get(value, value)) for at, value in stores}
        answers.append((int(re.match(r"\d+", body)[0]), [values[n] for n in range(len(values))]))
    return [values for _, values in sorted(answers)]


def device_answers(structs):
    """What the device of PYCUDA_DRIVER says by running."""
    import pycuda.driver as cuda
    from pycuda.compiler import SourceModule

    cuda.init()
    context = cuda.Device(0).make_context()
    try:
        module = SourceModule(source(structs), options=["-std=c++17", "-w"], no_extern_c=True)
        answers = []
        for k, (_, asked) in enumerate(structs):
            answers.append(np.empty(len(asked), np.uint64))
            module.get_function(f"answer_{k}")(cuda.Out(answers[-1]), block=(1, 1, 1))
        return [answer.tolist() for answer in answers]
    finally:
        context.pop()


def nvcc_answers(structs):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.cu"
        path.write_text(source(structs))
        made = path.with_suffix(".ptx")
        subprocess.run(["nvcc", "-std=c++17", "-w", "-arch=sm_75", "-ptx", path, "-o", made], check=True)
        return of_ptx(made.read_text())


def nvrtc_answers(structs):
    library = ctypes.CDLL("libnvrtc.so.13" if not NVRTC else NVRTC)
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    library.nvrtcCreateProgram(ctypes.byref(program), source(structs).encode(), b"k.cu", 0, None, None)
    options = (ctypes.c_char_p * 3)(b"-std=c++17", b"-w", b"-arch=compute_75")
    status = library.nvrtcCompileProgram(program, 3, options)
    kind = "PTX" if status == 0 else "ProgramLog"
    getattr(library, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{kind}")(program, text)
    if status:
        raise RuntimeError(text.value.decode())
    return of_ptx(text.value.decode())


def of_corpus():
    """(case, what to ask of its structs) of each file of the corpus that has some outside of namespaces."""
    for case in corpus.cases():
        names = re.findall(r"^(?:struct|union)\s+(?:__align__\(\d+\)\s+)?(\w+)\s*(?::[^{;]*)?\{", case.source, re.MULTILINE)
        names = [n for n in names if not re.search(rf"template[^;{{]*\s(?:struct|union)\s+{n}\b", case.source)]
        named = re.search(r"^\s*namespace \w+\s*\{", case.source, re.MULTILINE)
        if names and not named and not case.has("error") and not case.has("host"):
            yield case, [what for name in names for what in (f"sizeof({name})", f"alignof({name})")]


def main():
    global NVRTC
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("count", type=int, nargs="?", default=300)
    options.add_argument("--first", type=int, default=0, help="the first random struct")
    options.add_argument("--nvrtc", help="path of a toolkit's libnvrtc")
    chosen = options.parse_args()
    NVRTC = chosen.nvrtc
    sides = {"hostcc": device_answers, "nvcc": nvcc_answers} | ({"NVRTC": nvrtc_answers} if NVRTC else {})
    structs = [(text, list(asked)) for text, asked in STRUCTS.values()]
    structs += [some_struct(seed) for seed in range(chosen.first, chosen.first + chosen.count)]
    different = compared = 0
    groups = [structs[k:k + 100] for k in range(0, len(structs), 100)]
    groups += [[(case.source, asked)] for case, asked in of_corpus()]
    for group in groups:
        said = {name: answers(group) for name, answers in sides.items()}
        for k, (text, asked) in enumerate(group):
            compared += 1
            answers = {name: dict(zip(asked, said[name][k], strict=True)) for name in sides}
            if len({str(answer) for answer in answers.values()}) > 1:
                different += 1
                print(text, *[f"{name}: {answer}" for name, answer in answers.items()], sep="\n    ")
    print(f"{compared} structs or kernels, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
