"""Coverage of kernels: counts against the arithmetic of the launch, which stands in the source behind `// =`."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest

import pycuda
import pycuda.driver as cuda
from pycuda import _native, debug
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.host

GRID, BLOCK, N = 9, 128, 1000
SOURCE = """
__device__ float twice(float v)
{
    return 2 * v;                              // = sum(i % 2 for i in run) + len(run)
}

__device__ int fib(int n)
{
    if (n < 2)                                 // = sum(calls(i % 7) for i in run)
        return n;                              // = sum(leaves(i % 7) for i in run)
    return fib(n - 1) + fib(n - 2);            // = sum(calls(i % 7) - leaves(i % 7) for i in run)
}

template <class T> __device__ T least(T a, T b)
{
    if (a < b) {                               // = 2 * len(run)
        return a;                              // = sum((i % 3 < 1) + (i % 4 < 2) for i in run)
    }
    return b;                                  // = sum((i % 3 >= 1) + (i % 4 >= 2) for i in run)
}

__device__ void never(int *x)
{
    *x = 1;                                    // = 0
}

extern "C" __global__ void many(int *out, float *y, int n, int zero)
{
    int i = blockIdx.x * blockDim.x +          // = THREADS
            threadIdx.x;                       // = THREADS
    if (i >= n)                                // = THREADS
        return;                                // = THREADS - N
    float v = twice(i);                        // = N
    if (i % 2)                                 // = N
        v = twice(v);                          // = sum(i % 2 for i in run)
    else
        v += 1;                                // = sum(1 - i % 2 for i in run)
    int sum = 0;                               // = N
    for (int k = 0; k < i % 5; k++) {          // = sum(i % 5 + 1 for i in run)
        if (k == 2)                            // = sum(i % 5 for i in run)
            continue;                          // = sum(i % 5 > 2 for i in run)
        sum += k;                              // = sum(i % 5 - (i % 5 > 2) for i in run)
    }
    int left = i % 9;                          // = N
    while (left)                               // = sum(min(i % 9, 6) + 1 - (i % 9 > 5) for i in run)
        if (--left < i % 9 - 5)                // = sum(min(i % 9, 6) for i in run)
            break;                             // = sum(i % 9 > 5 for i in run)
    switch (i % 6) {                           // = N
    case 0:
        sum += 10;                             // = sum(i % 6 == 0 for i in run)
        break;                                 // = sum(i % 6 == 0 for i in run)
    case 1:
        sum += 20;                             // = sum(i % 6 == 1 for i in run)
    case 2:
        sum += 30;                             // = sum(0 < i % 6 < 3 for i in run)
        break;                                 // = sum(0 < i % 6 < 3 for i in run)
    case 7:
        never(out);                            // = 0
    default:
        sum -= 1;                              // = sum(i % 6 > 2 for i in run)
    }
    sum += fib(i % 7);                         // = N
    sum += least(i % 3, 1) + least(            // = N
        (double)(i % 4), 2.0);                 // = N
    if (i % 2 == 0                             // = N
        && i % 3 == 0                          // = sum(i % 2 == 0 for i in run)
        || i < 0                               // = sum(i % 6 != 0 for i in run)
        && zero)                               // = 0
        sum += 1;                              // = sum(i % 6 == 0 for i in run)
    sum = i < 2000                             // = N
        ? sum                                  // = N
        : zero;                                // = 0
    if (zero) {                                // = N
        sum = 7;                               // = 0
        goto end;                              // = 0
    }
    y[i] = v;                                  // = N
end:
    out[i] = sum;                              // = N
}

