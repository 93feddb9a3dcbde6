"""CUDA kernels as test data: reads the header of a .cu file, launches what it says, compares.

README.md in this folder describes the headers. Nothing here knows which device it runs on: all
goes through pycuda.driver, so the same files prove themselves on a GPU. session.py compiles the
files and runs them in a process that may crash.
"""

import ctypes
import os
import re
import sys
import tempfile
import zlib
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
BLOCKS = "1 31 32 33 256 1024"
GUARD = 256  # bytes of GARBAGE before and after each array on the device, and what it is aligned to
GARBAGE = 0xA5

WORDS = {"block", "let", "vary", "def", "in", "out", "inout", "global", "call", "expect", "near",
         "prints", "fails", "options", "error", "host", "nvcc", "slow"}


class Case:
    """One .cu file: its source and the directives of its header, in order. tests/planted has a kind of its own."""

    folder, words = FOLDER, WORDS

    def __init__(self, path):
        self.path = Path(path)
        self.name = str(self.path.relative_to(self.folder))
        self.source = self.path.read_text()
        header = re.match(r"/\*(.*?)\*/", self.source, re.DOTALL)
        if not header:
            raise ValueError(f"{self.name}: no header comment")
        self.directives = list(self._read(header.group(1)))

    def _read(self, header):
        """Yields (word, text) of the lines after the first empty one; deeper lines continue."""
        lines = header.split("\n\n", 1)[-1].rstrip().split("\n")
        margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        entries = []
        for line in (line[margin:] for line in lines if line.strip()):
            if line.startswith(" "):
                entries[-1] += "\n" + line
            else:
                entries.append(line)
        for entry in entries:
            word, _, text = entry.partition(" ")
            if word not in self.words:
                raise ValueError(f"{self.name}: unknown directive '{word}'")
            yield word, text.strip()

    def all(self, word):
        return [text for w, text in self.directives if w == word]

    def has(self, word):
        return any(w == word for w, _ in self.directives)

    @property
    def options(self):
        return " ".join(self.all("options")).split()

    def blocks(self):
        for shape in " ".join(self.all("block") or [BLOCKS]).split():
            yield tuple(int(v) for v in (shape + "x1x1").split("x")[:3])

    def runs(self):
        """One Run for each block shape and each combination of the values of `vary`."""
        for block in self.blocks():
            variables = dict(vocabulary(zlib.crc32(self.path.name.encode())))
            variables.update(block=block, bx=block[0], by=block[1], bz=block[2],
                             threads=int(np.prod(block)))
            yield from self._expand(self.directives, self.run(variables))

    def run(self, variables):
        return Run(self, variables)

    def _expand(self, directives, run):
        for at, (word, text) in enumerate(directives):
            name, _, value = (part.strip() for part in text.partition("="))
            if word == "vary":
                for choice in run.value(f"({value},)"):
                    branch = run.copy()
                    branch.variables[name] = choice
                    branch.varied.append(f"{name}={choice}")
                    yield from self._expand(directives[at + 1:], branch)
                return
            if word == "let":
                run.variables[name] = run.value(value)
            elif word == "def":
                exec("def " + text, run.variables)  # noqa: S102 (headers are ours)
            elif word in ("in", "out", "inout", "global"):
                run.arrays[name] = (word, np.array(run.value(value), order="C", ndmin=1))
                run.variables[name] = run.arrays[name][1]
        yield run


