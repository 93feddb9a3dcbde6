"""The half of random kernels in which threads meet: own cells of global memory, shared memory between
barriers, warp functions, atomics."""

INTEGERS = {"a": "u32", "b": "i32", "c": "u64", "d": "i64", "e": "u8", "f": "i8", "g": "u16",
            "h": "i16"}
ROOM = 2112  # elements of a shared array: twice a block, and some
CELLS = 16  # of each of the three atomic arrays in sums
SLOTS = 16  # results a thread
# A thread's cells in rows, by number: of structures, of planes forwards and backwards, of pairs, of three.
STARTS = ["40", "t + 40", "T + 40", "T - 1 - t + 40"]  # of pointers into shared arrays, 40 elements off their ends
LAYOUTS = ["i * 4 + {c}", "{c} * N + i", "({c} + 1) * N - 1 - i", "(i * 2 + ({c} & 1)) + ({c} >> 1) * 2 * N",
           "i * 3 + {c} % 3"]
PARTS = {"pair": {".x": "u32", ".y": "i16", ".z": "u8"}, "uint2": {".x": "u32", ".y": "u32"},
         "uchar4": {".x": "u8", ".z": "u8"}, "short2": {".x": "i16", ".y": "i16"},
         "parcel": {".v[{4}]": "u32", ".w[1]": "u16", ".z[{2}]": "u8"}}
ATOMICS = {"u32": ["Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exch", "Inc", "Dec"],
           "i32": ["Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exch"],
           "u64": ["Add", "Min", "Max", "And", "Or", "Xor", "Exch"]}


