"""Random CUDA kernels that have one right answer.

A kernel is a tree: a list of statements, each a list of strings and nested lists of statements, so
that a minimizer can cut it. What is undefined in C++ or CUDA never occurs: arithmetic that could
overflow is unsigned, shifts are masked, divisors are tested, every loop has a bound, barriers and
full-mask warp functions stand only where all living threads come, lanes read are lanes that exist.
What threads do together, and the memory they do it in, is in together.py.
"""

import random
import re

from copies import Copies
from together import INTEGERS, SLOTS, Together
from waiting import Waiting

HEAD = """\
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
struct pair { u32 x; i16 y; u8 z, w; };
struct bits { u32 low : 5; i32 middle : 11; u32 high : 16; };
union word { u32 all; u16 half[2]; u8 byte[4]; };
__constant__ u32 table[64] = {""" + ", ".join(f"{k * k * 2654435761 % 2**32}u" for k in range(64)) + """};
static __device__ pair turned(pair p, u32 k)
{
    pair r = {p.x * 5u + k, (i16)(p.y ^ k), p.w, (u8)(p.z + k)};
    return r;
}
static __device__ __noinline__ pair swapped(pair p, pair *to)
{
    pair r = *to;
    *to = p;
    return r;
}
struct parcel { u32 v[4]; u16 w[3]; u8 z[2]; };
static __device__ parcel chosen(parcel p, u32 k)
{
    parcel r = p, s = p;
    r.v[k & 3] += k;
    s.w[k % 3] ^= (u16)k;
    if (k & 4)
        return r;
    return s;
}
static __device__ parcel one_of(const parcel *p, u32 k)
{
    parcel all[3];
    for (u32 i = 0; i < 3; i++) {
        all[i] = p[(i + k) % 3];
        all[i].v[(i + k) & 3] += k;
    }
    return all[(k >> 3) % 3];
}
static __device__ parcel parcel_of(u32 k, parcel p)
{
    parcel r;
    for (u32 j = 0; j < 4; j++)
        r.v[(j + k) & 3] = j * k;
    for (u32 j = 0; j < 3; j++)
        r.w[(j + k) % 3] = (u16)(j * k + 1);
    r.z[k & 1] = (u8)k;
    r.z[~k & 1] = 6;
    return k % 5 ? r : p;
}
struct bytes { u8 b[16]; };
static __device__ void copied(void *to, const void *from)
{
    bytes between = *(const bytes *)from;
    *(bytes *)to = between;
}
static __device__ parcel deep(parcel p, u32 k)
{
    if (k & 3)
        return deep(chosen(p, k), k - 1);
    parcel r = p;
    u8 *to = (u8 *)&r + 7;
    bytes kept;
    {
        u32 part[4];
        for (u32 j = 0; j < 4; j++)
            part[(j + k / 4) & 3] = p.v[j] + k;
        copied(&kept, part);
    }
    copied(to, &kept);
    return r;
}
struct row { u32 v[3]; u8 n; };
static __device__ row grown(row s, u32 k)
{
    if (!(k & 3))
        return s;
    s.v[k % 3] += k;
    s.n++;
    return grown(s, k - 1);
}
static __device__ row turned_row(row s, u32 k)
{
    row r = {{s.v[1], s.v[2], s.v[0] ^ k}, (u8)k};
    return r;
}
#ifndef EMULATED
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
typedef unsigned _BitInt(24) u24;
typedef unsigned _BitInt(40) u40;
typedef _BitInt(17) i17;
typedef _BitInt(56) i56;
template <class I, class F> static __device__ I cut(F v) { return (I)v; }
#define DYNAMIC(type, name) extern __shared__ type name[]
#define SPIN ;
#ifdef AT_ADDRESSES
#define WRAPS(index) ((i32)(index))
#else
#define WRAPS(index) (index)
#endif
#endif
static __device__ void await_turn(volatile u32 *turn, u32 mine)
{
    while (true) {
        if (*turn == mine)
            return;
        SPIN
    }
}
static __device__ __noinline__ void await_there(volatile u32 *turn, u32 mine)
{
    while (*turn != mine)
        SPIN
}
"""
TYPES = {"xu": "const u32 *", "xs": "const i16 *", "xf": "const float *", "xd": "const double *",
         "out": "u64 *", "fout": "double *", "sums": "u32 *", "rows": "u64 *", "n": "int ", "p": "int ",
         "q": "u32 "}