class Run:
    """A case at one geometry: all variables known, nothing on the device yet."""

    def __init__(self, case, variables):
        self.case, self.variables = case, variables
        self.arrays = {}  # name -> (in | out | inout | global, initial value)
        self.varied = []

    def copy(self):
        twin = type(self)(self.case, dict(self.variables))
        twin.arrays, twin.varied = dict(self.arrays), list(self.varied)
        return twin

    def __str__(self):
        block = "x".join(str(v) for v in self.variables["block"])
        return " ".join([self.case.name, "block=" + block, *self.varied])

    def value(self, text, more=None):
        variables = self.variables if more is None else {**self.variables, **more}
        return eval(text.strip(), variables)

    def grid(self):
        grid = self.variables.get("grid")
        if grid is None:
            grid = -(-self.variables.get("n", 1) // self.variables["threads"])
        return tuple(int(v) for v in np.atleast_1d(grid))

    def execute(self, module):
        """Launches the calls of the header in `module` and checks all it says. Raises
        AssertionError with a message that names file and geometry."""
        try:
            with captured() if self.case.has("prints") else nullcontext() as output:
                results = self._launch(module)
            self._check(results, output)
        except AssertionError as error:
            raise AssertionError(f"{self}: {error}") from None

    def _launch(self, module):
        import pycuda.driver as cuda

        devices, names = {}, {}
        for name, (kind, initial) in self.arrays.items():
            if kind == "global":
                address, size = module.get_global(name)
                assert size == initial.nbytes, f"global {name} has {size} bytes in the module"
                cuda.memcpy_htod(address, initial)
            else:
                devices[name] = Buffer(initial, blank=kind == "out")
                names[name] = np.uintp(devices[name].address)
        for call in self.case.all("call"):
            kernel = re.match(r"\w+", call).group()
            names[kernel] = Kernel(module.get_function(kernel), self)
            self.value(call, names)
        cuda.Context.synchronize()
        results = {}
        for name, (kind, initial) in self.arrays.items():
            if kind == "global":
                results[name] = np.empty_like(initial)
                cuda.memcpy_dtoh(results[name], module.get_global(name)[0])
                continue
            results[name] = devices[name].fetch(name)
            if kind == "in":
                assert results[name].tobytes() == initial.tobytes(), f"input {name} was changed"
        return results

    def _check(self, results, output):
        for word, text in self.case.directives:
            if word not in ("expect", "near"):
                continue
            tolerance, text = text.split(" ", 1) if word == "near" else ("0", text)
            left, equals, right = text.partition(" = ")
            got = np.asarray(self.value(left, results))
            want = np.asarray(self.value(right)) if equals else np.True_
            compare(left.strip(), got, want, float(tolerance))
        for text in self.case.all("prints"):
            want, got = sorted(self.value(text)), sorted(output)
            assert got == want, f"printed {got[:5]}..., expected {want[:5]}..."


class Kernel:
    """kernel(...) or kernel[grid, block, shared](...) in a call directive."""

    def __init__(self, function, run, geometry=()):
        self.function, self.run = function, run
        self.geometry = geometry

    def __getitem__(self, geometry):
        return Kernel(self.function, self.run,
                      geometry if isinstance(geometry, tuple) else (geometry,))

    def __call__(self, *arguments):
        grid, block, shared = (*self.geometry, None, None, None)[:3]
        block = self.run.variables["block"] if block is None else block
        block = tuple(int(v) for v in (*np.atleast_1d(block), 1, 1)[:3])
        grid = self.run.grid() if grid is None else tuple(int(v) for v in np.atleast_1d(grid))
        self.function(*map(typed, arguments), grid=grid, block=block, shared=int(shared or 0))


class Buffer:
    """An array on the device between two guard zones. On the host device it ends where its memory does, and a page
    begins that faults, so that what a kernel reads too much is seen, too."""

    def __init__(self, initial, blank):
        import pycuda.driver as cuda
        from pycuda import _native

        self.shape, self.dtype, self.size = initial.shape, initial.dtype, initial.nbytes
        on_host = _native._is_host_device()
        self.start = GUARD + (-self.size % GUARD if on_host else 0)
        self.end = self.start + self.size
        self.image = np.full(self.end + (0 if on_host else GUARD), GARBAGE, np.uint8)
        if not blank:
            self.image[self.start:self.end] = np.frombuffer(initial.tobytes(), np.uint8)
        self.memory = cuda.mem_alloc(self.image.nbytes)
        self.address = int(self.memory) + self.start
        cuda.memcpy_htod(self.memory, self.image)

    def fetch(self, name):
        import pycuda.driver as cuda

        image = np.empty_like(self.image)
        cuda.memcpy_dtoh(image, self.memory)
        assert (image[:self.start] == GARBAGE).all(), f"written before the start of {name}"
        assert (image[self.end:] == GARBAGE).all(), f"written past the end of {name}"
        return image[self.start:self.end].view(self.dtype).reshape(self.shape)


def typed(argument):
    """Python numbers become int and float; NumPy scalars and records stay what they are."""
    return {int: np.int32, float: np.float32}.get(type(argument), np.asanyarray)(argument)[()]


def compare(what, got, want, tolerance):
    if got.ndim and want.ndim:
        assert got.shape == want.shape, f"{what} has shape {got.shape}, expected {want.shape}"
    got, want = np.broadcast_arrays(got, want)
    if got.dtype.names:
        wrong = got != want.astype(got.dtype)
    elif tolerance:
        with np.errstate(invalid="ignore"):
            wrong = ~(abs(got - want) <= tolerance * np.maximum(1, abs(want)))
        wrong &= (got != want) & ~(np.isnan(got) & np.isnan(want))
    elif "f" in got.dtype.kind + want.dtype.kind:
        wrong = (got != want) & ~(np.isnan(got) & np.isnan(want))
    else:
        wrong = got != want
    if wrong.any():
        first = tuple(int(v) for v in np.argwhere(wrong)[0])
        raise AssertionError(f"{what}: {int(wrong.sum())} of {wrong.size} wrong, first at "
                             f"{list(first)}: {got[first]!r}, expected {want[first]!r}")


def vocabulary(seed):
    """What the Python of a header can name: NumPy, short dtypes and reproducible data."""
    rng = np.random.default_rng(seed)
    words = {name: getattr(np, name) for name in dir(np) if not name.startswith("_")}
    words.update({f"{kind}{size}": np.dtype(f"{kind}{size}").type
                  for kind in "iuf" for size in (1, 2, 4, 8) if f"{kind}{size}" != "f1"})

    def ints(low, high, shape, dtype=np.int32):
        return rng.integers(low, high, shape, dtype, endpoint=True)

    def floats(shape, dtype=np.float32, low=-1.0, high=1.0):
        return rng.uniform(low, high, shape).astype(dtype)

    words.update(np=np, rng=rng, ints=ints, floats=floats, cdiv=lambda a, b: -(-a // b),
                 wrap=wrap, min=min, max=max)
    return words


def wrap(values, dtype):
    """Integers of any size cut down to dtype as the hardware does."""
    bits = np.dtype(dtype).itemsize * 8
    values = np.array(values, object, ndmin=1) & (1 << bits) - 1
    if np.dtype(dtype).kind == "i":
        values = (values ^ 1 << bits - 1) - (1 << bits - 1)
    return values.astype(dtype)


@contextmanager
def captured():
    """Lines written to file descriptor 1, by Python, C or the device, until the end of the block."""
    lines = []
    sys.stdout.flush()
    with tempfile.TemporaryFile() as sink:
        saved = os.dup(1)
        os.dup2(sink.fileno(), 1)
        try:
            yield lines
        finally:
            sys.stdout.flush()
            ctypes.CDLL(None).fflush(None)
            os.dup2(saved, 1)
            os.close(saved)
            sink.seek(0)
            lines += sink.read().decode().splitlines()


def cases(pattern="**/*.cu"):
    return [Case(path) for path in sorted(FOLDER.glob(pattern))]