extern "C" __global__ void reduce(float *sums, const float *x)
{
    __shared__ float part[128];
    part[threadIdx.x] = x[threadIdx.x];        // = THREADS
    for (int n = 64; n > 0; n /= 2) {          // = 8 * THREADS
        __syncthreads();                       // = 7 * THREADS
        if (threadIdx.x < n)                   // = 7 * THREADS
            part[threadIdx.x] +=               // = 127 * GRID
                part[threadIdx.x + n];         // = 127 * GRID
    }
    if (threadIdx.x == 0)                      // = THREADS
        sums[blockIdx.x] = part[0];            // = GRID
}
"""


def calls(n):
    return 1 if n < 2 else 1 + calls(n - 1) + calls(n - 2)


def leaves(n):
    return 1 if n < 2 else leaves(n - 1) + leaves(n - 2)


def expected():
    names = {"THREADS": GRID * BLOCK, "N": N, "run": range(N), "calls": calls, "leaves": leaves, "GRID": GRID}
    return {number: eval(line.partition("// =")[2], names)
            for number, line in enumerate(SOURCE.split("\n"), 1) if "// =" in line}


def launch(options=(), source=SOURCE):
    module = SourceModule(source, no_extern_c=True, options=list(options))
    out, y = cuda.mem_alloc(4 * GRID * BLOCK), cuda.mem_alloc(4 * GRID * BLOCK)
    module.get_function("many")(out, y, np.int32(N), np.int32(0), block=(BLOCK, 1, 1), grid=(GRID, 1))
    module.get_function("reduce")(out, y, block=(BLOCK, 1, 1), grid=(GRID, 1))


def counts(file):
    return {number: line.count for number, line in file.lines.items()}


@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_counts(context, level):
    with debug.coverage() as counted:
        launch([level])
    file, = counted.files()
    assert counts(file) == expected()
    assert file.text == SOURCE
    assert file.path is None
    assert file.name.startswith("many-")
    assert file.name.endswith(".cu")
    calls_of = {name: count for name, (_, count) in file.functions.items()}
    assert (calls_of["many"], calls_of["reduce"]) == (GRID * BLOCK, GRID * BLOCK)
    assert [count for name, count in calls_of.items() if "never" in name] == [0]
    assert counted.percent == pytest.approx(100 * sum(n > 0 for n in expected().values()) / len(expected()))


def test_a_second_launch_adds(context):
    with debug.coverage() as counted:
        launch()
        between = debug.coverage()
        launch()
    assert counts(*counted.files()) == {line: 2 * count for line, count in expected().items()}
    assert counts(*between.files()) == expected()


def last_coverage():
    """What the driver tells of the counters that were made last."""
    number = 0
    while _native._coverage(number + 1):
        number += 1
    return _native._coverage(number)


BUSY = """extern "C" __global__ void half(int *x)
{
    int i = threadIdx.x;
    if (i % 2)
        x[i] = 1;
    if (blockIdx.x)
        x[i] = 2;
}"""


def test_lanes(context):
    """The last vector of 20 threads is not full, however many lanes the processor's vectors have."""
    x = cuda.mem_alloc(4096)
    for block in 128, 20:
        with debug.coverage() as counted:
            SourceModule(BUSY, no_extern_c=True).get_function("half")(x, block=(block, 1, 1), grid=(2, 1))
        lanes = last_coverage()[4]
        assert lanes in (4, 8, 16, 32)
        full = block / (-(-block // lanes) * lanes)
        file, = counted.files()
        assert counts(file) == {3: 2 * block, 4: 2 * block, 5: block, 6: 2 * block, 7: block}
        assert [line.busy for line in file.lines.values()] == [full, full, full / 2, full, full]


def test_modules_of_one_name_are_told_apart(context, tmp_path):
    with debug.coverage() as counted:
        for k in range(3):
            SourceModule(f"\n__global__ void one{k}(int *x)\n{{\n    *x = {k};\n}}", cache_dir=False)
        SourceModule("\n__global__ void one1(int *x)\n{\n    *x = 1;\n}", cache_dir=False).get_function("one1")(
            cuda.mem_alloc(4), block=(1, 1, 1))
    files = {file.name.partition("-")[0]: counts(file) for file in counted.files()}
    assert files == {"one0": {4: 0}, "one1": {4: 1}, "one2": {4: 0}}
    counted.write(tmp_path / "trace.info")
    assert set(read(tmp_path / "trace.info")) == {str(path) for path in (tmp_path / "trace.info.sources").iterdir()}


def test_headers_are_files_of_their_own(context, tmp_path):
    header = tmp_path / "square.cuh"
    header.write_text("__device__ int square(int v)\n{\n    return v * v;\n}\n")
    with debug.coverage() as counted:
        SourceModule('#include <square.cuh>\n__global__ void k(int *x)\n{\n    *x = square(3);\n}', no_extern_c=False,
                     include_dirs=[str(tmp_path)]).get_function("k")(cuda.mem_alloc(4), block=(5, 1, 1))
    files = {file.path: file for file in counted.files()}
    assert counts(files[str(header)]) == {3: 5}
    assert counts(files[None]) == {4: 5}
    assert files[str(header)].text == header.read_text()


def test_linked_objects(context, tmp_path):
    """Two files, each with a line 3."""
    hostcc = pathlib.Path(pycuda.__path__[0]) / "hostcc"
    (tmp_path / "one.cu").write_text("__device__ int one(int v)\n{\n    return v + 1;\n}\n")
    (tmp_path / "two.cu").write_text('__device__ int one(int);\nextern "C" __global__ void two(int *x) {\n    *x = one(\n3);\n}\n')
    for words in (["-rdc=true", "one.cu", "-o", "one.o"], ["-rdc=true", "two.cu", "-o", "two.o"],
                  ["--coverage", "one.o", "two.o", "-o", "image"]):
        subprocess.run([hostcc, *words], cwd=tmp_path, check=True)
    with debug.coverage() as counted:
        cuda.module_from_file(str(tmp_path / "image")).get_function("two")(cuda.mem_alloc(4), block=(5, 1, 1))
    assert {file.path: counts(file) for file in counted.files()} == {
        str(tmp_path / "one.cu"): {3: 5}, str(tmp_path / "two.cu"): {3: 5}}


def test_what_is_off_is_not_counted(context):
    counted = debug.coverage()
    counted.stop()
    launch()
    assert counted.files() == []
    assert counted.percent == 100


def test_checks_and_coverage_together(context):
    with debug.coverage() as counted, debug.check("memory", "init", "race"):
        launch()
    assert counts(*counted.files()) == expected()


# -- lcov, by a reader that knows the format from man geninfo alone --------------------

def read(path):
    files = {}
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(":")
        if word == "SF":
            here = files[rest] = {"DA": {}, "FN": {}, "FNDA": {}}
        elif word == "DA":
            number, count = map(int, rest.split(","))
            assert number not in here["DA"]
            here["DA"][number] = count
        elif word == "FN":
            number, name = rest.split(",", 1)
            here["FN"][name] = int(number)
        elif word == "FNDA":
            count, name = rest.split(",", 1)
            here["FNDA"][name] = int(count)
        elif word in ("LF", "LH", "FNF", "FNH"):
            here[word] = int(rest)
        else:
            assert line in ("TN:", "end_of_record")
    for here in files.values():
        assert here["LF"] == len(here["DA"])
        assert here["LH"] == sum(count > 0 for count in here["DA"].values())
        assert here["FN"].keys() == here["FNDA"].keys()
        assert here["FNF"] == len(here["FN"])
        assert here["FNH"] == sum(count > 0 for count in here["FNDA"].values())
    return files


PROGRAM = """import gc, sys
import pycuda.autoinit
sys.path[:0] = [{tests!r}]
import test_coverage
test_coverage.launch()
gc.collect()
{more}
"""


def program(tmp_path, file, more="", threads="2", **how):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(tests=os.path.dirname(__file__), more=more))
    return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False, timeout=600, env={
        **os.environ, "PYCUDA_DRIVER": "host", "HOSTCUDA_COVERAGE": str(file), "HOSTCUDA_THREADS": threads}, **how)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_tracefile(tmp_path, threads):
    """Of a module that is gone when the program ends."""
    ended = program(tmp_path, tmp_path / "%p.info", threads=threads)
    assert (ended.returncode, ended.stderr) == (0, "")
    written, = tmp_path.glob("*.info")
    (source, here), = read(written).items()
    assert here["DA"] == expected()
    assert here["FN"]["many"] == SOURCE.split("\n").index('extern "C" __global__ void many(int *out, float *y, int n, int zero)') + 1
    assert here["FNDA"]["reduce"] == GRID * BLOCK
    with open(source) as file:
        assert file.read() == SOURCE


