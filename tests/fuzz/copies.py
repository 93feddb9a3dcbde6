"""The part of random kernels in which bytes and structures are copied: by assignment, by functions that return them,
by memcpy, memmove and memset of lengths and places that differ from thread to thread."""

SIZE = 24  # bytes of a parcel, all of them of some member
# Places of the thread's that bytes are copied from and to: with their size.
OBJECTS = {"by": 48, "pk": SIZE, "pks": 3 * SIZE, "la": 32}
LENGTHS = [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 20, SIZE]


class Copies:
    """Part of generate.Maker."""

    def stretch(self, size):
        """(offset, length) of bytes within that many: numbers, or what differs from thread to thread."""
        r = self.r
        if r.random() < 0.5:
            length = r.choice([n for n in LENGTHS if n <= size])
            offset = r.choice([0, 0, r.randint(0, size - length)])
            return (offset if r.random() < 0.5 else f"({self.index(1 << (size - length + 1).bit_length() - 1, 1)})"), length
        most = 1 << (size // 2).bit_length() - 1
        return f"({self.index(most, 0)})", f"({self.index(most, 1)})"

    def parcel(self):
        return self.r.choice(["pk", f"pks[({self.integer(0)}) & 1]", "pks[2]", f"pks[(u32)({self.integer(0)}) % 3]"])

    def make_bytes(self, where):
        r = self.r
        what = self.pick(assign=4, made=5, copy=5, move=3, fill=2, input=3, number=3, out=2,
                         own=4 if self.own == "parcel" else 0)
        one, other = self.parcel(), self.parcel()
        if what == "assign":
            return [r.choice([f"{one} = {other};", f"{one} = {self.condition()} ? {one} : {other};",
                              f"{{ parcel z = {one}; {one} = {other}; {other} = z; }}",
                              f"if ({self.condition()}) {one} = {other}; else {one} = pk;"])]
        if what == "made":
            made = r.choice([f"chosen({other}, (u32)({self.integer(1)}))", f"one_of(pks, (u32)({self.integer(1)}))",
                             f"parcel_of((u32)({self.integer(1)}), {other})", f"deep({other}, (u32)({self.integer(1)}))"])
            return [r.choice([f"{one} = {made};", f"a ^= {made}.v[({self.integer(0)}) & 3];",
                              f"{{ const parcel z = {made}; {one} = z; pks[1].w[1] ^= z.w[2]; }}"])]
        name, size = r.choice(list(OBJECTS.items()))
        offset, length = self.stretch(size)
        at = f"(u8 *){'&' * (name == 'pk')}{name} + {offset}"
        if what == "copy":
            source, room = r.choice([item for item in OBJECTS.items() if item[0] != name])
            if isinstance(length, int) and length <= room:
                begin = r.choice([0, room - length, f"({self.index(1 << (room - length + 1).bit_length() - 1, 0)})"])
            else:
                begin, length = 0, f"min((u32){length}, {room}u)"
            return [f"memcpy({at}, (const u8 *){'&' * (source == 'pk')}{source} + {begin}, {length});"]
        if what == "move" and r.random() < 0.3:
            begin = self.index(1 << (size - 16).bit_length() - 1, 1)
            return [f"copied((u8 *){'&' * (name == 'pk')}{name} + ({begin}), by + ({self.index(32, 0)}));"]
        if what == "move":
            begin, other = self.stretch(size)
            shorter = f"min((u32){length}, (u32){other})"
            return [f"memmove({at}, (const u8 *){'&' * (name == 'pk')}{name} + {begin}, {shorter});"]
        if what == "fill":
            return [f"memset({at}, (i32)({self.integer(1)}) & 255, {length});"]
        if what == "input":
            return [r.choice([f"{one} = ((const parcel *)xu)[{self.index(1024, 1)}];",
                              f"{one} = ((const parcel *)xu)[{r.choice(['t', 'i % 1024', '(i % 1024) * 2 + 1'])}];",
                              f"memcpy({at}, (const u8 *)xs + ({self.index(1024, 1)}), {length});"])]
        if what == "number":
            to = r.choice("abcdegh")
            begin = self.index(32, 1)
            return [r.choice([f"memcpy(&{to}, by + ({begin}), sizeof {to});", f"memcpy(by + ({begin}), &{to}, sizeof {to});"])]
        if what == "out":
            slots, n = "(u8 *)&out[i * 16 + 10]", r.choice([4, 8, 9, 12, SIZE])
            return [r.choice([f"memcpy({slots}, &{one}, {n});", f"memcpy(&{one}, {slots}, {n});",
                              f"memmove({slots} + {r.randint(0, 15)}, {slots} + ({self.index(16, 0)}), {n});"])]
        mine = "((parcel *)rows)[i]"
        return [r.choice([f"{mine} = {one};", f"{one} = {mine};", f"{mine} = chosen({mine}, (u32)({self.integer(1)}));",
                          f"{mine} = {self.condition()} ? {one} : {other};",
                          f"if ({self.condition()}) {{ {mine} = {one}; }} else {{ {mine} = {other}; }}",
                          f"memcpy(&{mine}.w[0], &{one}.v[1], 8);", f"memcpy((u8 *)&{mine} + 3, by + 5, 17);"])]
