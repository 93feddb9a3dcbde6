"""Random numbers on the device: ``rand``, and generators with a seed.

The algorithms, and which part of which sequence goes into which element, are in random.cuh and
sobol.cuh of include/pycuda. A seed gives the same 32-bit words, and so the same integers and uniform
numbers, on every device; normal and Poisson numbers follow the last bits of the device's log and exp.
"""

import functools
import math

import numpy as np

from pycuda import _enums, _native, _sobol, gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.tools import dtype_to_ctype

_ROWS, _WIDTH, _TILE = 16, 256, 4096  # rows, lanes and elements of a tile, as in random.cuh
_INCLUDE = "#include <pycuda/sobol.cuh>"
_REAL = ("float32", "float64")
_INTEGER = ("int32", "uint32", "int64", "uint64")

# For each kind of numbers: dtypes, the template in random.cuh, its parameters (all double).
_DISTRIBUTIONS = {
    "uniform in [0, 1)": [(_REAL, "half_open"), (_INTEGER[:2], "integer")],
    "uniform": [(_REAL, "half_closed"), (_INTEGER, "integer")],
    "normal": [(_REAL, "normal")],
    "log-normal": [(_REAL, "log_normal", "mean", "deviation")],
    "Poisson": [((*_REAL, "uint32"), "poisson", "mean")],
    "Sobol32 uniform": [(_REAL, "half_closed"), (_INTEGER[:2], "integer")],
    "Sobol normal": [(_REAL, "normal_quantile")],
    "Sobol log-normal": [(_REAL, "log_normal_quantile", "mean", "deviation")],
}
# For each class of engines: its parameters, the code that fills a lane's tiles.
_STATELESS = ("unsigned long seed, unsigned long offset",
              """pycuda::{engine} engine(seed, offset + i);
              pycuda::fill(engine, {distribution}, data, n, i);""")
_WITH_STATE = ("unsigned *state, unsigned long lanes",
               """pycuda::{engine} engine;
               pycuda::load(engine, state, i, lanes);
               pycuda::fill(engine, {distribution}, data, n, i, lanes);
               pycuda::save(engine, state, i, lanes);""")
_SOBOL = tuple((f"""{word} *vectors, {word} *scramble, {word} *skipped, unsigned long dimensions,
                    unsigned long first, unsigned long shift, unsigned k""",
                """pycuda::fill(vectors, scramble, skipped, dimensions, first, shift, k,
                                {distribution}, data, n, i);""")
               for word in ("unsigned", "unsigned long"))


@functools.cache
def _fill_kernel(engine, style, kind, dtype):
    """Fills an array; arguments: data, n, the engine's, the distribution's."""
    rows = _DISTRIBUTIONS[kind]
    row = next((row for row in rows if dtype.name in row[0]), None)
    if row is None:
        known = ", ".join(name for row in rows for name in row[0])
        raise NotImplementedError(f"{kind} random numbers of dtype {dtype}: there are {known}")
    _, template, *parameters = row
    ctype = dtype_to_ctype(dtype)
    more, code = style
    arguments = ", ".join([f"{ctype} *data, unsigned long n", more]
                          + [f"double {name}" for name in parameters])
    distribution = f"pycuda::{template}<{ctype}>{{{', '.join(parameters)}}}"
    return ElementwiseKernel(arguments, code.format(engine=engine, distribution=distribution),
                             name=f"{engine}_{template}", preamble=_INCLUDE)


def _random_seed():
    return int(np.random.randint(0, 2**63 - 1, dtype=np.int64))


def _md5_text():
    """MD5 (RFC 1321) of the 8 bytes of two words, unrolled: a statement list."""
    shifts = (7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21)
    mixes = "({b} & {c}) | (~{b} & {d})", "({b} & {d}) | ({c} & ~{d})", "{b} ^ {c} ^ {d}", "{c} ^ ({b} | ~{d})"
    places = (1, 0), (5, 1), (3, 5), (7, 0)
    start = 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476
    block = {0: "(unsigned) (i)", 1: "(unsigned) (seed)", 2: "0x80u", 14: "64u"}
    lines = ["unsigned a = {}u, b = {}u, c = {}u, d = {}u;".format(*start)]
    names = "abcd"
    for step in range(64):
        turn = step // 16
        a, b, c, d = names
        factor, offset = places[turn]
        word = block.get((factor * step + offset) % 16, "0u")
        constant = int(abs(math.sin(step + 1)) * 2**32)
        shift = shifts[turn][step % 4]
        mix = mixes[turn].format(b=b, c=c, d=d)
        lines.append(f"{a} += ({mix}) + {constant}u + {word}; "
                     f"{a} = {b} + ({a} << {shift} | {a} >> {32 - shift});")
        names = d + a + b + c
    lines.append("a += {}u; b += {}u; c += {}u; d += {}u;".format(*start))
    return "\n".join(lines) + "\n"


