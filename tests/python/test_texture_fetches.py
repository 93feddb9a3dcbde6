"""Many fetches of one kernel, which calls functions for whole vectors: each is what the only fetch of a kernel is."""

import itertools

import numpy as np
import pytest
import test_driver_texture as textures

import pycuda.driver as cuda
from pycuda.compiler import SourceModule

WRAP, CLAMP, MIRROR, BORDER = textures.WRAP, textures.CLAMP, textures.MIRROR, textures.BORDER
POINT, LINEAR, NORMALIZED, AS_IS = textures.POINT, textures.LINEAR, textures.NORMALIZED, textures.AS_IS
SHAPES = {1: (37,), 2: (11, 37), 3: (5, 11, 37)}
MANY = """
__global__ void read(%(T)s *out, const float *x, const float *y, const float *z, const int *use, int n, int calls,
                     cudaTextureObject_t texture)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && use[i]) {
        %(first)s
    }
    for (int k = 0; k < calls; k++)
        if (i < n && !use[i])
            out[i + %(fetches)d * k * n] = %(fetch)s;
}
"""
NOT_FINITE = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38, 1e20, -1e20, 2.0**31, -(2.0**31), 5e-324, -0.0, 0], "f4")


def fetch_many(T, dtype, channels, fetch, texture, where, options=(), use=None, fetches=4):
    """Of lanes in use several fetches one after the other, of the others one in a loop; all of one place."""
    first = "\n".join(f"out[i + {k} * n] = {fetch};" for k in range(fetches))
    text = MANY % {"T": T, "fetch": fetch, "first": first, "fetches": fetches - 1}
    kernel = SourceModule(text, options=list(options)).get_function("read")
    n = len(where[0])
    use = np.arange(n) % 3 > 0 if use is None else use
    out = np.zeros((fetches, n, channels), dtype)
    x, y, z = (np.asarray(where[min(d, len(where) - 1)], "f4") for d in range(3))
    kernel(cuda.InOut(out), cuda.In(x), cuda.In(y), cuda.In(z), cuda.In(use.astype("i4")), np.int32(n), np.int32(2),
           texture, block=(96, 1, 1), grid=(-(-n // 96), 1))
    used = [out[k][use] for k in range(fetches)]
    for other in used[1:]:
        np.testing.assert_array_equal(used[0], other)
    np.testing.assert_array_equal(out[0][~use], out[-1][~use])
    return out[0]


@pytest.mark.parametrize("options", [[], *(pytest.param([one], marks=pytest.mark.host) for one in ("-O0", "-G", "--check=all"))],
                         ids=" ".join)
@pytest.mark.parametrize("dimensions", SHAPES)
def test_modes(context, dimensions, options):
    data = textures.values("f4", *SHAPES[dimensions], 1)
    array = textures.upload(data, dimensions)
    for mode, filter_mode, flags in itertools.product((WRAP, CLAMP, MIRROR, BORDER), (POINT, LINEAR), (0, NORMALIZED)):
        if not flags and mode in (WRAP, MIRROR):
            continue
        texture = cuda.TextureObject(array, textures.reading(mode, filter_mode, flags, dimensions))
        where = textures.places(dimensions, SHAPES[dimensions][::-1], flags)
        got = fetch_many("float", "f4", 1, textures.FETCH[dimensions] % "float", texture, where, options)
        near = 8 / 256 * dimensions if filter_mode == LINEAR else 0
        np.testing.assert_allclose(got, textures.sample(data, where, mode, filter_mode, flags), atol=near)


@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "i1", "i2", "i4", "f4"])
def test_formats(context, dtype, channels):
    data = textures.values(dtype, 9, 31, channels)
    T = textures.c_type(dtype, channels)
    where = textures.places(2, (31, 9), False)
    got = fetch_many(T, dtype, channels, textures.FETCH[2] % T, cuda.TextureObject(textures.upload(data)), where)
    np.testing.assert_array_equal(got, textures.sample(data, where, CLAMP, POINT, 0))

    memory, resource = cuda.to_device(data[0]), cuda.ResourceDescriptor()
    resource.set_address(memory, data[0].nbytes, textures.FORMATS[dtype], channels)
    i = np.arange(-40, 90, dtype="f4")
    got = fetch_many(T, dtype, channels, f"tex1Dfetch<{T}>(texture, (int)x[i])", cuda.TextureObject(resource), [i])
    np.testing.assert_array_equal(got, textures.sample(data[0], [i], BORDER, POINT, 0))


@pytest.mark.parametrize("filter_mode", [POINT, LINEAR])
@pytest.mark.parametrize("dtype", ["u1", "u2", "i1", "i2", "f2"])
def test_values_read_as_floats(context, dtype, filter_mode):
    data = textures.values(dtype, 9, 31, 4)
    texture = cuda.TextureObject(textures.upload(data), textures.reading(BORDER, filter_mode, 0))
    where = textures.places(2, (31, 9), False)
    got = fetch_many("float4", "f4", 4, textures.FETCH[2] % "float4", texture, where)
    unit = 1 if dtype == "f2" else np.iinfo(dtype).max
    floats = np.maximum(data.astype(float) / unit, -4 if dtype == "f2" else -1)
    np.testing.assert_allclose(got, textures.sample(floats, where, BORDER, filter_mode, 0),
                               atol=16 / 256 if filter_mode == LINEAR else 1e-6)

    memory, resource = cuda.to_device(data[0]), cuda.ResourceDescriptor()
    resource.set_address(memory, data[0].nbytes, textures.FORMATS[dtype], 4)
    i = np.arange(-40, 90, dtype="f4")
    got = fetch_many("float4", "f4", 4, "tex1Dfetch<float4>(texture, (int)x[i])",
                     cuda.TextureObject(resource, textures.reading(CLAMP, POINT, 0)), [i])
    np.testing.assert_allclose(got, textures.sample(floats[0], [i], BORDER, POINT, 0), atol=1e-6)


@pytest.mark.parametrize("dimensions", SHAPES)
def test_places_far_outside(context, dimensions):
    """What is no number, or too large for one, leads to the same place however many fetches there are."""
    array = textures.upload(textures.values("f4", *SHAPES[dimensions], 1), dimensions)
    grid = np.meshgrid(*[np.concatenate([NOT_FINITE, [0.3, 1.7]])] * dimensions)
    where = [x.ravel().astype("f4") for x in grid]
    for mode, filter_mode, flags in itertools.product((WRAP, CLAMP, MIRROR, BORDER), (POINT, LINEAR), (0, NORMALIZED)):
        texture = cuda.TextureObject(array, textures.reading(mode, filter_mode, flags, dimensions))
        fetch = textures.FETCH[dimensions] % "float"
        got = fetch_many("float", "f4", 1, fetch, texture, where)
        alone = fetch_many("float", "f4", 1, fetch, texture, where, fetches=1, use=np.ones(len(where[0]), bool))
        np.testing.assert_array_equal(got, alone)


def cube_of(faces, flags):
    shape = cuda.ArrayDescriptor3D()
    shape.width = shape.height = 8
    shape.depth, shape.num_channels, shape.format = len(faces), 1, cuda.array_format.FLOAT
    shape.flags = flags
    array, copy = cuda.Array(shape), cuda.Memcpy3D()
    copy.set_src_host(faces)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = 32
    copy.height = copy.src_height = 8
    copy.depth = len(faces)
    copy()
    return cuda.TextureObject(array, textures.reading(flags=AS_IS | NORMALIZED, dimensions=3))


def test_layers_and_faces(context):
    layers, faces = textures.values("f4", 6, 5, 37, 1), textures.values("f4", 6, 8, 8, 1)
    x, y, z = textures.places(3, (37, 5, 6), False)
    got = fetch_many("float", "f4", 1, "tex2DLayered<float>(texture, x[i], y[i], (int)z[i])",
                     cuda.TextureObject(textures.upload(layers, 2)), [x, y, z])
    wanted = np.stack([textures.sample(layer, [x, y], CLAMP, POINT, 0) for layer in layers])
    layer = z.astype(int)  # one that is not there is the last one, negative ones too (PTX ISA, tex)
    np.testing.assert_array_equal(got, wanted[np.where((layer < 0) | (layer > 5), 5, layer), np.arange(len(z))])

    texture = cube_of(faces, cuda.array3d_flags.CUBEMAP)
    fetch = "texCubemap<float>(texture, x[i], y[i], z[i])"
    got = fetch_many("float", "f4", 1, fetch, texture, [x, y, z])
    alone = fetch_many("float", "f4", 1, fetch, texture, [x, y, z], fetches=1, use=np.ones(len(x), bool))
    np.testing.assert_array_equal(got, alone)


def test_layers_of_cubes(context):
    """A layer that is not there is the last cube's, with the face that the direction says."""
    faces = textures.values("f4", 12, 8, 8, 1)
    cubes = [cube_of(part, cuda.array3d_flags.CUBEMAP) for part in (faces[:6], faces[6:])]
    both = cube_of(faces, cuda.array3d_flags.CUBEMAP | cuda.array3d_flags.LAYERED)
    where = [one[:400] for one in textures.places(3, (2, 2, 2), False)]
    wanted = [fetch_many("float", "f4", 1, "texCubemap<float>(texture, x[i], y[i], z[i])", cube, where) for cube in cubes]
    for layer in (-7, -1, 0, 1, 2, 100):
        got = fetch_many("float", "f4", 1, f"texCubemapLayered<float>(texture, x[i], y[i], z[i], {layer})", both, where)
        np.testing.assert_array_equal(got, wanted[layer != 0])


@pytest.mark.parametrize("filter_mode", [POINT, LINEAR])
def test_lanes_that_do_not_fetch(context, filter_mode):
    """Lanes have textures of their own, some none at all: those must not look at theirs."""
    data = [textures.values("f4", 11, 37, 1), -textures.values("f4", 11, 37, 1)]
    objects = [cuda.TextureObject(textures.upload(one), textures.reading(CLAMP, filter_mode, 0)) for one in data]
    kernel = SourceModule("""
        __global__ void read(float *out, const float *x, const float *y, cudaTextureObject_t a, cudaTextureObject_t b)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x, kind = i / 5 % 3;
            cudaTextureObject_t mine = kind == 0 ? 0 : kind == 1 ? a : b, none = 0;
            float sum = 0;
            if (mine)
                sum = tex2D<float>(mine, x[i], y[i]) + 2 * tex2D<float>(mine, y[i], x[i]);
            if (i < 0)
                sum += tex2D<float>(none, x[i], y[i]);
            out[i] = sum;
        }""").get_function("read")
    x, y = (one[:480].copy() for one in textures.places(2, (37, 11), False))
    out = np.full(480, np.nan, "f4")
    kernel(cuda.Out(out), cuda.In(x), cuda.In(y), *objects, block=(96, 1, 1), grid=(5, 1))
    kind = np.arange(480) // 5 % 3
    for k in range(2):
        wanted = textures.sample(data[k], [x, y], CLAMP, filter_mode, 0) + 2 * textures.sample(data[k], [y, x], CLAMP, filter_mode, 0)
        near = 3 * 16 / 256 if filter_mode == LINEAR else 1e-5
        np.testing.assert_allclose(out[kind == k + 1], wanted[kind == k + 1, 0], atol=near)
    np.testing.assert_array_equal(out[kind == 0], 0)


@pytest.mark.host
def test_line_of_a_fault(context):
    """A texture that there is not is a fault of the kernel's line, not of the library's that is called."""
    kernel = SourceModule("""
        __global__ void read(float *out, cudaTextureObject_t texture)
        {
            float first = tex2D<float>(texture, threadIdx.x, 1);
            out[threadIdx.x] = first + tex2D<float>(texture, first, 2);
        }""").get_function("read")
    out = cuda.mem_alloc(4096)
    with pytest.raises(cuda.LogicError, match=r"kernel.cu:4: invalid access"):
        kernel(out, np.uint64(0), block=(64, 1, 1))
        context.synchronize()
