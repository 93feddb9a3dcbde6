"""python -m pycuda.debug: the program runs as it would, and its kernels are compiled for a debugger.
Faults of kernels name the line."""

import functools
import os
import re
import struct
import subprocess
import sys

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda.compiler import compile

PROGRAM = """
import sys
import beside
import pycuda.autoinit, pycuda.driver as cuda
from pycuda.compiler import SourceModule
SourceModule("__global__ void f() { }")
print(__name__, sys.argv[1:], beside.VALUE, cuda.CUDA_DEBUGGING)
sys.exit(3)
"""


def debug(*words):
    return subprocess.run([sys.executable, "-m", "pycuda.debug", *words], cwd="/", env=os.environ,
                          capture_output=True, text=True, check=False)


def test_program(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "beside.py").write_text("VALUE = 5")
    done = debug(str(tmp_path / "program.py"), "-a", "b")
    kept, printed = done.stdout.splitlines()
    assert printed == "__main__ ['-a', 'b'] 5 True" and (done.returncode, done.stderr) == (3, "")
    folder = kept.removeprefix("*** compiler output in ")
    assert folder.startswith(str(tmp_path)) and "kernel.cu" in os.listdir(folder)


@pytest.mark.parametrize("words, message", [
    ([], "which program?"), (["/nope.py", "x"], "no such file: /nope.py")])
def test_no_program(words, message):
    done = debug(*words)
    assert (done.returncode, done.stdout) == (1, "") and done.stderr == (
        f"pycuda.debug: {message}\nusage: python -m pycuda.debug SCRIPT ARGUMENTS...\n")


# -- Places in the source ------------------------------------------------------------------------

FAULTS = """
__device__ int follow(const int *p)
{
    return *p + 1;  // inlined
}

__device__ int descend(const int *p, int depth)
{
    if (depth == 0)
        return *p;  // recursive
    return descend(p, depth - 1) + 1;
}

__global__ void inlined(int *y, int *p)
{
    y[threadIdx.x] = follow(p);
}

__global__ void recursive(int *y, int *p)
{
    y[threadIdx.x] = descend(p, y[threadIdx.x]);
}

__global__ void divergent(int *y, int *p)
{
    y[threadIdx.x] += 1;
    if (threadIdx.x % 3 == 1)
        y[threadIdx.x] = p[threadIdx.x];  // divergent
}

__global__ void behind_barrier(int *y, int *p)
{
    __shared__ int part[64];
    part[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = part[63 - threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = part[threadIdx.x];  // behind_barrier
}

__global__ void in_loop(int *y, int *p)
{
    int sum = 0;
    for (int i = 0; i < y[0]; i++)
        sum += p[64 * i + threadIdx.x];  // in_loop
    y[threadIdx.x] = sum;
}

__global__ void gathers(int *y, int *p)
{
    int i = y[threadIdx.x];
    y[threadIdx.x] = 0;
    y[threadIdx.x] = p[i * i];  // gathers
}

__global__ void behind_shuffle(int *y, int *p)
{
    int i = __shfl_xor_sync(~0u, y[threadIdx.x], 1);
    if (threadIdx.x & 4)
        p[i] = i;  // behind_shuffle
}

__global__ void in_library(int *y, int *p)
{
    y[threadIdx.x] += 1;
    y[threadIdx.x] = atomicAdd(p, 1);  // in_library
}

__global__ void traps(int *y, int *p)
{
    if (y[threadIdx.x] == 7)
        __trap();  // traps
    y[threadIdx.x] = 0;
}

#line 70 "part.h"
__global__ void elsewhere(int *y, int *p)
{
    y[threadIdx.x] = p[threadIdx.x];
}
"""
LINES = {line.split("// ")[1]: f"kernel.cu:{number}"
         for number, line in enumerate(FAULTS.splitlines(), 1) if "// " in line}


@functools.cache
def faulty(option):
    """The image of FAULTS, without checks, which would tell of each before it happens."""
    return compile(FAULTS, options=[option], cache_dir=False, check="")


