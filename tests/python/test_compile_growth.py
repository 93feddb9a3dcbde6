"""What a kernel takes to compile grows with its barriers, its loops that wait for other threads and its warp
functions, and no faster: counted in bytes, not seconds."""

import os
import pathlib
import subprocess
import sys

import pytest

import pycuda

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
HOSTCC = pathlib.Path(pycuda.__path__[0]) / "hostcc"

# Between barriers there are loops, which LLVM likes to move sums behind, and with them the barriers.
CONVOLVE = """
__global__ void convolve(const float *x, const float *weight, float *y, int n)
{
    __shared__ float tile[20][20];
    int tx = threadIdx.x, ty = threadIdx.y, corner = blockIdx.y * 16 * n + blockIdx.x * 16;
    float sum = 0;
    #pragma unroll
    for (int plane = 0; plane < N; plane++) {
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

# All values cross all barriers.
KEEP = """
__global__ void keep(float *x)
{
    __shared__ float s[256];
    float value[N];
    #pragma unroll
    for (int k = 0; k < N; k++)
        value[k] = x[k * 256 + threadIdx.x];
    #pragma unroll
    for (int k = 0; k < N; k++) {
        s[threadIdx.x] = value[k];
        __syncthreads();
        value[(7 * k + 1) % N] += s[(threadIdx.x + k) & 255];
        __syncthreads();
    }
    #pragma unroll
    for (int k = 0; k < N; k++)
        x[k * 256 + threadIdx.x] = value[k];
}
"""

# Threads may leave each loop at different times: nowhere behind it are they known to be together.
RETRY = """
__global__ void retry(unsigned *x)
{
    unsigned a = threadIdx.x;
    #pragma unroll
    for (int k = 0; k < N; k++) {
        if (SOMETIMES) {
            unsigned *at = &x[(a * 7 + k) & 15], old = *at, seen;
            do {
                seen = old;
                old = atomicCAS(at, seen, seen + a + k);
            } while (old != seen);
        }
        a = a * 5 + k;
    }
    x[16 + threadIdx.x] = a;
}
"""
ALWAYS, SOMETIMES = ("#define SOMETIMES " + condition + "\n" for condition in ("true", "x[a + k] & 1"))

# The first asks some lanes only; so each later one may find lanes elsewhere.
SHUFFLE = """
__global__ void shuffle(unsigned *x)
{
    unsigned a = threadIdx.x;
    if (x[a] & 1)
        a += __shfl_sync(__activemask(), a, 3);
    #pragma unroll
    for (int k = 0; k < N; k++)
        a += __shfl_xor_sync(0xffffffffu, a * k, (k & 7) + 1);
    x[16 + threadIdx.x] = a;
}
"""

# What is never done is gone once a function is simplified; 40 calls of it are inlined.
INLINE = """
#define MORE a = a * a + never; if (a > way) a -= 1;
#define MORE5 MORE MORE MORE MORE MORE
#define MORE50 MORE5 MORE5 MORE5 MORE5 MORE5 MORE5 MORE5 MORE5 MORE5 MORE5
__device__ float step(float a, int way)
{
    int never = 0;
    if (never) {
#if N
        MORE50 MORE50
#endif
    }
    return a * a + way;
}
__global__ void inlined(float *x)
{
    float a = x[threadIdx.x];
#define STEP5 a = step(step(step(step(step(a, 1), 2), 3), 4), 5);
    STEP5 STEP5 STEP5 STEP5 STEP5 STEP5 STEP5 STEP5
    x[threadIdx.x] = a;
}
"""

# Products of matrices of bytes, each of what the one before gave.
MULTIPLY = """
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void multiply(const unsigned char *a, const unsigned char *b, int *c)
{
    fragment<matrix_a, 16, 16, 16, unsigned char, row_major> x;
    fragment<matrix_b, 16, 16, 16, unsigned char, col_major> y;
    fragment<accumulator, 16, 16, 16, int> s;
    fill_fragment(s, 0);
    load_matrix_sync(x, a, 16);
    load_matrix_sync(y, b, 16);
    #pragma unroll
    for (int k = 0; k < N; k++) {
        mma_sync(s, x, y, s);
        for (auto &e : x.x)
            e ^= s.x[k & 7];
    }
    store_matrix_sync(c, s, 16, mem_row_major);
}
"""


# A process counts the memory of the one that it came of: this one is small, and its children's pages are.
RUN = """
import ctypes, resource, subprocess, sys
PR_SET_THP_DISABLE = 41
ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The folder of the device library, which is precompiled by then: that takes more memory than the kernels."""
    folder = tmp_path_factory.mktemp("library")
    measure(folder, folder, "", 0)
    return folder


def measure(folder, library, source, n, *options):
    """Kilobytes of memory at most, and bytes of the image; how lanes gather is not left to what is faster just now."""
    (folder / "kernel.cu").write_text(source)
    done = subprocess.run([sys.executable, "-c", RUN, HOSTCC, f"-DN={n}", "--gathers=loads", *options, "--pch-dir", library,
                           "-o", folder / "image", folder / "kernel.cu"], capture_output=True, text=True, check=True)
    return int(done.stdout), os.path.getsize(folder / "image")


@pytest.mark.host
@pytest.mark.parametrize("source", [
    pytest.param(KEEP, id="keep"), *[pytest.param(CONVOLVE, id="convolve")] * WIDE])
def test_so_many_more_barriers_take_so_much_more(tmp_path, library, source):
    """With the square of the barriers the second step would be 1.4 times the first."""
    for few, more, many in zip(*(measure(tmp_path, library, source, n) for n in (40, 60, 80)), strict=True):
        assert many - more < 1.4 * (more - few)


@pytest.mark.host
@pytest.mark.parametrize(("source", "step"), [(ALWAYS + RETRY, 12), (SOMETIMES + RETRY, 12), (SHUFFLE, 24)],
                         ids=["retry", "retry_sometimes", "shuffle"])
def test_so_many_more_points_make_so_much_more_code(tmp_path, library, source, step):
    """With their square it would be 1.35 times to 1.65 times the first step."""
    few, more, many = (measure(tmp_path, library, source, step // 2 + k * step)[1] for k in range(3))
    assert many - more < 1.2 * (more - few)


@pytest.mark.host
def test_calls_take_what_is_left_of_the_function(tmp_path, library):
    """7,000 KB more where 40 copies of the whole text are simplified, 400 where one is."""
    little, much = (measure(tmp_path, library, INLINE, n)[0] for n in (0, 1))
    assert much - little < 3000


@pytest.mark.host
def test_products_of_bytes_are_those_of_pairs(tmp_path, library):
    """12 KB each; 27 where each byte is taken out and multiplied alone, which took three times as long to compile."""
    few, many = (measure(tmp_path, library, MULTIPLY, n, "--cpu=x86-64-v4")[1] for n in (1, 9))
    assert many - few < 8 * 18000
