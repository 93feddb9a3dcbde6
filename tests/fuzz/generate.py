"""Random CUDA kernels that have one right answer.

A kernel is a tree: a list of statements, each a list of strings and nested lists of statements, so
that a minimizer can cut it. What is undefined in C++ or CUDA never occurs: arithmetic that could
overflow is unsigned, shifts are masked, divisors are tested, every loop has a bound, barriers and
full-mask warp functions stand only where all living threads come, lanes read are lanes that exist.
"""

import random

HEAD = """\
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
"""
PARAMETERS = ("const u32 *xu, const i16 *xs, const float *xf, const double *xd, u64 *out, "
              "double *fout, u32 *sums, int n, int p, u32 q")
INPUTS = "const u32 *xu, const i16 *xs, const float *xf, const double *xd, int p, u32 q"
INPUT = 256  # elements of each input, a power of two
SLOTS = 16  # results a thread
CELLS = 16  # cells of each of the three atomic arrays in sums

INTEGERS = {"a": "u32", "b": "i32", "c": "u64", "d": "i64", "e": "u8", "f": "i8", "g": "u16",
            "h": "i16"}
FLOATS = {"v": "float", "w": "double"}
CONSTANTS = ["0", "1", "2", "3", "7", "8", "31", "100", "255", "-1", "-7", "1000", "65535u",
             "0x80000000u", "0x7fffffff", "0xdeadbeefu", "0x123456789abcdefull", "-40000", "200u"]
FLOAT_CONSTANTS = ["0.0", "1.0", "-1.5", "0.1", "3.0", "1e10", "-1e-10", "123.456", "1e-42"]