def message_of_fault(image, kernel):
    y = cuda.mem_alloc(256)
    cuda.memset_d32(y, 7, 64)
    with pytest.raises(cuda.Error) as failed:
        cuda.module_from_buffer(image).get_function(kernel)(y, np.uintp(4096), block=(64, 1, 1))
        cuda.Context.synchronize()
    return str(failed.value)


@pytest.mark.host
@pytest.mark.parametrize("option", ["-O3", "-O0", "-G"])
@pytest.mark.parametrize("kernel", [*LINES, "elsewhere"])
def test_faults_name_the_line(context, kernel, option):
    place = LINES.get(kernel, "part.h:72")
    assert f"kernel {kernel}, block (0,0,0), {place}: " in message_of_fault(faulty(option), kernel)


def readelf(path, *what):
    return subprocess.run(["readelf", "-W", *what, path], capture_output=True, text=True,
                          check=True).stdout


@pytest.mark.host
@pytest.mark.parametrize("option, names, variables", [
    ("-O3", False, False), ("-lineinfo", True, False), ("-G", True, True)])
def test_debuggers_find_lines(tmp_path, option, names, variables):
    """readelf comes with the linker that hostcc needs."""
    (tmp_path / "image").write_bytes(faulty(option))
    lines = readelf(tmp_path / "image", "--debug-dump=decodedline")
    found = set(re.findall(r"^(\S+)\s+(\d+)\s+0x", lines, re.MULTILINE))
    assert {name for name, _ in found} == {"kernel.cu", "part.h"}
    assert {tuple(place.split(":")) for place in LINES.values()} <= found
    assert (".debug_info" in readelf(tmp_path / "image", "-S")) == names
    told = readelf(tmp_path / "image", "--debug-dump=info")
    assert all((f": {name}\n" in told) == variables
               for name in ("threadIdx", "blockIdx", "blockDim", "gridDim"))


def seal(image):
    """Makes the seal of a changed image right again (src/abi/seal.h)."""
    def step(total, word):
        total = (total ^ word) * 0x9E3779B97F4A7C15 & mask
        return (total << 29 | total >> 35) & mask

    mask = (1 << 64) - 1
    magic, version, cpu, size = struct.unpack_from("<IIQQ", image, len(image) - 32)
    words = struct.unpack_from(f"<{size // 8}Q", image)
    lanes, total = [1, 2, 3, 4], 0
    for at in range(0, len(words) // 4 * 4, 4):
        lanes = [step(lane, word) for lane, word in zip(lanes, words[at:at + 4], strict=True)]
    for word in (*words[len(words) // 4 * 4:], *lanes, version << 32 | magic, cpu, size):
        total = step(total, word)
    struct.pack_into("<Q", image, len(image) - 8, total ^ total >> 32)
    return bytes(image)


def test_seal(on_host):
    image = faulty("-O3")
    assert not on_host or seal(bytearray(image)) == image


@pytest.mark.host
def test_damaged_line_tables(context, tmp_path):
    """Whatever is in there, faults are reported."""
    (tmp_path / "image").write_bytes(faulty("-O3"))
    section = re.search(r"\.debug_line +PROGBITS +\w+ (\w+) (\w+)", readelf(tmp_path / "image", "-S"))
    start, size = (int(number, 16) for number in section.groups())
    rng = np.random.default_rng(5)
    for trial in range(60):
        image = bytearray(faulty("-O3"))
        if trial < 3:
            image[start:start + size] = bytes([0, 0x7f, 0xff][trial:trial + 1]) * size
        else:
            for at in rng.integers(0, 60 if trial < 30 else size, 3):
                image[start + at] = rng.integers(0, 256)
        other = cuda.Device(0).make_context()
        assert re.search(r"kernel inlined, block \(0,0,0\)(, [^:]*:\d+)?: invalid access",
                         message_of_fault(seal(image), "inlined"))
        other.pop()
        other.detach()