INPUTS = "const u32 *xu, const i16 *xs, const float *xf, const double *xd, int p, u32 q, u32 *r"
INPUT = 256  # elements that any number finds in an input, a power of two
LONG = 65536  # elements of each input
# Other types that inputs are read as: the input, elements, members.
VIEWS = {"uint4": ("xu", LONG // 4, "xyzw"), "pair": ("xu", LONG // 2, "xyzw"), "uchar4": ("xu", LONG, "xyzw"),
         "short2": ("xs", LONG // 2, "xy"), "uint2": ("xu", LONG // 2, "xy")}
# What a kernel may have besides: declarations, and the places in them that hold a number, with its
# type; {4} stands for an index below 4.
EXTRAS = {
    "struct": ("pair pr = {a, (i16)b, e, (u8)f}, pa[4] = {pr, turned(pr, 1), turned(pr, 2), pr};",
               {"pr.x": "u32", "pr.y": "i16", "pr.z": "u8", "pa[{4}].x": "u32", "pa[{4}].y": "i16",
                "pa[{4}].w": "u8"}),
    "row": ("row ro = {{a, 2, (u32)b}, e};", {"ro.v[{2}]": "u32", "ro.n": "u8"}),
    "bits": ("bits bf = {a, b, g}; word un = {a};",
             {"bf.low": "u32", "bf.middle": "i32", "bf.high": "u32", "un.byte[{4}]": "u8",
              "un.half[{2}]": "u16", "un.all": "u32"}),
    "arrays": ("u64 lb[3] = {c, 1, c + 1}; i8 lc[16]; for (u32 k = 0; k < 16; k++) lc[k] = (i8)(a >> k);",
               {"lb[{2}]": "u64", "lc[{16}]": "i8"}),
    "pointer": ("u32 *pu = &a; const u32 *px = xu + 3;", {"*pu": "u32"}),
    "odd": ("u24 ou[4] = {(u24)a, 1, (u24)c, 3}; u40 ow = (u40)c; i17 oi = (i17)b; i56 od[2] = {(i56)d, -1};",
            {"ou[{4}]": "u24", "ow": "u40", "oi": "i17", "od[{2}]": "i56"}),
    "bytes": ("""u8 by[48]; for (u32 k = 0; k < 48; k++) by[k] = (u8)(a >> k % 27);
        parcel pk = parcel_of(a, {{a, 2, 3, a}, {1, 2, 3}, {4, 5}}), pks[3] = {pk, pk, chosen(pk, a)};""",
              {"by[{32}]": "u8", "pk.v[{4}]": "u32", "pk.w[{2}]": "u16", "pk.z[{2}]": "u8", "pks[{2}].v[{4}]": "u32",
               "pks[2].w[{2}]": "u16", "pks[1].z[{2}]": "u8"}),
    "vector": ("uint4 qv = {a, a + 1, a * 3, 7};", {f"qv.{part}": "u32" for part in "xyzw"}),
}
STANDARD = {"u24": "u32", "u40": "u64", "i17": "i32", "i56": "i64"}
FLOATS = {"v": "float", "w": "double"}


def fields(r):
    """(declaration of struct S, its members with their types): up to four of at most 8 bytes, bit-fields
    of all widths and units among them."""
    lines, members = [], {}
    for k in range(r.randint(1, 4)):
        kind = r.choice(list(INTEGERS.values()))
        most = int(kind[1:])
        what = r.choice(["bits", "bits", "bits", "plain", "end"])
        if what == "end" and lines:
            lines.append(f"{kind} : 0;")
        width = f" : {r.choice([most, most - 1, r.randint(1, most), r.randint(1, most)])}" if what != "plain" else ""
        lines.append(f"{kind} m{k}{width};")
        members[f".m{k}"] = kind
    shape = r.choice(["", "", "", "__attribute__((packed)) ", "__attribute__((aligned(8))) "])
    return f"struct {shape}S {{ {' '.join(lines)} }};", members


CONSTANTS = ["0", "1", "2", "3", "7", "8", "31", "100", "255", "-1", "-7", "1000", "65535u",
             "0x80000000u", "0x7fffffff", "0xdeadbeefu", "0x123456789abcdefull", "-40000", "200u"]
FLOAT_CONSTANTS = ["0.0", "1.0", "-1.5", "0.1", "3.0", "1e10", "-1e-10", "123.456", "1e-42"]


class Maker(Together, Copies, Waiting):
    """Writes one kernel. Where a statement may stand decides what it may be: `uniform`: all living
    threads come here together; `loop`: break and continue have a target here; `depth`: nesting."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.size = self.r.choice([1, 1, 1, 2, 2, 3])  # how deep and how long
        self.name, self.halts = f"k{seed}", seed % 8 == 5  # no thread comes to where it turns for ever
        self.kind = self.r.choice(["plain", "plain", "stride", "block", "block", "warp", "warp"])
        self.has = self.r.sample(list(EXTRAS), self.r.choice([0, 1, 1, 2, 3]))
        self.places = {place: kind for name in self.has for place, kind in EXTRAS[name][1].items()}
        self.structure, self.members = fields(self.r)
        self.structured = self.r.random() < 0.4
        if self.structured:
            self.places |= {f"{of}{member}": kind for of in ("so", "sl[{4}]") for member, kind in self.members.items()}
        self.plan_memory()
        self.counters = []  # loop counters in scope: (name, uniform)
        self.functions = []  # names
        self.serial = 0
        self.room = 60  # statements until none is nested any more: compilers take time
        self.inside_function = False

    # --- expressions -------------------------------------------------------------------------

    def pick(self, **weighted):
        return self.r.choices(list(weighted), list(weighted.values()))[0]

    def variable(self):
        names = [*INTEGERS, *INTEGERS, "t", "i", "p", "q", *[name for name, _ in self.counters] * 3]
        return self.r.choice(names)

    def place(self):
        """(name, type) of one of the thread's places beyond its variables."""
        place, kind = self.r.choice([*self.places.items(), *self.own_place()])
        return re.sub(r"\{(\d+)\}", lambda m: f"({self.integer(0)}) & {int(m[1]) - 1}", place), kind

    def line(self):
        """An index that is evenly spaced from thread to thread, below LONG."""
        r = self.r
        add = r.choice([str(r.randint(0, 40)), "3u", *[f"(u32){name}" for name, _ in self.counters] * 2])
        start = r.choice(["i", "i", "t", "(T - 1 - t)"])
        step = r.choice(["", " * 2", " * 3", " * 4", " * 2u"])
        return r.choice([f"{start}{step} + {add}", f"(u64){start}{step} + {add}",
                         f"(i32)({start}{step}) + 50 - (i32){add}", f"(u16)({start}{step} - {add})",
                         f"(u8)({start} + {add})", f"(u16)({start} + q) & {r.choice([65535, 255, 127])}"])

    def clamped(self):
        """A neighbour's index as programs hold it inside, below LONG."""
        r = self.r
        kind = r.choice(["i32", "i32", "u32", "u32", "i64", "u64", "i16", "u16"])
        start = r.choice(["i", "i", "t", "(T - 1 - t)", "(i % 16)", "(t / 4)", "(t + q % 8)"])
        x = f"({kind})({start}{r.choice(['', '', '', ' * 2', ' * 3'])})"
        d, bound = r.choice([1, 1, 1, 2, 5, 40]), r.choice(["0", "1", "20", "n", "p", "(q & 31)", "(i32)(T - 1)"])
        bound = f"({kind})(({bound}) & 16383)"
        below, above = f"({kind})({x} - ({kind}){d})", f"({kind})({x} + ({kind}){d})"
        if kind[0] == "i":
            low = [f"max({below}, {bound})", f"({below} < 0 ? ({kind})0 : {below})",
                   f"max(min({r.choice([below, above])}, {bound}), ({kind})0)",
                   f"min(max({r.choice([below, above])}, ({kind})0), {bound})"]
        else:
            low = [f"({x} > {d}u ? {below} : ({kind})0)", f"({x} >= {d}u ? {below} : {bound})",
                   f"min({below}, {bound})", f"min({above}, {bound})"]
        high = [f"min({above}, {bound})", f"({x} < {bound} ? {above} : {x})", f"{x} + ({x} < {bound})",
                f"({x} == {bound} ? {x} : {above})", f"{x} - ({x} > {r.choice(['0', bound])})",
                f"({x} != {bound}) + {x}", f"({x} ? {x} - 1 : {bound})"]
        return f"({r.choice(['', '(u32)', '(i32)'])}({r.choice(low + high)}))"

    def neighbours(self):
        """Loads next to what is clamped, one or more of one clamp."""
        r, name, at = self.r, self.r.choice(["xu", "xs"]), self.clamped()
        view = r.choice(["pair", "uchar4", "short2", "uint2"])
        array, _, parts = VIEWS[view]
        return r.choice([f"{name}[{at}]", f"{name}[{at}]", f"{name}[{at} + 3]", f"xu[{at}] + (u32)xs[{at}]",
                         f"(u32){name}[{at}] * xu[{at} ^ 1]", f"xu[{at}] - xu[{at} * 2 + 1]",
                         f"(xu + ({at} >> 1))[{r.randint(0, 3)}] ^ xu[{at}]",
                         f"(u32){name}[{at}] + (u32){name}[{self.clamped()}]",
                         f"((const {view} *){array})[{at}].{r.choice(parts)}"])

    def load(self):
        """Of an input."""
        r, here = self.r, not self.inside_function
        what = self.pick(any=4, line=4 if here else 0, view=2 if here else 0, guarded=1, signed=0.5,
                         neighbours=3 if here else 0, pointer=2 if here and "pointer" in self.has else 0, table=1)
        name = r.choice(["xu", "xs"])
        if what == "line":
            return f"{name}[{self.line()}]"
        if what == "neighbours":
            return f"(u32)({self.neighbours()})"
        if what == "view":
            view = r.choice(list(VIEWS))
            name, size, parts = VIEWS[view]
            index = f"{self.index(256, 1)}" if r.random() < 0.3 else f"({self.line()}) & {size - 1}"
            if size == LONG or r.random() < 0.5:
                index = f"{r.choice('it')} + {r.randint(0, 9)}"
            return f"((const {view} *){name})[{index}].{r.choice(parts)}"
        if what == "guarded":
            index = f"(u32){self.variable()}"
            return f"({index} < {LONG}u ? (u32){name}[{index}] : 77u)"
        if what == "signed":
            return f"({name} + 32768)[(i16)({self.variable()} + {r.randint(0, 99)})]"
        if what == "pointer":
            return f"px[{self.index(INPUT, 0)}]"
        if what == "table":
            return f"table[{self.index(64, 1)}]"
        return f"{name}[{self.index(INPUT, 0)}]"

    def leaf(self):
        here = not self.inside_function
        what = self.pick(name=6, constant=3, load=3, local=1.5 if here else 0, place=3 if here else 0)
        if what == "name":
            return self.variable()
        if what == "constant":
            return self.r.choice(CONSTANTS)
        if what == "load":
            return self.load()
        if what == "place":
            place, kind = self.place()
            return f"({STANDARD.get(kind, kind)}){place}"  # compilers differ about the type of bit-fields
        place = f"((u32){self.variable()} {self.r.choice(['+', '*', '^', '>>'])} {self.r.randint(1, 9)}u)"
        return f"la[{place} & 7]"

    def index(self, size, depth):
        return f"(u32)({self.integer(depth)}) & {size - 1}"

    def integer(self, depth=2):
        if depth <= 0 or self.r.random() < 0.3:
            return self.leaf()
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        u = self.r.choice(["u32", "u32", "u64"])
        s = {"u32": "i32", "u64": "i64"}[u]
        bits = {"u32": 31, "u64": 63}[u]
        what = self.pick(arithmetic=8, signed=4, logic=4, shift=3, divide=2, compare=2, choose=3,
                         cast=3, bits=2, call=2 if self.functions else 0, convert=1, minmax=1)
        if what == "arithmetic":
            return f"(({u})({a}) {self.r.choice('+-*')} ({u})({b}))"
        if what == "signed":
            return f"({s})(({u})({a}) {self.r.choice('+-*')} ({u})({b}))"
        if what == "logic":
            return f"(({a}) {self.r.choice('&|^')} ({b}))"
        if what == "shift":
            k = f"(({b}) & {bits})"
            return self.r.choice([f"(({u})({a}) << {k})", f"(({u})({a}) >> {k})",
                                  f"(({s})({a}) >> {k})"])
        if what == "divide":
            op, c = self.r.choice("/%"), self.integer(0)
            if self.r.random() < 0.5:
                return f"(({u})({b}) ? ({u})({a}) {op} ({u})({b}) : ({u})({c}))"
            return f"(({s})({b}) > 0 ? ({s})({a}) {op} ({s})({b}) : ({s})({c}))"
        if what == "compare":
            return self.condition(depth - 1)
        if what == "choose":
            return f"({self.condition(depth - 1)} ? ({a}) : ({b}))"
        if what == "cast":
            return f"({self.r.choice(list(INTEGERS.values()))})({a})"
        if what == "bits":
            return self.r.choice([f"__popc((u32)({a}))", f"__clz((i32)({a}))",
                                  f"__ffs((i32)({a}))", f"__umulhi((u32)({a}), (u32)({b}))",
                                  f"(~({u})({a}))"])
        if what == "call":
            return self.call(a, b, "r" if self.inside_function else "&sink")
        if what == "minmax":
            return f"{self.r.choice(['min', 'max'])}(({s})({a}), ({s})({b}))"
        if self.r.random() < 0.5:
            return f"cut<{self.r.choice(['i32', 'u32'])}>({self.real(self.r.choice(list(FLOATS.values())), depth - 1)})"
        return f"(i32)fmin(fmax({self.real('double', depth - 1)}, -1e6), 1e6)"

    def call(self, a, b, to):
        """Functions only add to what `to` points to, so that calls may come in any order."""
        name = self.r.choice(self.functions)
        if len(self.functions) > 1 and self.r.random() < 0.5:
            name = f"({self.condition(0)} ? {self.functions[0]} : {self.functions[1]})"
        pair = "pair{(u32)(" + a + "), 5, 6, 7}"
        if "struct" in self.has and not self.inside_function:
            pair = self.r.choice(["pr", "pa[2]", f"pa[({self.variable()}) & 3]"])
        return f"{name}((u32)({a}), (i32)({b}), {pair}, (i8)({b}), xu, xs, xf, xd, p, q, {to})"

    def real(self, kind, depth=2):
        r, end = self.r, "f" if kind == "float" else ""
        if depth <= 0 or r.random() < 0.15:
            array = "xf" if kind == "float" else "xd"
            return r.choice([{"float": "v", "double": "w"}[kind], r.choice(FLOAT_CONSTANTS) + end,
                             f"{array}[{self.index(INPUT, 0)}]"])
        a, b = self.real(kind, depth - 1), self.real(kind, depth - 1)
        what = self.pick(arithmetic=8, function=2, choose=2, integer=2, other=2)
        if what == "arithmetic":
            return f"(({a}) {r.choice('+-*/')} ({b}))"
        if what == "function":
            return r.choice([f"sqrt{end}(fabs{end}({a}))", f"fabs{end}({a})", f"(-({a}))",
                             f"fma{end}({a}, {b}, {self.real(kind, 0)})", f"floor{end}({a})",
                             f"rint{end}({a})", f"trunc{end}({a})", f"ceil{end}({a})", f"copysign{end}({a}, {b})"])
        if what == "choose":
            return f"({self.condition(depth - 1)} ? ({a}) : ({b}))"
        if what == "integer":
            return f"({kind})({self.integer(depth - 1)})"
        return f"({kind})({self.real('float' if kind == 'double' else 'double', depth - 1)})"

    def inside(self):
        """Whether the thread lies inside of a tile or a grid, as programs with rows of threads ask."""
        r, terms = self.r, []
        for _ in range(r.randint(2, 5)):
            at = r.choice("xy")
            place = r.choice([f"(i32)threadIdx.{at}", f"(i32)(blockIdx.{at} * 12 + threadIdx.{at}) - 2",
                              f"(i32)threadIdx.{at} + p"])
            bound = r.choice(["0", "1", "2", "14", "15", "n", "p", "(i32)(q & 31)", "(i32)a", "(i32)xs[t]"])
            terms.append(f"{place} {r.choice(['<', '>', '>=', '>=', '<=', '!='])} {bound}")
        if r.random() < 0.2:
            terms.insert(r.randint(0, len(terms)), self.condition(0))
        return "(" + r.choice([" && ", " && ", " || "]).join(terms) + ")"

    def condition(self, depth=1):
        what = self.pick(compare=6, real=2, bit=3, both=2 if depth > 0 else 0, never=1,
                         inside=2.5 if depth > 0 and not self.inside_function else 0)
        if what == "inside":
            return self.inside()
        if what == "compare":
            op = self.r.choice(["<", ">", "<=", ">=", "==", "!="])
            return f"(({self.integer(depth)}) {op} ({self.integer(depth - 1)}))"
        if what == "real":
            kind = self.r.choice(list(FLOATS.values()))
            op = self.r.choice(["<", ">", "<=", ">=", "==", "!="])
            return f"{self.r.choice(['', '!'])}(({self.real(kind, depth - 1)}) {op} ({self.real(kind, depth - 1)}))"
        if what == "bit":
            return f"((({self.integer(depth)}) & {self.r.choice([1, 2, 4, 6, 64])}) != 0)"
        if what == "both":
            op = self.r.choice(["&&", "||"])
            return f"({self.condition(depth - 1)} {op} {self.condition(depth - 1)})"
        return f"(!({self.integer(depth)}))"

    def uniform(self, depth=2):
        """An unsigned value that all threads of a block agree on."""
        names = ["(u32)p", "q", "blockIdx.x", "gridDim.x", "5u", "3u"]
        names += [f"(u32){name}" for name, same in self.counters if same] * 2
        if depth <= 0:
            return self.r.choice(names)
        return f"({self.uniform(depth - 1)} {self.r.choice('+*^')} {self.uniform(depth - 1)})"

    # --- statements --------------------------------------------------------------------------

    def fresh(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def block(self, size, **where):
        return [self.statement(**where) for _ in range(self.r.randint(1, min(size, self.size + 1)))]

    def statement(self, uniform=False, loop=False, depth=0):
        self.room -= 1
        nested = 3 if depth < self.size and self.room > 0 else 0
        together = uniform and self.kind in ("block", "warp") and not self.inside_function
        here = not self.inside_function
        what = self.pick(
            assign=8, real=4, put=4 if here else 0, copy=3 if here and (self.has or self.structured) else 0,
            call=1.5 if here and self.functions else 0, branch=nested * 1.5, loop=nested, switch=nested * 0.5,
            leave=2 if loop else 0, give_up=0.6 if depth else 0, store=2 if here else 0,
            local=2 if here else 0, atomic=1.5 if here else 0, jump=0.7 if nested else 0,
            tangle=0.4 if nested else 0, exchange=9 if together else 0, same=2.5 if together and nested else 0,
            warp=9 if together and self.kind == "warp" else 0, wait=2 if together and self.kind == "warp" else 0,
            hold=0.8 if here else 0, bytes=5 if here and "bytes" in self.has else 0)
        where = {"uniform": uniform, "loop": loop, "depth": depth}
        return getattr(self, "make_" + what)(where)

    def make_assign(self, where):
        name, kind = self.r.choice(list(INTEGERS.items()))
        value = self.integer()
        if kind in ("u32", "u64") and self.r.random() < 0.4:
            return [f"{name} {self.r.choice(['+=', '-=', '*=', '^=', '|=', '&='])} ({kind})({value});"]
        if self.r.random() < 0.1:
            return [f"{name}++;"] if kind[0] == "u" or kind in ("i8", "i16") else [f"{name} ^= 1;"]
        return [f"{name} = ({kind})({value});"]

    def make_put(self, where):
        place, kind = self.place()
        if kind in ("u32", "u64") and "." not in place and self.r.random() < 0.4:
            return [f"{place} {self.r.choice(['+=', '*=', '^='])} ({kind})({self.integer()});"]
        return [f"{place} = ({kind})({self.integer()});"]

    def make_copy(self, where):
        """Whole structures, and pointers."""
        r, k = self.r, f"({self.integer(0)}) & 3"
        what = r.choice([*self.has, *["structure"] * self.structured])
        if what == "bytes":
            return self.make_bytes(where)
        if what == "structure":
            return [r.choice([f"so = sl[{k}];", f"sl[{k}] = so;", f"so = {self.condition()} ? so : sl[{k}];",
                              f"{{ S z = so; so = sl[{k}]; sl[{k}] = z; }}"])]
        one, other = r.sample(["pr", f"pa[{k}]", f"pa[({self.integer(0)}) & 1]", "pa[3]"], 2)
        if what == "struct":
            return [r.choice([f"{one} = {other};", f"{one} = turned({other}, (u32)({self.integer(1)}));",
                              f"{{ pair z = swapped({one}, &{other}); {one} = z; }}",  # GCC and clang differ on one line
                              f"{one} = {self.condition()} ? {one} : {other};",
                              f"{{ pair z = {one}; {one} = {other}; {other} = z; }}"])]
        if what == "pointer":
            to = r.choice(["&a", f"&la[{self.index(8, 1)}]", "&la[5]"])
            return [r.choice([f"pu = {to};", f"pu = {self.condition()} ? {to} : pu;", f"b = pu == {to};",
                              f"px = {self.condition()} ? px : xu + ({self.index(INPUT, 1)});",
                              f"px += {self.index(4, 1)};", f"c = (u64)(px - xu) * {r.randint(1, 9)}u;"])]
        if what == "row":
            function = r.choice(["grown", "turned_row", f"({self.condition()} ? grown : turned_row)"])
            return [f"ro = {function}(ro, (u32)({self.integer(1)}));"]
        if what == "vector":
            return [f"qv = ((const uint4 *)xu)[{r.choice(['i', 'i * 2', 't', self.index(256, 1)])}];"]
        if what == "odd":
            return [r.choice([f"ow = (u40){self.integer(1)};", f"ou[{k}] = ou[({self.integer(0)}) & 3];",
                              f"od[0] = {self.condition()} ? od[1] : od[0];"])]
        if what == "bits":
            return [f"un.all = (u32)({self.integer(1)});"]
        return [f"for (u32 k = 0; k < {r.choice([3, 8, 16])}; k++) lc[k] ^= (i8)({self.integer(1)} >> k);"]

    def make_call(self, where):
        name, kind = self.r.choice(list(INTEGERS.items()))
        to = self.r.choice([f"&la[{self.index(8, 1)}]", "&sink"])
        return [f"{name} = ({kind}){self.call(self.integer(1), self.integer(0), to)};"]

    def make_real(self, where):
        name, kind = self.r.choice(list(FLOATS.items()))
        return [f"{name} = {self.real(kind)};"]

    def inner(self, where, **change):
        return {**where, "uniform": False, "depth": where["depth"] + 1, **change}

    def make_branch(self, where):
        there = self.inner(where)
        test = self.condition()
        if not self.inside_function and self.r.random() < 0.15:
            test = f"{test} {self.r.choice(['&&', '||'])} ((sink = sink * 3 + 1) & 4) != 0"
        node = [f"if ({test}) {{", self.block(4, **there)]
        if self.r.random() < 0.5:
            node += ["} else {", self.block(4, **there)]
        return [*node, "}"]

    def make_loop(self, where):
        bound = (15, 7, 3, 3)[where["depth"]]
        there = self.inner(where, loop=True)
        k, here = self.fresh("k"), not self.inside_function
        what = self.pick(counted=4, down=1, forever=1, waiting=2, after=1, uneven=1.5)
        if what == "counted":
            limit = f"(({self.integer(2)}) & {bound})"
            step = self.r.choice(["++", "++", " += 2", " += 3"])
            kind = self.r.choice(["i32", "u32", "i16", "i64", "u8", "i8", "u64"])
            head = f"for ({kind} {k} = 0; {k} < ({kind}){limit}; {k}{step}) {{"
        elif what == "down":
            head = f"for (u32 {k} = ({self.integer(1)}) & {bound}; {k}-- > 0;) {{"
        elif what == "forever":
            head = f"for (i32 {k} = 0; {k} != {bound}; {k}++) {{"
        elif what == "uneven":  # long arithmetic, as often as each thread wants
            head = f"for (u32 {k} = 0, {k}e = (u32)({self.integer(1)}) & {2 * bound + 1}; {k} < {k}e; {k}++) {{"
        elif what == "waiting":
            head = f"for (i32 {k} = {bound}; {self.condition(1)} && {k} > 0; {k}--) {{"
        else:
            head = f"{{ i32 {k} = {bound}; do {{"
        self.counters.append((k, False))
        body = self.block(4, **there)
        if what == "uneven":
            body += [self.r.choice([self.make_assign, self.make_real, self.make_local])({}) if here else
                     self.make_assign({}) for _ in range(self.r.randint(3, 9))]
        self.counters.pop()
        if what == "after":
            return [head, body, f"}} while ({k}-- > 0 && {self.condition(1)}); }}"]
        return [head, body, "}"]

    def make_switch(self, where):
        there = self.inner(where)
        node = [f"switch (({self.integer(2)}) & 7) {{"]
        for label in self.r.sample(range(8), self.r.randint(2, 5)):
            node += [f"case {label}: {{", self.block(3, **there),
                     "}" if self.r.random() < 0.3 else "} break;"]
        return [*node, "default: {", self.block(2, **there), "} }"]

    def make_leave(self, where):
        return [f"if ({self.condition()}) {self.r.choice(['break', 'break', 'continue'])};"]

    def make_give_up(self, where):
        if self.inside_function:
            return [f"if ({self.condition()}) return (u32)({self.integer(1)});"]
        if self.kind == "warp":
            return self.make_assign(where)
        return [f"if ({self.condition()}) {{", [[self.write(SLOTS - 1, self.integer(1))]], "return; }"]

    def make_jump(self, where):
        """A goto over code, half of the time out of a loop."""
        label = self.fresh("out")
        there = self.inner(where, loop=False)
        body, after = self.block(2, **there), self.block(2, **there)
        leave = [f"if ({self.condition()}) goto {label};"]
        if self.r.random() < 0.5:
            loop = self.make_loop(there)
            loop[1].append(leave)
            leave = loop
        return ["{", [*body, leave, *after], f"}} {label}:;"]

    def make_tangle(self, where):
        """A loop of gotos with two entries."""
        k, top, middle = self.fresh("k"), self.fresh("top"), self.fresh("mid")
        there = self.inner(where, loop=False)
        return [f"{{ i32 {k} = {(15, 7, 3, 3)[where['depth']]}; if ({self.condition()}) goto {middle};",
                f"{top}:;", self.block(2, **there), f"{middle}:;", self.block(2, **there),
                f"if ({self.condition()} && {k}-- > 0) goto {top}; }}"]

    def write(self, slot, value):
        return f"out[i * {SLOTS} + {slot}] = (u64)({value});"

    def make_store(self, where):
        slot = self.r.choice([str(self.r.randrange(10, SLOTS)), f"10 + (({self.integer(1)}) & 3)"])
        if self.r.random() < 0.3:
            return [f"out[i * {SLOTS} + {slot}] += (u64)({self.integer(2)});"]
        return [self.write(slot, self.integer(2))]

    def make_local(self, where):
        return [f"la[{self.index(8, 2)}] {self.r.choice(['=', '+=', '^='])} (u32)({self.integer(2)});"]

    # --- the kernel --------------------------------------------------------------------------

    def declare(self):
        return [f"u32 a = xu[i & {INPUT - 1}], la[8], sink = 1;", "i32 b = (i32)(a * 2654435761u);",
                "u64 c = (u64)a * 0x9e3779b97f4a7c15ull;", "i64 d = (i64)(c ^ (c >> 7));",
                "u8 e = (u8)a;", "i8 f = (i8)(a >> 3);", f"u16 g = (u16)xs[t & {INPUT - 1}];",
                "i16 h = (i16)(b >> 5);", f"float v = xf[i & {INPUT - 1}];",
                f"double w = xd[(i * 7) & {INPUT - 1}];",
                "for (u32 k = 0; k < 8; k++) la[k] = a + k * 77u;", *[EXTRAS[name][0] for name in self.has],
                *self.declare_structure()]

    def declare_structure(self):
        if not self.structured:
            return []
        values = " ".join(f"so{member} = ({kind})(c >> {7 * k});" for k, (member, kind) in enumerate(self.members.items()))
        return [f"S so, sl[4]; {values} for (u32 k = 0; k < 4; k++) sl[k] = so;"]

    def function(self):
        """(name, definition) of a device function of two numbers that reads the inputs."""
        self.inside_function = True
        name = f"{self.name}_{self.fresh('f')}"
        head = f"__device__ {self.r.choice(['', '__noinline__ ', '__forceinline__ '])}u32 {name}"
        local = ("u32 t = y, i = y ^ 5u, a = y; i32 b = z; u64 c = (u64)s.x * 3u; i64 d = (i64)z; "
                 "u8 e = s.z; u16 g = (u16)s.y; i16 h = (i16)z; "
                 "float v = (float)z; double w = (double)y;")
        body = [*self.block(4, depth=2), ["*r += a;"]]
        if self.r.random() < 0.4:
            body.append([f"if ((z & 3) && {self.condition()}) c += {name}(a, (z & 3) - 1, s, f, xu, xs, xf, xd, p, q, r);"])
        result = f"return (u32)({self.integer(2)}) ^ a ^ (u32)c ^ (u32)d ^ e ^ f ^ g ^ h;"
        self.inside_function = False
        return name, [f"{head}(u32 y, i32 z, pair s, i8 f, {INPUTS}) {{", local, body, result, "}"]

    def start(self):
        """What no minimizer may take away: thread numbers, variables and shared memory with values."""
        lines = ["u32 t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
                 "u32 T = blockDim.x * blockDim.y * blockDim.z, N = T * gridDim.x * gridDim.y;",
                 "u32 i = (blockIdx.y * gridDim.x + blockIdx.x) * T + t;" + " if (i >= N) while (true) {}" * self.halts]
        if self.kind in ("block", "warp"):
            lines += [*self.declare_waiting(), *self.declare_shared()]
        if self.kind == "warp":
            lines += ["u32 lane = t % 32, W = T - (t - lane); if (W > 32) W = 32;",
                      "u32 wm = W == 32 ? 0xffffffffu : (1u << W) - 1;"]
        elif self.kind == "stride":
            lines += ["u32 stride = N; N = (u32)n > N ? (u32)n : N;"]
        elif self.r.random() < 0.7:
            lines.append("if (i >= (u32)n) return;")
        return lines + self.declare()

    def make(self):
        """The tree of the whole text."""
        definitions = []
        for _ in range(self.r.choice([0, 0, 0, 1, 2, self.size - 1])):
            name, tree = self.function()
            definitions.append(tree)
            self.functions.append(name)
        stride = self.kind == "stride"
        body = [self.statement(uniform=True, loop=stride) for _ in range(self.r.randint(3, 3 + 2 * self.size))]
        body += [[self.write(k, name)] for k, name in enumerate(INTEGERS)]
        body += [[f"for (u32 k = 0; k < 8; k++) out[i * {SLOTS} + 8] = out[i * {SLOTS} + 8] * 31 + la[k] + sink;"],
                 *[[f"out[i * {SLOTS} + 8] += (u64)({re.sub('{.*?}', '1', place)}) * {k + 3};"]
                   for k, place in enumerate(self.places)],
                 ["fout[2 * i] = v;"], ["fout[2 * i + 1] = w;"]]
        if stride:
            body = [["for (; i < (u32)n; i += stride) {", body, "}"]]
        restrict = self.r.choice(["", "__restrict__ "])
        parameters = ", ".join(kind + (restrict if "*" in kind else "") + name for name, kind in TYPES.items())
        head = f'extern "C" __global__ void {self.name}({parameters}) {{'
        if self.structured or self.own == "S":
            own = [f"#define S {self.name}_S", self.structure]
            return [own, *definitions, [head, *self.start(), body, "}"], ["#undef S"]]
        return [*definitions, [head, *self.start(), body, "}"]]


def render(tree, indent=0):
    """The text of a block: a list of statements, each a list of lines and blocks."""
    lines = []
    for statement in tree:
        for part in statement:
            lines.append("    " * indent + part if isinstance(part, str)
                         else render(part, indent + 1))
    return "\n".join(lines)