@pytest.mark.parametrize("file", ["/nowhere/trace.info", "/dev/full"])
def test_a_file_that_cannot_be_written(tmp_path, file):
    ended = program(tmp_path, file)
    assert ended.returncode == 0
    assert ended.stderr.startswith("HOSTCUDA_COVERAGE: ")
    assert len(ended.stderr.splitlines()) == 1


def test_a_fork_writes_nothing(tmp_path):
    more = "import os\nif child := os.fork():\n    os.waitpid(child, 0)\n    os.rename(FILE, FILE + '.kept') if os.path.exists(FILE) else None\n"
    file = tmp_path / "trace.info"
    ended = program(tmp_path, file, more.replace("FILE", repr(str(file))))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.py", "trace.info", "trace.info.sources"]
    assert [here["DA"] for here in read(file).values()] == [expected()]


# -- The command ----------------------------------------------------------------------

def command(*words):
    return subprocess.run([sys.executable, "-m", "pycuda", "coverage", *map(str, words)], capture_output=True, text=True,
                          check=False, timeout=600, env={**os.environ, "PYCUDA_DRIVER": "host"})


def test_command(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(tests=os.path.dirname(__file__), more="print(sys.argv[1:])"))
    lines, ran = len(expected()), sum(count > 0 for count in expected().values())
    ended = command("--lcov", tmp_path / "trace.info", path, "--option", "word")
    assert (ended.returncode, ended.stderr) == (0, "")
    first, _, shown = ended.stdout.partition("\n")
    assert first == "['--option', 'word']"
    text = shown.splitlines()
    for number, count in expected().items():
        row = next(row for row in text if f" {number} | " in row)
        assert row.split()[0] == (str(count) if count else "#####")
    assert f"{ran} of {lines} lines ran ({100 * ran / lines:.1f} %), 6 of 7 functions, in 1 sources" in ended.stdout
    assert [here["DA"] for here in read(tmp_path / "trace.info").values()] == [expected()]
    assert command("--quiet", "--fail-under", 100 * ran / lines - 1, path).returncode == 0
    few = command("--quiet", "--fail-under", 100, path)
    assert (few.returncode, few.stderr) == (86, "fewer than 100 % of lines ran\n")