class Maker:
    """Writes one kernel. Where a statement may stand decides what it may be: `uniform`: all living
    threads come here together; `loop`: break and continue have a target here; `depth`: nesting."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.size = self.r.choice([1, 1, 1, 2, 2, 3])  # how deep and how long
        self.name = f"k{seed}"
        self.kind = self.r.choice(["plain", "plain", "block", "warp", "warp"])
        self.counters = []  # loop counters in scope: (name, uniform)
        self.functions = []  # names
        self.serial = 0
        self.inside_function = False

    # --- expressions -------------------------------------------------------------------------

    def pick(self, **weighted):
        return self.r.choices(list(weighted), list(weighted.values()))[0]

    def variable(self):
        names = [*INTEGERS, *INTEGERS, "t", "i", "p", "q", *[name for name, _ in self.counters] * 3]
        return self.r.choice(names)

    def leaf(self):
        what = self.pick(name=6, constant=3, load=2, local=0 if self.inside_function else 1.5)
        if what == "name":
            return self.variable()
        if what == "constant":
            return self.r.choice(CONSTANTS)
        place = f"((u32){self.variable()} {self.r.choice(['+', '*', '^', '>>'])} {self.r.randint(1, 9)}u)"
        if what == "local":
            return f"la[{place} & 7]"
        return f"{self.r.choice(['xu', 'xs'])}[{place} & {INPUT - 1}]"

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
            return f"{self.r.choice(self.functions)}((u32)({a}), (i32)({b}), xu, xs, xf, xd, p, q)"
        if what == "minmax":
            return f"{self.r.choice(['min', 'max'])}(({s})({a}), ({s})({b}))"
        return f"(i32)fmin(fmax({self.real('double', depth - 1)}, -1e6), 1e6)"

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
                             f"fma{end}({a}, {b}, {self.real(kind, 0)})", f"floor{end}({a})"])
        if what == "choose":
            return f"({self.condition(depth - 1)} ? ({a}) : ({b}))"
        if what == "integer":
            return f"({kind})({self.integer(depth - 1)})"
        return f"({kind})({self.real('float' if kind == 'double' else 'double', depth - 1)})"

    def condition(self, depth=1):
        what = self.pick(compare=6, real=2, bit=3, both=2 if depth > 0 else 0, never=1)
        if what == "compare":
            op = self.r.choice(["<", ">", "<=", ">=", "==", "!="])
            return f"(({self.integer(depth)}) {op} ({self.integer(depth - 1)}))"
        if what == "real":
            kind = self.r.choice(list(FLOATS.values()))
            return f"(({self.real(kind, depth - 1)}) < ({self.real(kind, depth - 1)}))"
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
        nested = 3 if depth < self.size else 0
        together = uniform and self.kind != "plain" and not self.inside_function
        what = self.pick(
            assign=8, real=4, branch=nested * 1.5, loop=nested, switch=nested * 0.5,
            leave=2 if loop else 0, give_up=0.6 if depth else 0, store=0 if self.inside_function else 2,
            local=0 if self.inside_function else 2, atomic=0 if self.inside_function else 1,
            jump=0.7 if nested else 0, tangle=0.4 if nested else 0, exchange=4 if together else 0,
            same=2.5 if together and nested else 0,
            warp=5 if together and self.kind == "warp" else 0)
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

    def make_real(self, where):
        name, kind = self.r.choice(list(FLOATS.items()))
        return [f"{name} = {self.real(kind)};"]

    def inner(self, where, **change):
        return {**where, "uniform": False, "depth": where["depth"] + 1, **change}

    def make_branch(self, where):
        there = self.inner(where)
        node = [f"if ({self.condition()}) {{", self.block(4, **there)]
        if self.r.random() < 0.5:
            node += ["} else {", self.block(4, **there)]
        return [*node, "}"]

    def make_loop(self, where):
        bound = (15, 7, 3, 3)[where["depth"]]
        there = self.inner(where, loop=True)
        k = self.fresh("k")
        what = self.pick(counted=4, down=1, forever=1, waiting=2, after=1)
        if what == "counted":
            limit = f"(({self.integer(2)}) & {bound})"
            step = self.r.choice(["++", "++", " += 2", " += 3"])
            kind = self.r.choice(["i32", "u32", "i16", "i64"])
            head = f"for ({kind} {k} = 0; {k} < ({kind}){limit}; {k}{step}) {{"
        elif what == "down":
            head = f"for (u32 {k} = ({self.integer(1)}) & {bound}; {k}-- > 0;) {{"
        elif what == "forever":
            head = f"for (i32 {k} = 0; {k} != {bound}; {k}++) {{"
        elif what == "waiting":
            head = f"for (i32 {k} = {bound}; {self.condition(1)} && {k} > 0; {k}--) {{"
        else:
            head = f"{{ i32 {k} = {bound}; do {{"
        self.counters.append((k, False))
        body = self.block(4, **there)
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

    def make_atomic(self, where):
        place = self.r.randrange(3)
        call = ["atomicAdd", "atomicMax", "atomicXor"][place]
        return [f"{call}(&sums[{place * CELLS} + ({self.index(CELLS, 1)})], (u32)({self.integer(2)}));"]

    def make_exchange(self, where):
        """Through shared memory, between barriers that every living thread reaches."""
        name = self.r.choice(["s0", "s1"])
        other = self.r.choice([f"(t + {self.r.randint(1, 9)}u) % T", "T - 1 - t",
                               f"(u32)({self.integer(2)}) % T"])
        to, kind = self.r.choice(list(INTEGERS.items()))
        return [f"{name}[t] = (u32)({self.integer(2)});", "__syncthreads();",
                [[f"{to} = ({kind}){name}[{other}];"], *self.block(1, depth=3)],
                "__syncthreads();"]

    def make_same(self, where):
        """A branch or a loop that the whole block takes, so that barriers may stand inside."""
        there = {**where, "uniform": True, "loop": False, "depth": where["depth"] + 1}
        if self.r.random() < 0.5:
            node = [f"if ({self.uniform()} & {self.r.choice([1, 2, 3])}) {{", self.block(3, **there)]
            return [*node, "} else {", self.block(3, **there), "}"]
        k = self.fresh("k")
        head = f"for (i32 {k} = 0; {k} < (i32)({self.uniform()} & {(7, 3, 1, 1)[where['depth']]}); {k}++) {{"
        self.counters.append((k, True))
        body = self.block(4, **there)
        self.counters.pop()
        return [head, body, "}"]

    def make_warp(self, where):
        """Warp functions with the mask of the lanes that exist, or of those on one side of a branch."""
        to, kind = self.r.choice(list(INTEGERS.items()))
        value = f"({self.r.choice(['u32', 'i32', 'u64'])})({self.integer(2)})"
        width = self.r.choice([32, 32, 16, 8, 4])
        by = self.r.randint(1, width - 1)
        what = self.pick(index=3, up=2, down=2, xor=2, ballot=3, vote=2, match=1, arms=2, side=2)
        if what == "index":
            return [f"{to} = ({kind})__shfl_sync(wm, {value}, (u32)({self.integer(2)}) % W);"]
        if what in ("up", "down", "xor"):
            inside = {"up": "true", "down": f"lane + {by} < W", "xor": f"(lane ^ {by}) < W"}[what]
            k = self.fresh("z")
            return [f"{{ u64 {k} = (u64)__shfl_{what}_sync(wm, {value}, {by}, {width});",
                    f"if ({inside}) {to} = ({kind}){k}; }}"]
        if what == "ballot":
            return [f"{to} = ({kind})__ballot_sync(wm, {self.condition()});"]
        if what == "vote":
            return [f"{to} = ({kind})__{self.r.choice(['any', 'all'])}_sync(wm, {self.condition()});"]
        if what == "match":
            return [f"{to} = ({kind})__match_any_sync(wm, (u32)({self.integer(2)}) & 7);"]
        if what == "arms":
            arm = "{} = ({})__shfl_sync(wm, {}, (u32)({}) % W);"
            return [f"if ({self.condition()}) {{",
                    [*self.block(1, depth=3), [arm.format(to, kind, f"(u32)({self.integer(2)})",
                                                          self.integer(1))]], "} else {",
                    [*self.block(1, depth=3), [arm.format(to, kind, f"(u32)({self.integer(2)})",
                                                          self.integer(1))]], "}"]
        m, c = self.fresh("m"), self.fresh("c")
        return [f"{{ bool {c} = {self.condition()}; u32 {m} = __ballot_sync(wm, {c}); if ({c}) {{",
                [[f"{to} = ({kind})__shfl_sync({m}, {value}, __ffs({m}) - 1);"],
                 [f"b = (i32)__ballot_sync({m}, {self.condition(1)});"]],
                "} __syncwarp(wm); }"]

    # --- the kernel --------------------------------------------------------------------------

    def declare(self):
        return [f"u32 a = xu[i & {INPUT - 1}], la[8];", "i32 b = (i32)(a * 2654435761u);",
                "u64 c = (u64)a * 0x9e3779b97f4a7c15ull;", "i64 d = (i64)(c ^ (c >> 7));",
                "u8 e = (u8)a;", "i8 f = (i8)(a >> 3);", f"u16 g = (u16)xs[t & {INPUT - 1}];",
                "i16 h = (i16)(b >> 5);", f"float v = xf[i & {INPUT - 1}];",
                f"double w = xd[(i * 7) & {INPUT - 1}];",
                "for (u32 k = 0; k < 8; k++) la[k] = a + k * 77u;"]

    def function(self):
        """(name, definition) of a device function of two numbers that reads the inputs."""
        self.inside_function = True
        name = f"{self.name}_{self.fresh('f')}"
        head = f"__device__ {self.r.choice(['', '__noinline__ ', '__forceinline__ '])}u32 {name}"
        local = ("u32 t = y, i = y ^ 5u, a = y; i32 b = z; u64 c = (u64)y * 3u; i64 d = (i64)z; "
                 "u8 e = (u8)y; i8 f = (i8)z; u16 g = (u16)y; i16 h = (i16)z; "
                 "float v = (float)z; double w = (double)y;")
        body = self.block(4, depth=2)
        result = f"return (u32)({self.integer(2)}) ^ a ^ (u32)c ^ (u32)d ^ e ^ f ^ g ^ h;"
        self.inside_function = False
        return name, [f"{head}(u32 y, i32 z, {INPUTS}) {{", local, body, result, "}"]

    def start(self):
        """What no minimizer may take away: thread numbers, variables and shared memory with values."""
        lines = ["u32 t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
                 "u32 T = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * T + t;"]
        if self.kind != "plain":
            lines += ["__shared__ u32 s0[1024], s1[1024];", "s0[t] = t; s1[t] = i;",
                      "__syncthreads();"]
        if self.kind == "warp":
            lines += ["u32 lane = t % 32, W = T - (t - lane); if (W > 32) W = 32;",
                      "u32 wm = W == 32 ? 0xffffffffu : (1u << W) - 1;"]
        elif self.r.random() < 0.7:
            lines.append("if (i >= (u32)n) return;")
        return lines + self.declare()

    def make(self):
        """The tree of the whole text."""
        definitions = []
        for _ in range(self.r.choice([0, 0, 0, 1, self.size - 1])):
            name, tree = self.function()
            definitions.append(tree)
            self.functions.append(name)
        body = [self.statement(uniform=True) for _ in range(self.r.randint(3, 3 + 2 * self.size))]
        body += [[self.write(k, name)] for k, name in enumerate(INTEGERS)]
        body += [[f"for (u32 k = 0; k < 8; k++) out[i * {SLOTS} + 8] = out[i * {SLOTS} + 8] * 31 + la[k];"],
                 ["fout[2 * i] = v;"], ["fout[2 * i + 1] = w;"]]
        head = f'extern "C" __global__ void {self.name}({PARAMETERS}) {{'
        return [*definitions, [head, *self.start(), body, "}"]]


def render(tree, indent=0):
    """The text of a block: a list of statements, each a list of lines and blocks."""
    lines = []
    for statement in tree:
        for part in statement:
            lines.append("    " * indent + part if isinstance(part, str)
                         else render(part, indent + 1))
    return "\n".join(lines)
