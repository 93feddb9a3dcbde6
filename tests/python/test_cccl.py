"""NVIDIA's CUB and libcu++ inside of kernels, from the folders of the wheels nvidia-cuda-cccl and -cu12."""

import os

import numpy as np
import nvidia
import pytest

import pycuda.driver as drv
from pycuda.compiler import SourceModule

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

pytestmark = pytest.mark.usefixtures("context")

SOURCE = """
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/functional>

extern "C" __global__ void f(const int *x, int *sorted, int *sums, int *most)
{
    typedef cub::BlockRadixSort<int, 128, 2> Sort;
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Scan::TempStorage scan;
    } room;
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    int k = threadIdx.x, keys[2] = {x[2 * k], x[2 * k + 1]}, sum;
    if (k == 0)
        init(&all, blockDim.x);
    Sort(room.sort).Sort(keys);
    __syncthreads();
    sorted[2 * k] = keys[0];
    sorted[2 * k + 1] = keys[1];
    Scan(room.scan).InclusiveSum(keys[0], sum);
    sums[k] = sum;
    cuda::atomic_ref<int, cuda::thread_scope_device>(*most).fetch_max(keys[0] > keys[1] ? keys[0] : keys[1]);
    all.arrive_and_wait();
}
"""


@pytest.mark.parametrize(("folder", "standard"), [("/cu13/include/cccl", "c++17"), ("/cuda_cccl/include", "c++14")] +
                         [("/cu13/include/cccl", "c++20"), ("/cuda_cccl/include", "c++20")] * WIDE)
def test_a_kernel_with_cub_and_libcudacxx(folder, standard):
    folder = nvidia.__path__[0] + folder
    module = SourceModule(SOURCE, options=[f"-std={standard}"], include_dirs=[folder], no_extern_c=True)
    x = np.random.default_rng(5).integers(-1000, 1000, 256).astype(np.int32)
    ordered, sums, most = np.empty_like(x), np.empty(128, np.int32), np.zeros(1, np.int32)
    module.get_function("f")(drv.In(x), drv.Out(ordered), drv.Out(sums), drv.InOut(most), block=(128, 1, 1))
    assert (ordered == np.sort(x)).all()
    assert (sums == np.sort(x)[::2].cumsum()).all()
    assert most == x.max()
