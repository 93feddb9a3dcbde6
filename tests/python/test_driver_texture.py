"""Texture and surface objects against NumPy, on any device; references, on the host device."""

import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

WRAP, CLAMP, MIRROR, BORDER = (
    cuda.address_mode.WRAP, cuda.address_mode.CLAMP, cuda.address_mode.MIRROR,
    cuda.address_mode.BORDER)
POINT, LINEAR = cuda.filter_mode.POINT, cuda.filter_mode.LINEAR
AS_IS, NORMALIZED = cuda.TRSF_READ_AS_INTEGER, cuda.TRSF_NORMALIZED_COORDINATES
FORMATS = {
    "u1": cuda.array_format.UNSIGNED_INT8, "u2": cuda.array_format.UNSIGNED_INT16,
    "u4": cuda.array_format.UNSIGNED_INT32, "i1": cuda.array_format.SIGNED_INT8,
    "i2": cuda.array_format.SIGNED_INT16, "i4": cuda.array_format.SIGNED_INT32,
    "f2": cuda.array_format.HALF, "f4": cuda.array_format.FLOAT}
C_NAMES = {"u1": "uchar", "u2": "ushort", "u4": "uint", "i1": "char", "i2": "short", "i4": "int",
           "f4": "float"}


def c_type(dtype, channels):
    scalar = {"char": "signed char", "uchar": "unsigned char", "ushort": "unsigned short",
              "uint": "unsigned int"}
    name = C_NAMES[dtype]
    return scalar.get(name, name) if channels == 1 else f"{name}{channels}"


