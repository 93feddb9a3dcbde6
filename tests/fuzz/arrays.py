"""Random programs with arrays, run with NumPy and with GPU arrays: views with new axes and odd, negative and
zero strides, transfers, operands that overlap what is written, in-place operations and `out=`, indices,
take and put, functions of NumPy, at once and inside of lazy().

    python tests/fuzz/arrays.py SEED STEPS [PROGRAM]

prints each program that gives something else than NumPy, and at the end how many steps were tried. What
NumPy reads is copied first: that is the rule for operands that overlap, which NumPy itself does not keep
everywhere. Values are small whole numbers, and operations exact, so results have to be the same bits.
"""

import os
import pickle
import random
import sys
import warnings
from contextlib import nullcontext

os.environ.setdefault("PYCUDA_DRIVER", "host")

import numpy as np

from pycuda import gpuarray
from pycuda.gpuarray import GPUArray

KINDS = ["?", "i1", "u1", "i2", "i4", "i8", "u8", "f4", "f8", "c8"]
BYTES = ["S3", [("a", "u1"), ("b", "f4")], np.dtype([("a", "i2"), ("b", "f8")], align=True), ">i4", "V16"]
LENGTHS = [0, 1, 1, 2, 3, 4, 5, 7, 40]
UNARY = [np.negative, np.absolute, np.square, np.logical_not, np.sign]
BINARY = [np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.less, np.equal, np.logical_and]
REFUSED = (ValueError, TypeError, IndexError, OverflowError, ArithmeticError, BufferError)


class Wrong(Exception):
    """A result that is not NumPy's."""


class Side:
    """The operands of one of the two: NumPy's, or the device's."""

    def __init__(self, which):
        self.which = which

    def write(self, pair):
        return pair[self.which]

    def read(self, pair):
        return pair[1] if self.which else pair[0].copy(order="K")

    def number(self, pair):
        """An array of the host or the device, as the program chose; pair: (host array, on device)."""
        return gpuarray.to_gpu(pair[0]) if self.which and pair[1] else pair[0]


SIDES = Side(0), Side(1)


def differ(want, found):
    """What is different, or None."""
    if isinstance(found, GPUArray):
        if not isinstance(want, (np.ndarray, np.generic)):
            want = np.asarray(want)
        if isinstance(want, np.generic):  # which has no byte order, and of strings no zeros at the end
            same = want.dtype.kind == found.dtype.kind == "S" or want.dtype == found.dtype.newbyteorder("=")
            want = np.asarray(want, found.dtype) if same else want
        if (found.shape, found.dtype) != (want.shape, want.dtype):
            return f"{found.dtype} of shape {found.shape}, not {want.dtype} of {want.shape}"
        found = found.get()
    if isinstance(want, (np.ndarray, np.generic)):
        found = np.asarray(found)
        same = found.shape == want.shape and np.array_equal(found, want, equal_nan=want.dtype.kind in "fc")
    elif isinstance(want, (tuple, list)) and any(isinstance(x, np.ndarray) for x in want):
        wrong = [differ(a, b) for a, b in zip(want, found, strict=True)]
        return next((text for text in wrong if text), None)
    else:
        same = want == found
    return None if same else f"\n{found}\nand not\n{want}"


def without_padding(a):
    """tobytes(), where NumPy leaves open what the padding of structs is."""
    return np.frombuffer(a.tobytes(), a.dtype).tolist() if a.dtype.isalignedstruct else a.tobytes()


