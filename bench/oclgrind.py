"""Checks of memory beside Oclgrind's, which finds such faults in OpenCL kernels by interpreting them, in one run.

    PYCUDA_DRIVER=host OCL_ICD_VENDORS=FOLDER python bench/oclgrind.py [NAME ...]

Needs `apt install oclgrind`, `pip install pyopencl`, and in FOLDER a file oclgrind.icd with the line
/usr/lib/oclgrind/liboclgrind-rt-icd.so. The kernels are those of bench/check.py, the same text with OpenCL's names for
CUDA's, but for those that need what OpenCL C 1.2 lacks; their arrays are a 32nd as long, for Oclgrind's sake. Each
must compute the same in both. Rows give medians of milliseconds.
"""

import statistics
import sys
import time

import check
import numpy as np
import opencl

import pycuda.driver as cuda

TARGET = 50
CUDA_ONLY = ("by_struct", "arrays", "rows_of", "warp_sum", "wide")  # pointers in memory, shuffles, sizes by launch
SOURCES = ("host_kernels.cu", "check_kernels.cu")


def median(run, rounds):
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        spent.append(time.perf_counter() - start)
    return 1e3 * statistics.median(spent)


def same(ours, theirs):
    return ours.tobytes() == theirs.tobytes() or np.allclose(
        ours.view(np.float32), theirs.view(np.float32), rtol=1e-4, atol=1e-4, equal_nan=True)


def main(names):
    check.N, check.WIDTH, check.BODIES = 1 << 15, 128, 512
    kept, cases = check.rows()
    for memory in kept:
        if isinstance(memory, cuda.DeviceAllocation) and int(memory) in {int(kept[2]), int(kept[3])}:
            cuda.memset_d8(memory, 0, opencl.size_of(memory))
    checked, ratios = check.modules(check="memory"), []
    rival = opencl.Platform("Oclgrind", "".join(
        opencl.translate((check.HERE / name).read_text(), CUDA_ONLY) for name in SOURCES))
    print(f"{'':<20}{'checked ms':>12}{'Oclgrind':>12}{'ratio':>8}")
    for name, arguments, block, grid, _shared in cases:
        if name in CUDA_ONLY or (names and name not in names):
            continue
        rival.buffers.clear()  # what a kernel did to its arrays in so many rounds is no business of the next
        kernel, start = check.function(checked, name), rival.launch(name, arguments, block, grid)

        def run(kernel=kernel, arguments=arguments, block=block, grid=grid):
            kernel(*arguments, block=block, grid=grid)
            cuda.Context.synchronize()

        def simulate(start=start):
            start()
            rival.queue.finish()

        run()
        simulate()
        ours = cuda.from_device(arguments[0], opencl.size_of(arguments[0]), np.uint8)
        assert same(ours, rival.content(arguments[0])), name
        ours, theirs = median(run, 31), median(simulate, 3)
        ratios.append(theirs / ours)
        print(f"{name:<20}{ours:>12.3f}{theirs:>12.1f}{ratios[-1]:>8.0f}", flush=True)
    mean = statistics.geometric_mean(ratios)
    print(f"{'geometric mean':<44}{mean:>8.0f}   at least {TARGET}: {'ok' if mean >= TARGET else 'BELOW'}")


if __name__ == "__main__":
    main(sys.argv[1:])