#: CUDA C for kernels of one's own: four random words a, b, c, d (unsigned), the MD5 digest of the
#: variables i and seed, as 32-bit words.
md5_code = _md5_text()


def rand(shape, dtype=np.float32, stream=None):
    """A new array of uniform numbers: float32 and float64 in [0, 1), all values of int32 and uint32.

    Philox4x32-10 with a seed from numpy.random. NotImplementedError: another dtype.
    """
    data = _native._empty(shape, dtype)
    _Philox(_random_seed())._fill("uniform in [0, 1)", data, stream)
    return data


class _Generator:
    """What all generators do. data: a GPUArray, of which each element is set."""

    generator_bits = 32
    has_box_muller = True

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} of {self.generator_bits} bits>"

    @functools.cached_property
    def module(self):
        """A driver.Module of the generators' source, without kernels: they are compiled as needed."""
        return SourceModule(_INCLUDE, options=["-w"], no_extern_c=True).module

    @property
    def generators(self):
        """What fills arrays: methods by the names of their kinds of numbers."""
        return {kind: getattr(self, f"fill_{kind}") for kind in ("uniform", "normal", "log_normal", "poisson")}

    @property
    def state(self):
        """The DeviceAllocation of the generator's state."""
        return self._state.gpudata

    def _set(self, kind, data, stream, *parameters):
        if not isinstance(data, gpuarray.GPUArray):
            raise TypeError(f"data: expected a GPUArray, got {type(data).__name__}")
        whole = data if data.flags.forc else data.copy()
        self._fill(kind, whole, stream, *parameters)
        if whole is not data:
            data[...] = whole

    def fill_uniform(self, data, stream=None):
        """Uniform numbers: float32 and float64 in (0, 1], all values of 32- and 64-bit integers."""
        self._set("uniform", data, stream)

    def fill_normal(self, data, stream=None):
        """Normal numbers of mean 0 and standard deviation 1; float32, float64."""
        self._set("normal", data, stream)

    def fill_log_normal(self, data, mean, stddev, stream=None):
        """exp(mean + stddev * x) of normal numbers x; float32, float64."""
        self._set("log-normal", data, stream, mean, stddev)

    def fill_poisson(self, data, lambda_value=None, stream=None):
        """Poisson numbers of mean lambda_value; uint32, float32, float64. Without one, each element
        of data is the mean of the number that replaces it; NaN stays. ValueError: below 0, infinite or NaN."""
        if lambda_value is not None and not 0 <= lambda_value < math.inf:
            raise ValueError(f"lambda_value: expected a finite number of 0 or more, got {lambda_value}")
        self._set("Poisson", data, stream, -1 if lambda_value is None else lambda_value)

    def _new(self, fill, shape, dtype, *rest):
        data = _native._empty(shape, dtype)
        fill(data, *rest)
        return data

    def gen_uniform(self, shape, dtype, stream=None):
        """A new array, as of fill_uniform."""
        return self._new(self.fill_uniform, shape, dtype, stream)

    def gen_normal(self, shape, dtype, stream=None):
        """A new array, as of fill_normal."""
        return self._new(self.fill_normal, shape, dtype, stream)

    def gen_log_normal(self, shape, dtype, mean, stddev, stream=None):
        """A new array, as of fill_log_normal."""
        return self._new(self.fill_log_normal, shape, dtype, mean, stddev, stream)

    def gen_poisson(self, shape, dtype, lambda_value, stream=None):
        """A new array, as of fill_poisson."""
        return self._new(self.fill_poisson, shape, dtype, lambda_value, stream)