class Program:
    def __init__(self, seed, number):
        self.random = random.Random(f"{seed} {number}")
        few = random.Random(seed).sample(KINDS, 2)  # kernels take time to compile
        self.is_lazy = self.random.random() < 0.3
        self.lines, self.bases, self.results = [], [], []
        self.is_bytes = self.random.random() < 0.06  # elements that are only stored
        self.kinds = self.random.sample(BYTES, 2) if self.is_bytes else few

    # -- Arrays --

    def values(self, shape, kind):
        size = int(np.prod(shape))
        least = 0 if np.dtype(kind).kind in "buSV" else -9
        small = [self.random.randrange(least, 10) for _ in range(min(size, 60))]
        host = np.resize(np.array(small, "i8"), size) if size else np.zeros(0, "i8")
        if np.dtype(kind).names:
            host = np.array([(i, i + 1) for i in host.tolist()], kind)
        host = host.astype(kind).reshape(shape)
        return np.asfortranarray(host) if host.ndim and self.random.random() < 0.3 else host

    def shape(self, most=4):
        kind = self.random.random()
        if kind < 0.03:  # so many that threads share them
            return self.random.choice([(20_011,), (150, 151), (3, 9000), (9000, 2)])
        if kind < 0.08:  # more axes than a kernel counts itself
            return tuple(self.random.choice([1, 2, 2, 3]) for _ in range(self.random.randint(6, 8)))
        shape = [self.random.choice(LENGTHS) for _ in range(self.random.randint(0, most))]
        return tuple(n if n < 40 or k == 0 else 3 for k, n in enumerate(shape))

    def base(self):
        host = self.values(self.shape(), self.random.choice(self.kinds))
        self.lines.append(f"b{len(self.bases)} = values of {host.dtype}, shape {host.shape}, "
                          f"strides {host.strides}")
        self.bases.append((host, gpuarray.to_gpu(host), f"b{len(self.bases)}"))
        return self.bases[-1]

    def slice(self, n):
        start, stop = (self.random.choice([None, self.random.randint(-n - 1, n + 1)]) for _ in "ab")
        return slice(start, stop, self.random.choice([None, None, 1, 2, -1, -1, 3, -2]))

    def index(self, shape):
        items, axis = [], 0
        while axis < len(shape):
            kind = self.random.randrange(6)
            if kind == 0 and len(items) < 7:
                items.append(None)
                continue
            if kind == 1 and shape[axis]:
                items.append(self.random.randrange(-shape[axis], shape[axis]))
            else:
                items.append(self.slice(shape[axis]) if kind < 4 else slice(None))
            axis += 1
        if self.random.random() < 0.2:
            items.append(None)
        return (*items, ...)  # no scalars of NumPy's

    def view_once(self, x):
        host, device, text = x
        what = self.random.randrange(10)
        if what < 4:
            index = self.index(host.shape)
            f, text = (lambda a: a[index]), f"{text}[{self.show(index)}]"
        elif what < 6:
            axes = self.random.sample(range(host.ndim), host.ndim)
            f, text = (lambda a: a.transpose(axes)), f"{text}.transpose({axes})"
        elif what == 6:
            f, text = (lambda a: a.T), f"{text}.T"
        elif what == 7 and host.ndim > 1:
            k = self.random.randint(-1, 1)
            f, text = (lambda a: a.diagonal(k)), f"{text}.diagonal({k})"
        elif what == 8:
            shape = self.other_shape(host.size)
            f, text = (lambda a: a.reshape(shape)), f"{text}.reshape({shape})"
        else:
            kind = self.random.choice(["i4", "i1", "f8", "i2"])
            if host.dtype.kind not in "iu" or kind[0] == "f" or host.dtype.kind in "fc":
                return x
            f, text = (lambda a: a.view(kind)), f"{text}.view({kind!r})"
        try:
            seen = f(host)
        except ValueError:
            return x
        try:
            found = f(device)
        except ValueError:
            if seen.flags.aligned:
                raise
            return x
        if found.shape != seen.shape:
            raise Wrong(f"{text}: shape {found.shape}, not {seen.shape}")
        if not seen.flags.writeable:
            seen.flags.writeable = True
        return seen, found, text

    def view(self):
        x = self.random.choice(self.bases) if self.bases and self.random.random() < 0.9 else self.base()
        for _ in range(self.random.choice([0, 1, 1, 2, 3])):
            x = self.view_once(x)
        return x

    def readable(self):
        """Perhaps one whose elements are the same memory."""
        host, device, text = x = self.view()
        if self.random.random() < 0.85 or host.ndim > 4:
            return x
        shape = tuple(self.random.choice([2, 5]) if n == 1 else n for n in (1, *host.shape))
        return np.broadcast_to(host, shape), np.broadcast_to(device, shape), f"broadcast({text}, {shape})"

    def like(self, shape, kind=None):
        """Of that shape: a part of an array there is, if one fits, else a new one."""
        for _ in range(4):
            x = self.view()
            if x[0].shape == shape:
                return x
        big = [b for b in self.bases if b[0].size >= np.prod(shape) and b[0].flags.c_contiguous]
        size = int(np.prod(shape))
        if big and self.random.random() < 0.8 and size:
            host, device, text = self.random.choice(big)
            first = self.random.randint(0, host.size - size)
            step = self.random.choice([1, 1, -1])
            cut = slice(first, first + size)
            found = [a.reshape(-1)[cut][::step].reshape(shape) for a in (host, device)]
            return *found, f"{text}.reshape(-1)[{first}:{first + size}][::{step}].reshape({shape})"
        host = self.values(shape, kind or self.random.choice(self.kinds))
        self.bases.append((host, gpuarray.to_gpu(host), f"b{len(self.bases)}"))
        self.lines.append(f"b{len(self.bases) - 1} = values of {host.dtype}, shape {host.shape}, "
                          f"strides {host.strides}")
        return self.bases[-1]

    def other_shape(self, size):
        shape, rest = [], size
        for prime in (2, 3, 5, 7):
            if rest and rest % prime == 0 and self.random.random() < 0.6:
                shape.append(prime)
                rest //= prime
        shape.append(self.random.choice([rest, rest, -1]) if size else rest)
        if self.random.random() < 0.3:
            shape.insert(0, 1)
        self.random.shuffle(shape)
        return tuple(shape)

    @staticmethod
    def show(index):
        return ", ".join("None" if i is None else "..." if i is ... else str(i) if not isinstance(i, slice) else
                         ":".join("" if p is None else str(p) for p in (i.start, i.stop, i.step))
                         for i in index) or "()"

    def scalar(self, kind):
        kind = str(kind)
        return self.random.choice([0, 1, 2, 3, True, np.dtype(kind).type(1), np.int32(5), 2.0 if kind[0] in "fc"
                                   else 4])

    # -- Steps --

    def check(self, text, f, is_new=False):
        self.lines.append(text)
        try:
            want = f(SIDES[0])
        except REFUSED as error:
            try:
                found = f(SIDES[1])
            except (*REFUSED, NotImplementedError):
                return
            raise Wrong(f"no {type(error).__name__} ({error}), but {found!r:.100}") from None
        try:
            found = f(SIDES[1])
        except IndexError:
            if np.size(want):
                raise
            return  # a place that is not there, where NumPy takes nothing and does not look
        except NotImplementedError:
            self.results.clear()
            self.bases.clear()
            return
        if want is None and found is None:
            return
        if self.is_lazy and is_new:
            self.results.append((want, found, text))
            return
        wrong = differ(want, found)
        if wrong:
            raise Wrong(wrong)

    def get_pieces(self):
        x = self.readable()
        names = x[0].dtype.names
        if names:
            name = self.random.choice(names if x[0].dtype.isalignedstruct else names[:1])
            self.check(f"{x[2]}[{name!r}]", lambda side: side.read(x)[name])
        if x[0].dtype.isnative:  # others cannot be converted
            self.check(f"join {x[2]}", lambda side: np.concatenate([side.read(x)] * 2))

    def out_of(self):
        """Functions that have an `out`, which overlaps what they read."""
        x = self.readable()
        kind, axis = x[0].dtype.kind, self.random.choice([None, *range(x[0].ndim)])
        low, high = sorted(self.random.sample(range(-3, 12), 2))
        if kind in "bu":
            low, high = abs(low), abs(high) + 3
        text, f = self.random.choice([
            (f"clip({low}, {high})", lambda a, out: np.clip(a, low, high, out=out)),
            ("round", lambda a, out: np.round(a, 0, out)),
            (f"cumsum({axis})", lambda a, out: np.cumsum(a, axis, out=out)),
            (f"sum({axis})", lambda a, out: np.sum(a, axis, out=out)),
            (f"max({axis})", lambda a, out: np.max(a, axis, out=out)),
            (f"argmin({axis})", lambda a, out: np.argmin(a, axis, out=out)),
            ("conjugate", lambda a, out: np.conjugate(a, out=out)),
            ("outer", lambda a, out: np.outer(a, a, out=out)),
            ("add.outer", lambda a, out: np.add.outer(a, a, out=out)),
            ("matmul", lambda a, out: np.matmul(a, a, out=out)),
            ("dot", lambda a, out: np.dot(a, a, out=out)),
            ("stack", lambda a, out: np.stack([a, a], out=out)),
            ("add.accumulate", lambda a, out: np.add.accumulate(a, 0, out=out)),
            ("copyto", lambda a, out: np.copyto(out, a))])
        if x[0].size > 300 and "o" in text[:2] + text[4:5]:
            return
        try:
            want = f(x[0].copy(), None)
        except (*REFUSED, AttributeError):
            want = x[0]
        out = self.like(np.shape(want), np.asarray(want).dtype.str[1:])
        if out[0].dtype == np.asarray(want).dtype:
            self.check(f"{text} of {x[2]}, out={out[2]}",
                       lambda side: (f(side.read(x), side.write(out)), None)[1])

    def look(self):
        x = self.readable()
        what, f = self.random.choice([
            ("get()", lambda a: a.get() if isinstance(a, GPUArray) else a), ("str", str),
            ("tolist()", lambda a: a.tolist()), ("pickle", lambda a: pickle.loads(pickle.dumps(a))),
            ("copy()", lambda a: a.copy()), ("copy F", lambda a: a.copy(order="F")),
            ("astype", lambda a: a.astype(
                a.dtype if a.dtype.kind in "SV" or not a.dtype.isnative else "f4" if a.dtype.kind != "c" else "c16")),
            ("tobytes", without_padding), ("ravel", lambda a: a.ravel()), ("len", len),
            ("ravel K", lambda a: a.ravel("K")), ("ravel F", lambda a: a.ravel("F")),
            ("ravel A", lambda a: a.ravel("A")), ("flatten F", lambda a: a.flatten("F")),
            ("to_gpu", lambda a: gpuarray.to_gpu(a) if isinstance(a, GPUArray) else a),
            ("flip", np.flip), ("atleast_3d", np.atleast_3d), ("squeeze", lambda a: a.squeeze()),
            ("get(out)", lambda a: a.get(np.empty(a.shape, a.dtype, "F")) if isinstance(a, GPUArray) else a),
            ("dlpack", lambda a: np.from_dlpack(a) if a.__dlpack_device__()[0] == 1 else a.get())])
        self.check(f"{what} of {x[2]}", lambda side: f(side.write(x)))
        host = x[0]
        self.check(f"to_gpu of host {x[2]}",
                   lambda side: gpuarray.to_gpu(host).get() if side.which else host)

    def assign(self):
        x = self.view()
        how = self.random.randrange(5)
        if how == 0 and not self.is_bytes:
            value = self.scalar(x[0].dtype.str[1:])
            self.check(f"{x[2]}[...] = {value!r}", lambda side: side.write(x).__setitem__(..., value))
        elif how == 1:
            value = self.values(x[0].shape, self.random.choice(self.kinds))
            self.check(f"{x[2]}[...] = host array", lambda side: side.write(x).__setitem__(..., value))
        elif how == 2:
            value = self.values(x[0].shape, x[0].dtype)
            self.check(f"{x[2]}.set(host array)", lambda side: side.write(x).set(value) if side.which else
                       side.write(x).__setitem__(..., value))
        elif how == 3:
            y = self.like(x[0].shape)
            if y[0].dtype == x[0].dtype:
                self.check(f"{x[2]}.set({y[2]})", lambda side: side.write(x).set(side.read(y)) if
                           side.which else side.write(x).__setitem__(..., side.read(y)))
        else:
            y = self.like(x[0].shape) if self.random.random() < 0.8 else self.readable()
            if self.fits_kind(y, x):
                self.check(f"{x[2]}[...] = {y[2]}",
                           lambda side: side.write(x).__setitem__(..., side.read(y)))

    @staticmethod
    def fits_kind(source, to):
        """Conversions that C leaves open are for another driver, bytes are not converted at all."""
        if any(x[0].dtype.kind in "SV" or not x[0].dtype.isnative for x in (source, to)):
            return source[0].dtype == to[0].dtype
        return np.can_cast(source[0].dtype, to[0].dtype, "same_kind")

    def operate(self):
        a = self.readable()
        out = self.like(a[0].shape) if self.random.random() < 0.6 else None
        if self.random.random() < 0.25:
            f, rest = self.random.choice(UNARY), ()
        else:
            f = self.random.choice(BINARY)
            rest = (self.like(a[0].shape) if self.random.random() < 0.5 else self.readable(),)
            if self.random.random() < 0.25:
                rest = (self.scalar(a[0].dtype.str[1:]),)
        shown = ", ".join(x[2] if isinstance(x, tuple) else repr(x) for x in (a, *rest))
        where = self.like(a[0].shape, "?") if out is not None and self.random.random() < 0.15 else None
        if where is not None and where[0].dtype != bool:
            where = None

        def step(side):
            kwargs = {} if out is None else {"out": side.write(out)}
            if where is not None:
                kwargs["where"] = side.read(where)
            f(*(side.read(x) if isinstance(x, tuple) else x for x in (a, *rest)), **kwargs)
            return side.write(out) if out else None

        def new(side):
            return f(*(side.read(x) if isinstance(x, tuple) else x for x in (a, *rest)))

        text = f"numpy.{f.__name__}({shown}"
        if out is not None:
            self.check(f"{text}, out={out[2]}{f', where={where[2]}' if where else ''})",
                       lambda side: step(side) and None)
        else:
            self.check(f"{text})", new, True)

    def in_place(self):
        x = self.view()
        y = self.like(x[0].shape) if self.random.random() < 0.8 else self.readable()
        name = self.random.choice(["__iadd__", "__isub__", "__imul__"])
        if self.random.random() < 0.2:
            value = self.scalar(x[0].dtype.str[1:])
            self.check(f"{x[2]}.{name}({value!r})", lambda side: getattr(side.write(x), name)(value) is None)
        else:
            self.check(f"{x[2]}.{name}({y[2]})",
                       lambda side: getattr(side.write(x), name)(side.read(y)) is None)

    def places(self, n):
        count = self.random.choice([0, 1, 3, n, n])
        if self.random.random() < 0.5 and count <= n:
            places = np.array(self.random.sample(range(-n, 0) if self.random.random() < 0.2 else range(n),
                                                 count), "i8")
        else:
            places = np.array([self.random.randrange(-n, n) for _ in range(count if n else 0)], "i8")
        if places.size and self.random.random() < 0.03:
            places[0] = n
        if self.random.random() < 0.2 and places.size % 2 == 0:
            places = places.reshape(2, -1)
        return places.astype(self.random.choice(["i8", "i4", "i8"])), self.random.random() < 0.5

    def fancy(self, shape):
        """(text, items) with pairs for what is an array."""
        items = []
        for n in shape:
            what = self.random.randrange(5)
            if what == 0:
                items.append(self.places(n))
            elif what == 1 and n:
                items.append((np.array([self.random.random() < 0.6 for _ in range(n)]),
                              self.random.random() < 0.5))
            elif what == 2:
                items.append(self.slice(n))
            else:
                items.append(slice(None))
        if not any(isinstance(i, tuple) for i in items):
            if self.random.random() < 0.5:
                mask = np.array([self.random.random() < 0.6 for _ in range(int(np.prod(shape)))], bool)
                items = [(mask.reshape(shape), self.random.random() < 0.5)]
            elif shape:
                items[self.random.randrange(len(shape))] = self.places(shape[0])
        if self.random.random() < 0.1:
            items.insert(self.random.randint(0, len(items)), None)
        return items

    @staticmethod
    def indices(side, items):
        return tuple(side.number(i) if isinstance(i, tuple) else i for i in items)

    def show_fancy(self, items):
        return ", ".join(f"{'device' if i[1] else 'host'} {i[0].tolist()}" if isinstance(i, tuple) else
                         self.show((i,)) for i in items)

    def get_items(self):
        x = self.readable()
        items = self.fancy(x[0].shape)
        self.check(f"{x[2]}[{self.show_fancy(items)}]",
                   lambda side: side.read(x)[self.indices(side, items)])

    def set_items(self):
        x = self.view()
        if x[0].ndim == 0:
            return
        items = self.fancy(x[0].shape)
        try:
            part = x[0][self.indices(SIDES[0], items)]
        except IndexError:
            part = x[0]
        for i in items:  # places that come twice are not promised, and none without elements
            if isinstance(i, tuple) and i[0].dtype != bool and i[0].size and x[0].ndim:
                n = max(x[0].shape)
                if part.size == 0 or i[0].min() < 0 < i[0].max() + 1 or (
                        len(np.unique(i[0] % max(n, 1))) != i[0].size):
                    return
        if self.random.random() < 0.3:
            value = self.random.choice([0, 1, 7, 300, -1, 2.5])
            self.check(f"{x[2]}[{self.show_fancy(items)}] = {value}",
                       lambda side: side.write(x).__setitem__(self.indices(side, items), value))
            return
        y = self.like(part.shape) if self.random.random() < 0.85 else self.readable()
        if self.fits_kind(y, x) and (part.size or y[0].shape == part.shape):
            self.check(f"{x[2]}[{self.show_fancy(items)}] = {y[2]}",
                       lambda side: side.write(x).__setitem__(self.indices(side, items), side.read(y)))

    def take(self):
        x = self.readable()
        if x[0].size == 0:  # where NumPy does not look at places
            return
        axis = self.random.choice([None, *range(x[0].ndim)])
        places = self.places(x[0].size if axis is None else x[0].shape[axis])
        out = None
        if self.random.random() < 0.5:
            try:
                out = self.like(np.take(x[0], places[0], axis).shape)
            except IndexError:
                pass
            if out is not None and out[0].dtype != x[0].dtype:
                out = None
        text = f"numpy.take({x[2]}, {self.show_fancy([places])}, {axis}"
        if out is not None:
            self.check(f"{text}, out={out[2]})", lambda side: np.take(
                side.read(x), side.number(places), axis, out=side.write(out)) is None)
        else:
            self.check(f"{text})", lambda side: np.take(side.read(x), side.number(places), axis))

    def put(self):
        x = self.view()
        places = self.places(x[0].size)
        if len(np.unique(places[0] % max(x[0].size, 1))) != places[0].size:
            return
        y = self.like(places[0].shape) if self.random.random() < 0.7 else self.readable()
        if self.fits_kind(y, x) and y[0].size:  # of no values NumPy does not look at the places
            self.check(f"put({x[2]}, {self.show_fancy([places])}, {y[2]})", lambda side: (
                gpuarray if side.which else np).put(side.write(x), side.number(places), side.read(y)))

    def reduce(self):
        x = self.readable()
        name = self.random.choice(["sum", "max", "min", "any", "all", "argmax", "cumsum", "prod", "argmin"])
        axis = self.random.choice([None, *range(x[0].ndim)])
        if name in ("any", "all"):
            f = lambda a: getattr(a, name)(axis=axis)
        else:
            f = lambda a: getattr(a, name)(axis)
        if name == "prod" and x[0].dtype.kind in "fc":
            return
        self.check(f"{x[2]}.{name}({axis})", lambda side: f(side.read(x)))

    def join(self):
        x = self.readable()
        axis = self.random.randint(-1, x[0].ndim)
        several = [x, *(self.like(x[0].shape) for _ in range(self.random.randint(0, 2)))]
        f = self.random.choice([np.concatenate, np.stack])
        self.check(f"numpy.{f.__name__}({[y[2] for y in several]}, {axis})",
                   lambda side: f([side.read(y) for y in several], axis))

    def rearrange(self):
        x = self.readable()
        n = self.random.randint(0, 3)
        axis = self.random.choice([None, *range(x[0].ndim)])
        shape, order = self.other_shape(x[0].size), self.random.choice("CFA")
        own = "F" if np.isfortran(x[0]) else "C"  # not that of the copy that NumPy reads
        text, f = self.random.choice([
            (f"repeat({n}, {axis})", lambda a: a.repeat(n, axis)), (f"tile({n})", lambda a: np.tile(a, n)),
            (f"tile(({n}, 2))", lambda a: np.tile(a, (n, 2))), (f"roll({n}, {axis})", lambda a: np.roll(a, n, axis)),
            (f"reshape({shape}, {order})", lambda a: a.reshape(
                shape, order=order if isinstance(a, GPUArray) or order != "A" else own)),
            (f"expand_dims({n})", lambda a: np.expand_dims(a, n)), ("nonzero", lambda a: a.nonzero()),
            ("diff", np.diff), (f"swapaxes({n}, 0)", lambda a: a.swapaxes(n, 0)),
            (f"moveaxis({n}, 0)", lambda a: np.moveaxis(a, n, 0)), ("real", lambda a: a.real),
            ("imag", lambda a: a.imag), ("trace", lambda a: a.trace()), ("argwhere", np.argwhere),
            ("zeros_like", np.zeros_like), (f"broadcast_to({n})", lambda a: np.broadcast_to(a, (n, *a.shape)))])
        self.check(f"{text} of {x[2]}", lambda side: f(side.read(x)))

    def tuple_of_axes(self, ndim):
        axes = self.random.sample(range(ndim), self.random.randint(0, ndim))
        return tuple(axis - ndim if self.random.random() < 0.3 else axis for axis in axes)

    def order(self):
        """Functions that sort, search and count."""
        x = self.readable()
        axis = self.random.choice([None, *range(-x[0].ndim, x[0].ndim)])
        side, flag = self.random.choice(["left", "right"]), self.random.random() < 0.5
        bins = self.random.choice([[0, 2, 5], [7, 7, 1, -3], [4], []])
        places = self.random.choice([0.5, 0.25, [0, 0.75, 1]])
        method = self.random.choice(["lower", "higher", "nearest", "midpoint", "inverted_cdf", "closest_observation"])
        text, f = self.random.choice([
            (f"sort({axis})", lambda a: np.sort(a, axis, kind="stable")),
            (f"argsort({axis})", lambda a: np.argsort(a, axis, kind="stable")),
            (f"partition(0, {axis})", lambda a: np.sort(np.partition(a, 0, axis), -1 if axis is None else axis)),
            (f"searchsorted({side})", lambda a: np.searchsorted(np.sort(a, None), a, side)),
            (f"searchsorted(sorter, {side})", lambda a: np.searchsorted(
                a.ravel(), a, side, sorter=np.argsort(a.ravel(), kind="stable"))),
            (f"unique({axis}, equal_nan={flag})", lambda a: np.unique(a, True, True, True, axis, equal_nan=flag)),
            (f"isin(invert={flag})", lambda a: np.isin(a, a.ravel()[1::2], invert=flag)),
            (f"digitize({bins}, {flag})", lambda a: np.digitize(a, bins, flag)),
            (f"histogram({bins})", lambda a: np.histogram(a.real, bins, density=flag)), ("lexsort", np.lexsort),
            (f"quantile({places}, {axis}, {method})", lambda a: np.quantile(a, places, axis, method=method, keepdims=flag)),
            (f"median({axis})", lambda a: np.median(a, axis)), ("nanmedian", lambda a: np.nanmedian(a, axis, keepdims=flag)),
            (f"count_nonzero({axis})", lambda a: np.count_nonzero(a, axis, keepdims=flag)),
            (f"nanargmax({axis})", lambda a: np.nanargmax(a, axis)), ("trim_zeros", np.trim_zeros),
            ("intersect1d", lambda a: np.intersect1d(a, a.ravel()[::2], return_indices=True)),
            (f"take_along_axis({axis})", lambda a: np.take_along_axis(a, np.argsort(a, axis, kind="stable"), axis))])
        if x[0].size <= 300:
            self.check(f"{text} of {x[2]}", lambda side: f(side.read(x)))

    def compose(self):
        """Functions that put elements elsewhere, or add up neighbours; methods of ufuncs."""
        x = self.readable()
        n, axis = self.random.randint(-2, 2), self.random.choice([None, *range(-x[0].ndim, x[0].ndim)])
        axes, flag = self.tuple_of_axes(x[0].ndim), self.random.random() < 0.5
        mode = self.random.choice(["edge", "reflect", "symmetric", "wrap", "maximum", "constant"])
        part = self.random.choice(["full", "same", "valid"])
        ufunc = self.random.choice([np.add, np.maximum, np.minimum, np.logical_or, np.subtract, np.bitwise_xor])
        starts = [self.random.randrange(max(x[0].shape[:1], default=1) or 1) for _ in range(self.random.randint(0, 3))]
        text, f = self.random.choice([
            (f"pad({abs(n)}, {mode})", lambda a: np.pad(a, abs(n), mode)),
            (f"convolve({part})", lambda a: np.convolve(a.ravel(), a.ravel()[:3], part)),
            (f"correlate({part})", lambda a: np.correlate(a.ravel()[:4], a.ravel(), part)),
            (f"diff({n}, {axis})", lambda a: np.diff(a, n, -1 if axis is None else axis)), ("gradient", np.gradient),
            (f"flip({axes})", lambda a: np.flip(a, axes)), (f"roll({n}, {axes})", lambda a: np.roll(a, n, axes or None)),
            (f"rot90({n})", lambda a: np.rot90(a, n)), (f"tril({n})", lambda a: np.tril(a, n)),
            (f"delete({n}, {axis})", lambda a: np.delete(a, n, axis)), (f"delete(::2, {axis})", lambda a: np.delete(
                a, slice(None, None, 2), axis)), (f"insert({n}, {axis})", lambda a: np.insert(a, n, 1, axis)),
            (f"resize({abs(n)}, 3)", lambda a: np.resize(a, (abs(n), 3))), ("array_split", lambda a: np.array_split(a, 3)),
            ("einsum", lambda a: np.einsum("i...->...", a)), (f"tensordot({axes})", lambda a: np.tensordot(a, a, (axes, axes))),
            (f"{ufunc.__name__}.reduceat({starts})", lambda a: ufunc.reduceat(a, starts)),
            (f"{ufunc.__name__}.accumulate({axis})", lambda a: ufunc.accumulate(a, 0 if axis is None else axis)),
            (f"{ufunc.__name__}.outer", lambda a: ufunc.outer(a, a.ravel()[:2])),
            (f"sum({axes}, where)", lambda a: np.sum(a, axes, keepdims=flag, initial=2, where=a > 1)),
            (f"max({axes}, where)", lambda a: np.max(a, axes, keepdims=flag, initial=2, where=a > 1)),
            (f"block({flag})", lambda a: np.block([[a, a], [a, a]] if flag else [a, a]))])
        if x[0].size <= 300:
            self.check(f"{text} of {x[2]}", lambda side: f(side.read(x)))

    def product(self):
        a = self.readable()
        b = self.random.choice([self.readable, lambda: self.like(a[0].shape[::-1])])()
        if a[0].size * b[0].size > 1 << 20:
            return
        f = self.random.choice([np.dot, np.matmul, np.inner, np.outer])
        if f is not np.outer or a[0].ndim:
            self.check(f"numpy.{f.__name__}({a[2]}, {b[2]})", lambda side: f(side.read(a), side.read(b)))

    STEPS = (look, assign, assign, operate, operate, operate, in_place, in_place, get_items, set_items,
             set_items, take, put, reduce, join, rearrange, product, out_of, out_of, order, order, compose, compose)

    STORING = (look, assign, assign, get_pieces)

    def run(self, steps):
        with gpuarray.lazy() if self.is_lazy else nullcontext():
            if self.is_lazy:
                self.lines.append("with lazy():")
            self.base()
            for _ in range(steps):
                self.random.choice(self.STORING if self.is_bytes else self.STEPS)(self)
                if not self.is_lazy:
                    self.compare_bases()
        self.compare_bases()
        for want, found, text in self.results:
            wrong = differ(want, found)
            if wrong:
                raise Wrong(f"at the end {text}: {wrong}")

    def compare_bases(self):
        for host, device, text in self.bases:
            wrong = differ(host, device)
            if wrong:
                raise Wrong(f"{text}: {wrong}")


def main(seed, steps, only=None):
    import pycuda.autoinit  # noqa: F401

    warnings.simplefilter("ignore")
    tried = problems = 0
    at = 0
    while tried < steps and problems < 20:
        program = Program(seed, at)
        if only is None or at == only:
            try:
                program.run(8)
            except Exception as error:  # each is a finding
                problems += 1
                print(f"-- program {at} of seed {seed}", *program.lines, sep="\n")
                print(f"{type(error).__name__}: {error}"[:2000], flush=True)
                if only is not None:
                    raise
            tried += len(program.lines)
        elif at > only:
            break
        at += 1
        if at % 1000 == 0:
            print(f"{tried} steps in {at} programs, {problems} problems", flush=True)
    print(f"{tried} steps in {at} programs, {problems} problems")
    return problems > 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:4])))