def test_command_of_a_suite(tmp_path):
    """pytest is a module; its own status comes first, and no kernel at all is not every line."""
    suite = tmp_path / "test_suite.py"
    suite.write_text("""import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

def test_kernel():
    kernel = SourceModule('__global__ void k(int *x) { if (threadIdx.x)\\n*x = 1; }').get_function('k')
    kernel(cuda.mem_alloc(4), block=(THREADS, 1, 1))
    assert THREADS < 9
""")
    few = suite.read_text()
    words = "--fail-under", 100, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite
    for threads, status, said in ("2", 0, "2 of 2 lines"), ("1", 86, "1 of 2 lines"), ("9", 1, "2 of 2 lines"):
        suite.write_text(few.replace("THREADS", threads))
        ended = command(*words)
        assert (ended.returncode, said in ended.stdout) == (status, True), ended
    suite.write_text("def test_nothing():\n    pass\n")
    ended = command(*words)
    assert (ended.returncode, ended.stderr) == (86, "no kernel was counted\n")


# -- Profiles -------------------------------------------------------------------------

LONG = """extern "C" __global__ void turns(float *x, const int *index, int n)
{
    int i = threadIdx.x;
    float v = x[0];
    v += x[2 * i];
    v += x[i] + x[index[i]];
    for (int k = 0; k < n; k++)
        v += 1 / (1 + v * v);
    x[i] = v;
}"""


def turns(n):
    kernel = SourceModule(LONG, no_extern_c=True).get_function("turns")
    x, index = cuda.to_device(np.ones(256, np.float32)), cuda.to_device(np.arange(128, dtype=np.int32))
    return lambda: kernel(x, index, np.int32(n), block=(128, 1, 1), grid=(64, 1))


def test_accesses(context):
    """How far lanes are apart: the same address, neighbours, every second element, anywhere."""
    with debug.coverage() as counted:
        turns(1)()
    file, = counted.files()
    assert file.accesses == {4: {"same": 1}, 5: {"strided": 1}, 6: {"consecutive": 2, "gather": 1}, 9: {"consecutive": 1}}
    assert file.samples == {}


def test_samples(context):
    """The loop is all of the time."""
    with debug.coverage(profile=True) as counted:
        launch, found = turns(100_000), {}
        while sum(found.values()) < 20:
            launch()
            found = counted.files()[0].samples
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    assert found.get(7, 0) + found.get(8, 0) > 0.8 * sum(found.values())
    assert "samples; the lines with most:\n" in counted.text()
    before = counted.files()[0].samples
    launch()
    assert counted.files()[0].samples == before


def test_samples_outlive_their_module(context):
    counted = debug.coverage(profile=True)
    launch = turns(100_000)
    while not counted.files()[0].samples:
        launch()
    counted.stop()
    before = counted.files()[0].samples
    del launch
    assert counted.files()[0].samples == before
    with debug.coverage() as later:
        assert later.files() == []


def test_another_profiler_keeps_its_signal(context):
    before = signal.signal(signal.SIGPROF, lambda number, frame: None)
    try:
        with pytest.raises(cuda.Error, match="another profiler of this process uses the signal SIGPROF"):
            debug.coverage(profile=True)
        assert _native._checks() == 0
    finally:
        signal.signal(signal.SIGPROF, before)


def test_description_is_what_the_table_says(context):
    """The driver's own interface: src/abi/coverage.h."""
    with debug.coverage():
        launch()
    module, loads, description, _kernel, lanes, counts = last_coverage()
    assert lanes in (4, 8, 16, 32)
    table = json.loads(description)
    assert set(table) == {"accesses", "files", "functions", "lines"}
    assert len(counts) >= 24 * (1 + max(counter for *_, counter in table["lines"]))
    assert (module >= 0, loads > 0) == (True, True)