class _Philox(_Generator):
    def __init__(self, seed, offset=0):
        self.seed, self.offset = seed, offset

    def _fill(self, kind, data, stream, *parameters):
        kernel = _fill_kernel("philox", _STATELESS, kind, data.dtype)
        lanes = -(-data.size // _TILE) * _WIDTH
        kernel(data, data.size, self.seed, self.offset, *parameters, range=slice(0, lanes, 1),
               stream=stream)
        self.offset = (self.offset + lanes) % 2**64


class Philox4x32_10RandomNumberGenerator(_Philox):
    """The counter-based Philox4x32-10: no state on the device, nothing to set up.

    seed: the key, an integer below 2**64; by default from numpy.random. offset: lanes of the sequence
    to skip, each of 2**34 words; an array takes 256 lanes for each 4096 elements or part of them.
    """

    def __init__(self, seed=None, offset=0):
        super().__init__(_random_seed() if seed is None else seed, offset)

    def call_skip_ahead(self, i, stream=None):
        """Skip i lanes."""
        self.offset = (self.offset + i) % 2**64


# -- Generators with a state on the device -------------------------------------------------


def seed_getter_uniform(n):
    """n times the same random seed: an int32 GPUArray. The lanes' sequences do not overlap."""
    return gpuarray.full(n, np.random.randint(0, 2**31, dtype=np.int32), np.int32)


def seed_getter_unique(n):
    """n random seeds: an int32 GPUArray."""
    return gpuarray.to_gpu(np.random.randint(0, 2**31, n, dtype=np.int32))


@functools.cache
def _state_kernel(engine, purpose):
    """Kernels over states: one that sets them up, and those that go on by count * 2**exponent."""
    arguments, code = {
        "seed": ("int *seed", "engine.start(seed[i]); count = i;"),
        "skip": ("unsigned long count", "pycuda::load(engine, state, i, lanes);"),
        "skip_array": ("unsigned long *counts",
                       "pycuda::load(engine, state, i, lanes); count = counts[i];"),
    }[purpose]
    count = "unsigned long count;" if purpose != "skip" else ""
    return ElementwiseKernel(
        f"unsigned *state, unsigned long lanes, unsigned *powers, unsigned exponent, {arguments}",
        f"""pycuda::{engine} engine; {count}
            {code}
            pycuda::skip(engine, powers, count, exponent);
            pycuda::save(engine, state, i, lanes);""",
        name=f"{engine}_{purpose}", preamble=_INCLUDE)


class _StatefulGenerator(_Generator):
    block_count = 256
    generators_per_block = _WIDTH
    lanes = block_count * generators_per_block

    def __init__(self, seed_getter=None, offset=0):
        seed = (seed_getter or seed_getter_uniform)(self.lanes)
        if not (isinstance(seed, gpuarray.GPUArray) and seed.dtype == np.int32
                and seed.shape == (self.lanes,)):
            raise TypeError("seed must be GPUArray of integers of right length")
        self.state_type = f"pycuda::{self._engine}"
        self._state = gpuarray.GPUArray((6, self.lanes), np.uint32)
        self._powers = gpuarray.to_gpu(self._make_powers())
        self._run("seed", self._sequence, seed, None)
        if offset:
            self.call_skip_ahead(offset)

    def _run(self, purpose, exponent, argument, stream):
        _state_kernel(self._engine, purpose)(
            self._state, self.lanes, self._powers, exponent, argument,
            range=slice(0, self.lanes, 1), stream=stream)

    def _skip_array(self, exponent, counts, stream):
        if not isinstance(counts, gpuarray.GPUArray) or counts.shape != (self.lanes,):
            raise TypeError(f"i: expected a GPUArray of {self.lanes} integers")
        self._run("skip_array", exponent, counts.astype(np.uint64), stream)

    def _fill(self, kind, data, stream, *parameters):
        kernel = _fill_kernel(self._engine, _WITH_STATE, kind, data.dtype)
        lanes = min(-(-data.size // _TILE) * _WIDTH, self.lanes)
        kernel(data, data.size, self._state, self.lanes, *parameters, range=slice(0, lanes, 1),
               stream=stream)

    def call_skip_ahead(self, i, stream=None):
        """Skip i words of each lane."""
        self._run("skip", 0, i, stream)

    def call_skip_ahead_array(self, i, stream=None):
        """Skip i[lane] words of each lane; i: a GPUArray of integers, one a lane."""
        self._skip_array(0, i, stream)

    def call_skip_ahead_sequence(self, i, stream=None):
        """Skip i sequences: the distance of neighbouring lanes that have the same seed."""
        self._run("skip", self._sequence, i, stream)

    def call_skip_ahead_sequence_array(self, i, stream=None):
        """Skip i[lane] sequences in each lane; i: a GPUArray of integers, one a lane."""
        self._skip_array(self._sequence, i, stream)


class XORWOWRandomNumberGenerator(_StatefulGenerator):
    """Marsaglia's XORWOW, in 65536 lanes 2**67 words apart.

    seed_getter: a function that returns a GPUArray of as many int32 as it is asked for, one seed a
    lane (seed 0 stands for Marsaglia's own start); by default seed_getter_uniform. offset: words to
    skip in each lane. TypeError: the seeds are of another dtype or number.
    """

    _engine, _sequence = "xorwow", 67

    @staticmethod
    @functools.cache
    def _make_powers():
        """The steps 2**0 to 2**130: matrices of bits, a row for each bit of the state before."""
        x = np.zeros((160, 5), np.uint32)
        for bit in range(160):
            x[bit, bit // 32] = 1 << bit % 32
        t = x[:, 0] ^ x[:, 0] >> 2
        last = x[:, 4] ^ x[:, 4] << 4 ^ t ^ t << 1
        step, table = np.column_stack((x[:, 1:], last)), []
        for _ in range(131):
            table.append(step)
            bits = np.unpackbits(step.view(np.uint8), axis=1, bitorder="little").astype(np.float32)
            step = np.packbits((bits @ bits).astype(np.int32) & 1, axis=1, bitorder="little")
            step = step.view(np.uint32)
        return np.concatenate(table).ravel()


class MRG32k3aRandomNumberGenerator(_StatefulGenerator):
    """L'Ecuyer's MRG32k3a, in 65536 lanes 2**127 words apart; words are 1 to 2**32 - 209.

    Arguments as for XORWOWRandomNumberGenerator; seed 0 stands for his start, six times 12345.
    """

    _engine, _sequence, _subsequence = "mrg32k3a", 127, 76

    @staticmethod
    @functools.cache
    def _make_powers():
        """The steps 2**0 to 2**190: two matrices of three rows."""
        moduli = 2**32 - 209, 2**32 - 22853
        steps = [np.array([[0, 1, 0], [0, 0, 1], last], object)
                 for last in ([-810728, 1403580, 0], [-1370589, 0, 527612])]
        table = []
        for _ in range(191):
            table.append([step % modulus for step, modulus in zip(steps, moduli, strict=True)])
            steps = [step @ step for step in table[-1]]
        return np.array(table).astype(np.uint32).ravel()

    def call_skip_ahead_subsequence(self, i, stream=None):
        """Skip i times 2**76 words of each lane."""
        self._run("skip", self._subsequence, i, stream)

    def call_skip_ahead_subsequence_array(self, i, stream=None):
        """Skip i[lane] times 2**76 words in each lane; i: a GPUArray of integers, one a lane."""
        self._skip_array(self._subsequence, i, stream)


# -- Sobol sequences -----------------------------------------------------------------------

direction_vector_set = _native._make_enum(_enums.enum, __name__, "direction_vector_set", {
    "VECTOR_32": 101, "SCRAMBLED_VECTOR_32": 102, "VECTOR_64": 103, "SCRAMBLED_VECTOR_64": 104})


def get_curand_version():
    """(6, 0, 0), the first CURAND that has all these generators. CURAND itself is not used."""
    return 6, 0, 0


def generate_direction_vectors(count, direction=direction_vector_set.VECTOR_32):
    """The direction vectors of the first `count` dimensions, 21201 at most: a GPUArray of uint32 and
    shape (count, 32), or uint64 and (count, 64). direction: of direction_vector_set; those of
    scrambled sequences are multiplied by random triangular matrices, always the same ones
    (Matousek's linear scrambling). ValueError: there are not so many.
    """
    direction = direction_vector_set.VECTOR_32 if direction is None else direction
    if direction not in direction_vector_set.values:
        raise ValueError(f"direction: expected one of direction_vector_set, got {direction!r}")
    if not 1 <= count <= _sobol.MOST_DIMENSIONS:
        raise ValueError(f"count: expected 1 to {_sobol.MOST_DIMENSIONS} dimensions, got {count}")
    vectors = _sobol.direction_vectors(count, 32 if direction <= 102 else 64)
    return gpuarray.to_gpu(_sobol.scrambled(vectors) if direction in (102, 104) else vectors)


def generate_scramble_constants32(count):
    """What to add without carry to the words of `count` scrambled dimensions: random numbers, always
    the same ones, as a GPUArray of uint32."""
    return gpuarray.to_gpu(_sobol.scramble_constants(count, np.uint32))


def generate_scramble_constants64(count):
    """As generate_scramble_constants32, of uint64."""
    return gpuarray.to_gpu(_sobol.scramble_constants(count, np.uint64))


class _Sobol(_Generator):
    """A generator of points that are spread evenly: coordinate e % d of point e // d goes into
    element e, where d is the number of dimensions, of the first array; the next array goes on.

    dir_vector: a GPUArray as of generate_direction_vectors, a row for each dimension; by default one
    dimension. scramble_vector: a GPUArray as of generate_scramble_constants. offset: points to skip.
    TypeError: another dtype or shape.
    """

    has_box_muller = False
    generators_per_block = 1

    def __init__(self, dir_vector=None, scramble_vector=None, offset=0):
        bits, dtype = self.generator_bits, np.dtype(f"u{self.generator_bits // 8}")
        if dir_vector is None:
            dir_vector = generate_direction_vectors(1, self._direction)
        self.block_count = d = (getattr(dir_vector, "shape", None) or [1])[0]
        if scramble_vector is None:
            scramble_vector = gpuarray.to_gpu(self._constants(d, dtype))
        for name, array, shape in (("dir_vector", dir_vector, (d, bits)),
                                   ("scramble_vector", scramble_vector, (d,))):
            if not isinstance(array, gpuarray.GPUArray) or d == 0 or (
                    array.dtype, array.shape) != (dtype, shape):
                raise TypeError(f"{name}: expected a GPUArray of {dtype} and shape {shape}, got "
                                f"{getattr(array, 'dtype', type(array).__name__)} of "
                                f"{getattr(array, 'shape', 'no shape')}")
        self.state_type = f"pycuda::sobol<{dtype_to_ctype(dtype)}>"
        self._vectors, self._scramble = dir_vector.T.copy(order="C"), scramble_vector.copy()
        self._state = gpuarray.zeros(d, dtype)
        self._position = offset * d

    def _fill(self, kind, data, stream, *parameters):
        kind = {"normal": "Sobol normal", "log-normal": "Sobol log-normal"}.get(kind, kind)
        if (kind, self.generator_bits) == ("uniform", 32):
            kind = "Sobol32 uniform"
        kernel = _fill_kernel("sobol", _SOBOL[self.generator_bits // 64], kind, data.dtype)
        d, k = self.block_count, max(0, (_WIDTH - 1) // self.block_count).bit_length()
        first, shift = divmod(self._position, d)
        lanes = -(-(shift + data.size) // (d * _ROWS << k)) * (d << k)
        kernel(data, data.size, self._vectors, self._scramble, self._state, d, first % 2**64, shift, k,
               *parameters, range=slice(0, lanes, 1), stream=stream)
        self._position += data.size

    def call_skip_ahead(self, i, stream=None):
        """Skip i points."""
        self._position += i * self.block_count

    def call_skip_ahead_array(self, i, stream=None):
        """Skip i[k] points in dimension k; i: a GPUArray of integers, one a dimension."""
        if not isinstance(i, gpuarray.GPUArray) or i.shape != self._state.shape:
            raise TypeError(f"i: expected a GPUArray of {self.block_count} integers")
        self._state += i.astype(self._state.dtype)


class Sobol32RandomNumberGenerator(_Sobol):
    __doc__ = _Sobol.__doc__
    generator_bits, _direction = 32, direction_vector_set.VECTOR_32
    _constants = staticmethod(np.zeros)

    def __init__(self, dir_vector=None, offset=0):
        super().__init__(dir_vector, None, offset)


class Sobol64RandomNumberGenerator(Sobol32RandomNumberGenerator):
    __doc__ = _Sobol.__doc__
    generator_bits, _direction = 64, direction_vector_set.VECTOR_64


class ScrambledSobol32RandomNumberGenerator(_Sobol):
    __doc__ = _Sobol.__doc__
    generator_bits, _direction = 32, direction_vector_set.SCRAMBLED_VECTOR_32
    _constants = staticmethod(_sobol.scramble_constants)


class ScrambledSobol64RandomNumberGenerator(ScrambledSobol32RandomNumberGenerator):
    __doc__ = _Sobol.__doc__
    generator_bits, _direction = 64, direction_vector_set.SCRAMBLED_VECTOR_64
