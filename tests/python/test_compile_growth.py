"""What a kernel takes to compile grows with its barriers and no faster: counted in bytes, not seconds."""

import os
import pathlib
import subprocess

import pytest

import pycuda

HOSTCC = pathlib.Path(pycuda.__path__[0]) / "hostcc"

# Between barriers there are loops, which LLVM likes to move sums behind, and with them the barriers.
SOURCE = """
extern "C" __global__ void convolve(const float *x, const float *weight, float *y, int n)
{
    __shared__ float tile[20][20];
    int tx = threadIdx.x, ty = threadIdx.y, corner = blockIdx.y * 16 * n + blockIdx.x * 16;
    float sum = 0;
    #pragma unroll
    for (int plane = 0; plane < PLANES; plane++) {
        for (int i = ty; i < 20; i += 16)
            for (int j = tx; j < 20; j += 16)
                tile[i][j] = x[plane * n * n + corner + i * n + j];
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 9; k++)
            sum += tile[ty + k / 3][tx + k % 3] * weight[plane * 9 + k];
        __syncthreads();
    }
    y[corner + ty * n + tx] = sum;
}
"""


def measure(folder, planes):
    """Kilobytes of memory at most, and of the image."""
    (folder / "kernel.cu").write_text(SOURCE)
    compiler = subprocess.Popen([HOSTCC, f"-DPLANES={planes}", "-o", folder / "image", folder / "kernel.cu"])
    _, status, used = os.wait4(compiler.pid, 0)
    compiler.returncode = os.waitstatus_to_exitcode(status)
    assert not compiler.returncode
    return used.ru_maxrss, os.path.getsize(folder / "image") // 1024


@pytest.mark.host
def test_twice_as_many_barriers_take_twice_as_much(tmp_path):
    for few, more, many in zip(*(measure(tmp_path, planes) for planes in (8, 16, 32)), strict=True):
        assert many - more < 3 * (more - few)
