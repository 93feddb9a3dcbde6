"""The part of random kernels in which threads wait for each other in loops: take turns in any order, hand a value on
from thread to thread, wait on one side of a branch for the other. All threads of the block come there, and none has
ended. A lock stands anywhere."""

from together import CELLS

ORDERS = ["t", "T - 1 - t", "(t + {by}u) % T", "(t % 2 ? T / 2 + T % 2 + t / 2 : t / 2)"]
MOST = 257  # threads: each looks as often as there are threads in front of it


class Waiting:
    """Part of generate.Maker."""

    def declare_waiting(self):
        return [f"__shared__ u32 turn, lock, held[2]; __shared__ volatile u32 acc, flags[{MOST + 1}];",
                f"u32 turns = 0, handed = 0; for (u32 k = t; k <= {MOST}; k += T) flags[k] = 0;",
                "if (t == 0) turn = lock = acc = held[0] = held[1] = 0;"]

    def harmless(self):
        """Statements by which no thread leaves."""
        r = self.r
        return [r.choice([self.make_assign, self.make_put, self.make_local, self.make_real])({})
                for _ in range(r.randint(0, 2))]

    def critical(self):
        r = self.r
        to, kind = r.choice([("a", "u32"), ("c", "u64"), ("b", "i32"), ("g", "u16")])
        lines = [f"acc = acc * {r.choice([1, 3, 31])}u + (u32)({self.integer(1)});", f"{to} = ({kind})(acc + t);"]
        return [*self.harmless(), [line for line in lines if r.random() < 0.8 or line == lines[0]]]

    def make_wait(self, where):
        what = self.pick(turns=6, rounds=3, held=2, hand_on=3, arms=2)
        return [f"if (T <= {MOST}) {{", getattr(self, "wait_" + what)(), self.r.choice(["}", "} __syncthreads();"])]

    def wait_turns(self):
        r, k = self.r, self.fresh("my")
        rank = r.choice(ORDERS).format(by=r.randint(1, 50))
        return [[f"const u32 {k} = turns + ({rank});"], *self.in_turn(k), ["turns += T;"]]

    def wait_rounds(self):
        """Each thread has a turn in each round."""
        r, k, n = self.r, self.fresh("my"), self.fresh("k")
        rank = r.choice(ORDERS).format(by=r.randint(1, 50))
        return [[f"for (u32 {n} = 0; {n} < {r.choice(['2', '3', '(q & 3)'])}; {n}++) {{",
                 [[f"const u32 {k} = turns + ({rank});"], *self.in_turn(k), ["turns += T;"]], "}"]]

    def in_turn(self, mine):
        r = self.r
        seen = r.choice(["*(volatile u32 *)&turn", "*(volatile u32 *)&turn", "atomicAdd(&turn, 0u)", "atomicOr(&turn, 0u)",
                         f"atomicCAS(&turn, {mine}, {mine})"])
        done = "__threadfence_block(); " + r.choice([f"*(volatile u32 *)&turn = {mine} + 1;", "atomicAdd(&turn, 1u);",
                                                     f"atomicExch(&turn, {mine} + 1);"])
        work = [*self.critical(), [done]]
        flag = self.fresh("w")
        what = self.pick(head=4, leave=2, flag=2, after=1, function=3, nested=1, skip=1)
        if what == "head":
            return [[f"while ({seen} != {mine}) SPIN"], *work]
        if what == "leave":
            return [["for (;;) {", [[f"if ({seen} == {mine}) {{", [*work, ["break;"]], "}"], ["SPIN"]], "}"]]
        if what == "flag":
            return [[f"bool {flag} = false; while (!{flag}) {{",
                     [[f"if ({seen} == {mine}) {{", [*work, [f"{flag} = true;"]], "}"], ["SPIN"]], "}"]]
        if what == "after":
            return [[f"u32 {flag} = 1; do {{", [[f"if ({seen} == {mine}) {{", [*work, [f"{flag} = 0;"]], "}"], ["SPIN"]],
                     f"}} while ({flag});"]]
        if what == "function":
            return [[f"{r.choice(['await_turn', 'await_there'])}(&turn, {mine});"], *work]
        if what == "nested":
            return [[f"for (u32 {flag} = 0; ; {flag}++) {{",
                     [[f"for (u32 z = 0; z < ({flag} & 3); z++) {{ if ({seen} == {mine}) break; SPIN }}"],
                      [f"if ({seen} != {mine}) {{ SPIN continue; }}"], *work, ["break;"]], "}"]]
        return [[f"while (true) {{ const u32 {flag} = {seen}; if ({flag} < {mine}) {{ SPIN continue; }}",
                 [*work, ["break;"]], "}"]]

    def make_hold(self, where):
        """A lock, in any branch or loop, of the block or of all. What was summed up is read behind a barrier, or by the
        host."""
        r, flag, own = self.r, self.fresh("w"), self.kind in ("block", "warp") and self.r.random() < 0.7
        lock, sums = ("&lock", "held") if own else (f"&sums[{3 * CELLS}]", f"(sums + {3 * CELLS + 1})")
        cell, op = r.choice([("0", "+"), ("1", "^")])
        work = f"*(volatile u32 *)&{sums}[{cell}] {op}= (u32)({self.integer(1)});"
        take, give = f"{r.choice(['atomicCAS({}, 0u, 1u)', 'atomicExch({}, 1u)']).format(lock)} == 0", f"atomicExch({lock}, 0u);"
        work, give = [*self.harmless(), [f"__threadfence(); {work}"]], [f"__threadfence(); {give}"]
        node = r.choice([
            [f"while (!({take})) SPIN", work, *give],
            ["for (;;) {", [[f"if ({take}) {{", [*work, [*give, "break;"]], "}"], ["SPIN"]], "}"],
            [f"bool {flag} = false; do {{", [[f"if ({take}) {{", [*work, [*give, f"{flag} = true;"]], "}"], ["SPIN"]],
             f"}} while (!{flag});"],
            [f"for (u32 {flag} = 1; {flag};) if ({take}) {{", [*work, [*give, f"{flag} = 0;"]], "} else SPIN"]])
        return ["{", [node], "}"] if r.random() < 0.7 else [f"if ({self.condition()}) {{", [node], "}"]

    def wait_held(self):
        to, kind = self.r.choice([("a", "u32"), ("c", "u64"), ("b", "i32"), ("g", "u16")])
        return [["__syncthreads();"], [f"{to} = ({kind})(held[0] + held[1]);"], ["__syncthreads();"]]

    def wait_hand_on(self):
        """Along a tree or a chain: each thread waits for one of a lower number, or of a higher one."""
        r, k = self.r, self.fresh("v")
        other, waits = r.choice([("t / 2", "t"), ("t - 1", "t"), ("t & (t - 1)", "t"), ("t + 1", "T - 1 - t"),
                                 ("(t - 1) / 32", "t"), ("t ^ 1", "t & 1"), ("t + 32", "t + 32 < T")])
        come = f"(flags[{other}] >> 16) > handed"  # the value is in the lower half
        wait = r.choice([f"while (!({come})) SPIN", f"do {{ SPIN }} while (!({come}));",
                         f"for (;;) {{ if ({come}) break; SPIN }}"])
        return [[f"u32 {k} = 0; if ({waits}) {{", [[wait], [f"{k} = flags[{other}] & 0xffff;"]], "}"],
                [f"flags[t] = (handed + 1) << 16 | (({k} * 5u + (u32)({self.integer(1)})) & 0xffff);"],
                [f"a += {k}; handed++; __syncthreads();"]]

    def wait_arms(self):
        """On one side of a branch threads wait for those on the other."""
        r, k = self.r, self.fresh("v")
        bit, loop = r.choice([1, 2, 16, 32]), r.random() < 0.5
        come = f"(flags[t - {bit}] >> 16) > handed"
        wait = r.choice([f"while (!({come})) SPIN", f"for (;;) {{ if ({come}) break; SPIN }}"])
        waits = [[wait], [f"{k} = flags[t - {bit}] & 0xffff;"], *self.harmless()]
        hand = [*self.harmless(), [f"flags[t] = (handed + 1) << 16 | ((u32)({self.integer(1)}) & 0xffff);"]]
        arms = ([f"if (t & {bit}) {{", waits, "} else {", hand, "}"] if r.random() < 0.6 else
                [f"if (!(t & {bit})) {{", hand, "} else {", waits, "}"])
        node = [[f"u32 {k} = 0;"], arms, [f"a += {k}; handed++; __syncthreads();"]]
        return [[f"for (u32 {k}n = 0; {k}n < 2; {k}n++) {{", node, "}"]] if loop else node
