"""Kernels of the host device in gdb (`-G`): breakpoints for one thread, its variables, the functions it is in.
Expected values are what the source says of a thread's number."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda.compiler import SourceModule, compile

pytestmark = pytest.mark.host

PROGRAM = '''
import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

module = SourceModule("""struct point { double x, y; int tag[2]; };
__constant__ float scale[4] = {0.5f, 2, 3, 4};
__device__ int calls;

template <class T> __device__ T square(T v)
{
    T result = v * v;  // squared
    return result;
}

__device__ float norm(const point &p)
{
    float sum = square(p.x) + square(p.y);  // summed
    return sum;
}

extern "C" __global__ void norms(float *y, int n, point by)
{
    __shared__ float part[64];
    extern __shared__ int numbers[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, near[3] = {i - 1, i, i + 1};
    point mine = {i + by.x, by.y, {n, by.tag[1]}};
    part[threadIdx.x] = norm(mine) * scale[1];  // called
    numbers[threadIdx.x] = -i;
    __syncthreads();  // waits
    float other = part[63 - threadIdx.x];
    int all = __syncthreads_count(near[1] % 2);
    int left = __shfl_up_sync(~0u, i, 1);
    y[i] = other + all + left;  // written
    calls = i;
}

extern "C" __global__ void plane(float *y)
{
    y[threadIdx.y * blockDim.x + threadIdx.x] = 1;  // plane
}

extern "C" __global__ void spoils(float *y, long step)
{
    long far = threadIdx.x == 3 ? step : 0;
    y[far] = square(2.0f);  // spoils
}
""", options=["-G"], no_extern_c=True)
y = cuda.managed_zeros(256, np.float32, mem_flags=cuda.mem_attach_flags.GLOBAL)
by = np.zeros(1, np.dtype([("x", "f8"), ("y", "f8"), ("tag", "i4", 2)]))
by["x"], by["y"], by["tag"] = 3, -2, [[8, 9]]
module.get_function("norms")(y, np.int32(50), by[0], block=(64, 1, 1), grid=(3, 1), shared=256)
module.get_function("plane")(y, block=(5, 3, 1))
module.get_function("spoils")(y, np.int64(1 << 40), block=(64, 1, 1))
try:
    cuda.Context.synchronize()
except cuda.LogicError as error:
    print("raised", error)
'''
LINES = {line.split("// ")[1].rstrip(): number
         for number, line in enumerate(PROGRAM.split('"""')[1].splitlines(), 1) if "// " in line}
FIRST = PROGRAM.split('"""')[1].splitlines()


I = 2 * 64 + 5
NORMS = [(64 * 2 + t + 3) ** 2 + 4 for t in range(64)]
VALUES = {
    "threadIdx": "{x = 5, y = 0, z = 0}", "blockIdx": "{x = 2, y = 0, z = 0}",
    "blockDim": "{x = 64, y = 1, z = 1}", "gridDim.x": "3",
    "i": f"{I}", "n": "50", "near": f"{{{I - 1}, {I}, {I + 1}}}",
    "mine": f"{{x = {I + 3}, y = -2, tag = {{50, 9}}}}", "mine.tag[1]": "9", "by.tag": "{8, 9}",
    "scale": "{0.5, 2, 3, 4}", "part[6]": f"{2 * NORMS[6]}", "sizeof(part)": "256", "numbers[63]": f"{-2 * 64 - 63}",
    "other": f"{2 * NORMS[63 - 5]}", "all": "32", "left": f"{I - 1}", "calls": f"{I - 1}"}  # of the thread before


def stop(where, *condition):
    return f"tbreak kernel.cu:{LINES[where]} if {' && '.join(condition)}"


# One run of the program; what each command says, by its name.
COMMANDS = {
    # in a function of thread 7 of block 1
    "break": stop("squared", "threadIdx.x == 7", "blockIdx.x == 1"), "run": "run", "frames": "backtrace",
    "v": "output v", "up": "up", "p.x": "output p.x", "down": "down", "finish": "finish", "caller": "backtrace",
    # at a barrier, and beyond it
    "break 2": stop("waits", "threadIdx.x == 33", "blockIdx.x == 1"), "continue": "continue",
    "before": "output threadIdx.x", "over": "next", "behind": "output threadIdx.x", "again": "next",
    "there": "output blockIdx.x * 1000 + threadIdx.x",
    # at the end of thread 5 of block 2
    "break 3": stop("written", "threadIdx.x == 5", "blockIdx.x == 2"), "variables": "continue",
    **{f"value of {name}": f"output {name}" for name in VALUES}, "after": "next", "written": f"output y[{I}]",
    # in rows
    "break 4": stop("plane", "threadIdx.y == 2", "threadIdx.x == 4"), "plane": "continue",
    "index": "output threadIdx", "height": "output blockDim.y",
    # where a thread faults
    "fault": "continue", "fault frames": "backtrace", "faulty": "output threadIdx.x", "far": "output far",
    "raised": "continue"}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gdb")
    (folder / "program.py").write_text(PROGRAM)
    script = ["set debuginfod enabled off", "set breakpoint pending on", "set width 0", *COMMANDS.values()]
    (folder / "commands").write_text("".join(f"echo @@\\n\n{command}\n" for command in script))
    done = subprocess.run(  # apt install gdb
        ["gdb", "-nx", "--batch", "-x", folder / "commands", "--args", sys.executable, folder / "program.py"],
        env={**os.environ, "PYCUDA_DRIVER": "host", "HOSTCUDA_THREADS": "1", "PYCUDA_CACHE_DIR": str(folder)},
        capture_output=True, text=True, check=False, timeout=600)
    words = [word.strip() for word in done.stdout.split("@@\n")[4:]]
    assert len(words) == len(COMMANDS), done.stdout + done.stderr
    return dict(zip(COMMANDS, words, strict=True))


def test_variables_of_one_thread(said):
    assert "pending" in said["break"]  # until the module is loaded
    assert f"kernel.cu:{LINES['written']}\n" in said["variables"]
    assert FIRST[LINES["written"] - 1] in said["variables"]  # gdb found the text
    assert {name: said[f"value of {name}"] for name in VALUES} == VALUES
    assert said["after"].startswith(f"{LINES['written'] + 1}\t")
    assert float(said["written"]) == 2 * NORMS[63 - 5] + 32 + I - 1


def test_steps_stay_in_the_thread(said):
    """Beyond a barrier that other threads reach meanwhile."""
    assert said["before"] == said["behind"] == "33" and said["there"] == "1033"
    assert said["over"].startswith(f"{LINES['waits'] + 1}\t") and said["again"].startswith(f"{LINES['waits'] + 2}\t")


def test_functions(said):
    inside, norm, kernel, entry = said["frames"].splitlines()
    assert re.fullmatch(rf"#0 +square<double> \(v=74\) at kernel.cu:{LINES['squared']}", inside)
    assert re.fullmatch(rf"#1 .* in norm \(p=\.\.\.\) at kernel.cu:{LINES['summed']}", norm)
    assert re.fullmatch(rf"#2 .* in norms \(y=0x\w+, n=50, by=\.\.\.\) at kernel.cu:{LINES['called']}", kernel)
    assert re.fullmatch(r"#3 .* in norms.entry.* from /proc/.*", entry)  # and nothing of ours below it
    assert (said["v"], said["p.x"]) == ("74", "74") and f"Value returned is $1 = {74 ** 2}" in said["finish"]
    assert len(said["caller"].splitlines()) == 3


def test_rows_of_threads(said):
    assert "plane (" in said["plane"] and (said["index"], said["height"]) == ("{x = 4, y = 2, z = 0}", "3")


def test_fault(said):
    """The signal stops in the thread, then is the exception that it is without a debugger."""
    place = f"kernel.cu:{LINES['spoils']}"
    assert "SIGSEGV" in said["fault"] and (said["faulty"], said["far"]) == ("3", f"{1 << 40}")
    assert re.match(rf"#0 .* in spoils \(y=0x\w+, step=1099511627776\) at {place}\n", said["fault frames"])
    assert re.search(rf"raised .* kernel spoils, block \(0,0,0\), {place}: invalid access", said["raised"])


# -- What -G compiles does what it would do --------------------------------------------------------

WAITS = """
__global__ void hand_over(int *y, int rounds)
{
    __shared__ volatile int turn;
    __shared__ int total;
    if (threadIdx.x == 0)
        turn = total = 0;
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        while (turn != (int)threadIdx.x)
            ;
        total = total * 3 + threadIdx.x;
        turn = (threadIdx.x + 1) % blockDim.x;
        __syncthreads();
    }
    y[threadIdx.x] = total;
}

__global__ void lock(int *y, int *held)
{
    while (atomicCAS(held, 0, 1))
        ;
    *(volatile int *)y = *(volatile int *)y * 5 + 1;
    __threadfence();
    atomicExch(held, 0);
}

__global__ void barriers(int *y)
{
    if (threadIdx.x < 16)
        __syncthreads();  // here
    else
        __syncwarp(0x0000ffff);  // there
    y[threadIdx.x] = 1;
}

__global__ void deep(int *y)
{
    if (threadIdx.x == 17) {
        char room[3000000];
        room[0] = 1;
        y[0] = room[y[0]];
    }
}

__device__ int fall(int n) { return n ? fall(n - 1) + n : 0; }  // falls
__global__ void fall_for_ever(int *y) { y[0] = fall(-1); }

__global__ void active(unsigned *y)
{
    if (threadIdx.x % 3)
        y[threadIdx.x] = __activemask();
    else
        y[threadIdx.x] = __ballot_sync(__activemask(), 1);
}
"""


AT = {line.split("// ")[1]: number for number, line in enumerate(WAITS.splitlines(), 1) if "// " in line}


@pytest.fixture(scope="module")
def waits():
    return compile(WAITS, options=["-G"])


def test_threads_that_wait_in_loops(context, waits):
    module = cuda.module_from_buffer(waits)
    y = np.zeros(40, np.int32)
    module.get_function("hand_over")(cuda.InOut(y), np.int32(3), block=(40, 1, 1))
    total = 0
    for thread in 3 * list(range(40)):
        total = (total * 3 + thread) % 2 ** 32
    assert (y.view(np.uint32) == total).all()
    y, held = np.zeros(1, np.int32), np.zeros(1, np.int32)
    module.get_function("lock")(cuda.InOut(y), cuda.InOut(held), block=(70, 1, 1), grid=(3, 1))
    count = 0
    for _ in range(210):
        count = (count * 5 + 1) % 2 ** 32
    assert y.view(np.uint32)[0] == count


def test_active_mask(context, waits):
    y = np.zeros(64, np.uint32)
    cuda.module_from_buffer(waits).get_function("active")(cuda.InOut(y), block=(64, 1, 1))
    for warp in range(2):
        groups = [sum(1 << lane for lane in range(32) if ((warp * 32 + lane) % 3 != 0) == other) for other in (0, 1)]
        assert y[32 * warp:32 * warp + 32].tolist() == [groups[(warp * 32 + lane) % 3 != 0] for lane in range(32)]


@pytest.mark.parametrize("kernel, message", [
    ("barriers", (rf"threads 0-15 wait at kernel.cu:{AT['here']} \(__syncthreads\), "
                  rf"threads 16-31 wait at kernel.cu:{AT['there']} \(__syncwarp of lanes 0x0000ffff\)")),
    ("deep", r"kernel deep, block \(0,0,0\), kernel.cu:\d+: the stack is full"),
    ("fall_for_ever", rf"kernel fall_for_ever, block \(0,0,0\), kernel.cu:{AT['falls']}: the stack is full")])
def test_errors(context, waits, kernel, message):
    y = cuda.mem_alloc(256)
    with pytest.raises(cuda.Error, match=message):
        cuda.module_from_buffer(waits).get_function(kernel)(y, block=(32, 1, 1))
        cuda.Context.synchronize()


FEW_MAPPINGS = """
import ctypes
import mmap

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

reverse = SourceModule('''__global__ void reverse(int *y) {
    __shared__ int kept[1024];
    kept[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = kept[1023 - threadIdx.x];
}''', options=["-G"]).get_function("reverse")
y = np.zeros(1024, np.int32)
reverse(cuda.InOut(y), block=(1, 1, 1))
with open("/proc/sys/vm/max_map_count") as file:
    pages = int(file.read())
region = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
start = ctypes.addressof(ctypes.c_char.from_buffer(region))
protect = ctypes.CDLL(None).mprotect
protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
page = 0
while protect(start + page * mmap.PAGESIZE, mmap.PAGESIZE, mmap.PROT_READ) == 0:
    page += 2
assert page > 1000
for page in range(page - 200, page, 2):
    assert protect(start + page * mmap.PAGESIZE, mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE) == 0
reverse(cuda.InOut(y), block=(1024, 1, 1))
assert (y == range(1023, -1, -1)).all()
"""


def test_blocks_run_where_mappings_are_few():
    """A page that faults below each stack is two mappings, of which a process has 65,530."""
    subprocess.check_call([sys.executable, "-c", FEW_MAPPINGS])


def test_sources_are_kept_with_the_cache(context, tmp_path):
    """And go with it: the text is there for gdb also where the image is from the cache."""
    text = "__global__ void f(int *y) { *y = 1; }"
    for _ in range(2):
        SourceModule(text, options=["-G"], cache_dir=str(tmp_path))
        kept, = tmp_path.glob("*.sources/kernel.cu")
        assert kept.read_text() == text
        kept.unlink()
    SourceModule(text, cache_dir=str(tmp_path))
    assert not list(tmp_path.glob("*.sources/kernel.cu"))
    assert len(list(tmp_path.glob("*.image"))) == 2
    SourceModule(text, options=["-G"], cache_dir=str(tmp_path))
    subprocess.run([sys.executable, "-m", "pycuda", "cache", "clear"], check=True,
                   env={**os.environ, "PYCUDA_CACHE_DIR": str(tmp_path)})
    assert not list(tmp_path.glob("*.image*"))
