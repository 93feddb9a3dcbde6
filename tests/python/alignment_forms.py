"""Declarations of a type T with an alignment: every place where one may stand, for a class, its members,
and other names of types, around types of several alignments of their own; plain or by a macro."""

import random

PLACES = [
    "struct T {{ char c; {A} {X} m; char d; }};", "struct T {{ char c; {X} {A} m; char d; }};",
    "struct T {{ char c; const {A} {X} m; char d; }};", "struct T {{ char c; {X} m {A}; char d; }};",
    "struct T {{ char c; {X} m[3] {A}; char d; }};", "struct T {{ char c; {A} {X} m[3]; char d; }};",
    "struct T {{ char c; {A} {X} m, n; char d; }};", "struct T {{ char c; {X} m {A}, n; char d; }};",
    "struct T {{ char c; {X} {A} *m; char d; }};", "struct T {{ char c; {X} * {A} m; char d; }};",
    "struct T {{ char c; mutable {A} {X} m; char d; }};", "struct T {{ {A} static {X} m; char d; }};",
    "struct T {{ char c; {A} int m : 5; char d; }};", "struct T {{ char c; int m : 5 {A}; char d; }};",
    "struct {A} T {{ {X} m; char d; }};", "{A} struct T {{ {X} m; }};", "struct T {{ {X} m; char d; }} {A};",
    "typedef {A} struct {{ {X} m; }} T;", "typedef struct {{ {X} m; char d; }} {A} T;",
    "typedef struct {{ {X} m; char d; }} T {A};", "struct T {{ {X} m; char d; }} {A} v;",
    "union {A} T {{ {X} m; char d[3]; }};", "typedef {A} {X} T;", "typedef {X} T {A};", "typedef {X} T[3] {A};",
    "typedef {X} I {A}; struct T {{ char c; I m; char d; }};", "typedef {X} I {A}; typedef I T[3];",
    "using T {A} = {X};", "using I = {X} {A}; struct T {{ char c; I m; char d; }};",
    "struct {A} T; struct T {{ {X} m; char d; }};", "struct T {{ {X} m; char d; }}; struct {A} T;",
    "struct T {{ char c; struct {A} {{ {X} m; char e; }}; char d; }};",
    "struct T {{ char c; union {{ {X} m; char e; }} {A}; char d; }};",
    "struct T {{ char c; struct {{ {X} m; char e; }} {A} in; char d; }};",
    "struct T {{ char c; struct {{ {X} m; char e; }} in {A}; char d; }};",
    "struct T {{ char c; {A} struct {{ {X} m; char e; }} in; char d; }};",
    "template <class Y> struct {A} U {{ Y m; char d; }}; typedef U<{X}> T;",
    "template <class Y> struct U {{ Y m; char d; }} {A}; typedef U<{X}> T;",
    "template <class Y> struct U {{ char c; Y m {A}; char d; }}; typedef U<{X}> T;",
    "struct S {{ {X} m; }}; struct {A} T : S {{ char d; }};", "struct {A} T final {{ {X} m; char d; }};",
    "struct S {{ {X} m; }}; struct T : S {{ char d; {A} char e; }};", "enum {A} T : short {{ V }};",
    "enum T {{ V }} {A};", "typedef enum {{ V }} {A} T;", "{A} __device__ {X} t; typedef decltype(t) T;",
    "_Pragma(\"pack(push, 2)\") struct {A} T {{ char c; {X} m; }}; _Pragma(\"pack(pop)\")",
    "struct __attribute__((packed)) T {{ char c; {A} {X} m; char d; }};",
    "struct {A} __align__(4) T {{ {X} m; char d; }};", "struct S {{ {X} m; char d; }}; typedef struct S {A} T;",
    "struct S {{ {X} m; }}; struct T {{ char c; struct {A} S m; char d; }};",
]
TYPES = ["char", "int", "float2", "float3", "float4", "B16", "Q", "void *"]
COMMON = "struct __align__(16) B16 { int a; }; struct Q { int i; char c; };\n"
ATTRIBUTES = ["__align__({n})"] * 4 + [
    "__attribute__((aligned({n})))", "__attribute__((__aligned__({n})))", "alignas({n})", "[[gnu::aligned({n})]]",
    "__attribute__((packed, aligned({n})))", "__attribute__((packed))", "__attribute__((aligned))",
    "__attribute__((vector_size(16)))", "__attribute__((packed)) __align__({n})", "__builtin_align__({n})"]
MACROS = [  # a definition, and what the attribute {a} or the word struct becomes
    ("", "{a}", None), ("", "{a}", None), ("#define AL{k} {a}", "AL{k}", None),
    ("#define AL{k}(n) {a}", "AL{k}(0)", None), ("#define A{k} B{k}\n#define B{k} {a}", "A{k}", None),
    ("#define ST{k} struct", "{a}", "ST{k}"), ("#define AT{k}(x) __attribute__((x))", "AT{k}(aligned({n}))", None),
    ("#ifdef NOT\n#define AL{k}\n#else\n#define AL{k} {a}\n#endif", "AL{k}", None)]


def some_form(seed):
    """Source text that declares T."""
    r = random.Random(seed)
    n = r.choice([1, 2, 4, 8, 16, 32])
    attribute = r.choice(ATTRIBUTES).format(n=n)
    define, use, key = r.choice(MACROS)
    text = r.choice(PLACES).format(A=use.format(a=attribute, k=seed, n=n), X=r.choice(TYPES))
    if key:
        text = text.replace("struct ", key.format(k=seed) + " ")
    return define.format(a=attribute, k=seed) + "\n" + text


def source(forms):
    """Constants out_SEED: size and alignment of T, and of a struct that holds one."""
    parts = [f'namespace n{seed} {{\n{text}\nstruct W {{ char c; T t; char e; }}; extern "C" __device__ const unsigned '
             f"out_{seed}[] = {{(unsigned)sizeof(T), (unsigned)alignof(T), (unsigned)sizeof(W), (unsigned)alignof(W)}}; }}\n"
             for seed, text in forms.items()]
    return COMMON + "".join(parts)