class Together:
    """Part of generate.Maker."""

    def plan_memory(self):
        r = self.r
        self.own, self.layout = r.choice([*INTEGERS.values(), *PARTS, "S", "S", "u24", "u40"]), r.choice(LAYOUTS)
        self.shared = {name: r.choice(["u32", "u32", "i32", "u16", "i8", "float", "u24"]) for name in ("s0", "s1")}
        if r.random() < 0.5:
            self.shared["sd"] = r.choice(["u64", "u32", "i16", "u8", "float", "u40"])

    def declare_shared(self):
        lines = [f"__shared__ {kind} {name}[{ROOM}];" for name, kind in self.shared.items() if name != "sd"]
        if "sd" in self.shared:
            lines.append(f"DYNAMIC(u64, dynamic); {self.shared['sd']} *sd = ({self.shared['sd']} *)dynamic;")
        fill = " ".join(f"{name}[k] = ({kind})(k * {n + 3} & 1023);"
                        for n, (name, kind) in enumerate(self.shared.items()))
        return [*lines, f"__shared__ u32 sa[{CELLS}];", f"for (u32 k = t; k < {ROOM}; k += T) {{ {fill} }}",
                f"for (u32 k = t; k < {CELLS}; k += T) sa[k] = k;", "__syncthreads();"]

    def own_place(self):
        """The thread's cells in rows as (place, type)."""
        cell = self.r.choice(["0", "1", "2", "3", f"(({self.variable()}) & 3)"])
        index = self.r.choice(["", "", "(i32)", "(u64)"]) + f"({self.layout.format(c=cell)})"
        parts = self.members if self.own == "S" else PARTS.get(self.own, {"": self.own})
        part, kind = self.r.choice(list(parts.items()))
        if self.own in ("S", "parcel"):  # up to 32 bytes
            index = f"sizeof({self.own}) > 8 ? i : (u32)({index})"
        return [(f"(({self.own} *)rows)[{index}]{part}", kind)]

    # --- atomics -----------------------------------------------------------------------------

    def make_atomic(self, where):
        """On cells of all threads where the order does not matter, on the thread's own with what returns."""
        r, value = self.r, f"(u32)({self.integer(2)})"
        to, kind = r.choice(list(INTEGERS.items()))
        what = self.pick(sums=3, swap=1, own=3 if self.own in ATOMICS else 0)
        if what == "sums":
            place = r.randrange(3)
            call = ["atomicAdd", "atomicMax", "atomicXor"][place]
            return [f"{call}(&sums[{place * CELLS} + ({self.index(CELLS, 1)})], {value});"]
        if what == "swap":
            k = self.fresh("z")
            return [f"{{ u32 *{k} = &sums[{self.index(CELLS, 1)}], {k}o = *{k}, {k}n; const u32 {k}v = {value};",
                    f"do {{ {k}n = {k}o; {k}o = atomicCAS({k}, {k}n, {k}n + {k}v); }} while ({k}o != {k}n); }}"]
        place, own = self.own_place()[0]
        if r.random() < 0.2:
            return [f"{to} = ({kind})atomicCAS(&{place}, ({own})({self.integer(0)}), ({own}){value});"]
        return [f"{to} = ({kind})atomic{r.choice(ATOMICS[own])}(&{place}, ({own}){value});"]

    # --- barriers ----------------------------------------------------------------------------

    def barrier(self):
        if self.r.random() < 0.8:
            return "__syncthreads();"
        to, kind = self.r.choice(list(INTEGERS.items()))
        call = self.r.choice(["count({})", "or({}) != 0", "and({}) != 0"]).format(self.condition())
        return f"{to} = ({kind})(__syncthreads_{call});"

    def make_exchange(self, where):
        """Phases between barriers: in each, threads write places of their own in one array and read any
        of another; or all of them meet in an array."""
        if self.r.random() < 0.25:
            return self.reduction()
        node, kept = [], {}
        for _ in range(self.r.randint(1, 4)):
            written, read = self.r.sample([*self.shared, "out", None], 2)
            body = self.block(1, depth=3) if self.r.random() < 0.5 else []
            if written:
                body.append(self.write_own(written))
            if read in kept:
                body.append(self.read_kept(read, kept[read]))
            elif read:
                body.append(self.read_any(read))
            if self.r.random() < 0.3:  # an address that is used behind the barrier
                array, name = self.r.choice(list(self.shared)), self.fresh("at")
                start = self.r.choice([*STARTS, f"({self.index(1024, 1)}) + 40"])
                node.append([[f"{self.shared[array]} *{name} = {array} + ({start});"]])
                kept[array] = name
            if self.r.random() < 0.15:
                body.append([f"atomicAdd(&sa[{self.index(CELLS, 1)}], (u32){self.variable()});"])
            self.r.shuffle(body)
            node += [body, self.barrier()]
        if self.r.random() < 0.3:
            node += [[[f"a ^= sa[{self.index(CELLS, 1)}];"]], self.barrier()]
        return node

    def write_own(self, array):
        r, by = self.r, self.r.randint(1, 9)
        swap = ["t", "t", "T - 1 - t", f"(t + {by}u) % T"]
        if array == "out":
            line = f"out[(i - t + {r.choice(swap)}) * {SLOTS} + 9] = (u64)({self.integer(2)});"
        else:
            places = [*swap, f"t + {r.randint(1, 40)}", "2 * t", "2 * t + 1", "t + t / 32",
                      "(threadIdx.x * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z"]
            kind, place = self.shared[array], r.choice(places)
            value = f"({self.integer(2)}) & 0xffff" if kind == "float" else self.integer(2)
            line = f"{array}[{place}] = ({kind})({value});"
            if r.random() < 0.2:
                line += f" {array}[{place}] = ({kind})({array}[{place}] / 2 + 1);"
        return [f"if ({self.condition()}) {{ {line} }}"] if r.random() < 0.3 else [line]

    def read_any(self, array):
        r, by = self.r, self.r.randint(1, 40)
        to, kind = r.choice(list(INTEGERS.items()))
        if array == "out":
            place = r.choice(["T - 1 - t", f"(t + {by}) % T", f"(u32)({self.integer(1)}) % T"])
            return [f"{to} = ({kind})out[(i - t + {place}) * {SLOTS} + 9];"]
        place = r.choice(["t", f"t + {by}", f"2 * t + {by}", f"T - 1 - t + {by}", f"t ^ {by}",
                          self.index(1024, 2), f"{self.uniform()} & 1023", f"t & {by}"])
        if r.random() < 0.3:
            return [f"if (t >= {by}) {to} = ({kind})(i64){array}[t - {by}];"]
        if r.random() < 0.25:
            return [self.wrapped(array, to, kind)]
        return [f"{to} = ({kind})(i64){array}[{place}];"]

    def read_kept(self, array, name):
        r, (to, kind) = self.r, self.r.choice(list(INTEGERS.items()))
        index = r.choice(["0", str(r.randint(-40, 40)), f"(i32)(({self.integer(0)}) & 31)", f"-(i32)(({self.integer(0)}) & 31)",
                          f"WRAPS(({self.uniform(0)} & 31) - {r.randint(0, 40)}u)", f"WRAPS((t & 31) - {r.randint(0, 40)}u)"])
        line = f"{to} = ({kind})(i64){name}[{index}];"
        return [f"if ({self.condition()}) {{ {line} }}"] if r.random() < 0.3 else [line]

    def wrapped(self, array, to, kind):
        """Indices of 32 bits without a sign that lie in front of where the pointer points."""
        r, w = self.r, self.fresh("w")
        by = r.randint(1, 40)
        start = r.choice([*STARTS, f"(t & 31) + {by + 40}"])
        index = r.choice(["~(t & 31)", f"(t & 31) - {by}u", f"{by}u - (t % 32)", f"0u - (u32)({self.integer(1)}) % 33u",
                          f"(q & 7) - {by}u", f"(u32)({self.integer(0)}) % 33u - (t & 7)", f"t - T - {by % 8}u + T - t",
                          f"t / 32 - {by}u"])
        what = r.choice(["plain", "plain", "choice", "walk", "rows"])
        if what == "rows":
            row = f"(({self.shared[array]} (*)[32])({array} + 64))[{self.index(8, 0)}]"
            return f"{to} = ({kind})(i64){row}[WRAPS((t & 31) - {by}u)];"
        head = f"{self.shared[array]} *{w} = {array} + ({start});"
        if what == "choice":
            head = f"{self.shared[array]} *{w} = {self.condition()} ? {array} + 40 : {array} + ({start});"
        if what == "walk":
            step = r.choice([f"u32 {w}k = 0; {w}k != {by % 16 + 1}u; {w}k++", f"u32 {w}k = {by % 16}u; {w}k != ~0u; {w}k--"])
            return f"{{ {head} for ({step}) {to} += ({kind})(i64){w}[WRAPS({w}k - {r.randint(1, 20)}u)]; }}"
        return f"{{ {head} {to} = ({kind})(i64){w}[WRAPS({index})]; }}"

    def reduction(self):
        """In place: a tree, or running sums."""
        name, h = self.r.choice(list(self.shared)), self.fresh("h")
        kind = self.shared[name]
        add = f"{name}[t] = ({kind})((u32)({name}[t] + {{}}) & 4095);"
        down = f"for (u32 {h} = {self.r.choice(['512', '64', 'T / 2', '(T + 1) / 2'])}; {h} > 0; {h} >>= 1) {{"
        up = f"for (u32 {h} = 1; {h} < T; {h} *= 2) {{"
        what = self.pick(down=2, up=1, scan=1)
        if what == "down":
            body = f"if (t < {h} && t + {h} < T) {add.format(f'{name}[t + {h}]')}"
        elif what == "up":
            body = f"if (t % (2 * {h}) == 0 && t + {h} < T) {add.format(f'{name}[t + {h}]')}"
        else:
            body = f"{kind} z = t >= {h} ? {name}[t - {h}] : ({kind})0; __syncthreads(); {add.format('z')}"
        to, other = self.r.choice(list(INTEGERS.items()))
        return [down if what == "down" else up, [[body]], "__syncthreads(); }",
                [[f"{to} = ({other})(i64){name}[{self.r.choice(['0', 't', 'T - 1 - t'])}];"]], self.barrier()]

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

    # --- warps -------------------------------------------------------------------------------

    def make_warp(self, where):
        """Warp functions with the mask of the lanes that exist, of those on one side of a branch, of
        those that stay in a loop, or of equal numbers."""
        r, (to, kind) = self.r, self.r.choice(list(INTEGERS.items()))
        value = f"({r.choice(['u32', 'i32', 'u64', 'float)(i32', 'double)(i32'])})({self.integer(2)})"
        k, m, c = self.fresh("z"), self.fresh("m"), self.fresh("c")
        width = r.choice([32, 32, 16, 8, 4, 2])
        by = r.randint(1, width - 1)
        what = self.pick(index=3, part=2, up=2, down=2, xor=2, ballot=2, vote=2, match=1, every=1, reduce=2,
                         arms=2, side=2, peel=2, group=2, half=1, cooperative=4)
        if what == "cooperative":
            return self.cooperative(to, kind)
        if what == "index":
            return [f"{to} = ({kind})(i64)__shfl_sync(wm, {value}, (u32)({self.integer(2)}) % W);"]
        if what == "part":
            return [f"{{ u32 {k} = (u32)({self.integer(1)}), {m} = lane - lane % {width} + {k} % {width};",
                    f"i64 {c} = (i64)__shfl_sync(wm, {value}, {k}, {width}); if ({m} < W) {to} = ({kind}){c}; }}"]
        if what in ("up", "down", "xor"):
            inside = {"up": "true", "down": f"lane + {by} < W", "xor": f"(lane ^ {by}) < W"}[what]
            return [f"{{ u64 {k} = (u64)(i64)__shfl_{what}_sync(wm, {value}, {by}, {width});",
                    f"if ({inside}) {to} = ({kind}){k}; }}"]
        if what == "ballot":
            return [f"{to} = ({kind})__ballot_sync(wm, {self.condition()});"]
        if what == "vote":
            return [f"{to} = ({kind})(__{r.choice(['any', 'all'])}_sync(wm, {self.condition()}) != 0);"]
        if what == "match":
            return [f"{to} = ({kind})__match_any_sync(wm, ({r.choice(['u32', 'u64'])})({self.integer(2)}) & 7);"]
        if what == "every":
            return [f"{{ int {k}; {to} = ({kind})__match_all_sync(wm, (u32)({self.integer(1)}) & 3, &{k});",
                    f"a ^= (u32){k}; }}"]
        if what == "reduce":
            return [f"{to} = ({kind}){self.reduced('wm')};"]
        if what == "arms":
            def arm():
                return [*self.block(1, depth=3),
                        [f"{to} = ({kind})__shfl_sync(wm, (u32)({self.integer(2)}), (u32)({self.integer(1)}) % W);"]]
            return [f"if ({self.condition()}) {{", arm(), "} else {", arm(), "}"]
        if what == "peel":
            return [f"{{ u32 {m} = wm; i32 {k} = {r.randint(1, 9)}; for (;;) {{",
                    f"bool {c} = {self.condition()} && {k}-- > 0;",
                    f"{m} = __ballot_sync({m}, {c}); if (!{c}) break;",
                    [[f"{to} = ({kind}){self.named(m)};"], *self.block(1, depth=3)], "} __syncwarp(wm); }"]
        if what == "group":
            return [f"{{ u32 {m} = __match_any_sync(wm, (u32)({self.integer(1)}) & 3);",
                    f"{to} = ({kind}){self.named(m)}; __syncwarp(wm); }}"]
        if what == "half":
            return [f"{{ u32 {m} = wm & (lane & {(by := r.choice([1, 2, 16]))} ? {self.lanes(by)}u : ~{self.lanes(by)}u);",
                    f"if (lane & {by}) {{", [[f"{to} = ({kind}){self.named(m)};"]], "} else {",
                    [[f"b = (i32){self.named(m)};"]], "} __syncwarp(wm); }"]
        return [f"{{ bool {c} = {self.condition()}; u32 {m} = __ballot_sync(wm, {c}); if ({c}) {{",
                [[f"{to} = ({kind})__shfl_sync({m}, (u64)({self.integer(2)}), __ffs({m}) - 1);"],
                 [f"b = (i32)__ballot_sync({m}, {self.condition(1)});"]],
                "} __syncwarp(wm); }"]

    def cooperative(self, to, kind):
        """Groups of lanes of whole warps, parted once or twice."""
        r, n, size = self.r, self.fresh("g"), self.r.choice([32, 32, 16, 8, 4])
        groups = [f"auto {n}0 = cg::tiled_partition<{size}>(cg::this_thread_block());"]
        for k in range(1, r.randint(2, 4)):
            part = r.choice([f"binary_partition({n}{k - 1}, {self.condition()})",
                             f"labeled_partition({n}{k - 1}, ({r.choice(['u32', 'i32', 'u64'])})({self.integer(1)}) & 3)",
                             *[f"tiled_partition({n}{k - 1}, {r.choice([1, 2, 4, 8, 16])})"] * (k > 1)])
            groups.append(f"auto {n}{k} = cg::{part};")
        g, x = f"{n}{len(groups) - 1}", f"({r.choice(['u32', 'i32', 'u64', 'u16'])})({self.integer(2)})"
        op = f"cg::{r.choice(['plus', 'less', 'greater', 'bit_and', 'bit_or', 'bit_xor'])}<u64>()"
        result = r.choice([f"{g}.shfl({x}, (i32)((u32)({self.integer(1)}) % {g}.size()))",
                           f"{g}.shfl_up({x}, {r.randint(0, 9)})", f"{g}.shfl_down({x}, {r.randint(0, 9)})",
                           f"{g}.shfl(turned(pair{{(u32)({self.integer(1)}), 1, 2, 3}}, {g}.thread_rank()), 0).x",
                           f"{g}.ballot({self.condition()})", f"({g}.any({self.condition()}) != 0)",
                           f"({g}.all({self.condition()}) != 0)", f"{g}.match_any((u32)({self.integer(1)}) & 3)",
                           f"cg::reduce({g}, (u64)({self.integer(2)}), {op})",
                           f"cg::inclusive_scan({g}, (u64)({self.integer(2)}), {op})",
                           f"cg::exclusive_scan({g}, (u64)({self.integer(2)}))"])
        if len(groups) == 1 and r.random() < 0.3:
            result = f"{g}.shfl_xor({x}, {r.randint(0, size - 1)})"
        facts = f"{g}.size() * 100 + {g}.thread_rank() + {g}.meta_group_rank() * 1000 + {g}.meta_group_size() * 7"
        return ["if (T % 32 == 0) {", [groups, [f"{to} = ({kind})({result});"], [f"a += {facts};"]], "}"]

    def lanes(self, bit):
        """The mask of the lanes whose number has the bit."""
        return sum(1 << lane for lane in range(32) if lane & bit)

    def reduced(self, mask):
        name = self.r.choice(["add", "min", "max", "and", "or", "xor"])
        kind = self.r.choice(["u32", "i32"]) if name in ("add", "min", "max") else "u32"
        return f"__reduce_{name}_sync({mask}, ({kind})({self.integer(2)}))"

    def named(self, mask):
        """Of the lanes in a mask that this lane is in."""
        first, last = f"__ffs({mask}) - 1", f"31 - __clz((i32){mask})"
        return self.r.choice([
            f"__shfl_sync({mask}, (u32)({self.integer(2)}), {self.r.choice([first, last])})",
            f"__ballot_sync({mask}, {self.condition()})", self.reduced(mask),
            f"__match_any_sync({mask}, (u32)({self.integer(1)}) & 3)",
            f"(__any_sync({mask}, {self.condition()}) != 0)"])