def values(dtype, *shape):
    rng = np.random.default_rng(7)
    if dtype[0] == "f":
        return rng.uniform(-4, 4, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def upload(data, dimensions=None, flags=0):
    """An Array of data[..., y, x, channel]; what is more than the dimensions are layers."""
    *lengths, width, channels = data.shape
    dimensions = dimensions or len(lengths) + 1
    layers = lengths.pop(0) if len(lengths) + 1 > dimensions else 0
    height, depth = ([0, 0] + lengths)[::-1][:2]
    shape = cuda.ArrayDescriptor3D()
    shape.width, shape.height, shape.depth = width, height, depth or layers
    shape.format, shape.num_channels = FORMATS[data.dtype.str[1:]], channels
    shape.flags = flags | (cuda.array3d_flags.LAYERED if layers else 0)
    array = cuda.Array(shape)
    copy = cuda.Memcpy3D()
    copy.set_src_host(data)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = width * channels * data.itemsize
    copy.height = copy.src_height = height or 1
    copy.depth = shape.depth or 1
    copy()
    return array


def reading(mode=CLAMP, filter_mode=POINT, flags=AS_IS, dimensions=2):
    descriptor = cuda.TextureDescriptor()
    for d in range(dimensions):  # on a GPU, borders of dimensions that are not there count
        descriptor.set_address_mode(d, mode)
    descriptor.filter_mode, descriptor.flags = filter_mode, flags
    return descriptor


def texel(data, places, mode):
    """data[..., y, x, :] at integer places, x first."""
    inside, index = True, []
    for d, i in enumerate(places):
        n = data.shape[-2 - d]
        inside = inside & (i >= 0) & (i < n)
        if mode == WRAP:
            i = i % n
        elif mode == MIRROR:
            i = np.where(i % (2 * n) < n, i % n, n - 1 - i % n)
        index.insert(0, np.clip(i, 0, n - 1))
    found = data[tuple(index)]
    return found if mode != BORDER else np.where(np.asarray(inside)[..., None], found, 0)


def sample(data, coordinates, mode, filter_mode, flags):
    """The CUDA guide's formulas, x first; exact in float64."""
    if flags & NORMALIZED:
        coordinates = [x.astype(float) * data.shape[-2 - d] for d, x in enumerate(coordinates)]
    elif mode in (WRAP, MIRROR):
        mode = CLAMP
    if filter_mode == POINT:
        return texel(data, [np.floor(x).astype(int) for x in coordinates], mode)
    total = 0
    lows = [np.floor(x - 0.5).astype(int) for x in coordinates]
    for corner in range(1 << len(lows)):
        share, places = 1.0, []
        for d, low in enumerate(lows):
            part, high = coordinates[d] - 0.5 - low, corner >> d & 1
            share = share * (part if high else 1 - part)
            places.append(low + high)
        total = total + share[..., None] * texel(data.astype(float), places, mode)
    return total


READ = """
__global__ void read(%(T)s *out, const float *x, const float *y, const float *z, int n,
                     cudaTextureObject_t texture)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = %(fetch)s;
}"""


def read(c_type, dtype, channels, fetch, texture, coordinates):
    kernel = SourceModule(READ % {"T": c_type, "fetch": fetch}).get_function("read")
    n = len(coordinates[0])
    out = np.empty((n, channels), dtype)
    x, y, z = (np.asarray(coordinates[min(d, len(coordinates) - 1)], "f4") for d in range(3))
    kernel(cuda.Out(out), cuda.In(x), cuda.In(y), cuda.In(z), np.int32(n), texture,
           block=(96, 1, 1), grid=(-(-n // 96), 1))
    return out


def places(dimensions, lengths, normalized, seed=3):
    """Inside and around; not on the edges between texels, where devices may differ."""
    rng = np.random.default_rng(seed)
    result = []
    for n in lengths[:dimensions]:
        x = rng.integers(-2 * n, 3 * n, 500) + rng.uniform(0.05, 0.95, 500)
        result.append((x / n if normalized else x).astype("f4"))
    return result


FETCH = {1: "tex1D<%s>(texture, x[i])", 2: "tex2D<%s>(texture, x[i], y[i])",
         3: "tex3D<%s>(texture, x[i], y[i], z[i])"}


@pytest.mark.parametrize("dimensions, shape", [(1, (37,)), (2, (11, 37)), (3, (5, 11, 37))])
@pytest.mark.parametrize("mode", [WRAP, CLAMP, MIRROR, BORDER])
def test_modes(context, dimensions, shape, mode):
    data = values("f4", *shape, 1)
    array = upload(data, dimensions)
    for filter_mode in (POINT, LINEAR):
        for flags in (0, NORMALIZED):
            if not flags and mode in (WRAP, MIRROR):
                continue
            texture = cuda.TextureObject(
                array, reading(mode, filter_mode, flags, dimensions))
            where = places(dimensions, shape[::-1], flags)
            got = read("float", "f4", 1, FETCH[dimensions] % "float", texture, where)
            wanted = sample(data, where, mode, filter_mode, flags)
            near = 8 / 256 * dimensions if filter_mode == LINEAR else 0
            np.testing.assert_allclose(got, wanted, atol=near)


@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "i1", "i2", "i4", "f4"])
def test_formats(context, dtype, channels):
    data = values(dtype, 9, 31, channels)
    texture = cuda.TextureObject(upload(data))
    where = places(2, (31, 9), False)
    T = c_type(dtype, channels)
    got = read(T, dtype, channels, FETCH[2] % T, texture, where)
    np.testing.assert_array_equal(got, sample(data, where, CLAMP, POINT, 0))


@pytest.mark.parametrize("filter_mode", [POINT, LINEAR])
@pytest.mark.parametrize("dtype", ["u1", "u2", "i1", "i2", "f2"])
def test_values_read_as_floats(context, dtype, filter_mode):
    data = values(dtype, 9, 31, 2)
    texture = cuda.TextureObject(upload(data), reading(BORDER, filter_mode, 0))
    where = places(2, (31, 9), False)
    got = read("float2", "f4", 2, FETCH[2] % "float2", texture, where)
    unit = 1 if dtype == "f2" else np.iinfo(dtype).max
    floats = np.maximum(data.astype(float) / unit, -4 if dtype == "f2" else -1)
    wanted = sample(floats, where, BORDER, filter_mode, 0)
    np.testing.assert_allclose(got, wanted, atol=16 / 256 if filter_mode == LINEAR else 1e-6)


@pytest.mark.parametrize(("dtype", "channels"), [("f4", 1), ("f4", 4), ("i4", 2), ("u1", 1), ("i2", 1)])
def test_neighbours_in_linear_memory(context, dtype, channels):
    """At the thread's own number, on both sides of both ends: zeros outside (CUDA guide, tex1Dfetch)."""
    data = values(dtype, 150, channels)
    memory = cuda.to_device(data)
    resource = cuda.ResourceDescriptor()
    resource.set_address(memory, data.nbytes, FORMATS[dtype], channels)
    for texture in cuda.TextureObject(resource), cuda.TextureObject(resource, reading(CLAMP)):
        for fetched, where in [("i - 70", lambda i: i - 70), ("i + 1", lambda i: i + 1), ("100 - i", lambda i: 100 - i),
                               ("2 * i - 90", lambda i: 2 * i - 90), ("n / 2", lambda i: i * 0 + 144)]:
            T = c_type(dtype, channels)
            i = np.arange(288)
            got = read(T, dtype, channels, f"tex1Dfetch<{T}>(texture, {fetched})", texture, [i])
            np.testing.assert_array_equal(got, texel(data, [where(i)], BORDER), fetched)


def test_linear_and_pitched_memory(context):
    data = values("f4", 50, 1)
    memory = cuda.to_device(data)
    resource = cuda.ResourceDescriptor()
    resource.set_address(memory, data.nbytes, cuda.array_format.FLOAT, 1)
    i = np.arange(-20, 90, dtype="f4")
    got = read("float", "f4", 1, "tex1Dfetch<float>(texture, (int)x[i])",
               cuda.TextureObject(resource), [i])
    np.testing.assert_array_equal(got, texel(data, [i.astype(int)], BORDER))

    data = values("i2", 7, 21, 4)
    memory, pitch = cuda.mem_alloc_pitch(21 * 8, 7, 8)
    copy = cuda.Memcpy2D()
    copy.set_src_host(data)
    copy.set_dst_device(memory)
    copy.src_pitch = copy.width_in_bytes = 21 * 8
    copy.dst_pitch, copy.height = pitch, 7
    copy(aligned=True)
    shape = cuda.ArrayDescriptor()
    shape.width, shape.height, shape.num_channels = 21, 7, 4
    shape.format = cuda.array_format.SIGNED_INT16
    resource.set_address_2d(memory, shape, pitch)
    where = places(2, (21, 7), False)
    got = read("short4", "i2", 4, FETCH[2] % "short4", cuda.TextureObject(resource), where)
    np.testing.assert_array_equal(got, sample(data, where, CLAMP, POINT, 0))


@pytest.mark.parametrize("dimensions, fetch", [
    (1, "tex1DLayered<float>(texture, x[i], (int)z[i])"),
    (2, "tex2DLayered<float>(texture, x[i], y[i], (int)z[i])")])
def test_layers(context, dimensions, fetch):
    shape = (6, 37) if dimensions == 1 else (6, 5, 37)
    data = values("f4", *shape, 1)
    texture = cuda.TextureObject(upload(data, dimensions))
    where = places(dimensions, (37, 5), False)
    layers = np.random.default_rng(1).integers(0, 6, 500)
    got = read("float", "f4", 1, fetch, texture, [where[0], where[-1], layers])
    wanted = np.empty_like(got)
    for layer in range(6):
        some = layers == layer
        wanted[some] = sample(data[layer], [x[some] for x in where], CLAMP, POINT, 0)
    np.testing.assert_array_equal(got, wanted)


def test_cube_map(context):
    data = values("f4", 6, 16, 16, 1)
    array = upload(data, 2, cuda.array3d_flags.CUBEMAP)
    rng = np.random.default_rng(5)
    face, s, t = rng.integers(0, 6, 500), rng.integers(0, 16, 500), rng.integers(0, 16, 500)
    u, v = (s + 0.5) / 8 - 1, (t + 0.5) / 8 - 1
    one = np.ones(500)
    # The guide's table of faces, solved for the direction.
    directions = np.choose(face, [
        [one, -v, -u], [-one, -v, u], [u, one, v], [u, -one, -v], [u, -v, one], [-u, -v, -one]])
    got = read("float", "f4", 1, "texCubemap<float>(texture, x[i], y[i], z[i])",
               cuda.TextureObject(array, reading(flags=NORMALIZED)), list(3 * directions))
    np.testing.assert_array_equal(got, data[face, t, s])


@pytest.mark.parametrize("name, dimensions, level, gradient", [
    ("tex1D", 1, "7.f", "1.f, 2.f"), ("tex2D", 2, "0.5f", "make_float2(1, 2), make_float2(3, 4)"),
    ("tex3D", 3, "9.f", "make_float4(1, 2, 3, 0), make_float4(1, 0, 3, 0)")])
def test_levels_of_a_texture_that_has_one(context, name, dimensions, level, gradient):
    shape = (6, 12, 20)[3 - dimensions:]
    data = values("f4", *shape, 1)
    texture = cuda.TextureObject(upload(data, dimensions), reading(flags=NORMALIZED))
    where = places(dimensions, shape[::-1], True)
    at = ", ".join(("x[i]", "y[i]", "z[i]")[:dimensions])
    forms = {"": f"texture, {at}", "Lod": f"texture, {at}, {level}", "Grad": f"texture, {at}, {gradient}"}
    lines = []
    for function, given in forms.items():
        lines += [f"same &= {name}{function}<float>({given}) == wanted",
                  f"{name}{function}(&found, {given}), same &= found == wanted"]
        if dimensions > 1:  # all memory of these is there
            lines += [f"there = false, same &= {name}{function}<float>({given}, &there) == wanted && there"]
    got = read("float", "f4", 1, f"[&] {{ float wanted = {name}<float>(texture, {at}), found = 0; bool same = true, "
               f"there; {'; '.join(lines)}; return same ? wanted : -1; }}()", texture, where)
    np.testing.assert_array_equal(got, sample(data, where, CLAMP, POINT, NORMALIZED))


def test_gather(context):
    data = values("f4", 8, 20, 2)
    texture = cuda.TextureObject(upload(data, flags=cuda.array3d_flags.TEXTURE_GATHER))
    where = [np.floor(x[:100]) + 0.25 for x in places(2, (20, 8), False)]
    x, y = (np.floor(w - 0.5).astype(int) for w in where)
    wanted = [texel(data, [x + right, y + down], CLAMP)[:, 1]
              for right, down in ((0, 1), (1, 1), (1, 0), (0, 0))]
    each = "tex2Dgather<float4>(texture, x[i], y[i], 1)"
    got = read("float4", "f4", 4, f"[&] {{ float4 a = {each}, b; bool there = false; "
               "tex2Dgather(&b, texture, x[i], y[i], 1); float4 c = tex2Dgather<float4>(texture, x[i], y[i], &there, 1); "
               "return make_float4(a.x, b.y, c.z, there ? a.w : -1); }()", texture, where)
    np.testing.assert_array_equal(got, np.stack(wanted, -1))


def test_into_a_pointer(context):
    data = values("f4", 9, 31, 1)
    where = places(2, (31, 9), False)
    got = read("float", "f4", 1, "0, tex2D(&out[i], texture, x[i], y[i])",
               cuda.TextureObject(upload(data)), where)
    np.testing.assert_array_equal(got, sample(data, where, CLAMP, POINT, 0))


# -- Surfaces --

SURFACE = """
__global__ void twice(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x * sizeof(int2), y = threadIdx.y, z = threadIdx.z;
    if (y > 5 || z > 2)
        return;
    int2 value = surf%(name)sread<int2>(from, %(place)s);
    surf%(name)swrite(make_int2(2 * value.x, value.y), to, %(place)s);
}
__global__ void around(int *zero, int *clamp, cudaSurfaceObject_t surface)
{
    int x = ((int)threadIdx.x - 4) * 4;
    zero[threadIdx.x] = surf2Dread<int>(surface, x, 0, cudaBoundaryModeZero);
    surf2Dread(&clamp[threadIdx.x], surface, x, 0, cudaBoundaryModeClamp);
    surf2Dwrite(7, surface, x, 8, cudaBoundaryModeZero);
}"""


@pytest.mark.parametrize("name, dimensions, shape, place", [
    ("1D", 1, (24,), "x"), ("2D", 2, (6, 24), "x, y"), ("3D", 3, (3, 6, 24), "x, y, z"),
    ("1DLayered", 1, (6, 24), "x, y"), ("2DLayered", 2, (3, 6, 24), "x, y, z")])
def test_surfaces(context, name, dimensions, shape, place):
    data = values("i4", *shape, 2) // 2
    first, second = (upload(a, dimensions, cuda.array3d_flags.SURFACE_LDST)
                     for a in (data, np.zeros_like(data)))
    kernel = SourceModule(SURFACE % {"name": name, "place": place}).get_function("twice")
    block = (*shape[::-1], 1, 1)[:3]
    kernel(cuda.SurfaceObject(first), cuda.SurfaceObject(second), block=block)
    wanted = data * [2, 1]
    out = np.empty_like(data)
    copy = cuda.Memcpy3D()
    copy.set_src_array(second)
    copy.set_dst_host(out)
    copy.width_in_bytes = copy.dst_pitch = shape[-1] * 8
    layered = len(shape) > dimensions
    copy.height = copy.dst_height = shape[-2] if dimensions > 1 else 1
    copy.depth = shape[0] if layered or dimensions == 3 else 1
    copy()
    np.testing.assert_array_equal(out, wanted)


def test_surface_boundaries(context):
    data = values("i4", 8, 16, 1)
    array = upload(data, flags=cuda.array3d_flags.SURFACE_LDST)
    module = SourceModule(SURFACE % {"name": "2D", "place": "x, y"})
    zero, clamp = np.empty(24, "i4"), np.empty(24, "i4")
    module.get_function("around")(cuda.Out(zero), cuda.Out(clamp), cuda.SurfaceObject(array),
                                  block=(24, 1, 1))
    i = np.arange(-4, 20)
    np.testing.assert_array_equal(zero, np.where((i >= 0) & (i < 16), data[0, i % 16, 0], 0))
    np.testing.assert_array_equal(clamp, data[0, np.clip(i, 0, 15), 0])


@pytest.mark.host
def test_surface_trap(context):
    array = upload(values("i4", 8, 16, 2), flags=cuda.array3d_flags.SURFACE_LDST)
    surface = cuda.SurfaceObject(array)
    kernel = SourceModule(SURFACE % {"name": "2D", "place": "x, y"}).get_function("twice")
    kernel(surface, surface, block=(17, 1, 1))
    with pytest.raises(cuda.LogicError, match="kernel twice.*"):
        context.synchronize()


# -- Objects and what they are made of --


def test_descriptors():
    descr = cuda.ArrayDescriptor()
    descr.format = 77  # newer than our list
    assert descr.format == 77 and isinstance(descr.format, cuda.array_format)
    texture = cuda.TextureDescriptor()
    assert texture.filter_mode == POINT and texture.flags == AS_IS
    assert [texture.get_address_mode(d) for d in range(3)] == [CLAMP] * 3
    texture.set_address_mode(1, MIRROR)
    texture.filter_mode = LINEAR
    texture.set_border_color(1, 2, 3, 4.5)
    assert texture.get_address_mode(1) == MIRROR and str(texture.filter_mode) == "LINEAR"
    assert texture.get_border_color() == (1, 2, 3, 4.5)
    with pytest.raises(OverflowError):
        texture.get_address_mode(3)
    with pytest.raises(TypeError):
        texture.set_border_color(1, 2, 3, "4")


def test_border_color(context):
    texture = reading(BORDER)
    texture.set_border_color(0.5, 0, 0, 0)
    made = cuda.TextureObject(upload(values("f4", 4, 4, 1)), texture)
    got = read("float", "f4", 1, FETCH[2] % "float", made, [np.full(9, -3.5), np.full(9, 1.5)])
    assert (got == 0.5).all()


def test_freed_in_two_threads(context, unraisable):
    array = upload(values("f4", 4, 4, 1), flags=cuda.array3d_flags.SURFACE_LDST)
    gate = threading.Event()
    cuda.Stream().add_callback(lambda *args: gate.wait())
    threads = [threading.Thread(target=owner.free) for owner in
               2 * [cuda.TextureObject(array), cuda.SurfaceObject(array), array]]
    threads.append(threading.Timer(0.05, gate.set))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not unraisable


def test_lifetime(context):
    array = upload(values("f4", 4, 4, 1), flags=cuda.array3d_flags.SURFACE_LDST)
    texture, surface = cuda.TextureObject(array), cuda.SurfaceObject(array)
    assert texture.handle != surface.handle
    del array
    out = read("float", "f4", 1, FETCH[2] % "float", texture, [np.full(9, 1.5)] * 2)
    assert len(np.unique(out)) == 1
    for made in (texture, surface):
        made.free()
        made.free()
    with pytest.raises(cuda.LogicError, match="TextureObject failed: .* it was freed"):
        read("float", "f4", 1, FETCH[2] % "float", texture, [np.full(9, 1.5)] * 2)


@pytest.mark.parametrize("make, error, text", [
    (lambda array: cuda.TextureObject(3), TypeError, "ResourceDescriptor"),
    (lambda array: cuda.TextureObject(cuda.ResourceDescriptor()), ValueError, "nothing was set"),
    (lambda array: cuda.TextureObject(array, 3), TypeError, "TextureDescriptor"),
    (lambda array: cuda.ResourceDescriptor().set_address(array, 1, 1, 1), TypeError, "pointer"),
    (lambda array: (array.free(), cuda.TextureObject(array)), cuda.LogicError, "it was freed"),
], ids=range(5))
def test_errors(context, make, error, text):
    array = upload(values("i4", 4, 4, 1))
    with pytest.raises(error, match=text):
        make(array)


@pytest.mark.host
@pytest.mark.parametrize("change, error, text", [
    (lambda r, t, m: r.set_address(m, 1 << 20, FORMATS["f4"], 1), cuda.LogicError,
     "1048576 bytes at .* are not inside one allocation"),
    (lambda r, t, m: r.set_address(int(m) + 4, 64, FORMATS["f4"], 1), cuda.LogicError,
     "not a multiple of 256 bytes"),
    (lambda r, t, m: r.set_address(m, 64, FORMATS["f4"], 3), cuda.LogicError,
     "no texture has format 32 and 3 channels"),
    (lambda r, t, m: r.set_address(m, 64, 99, 1), cuda.LogicError, "no texture has format 99"),
    (lambda r, t, m: setattr(t, "flags", 64), cuda.Error, "texture flags 0x40"),
    (lambda r, t, m: t.set_address_mode(0, 9), cuda.LogicError, "9 is not an address mode"),
], ids=range(6))
def test_resource_errors(context, change, error, text):
    memory = cuda.mem_alloc(1000)
    resource, texture = cuda.ResourceDescriptor(), cuda.TextureDescriptor()
    resource.set_address(memory, 1000, FORMATS["f4"], 1)
    change(resource, texture, memory)
    with pytest.raises(error, match=text):
        cuda.TextureObject(resource, texture)


@pytest.mark.host
def test_surface_flag(context):
    with pytest.raises(cuda.LogicError, match="made without the flag SURFACE_LDST"):
        cuda.SurfaceObject(upload(values("i4", 4, 4, 1)))


@pytest.mark.host
def test_integers_have_no_filter(context):
    with pytest.raises(cuda.LogicError, match="integers have no linear filter"):
        cuda.TextureObject(upload(values("i4", 4, 4, 1)), reading(filter_mode=LINEAR))


# -- References --

REFERENCES = """
texture<float, 2> plane;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colors;
texture<int> line;
texture<float, 3> solid;
surface<void, 2> canvas;

__device__ float at(float x, float y) { return tex2D(plane, x, y); }
__global__ void read_plane(float *out, const float *x, const float *y)
{
    out[threadIdx.x] = at(x[threadIdx.x], y[threadIdx.x]);
}
__global__ void read_colors(float4 *out)
{
    out[threadIdx.x] = tex2D(colors, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void read_line(int *out, int offset)
{
    out[threadIdx.x] = tex1Dfetch(line, threadIdx.x + offset);
}
__global__ void write_canvas()
{
    float v = surf2Dread<float>(canvas, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(v + 1, canvas, threadIdx.x * 4, threadIdx.y);
}"""


@pytest.fixture
def references(context):
    return SourceModule(REFERENCES)


@pytest.mark.host
def test_texref(references):
    plane = references.get_texref("plane")
    assert plane.get_format() == (cuda.array_format.FLOAT, 1)
    assert plane.get_address_mode(0) == CLAMP and plane.get_filter_mode() == POINT
    assert references.get_texref("colors").get_format() == (FORMATS["u1"], 4)
    data = values("f4", 9, 31, 1)
    cuda.matrix_to_texref(data[:, :, 0], plane, order="C")
    kernel = references.get_function("read_plane").prepare("PPP", texrefs=[plane])
    kernel.param_set_texref(plane)
    for mode, filter_mode, flags in [(CLAMP, POINT, 0), (BORDER, POINT, 0), (CLAMP, LINEAR, 0),
                                     (WRAP, POINT, NORMALIZED), (MIRROR, LINEAR, NORMALIZED)]:
        plane.set_address_mode(0, mode)
        plane.set_address_mode(1, mode)
        plane.set_filter_mode(filter_mode)
        plane.set_flags(flags)
        assert plane.get_flags() == flags
        x, y = (w[:256] for w in places(2, (31, 9), flags))
        out = np.empty((256, 1), "f4")
        kernel(cuda.Out(out), cuda.In(x), cuda.In(y), block=(256, 1, 1), texrefs=[plane])
        wanted = sample(data, [x, y], mode, filter_mode, flags)
        np.testing.assert_allclose(out, wanted, atol=16 / 256 if filter_mode == LINEAR else 0)
    assert plane.get_array().handle


@pytest.mark.host
def test_texref_of_bytes(references):
    data = values("u1", 1, 8, 4)
    texref = references.get_texref("colors")
    texref.set_array(cuda.make_multichannel_2d_array(data, order="C"))
    out = np.empty((8, 4), "f4")
    references.get_function("read_colors")(cuda.Out(out), block=(8, 1, 1), texrefs=[texref])
    np.testing.assert_allclose(out, data[0] / 255, rtol=1e-6)


@pytest.mark.host
def test_texref_of_memory(references):
    data = np.arange(300, dtype="i4")
    memory = cuda.to_device(data)
    line, kernel = references.get_texref("line"), references.get_function("read_line")
    assert line.set_address(memory, data.nbytes) == 0
    out = np.empty(256, "i4")
    kernel(cuda.Out(out), np.int32(100), block=(256, 1, 1), texrefs=[line])
    np.testing.assert_array_equal(out, np.where(np.arange(256) < 200, np.arange(256) + 100, 0))
    assert line.get_address() == int(memory)
    with pytest.raises(cuda.LogicError, match="texture_reference::set_address failed: invalid "
                                              "argument - texture binding resulted in offset"):
        line.set_address(int(memory) + 16, 64)
    assert line.set_address(int(memory) + 16, 64, allow_offset=True) == 16
    line.set_format(cuda.array_format.UNSIGNED_INT32, 1)
    assert line.get_format() == (cuda.array_format.UNSIGNED_INT32, 1)
    with pytest.raises(cuda.LogicError, match="nothing of that kind is bound"):
        line.get_array()
    cuda.TextureReference().set_address(memory, 64)
    image, pitch = cuda.mem_alloc_pitch(64, 6, 4)
    cuda.memset_d32(image, 0x40a00000, pitch * 6 // 4)  # 5.0
    descr, plane = cuda.ArrayDescriptor(), references.get_texref("plane")
    descr.width, descr.height, descr.format, descr.num_channels = 16, 6, cuda.array_format.FLOAT, 1
    plane.set_address_2d(image, descr, pitch)
    out, place = np.empty(4, "f4"), np.full(4, 3.5, "f4")
    references.get_function("read_plane")(cuda.Out(out), cuda.In(place), cuda.In(place), block=4)
    assert out.tolist() == [5] * 4


@pytest.mark.host
def test_texref_of_arrays(references):
    line, kernel = references.get_texref("line"), references.get_function("read_line")
    array = gpuarray.arange(256, dtype=np.float64)
    assert array.bind_to_texref_ext(line, allow_double_hack=True) == 0
    assert line.get_format() == (FORMATS["i4"], 2)
    with pytest.raises(ValueError, match="float64 is one texel"):
        array.bind_to_texref_ext(line, 2, allow_double_hack=True)
    array = gpuarray.arange(256, dtype=np.int32)
    array.bind_to_texref_ext(line)
    assert array[64:].bind_to_texref(line, allow_offset=True) in (0, 64)
    array.bind_to_texref(line)
    out = gpuarray.empty(256, np.int32)
    kernel(out, np.int32(0), block=(256, 1, 1))
    np.testing.assert_array_equal(out.get(), np.arange(256))


@pytest.mark.host
def test_surfref(references):
    data = values("f4", 6, 16)
    array = cuda.np_to_array(data, "C", allowSurfaceBind=True)
    surface = references.get_surfref("canvas")
    surface.set_array(array)
    assert surface.get_array().handle == array.handle
    references.get_function("write_canvas")(block=(16, 6, 1))
    plane = references.get_texref("plane")
    plane.set_array(array)
    x, y = (v.ravel().astype("f4") + 0.5 for v in np.meshgrid(np.arange(16), np.arange(6)))
    out = np.empty(96, "f4")
    references.get_function("read_plane")(cuda.Out(out), cuda.In(x), cuda.In(y), block=(96, 1, 1))
    np.testing.assert_array_equal(out, data.ravel() + 1)
    with pytest.raises(cuda.LogicError, match="without the flag SURFACE_LDST"):
        surface.set_array(cuda.np_to_array(data, "C"))


GIVEN = """
texture<uchar4, 2, cudaReadModeNormalizedFloat> colors;
texture<float, 2> plane, other;
surface<void, 2> canvas;

template <class T, cudaTextureReadMode mode>
__device__ __noinline__ auto at(texture<T, 2, mode> given, float x, float y) { return tex2D(given, x, y); }
__device__ float deeper(texture<float, 2> given, int depth)
{
    return depth ? deeper(given, depth - 1) : at(given, 1.5f, 0.5f);
}
__device__ void mark(surface<void, 2> given, int x, int y, float v) { surf2Dwrite(v, given, 4 * x, y); }
extern "C" __global__ void read(float4 *out, float *one, int which)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[x + 8 * y] = at(colors, x, y);
    one[x + 8 * y] = which == 1 ? at(other, x, y) : which ? deeper(plane, x) : at(plane, x, y);
    mark(canvas, x, y, x + y);
}"""


@pytest.mark.host
def test_references_as_arguments(context):
    """By value: what is bound to them counts, and the type that they were declared with."""
    module = SourceModule(GIVEN, no_extern_c=True)
    assert module.get_texref("colors").get_format() == (FORMATS["u1"], 4)
    colors, one, two = values("u1", 4, 8, 4), values("f4", 4, 8), values("f4", 4, 8)
    kept = [module.get_texref(name) for name in ("colors", "plane", "other")]  # they keep what is bound
    kept[0].set_array(cuda.make_multichannel_2d_array(colors, order="C"))
    for texref, data in zip(kept[1:], (one, two), strict=True):
        cuda.matrix_to_texref(data, texref, order="C")
    canvas = cuda.np_to_array(one, "C", allowSurfaceBind=True)
    module.get_surfref("canvas").set_array(canvas)
    out, single = np.empty((4, 8, 4), "f4"), np.empty((4, 8), "f4")
    for which, want in enumerate((one, two, np.full((4, 8), one[0, 1]))):
        module.get_function("read")(cuda.Out(out), cuda.Out(single), np.int32(which), block=(8, 4, 1))
        np.testing.assert_allclose(out, colors / 255, rtol=1e-6)
        np.testing.assert_array_equal(single, want)
    kept[1].set_array(canvas)
    module.get_function("read")(cuda.Out(out), cuda.Out(single), np.int32(0), block=(8, 4, 1))
    np.testing.assert_array_equal(single, np.add.outer(np.arange(4), np.arange(8)))


@pytest.mark.host
def test_reference_errors(references):
    with pytest.raises(cuda.LogicError, match="no texture reference 'canvas' in the module"):
        references.get_texref("canvas")
    with pytest.raises(cuda.LogicError, match="no surface reference 'nothing' in the module"):
        references.get_surfref("nothing")
    with pytest.raises(cuda.LogicError, match="no global 'plane'"):
        references.get_global("plane")
    with pytest.raises(RuntimeError, match="cannot be instantiated"):
        cuda.SurfaceReference()
    plane = references.get_texref("plane")
    with pytest.raises(cuda.LogicError, match="7 is not an address mode"):
        plane.set_address_mode(0, 7)
    with pytest.raises(cuda.LogicError, match="no texture has a dimension 3"):
        plane.set_address_mode(3, CLAMP)
    with pytest.raises(cuda.LogicError, match="not inside one allocation"):
        plane.set_address(cuda.mem_alloc(64), 128)
    out = cuda.mem_alloc(128)
    with pytest.raises(cuda.LogicError, match="kernel read_line"):  # nothing is bound
        references.get_function("read_line")(out, np.int32(0), block=(32, 1, 1))
        cuda.Context.synchronize()


def test_no_references_on_a_gpu(context, on_host):
    if on_host:
        return
    for make in (cuda.TextureReference, lambda: SourceModule("").get_texref("x")):
        with pytest.raises(NotImplementedError, match="pass driver.TextureObject"):
            make()
