"""pycuda-helpers.hpp: textures and surfaces of doubles and complex numbers by references, which the host
device alone has."""

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

pytestmark = [pytest.mark.usefixtures("context"), pytest.mark.host]

TYPES = {"f4": ("float", "float"), "i4": ("int", "int"), "u1": ("unsigned char", "unsigned char"),
         "f8": ("fp_tex_double", "double"), "c8": ("fp_tex_cfloat", "pycuda::complex<float>"),
         "c16": ("fp_tex_cdouble", "pycuda::complex<double>")}
SOURCE = """
#include <pycuda-helpers.hpp>
PYCUDA_GENERATE_FP_TEX_FUNCS(float2)
texture<TEXEL, 1, cudaReadModeElementType> line;
texture<TEXEL, 2, cudaReadModeElementType> plane;
texture<TEXEL, 3, cudaReadModeElementType> solid;
texture<TEXEL, cudaTextureType2DLayered, cudaReadModeElementType> layers;
surface<void, 3> block;
surface<void, cudaSurfaceType2DLayered> sheets;

__global__ void read_line(TYPE *out) { out[threadIdx.x] = fp_tex1Dfetch(line, threadIdx.x); }
__global__ void read_plane(TYPE *out)
{
    out[threadIdx.y * blockDim.x + threadIdx.x] = fp_tex2D(plane, threadIdx.x, threadIdx.y);
}
#define AT ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)
__global__ void read_solid(TYPE *out)
{
    out[AT] = fp_tex3D(solid, threadIdx.x, threadIdx.y, threadIdx.z);
}
__global__ void read_layers(TYPE *out)
{
    out[AT] = fp_tex2DLayered(layers, threadIdx.x, threadIdx.y, threadIdx.z);
}
__global__ void copy_block(TYPE *out, const TYPE *in)
{
    fp_surf3Dread(out + AT, block, threadIdx.x, threadIdx.y, threadIdx.z, cudaBoundaryModeClamp);
    fp_surf3Dwrite(in[AT], block, threadIdx.x, threadIdx.y, threadIdx.z, cudaBoundaryModeZero);
}
__global__ void copy_sheets(TYPE *out, const TYPE *in)
{
    fp_surf2DLayeredread(out + AT, sheets, threadIdx.x, threadIdx.y, threadIdx.z, cudaBoundaryModeClamp);
    fp_surf2DLayeredwrite(in[AT], sheets, threadIdx.x, threadIdx.y, threadIdx.z, cudaBoundaryModeZero);
}
"""


def numbers(dtype, *shape):
    x = np.random.default_rng(1).integers(-100, 100, (2, *shape))
    return (x[0] / 3 + (1j * x[1] / 7 if np.dtype(dtype).kind == "c" else 0)).astype(dtype)


@pytest.fixture(params=TYPES)
def case(request):
    texel, number = TYPES[request.param]
    module = SourceModule(SOURCE.replace("TEXEL", texel).replace("TYPE", number))

    def run(name, shape, *arguments):
        out = gpuarray.zeros(shape, request.param)
        module.get_function(name)(out, *arguments, block=(shape[::-1] + (1, 1))[:3])
        return out.get()

    return request.param, module, run


def layered(data):
    words = data.view("i4" if data.itemsize >= 4 else "u1").reshape(data.shape[:2] + (-1,))
    descr = cuda.ArrayDescriptor3D()
    descr.depth, descr.height, descr.width = data.shape
    descr.num_channels = max(1, data.itemsize // 4)
    descr.format = {"f4": cuda.array_format.FLOAT, "u1": cuda.array_format.UNSIGNED_INT8,
                    "c8": cuda.array_format.UNSIGNED_INT32}.get(data.dtype.str[1:], cuda.array_format.SIGNED_INT32)
    descr.flags = cuda.array3d_flags.ARRAY3D_LAYERED | cuda.array3d_flags.SURFACE_LDST
    array, copy = cuda.Array(descr), cuda.Memcpy3D()
    copy.set_src_host(words)
    copy.set_dst_array(array)
    copy.width_in_bytes = copy.src_pitch = data.shape[2] * data.itemsize
    copy.src_height = copy.height = data.shape[1]
    copy.depth = data.shape[0]
    copy()
    return array


def test_line(case):
    dtype, module, run = case
    data = numbers(dtype, 64)
    array = gpuarray.to_gpu(data)
    array.bind_to_texref_ext(module.get_texref("line"), allow_double_hack=True, allow_complex_hack=True)
    np.testing.assert_array_equal(run("read_line", (64,)), data)


def test_plane_and_solid(case):
    dtype, module, run = case
    for name, data in [("plane", numbers(dtype, 5, 7)), ("solid", numbers(dtype, 3, 5, 7))]:
        array = cuda.np_to_array(data, "C")
        module.get_texref(name).set_array(array)
        np.testing.assert_array_equal(run(f"read_{name}", data.shape), data)


def test_layers_and_sheets(case):
    dtype, module, run = case
    data, other = numbers(dtype, 3, 5, 7), numbers(dtype, 3, 5, 7)[::-1].copy()
    array = layered(data)
    module.get_texref("layers").set_array(array)
    np.testing.assert_array_equal(run("read_layers", data.shape), data)
    module.get_surfref("sheets").set_array(array)
    np.testing.assert_array_equal(run("copy_sheets", data.shape, gpuarray.to_gpu(other)), data)
    np.testing.assert_array_equal(run("read_layers", data.shape), other)


def test_block(case):
    dtype, module, run = case
    data, other = numbers(dtype, 3, 5, 7), numbers(dtype, 3, 5, 7)[::-1].copy()
    array = cuda.np_to_array(data, "C", allowSurfaceBind=True)
    module.get_surfref("block").set_array(array)
    np.testing.assert_array_equal(run("copy_block", data.shape, gpuarray.to_gpu(other)), data)
    module.get_texref("solid").set_array(array)
    np.testing.assert_array_equal(run("read_solid", data.shape), other)
