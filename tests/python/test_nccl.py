"""Collective operations between devices and processes: NumPy's numbers on GPUs by NCCL and on the host device; what is refused; and what
becomes of ranks that ask for different things, end or fail. In processes of their own, of several devices."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import pycuda

START = """
import os, sys, threading
import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray, nccl
cuda.init()
random = np.random.default_rng(3)


def put(ranks, arrays):
    "each array on the device of its rank"
    found = []
    for rank, array in zip(ranks, arrays, strict=True):
        with rank.context:
            found.append(gpuarray.to_gpu(array))
    return found


def get(ranks, arrays):
    found = []
    for rank, array in zip(ranks, arrays, strict=True):
        with rank.context:
            found.append(array.get())
    return found


def refused(kind, text, function, *arguments, **names):
    try:
        function(*arguments, **names)
    except kind as problem:
        assert text in str(problem), problem
        return
    raise SystemExit(f"taken, and not refused for {text!r}")
"""
END = "\nprint('right')\n"


@pytest.fixture
def run(run_python, on_host):
    """A program that begins with START, on so many devices; on as many GPUs as there are."""
    def run(program, devices=3, **environment):
        done = run_python(START + program + END, HOSTCUDA_DEVICES=str(devices), **environment)
        assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr
        assert not on_host or not done.stderr, done.stderr
    return run


@pytest.mark.devices(2)
@pytest.mark.parametrize("devices", [1, 2, 3, 4])
def test_reductions(run, devices):
    """Every type and operation, of sizes on both sides of those of chunks; integers wrap around, and averages of them are truncated."""
    run("""
ranks = nccl.init_all()
n = len(ranks)
try:
    from ml_dtypes import bfloat16
except ImportError:
    bfloat16 = np.float16
functions = {"sum": np.add.reduce, "prod": np.multiply.reduce, "min": np.minimum.reduce, "max": np.maximum.reduce,
             "avg": lambda x, axis, dtype: np.add.reduce(x, axis=axis, dtype=dtype) / n}
for dtype in (np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.float16, bfloat16, np.float32, np.float64,
              np.complex64, np.complex128):
    dtype = np.dtype(dtype)
    for size in (1, 3, 1000, 131072, 70001):
        x = random.uniform(-100, 100, (n, size))
        x = (x + 1j * x[:, ::-1]).astype(dtype) if dtype.kind == "c" else x.astype(np.int64).astype(dtype)
        for op, function in functions.items():
            if dtype.kind == "c" and op not in ("sum", "avg"):
                continue
            if op == "avg" and dtype.kind in "iu":
                x //= n + 1  # that sums do not wrap around
            if op == "prod" and dtype.kind not in "iu":
                x = (x.astype("d") % 4).astype(dtype)
            wide = np.float64 if dtype.kind == "V" or dtype.kind == "f" else dtype
            with np.errstate(all="ignore"):
                wanted = function(x.astype(wide), axis=0, dtype=wide)
                wanted = np.trunc(wanted).astype(dtype) if op == "avg" and dtype.kind in "iu" else wanted.astype(dtype)
            digits = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-6, "complex64": 1e-6}.get(dtype.name, 1e-12)
            for inplace in (False, True):
                one = put(ranks, x)
                other = one if inplace else put(ranks, 0 * x)
                with nccl.group():
                    for rank, a, z in zip(ranks, one, other):
                        assert rank.all_reduce(a, z, op=op) is z
                for got in get(ranks, other):
                    got, good = got.astype("D"), wanted.astype("D")
                    assert got.dtype == good.dtype and np.allclose(got, good, digits, digits * abs(good).max(), equal_nan=True), (
                        dtype, size, op, inplace, got[:5], good[:5])
                if not inplace:
                    assert all((a == b).all() for a, b in zip(get(ranks, one), x))
""", devices)


@pytest.mark.devices(2)
@pytest.mark.parametrize("devices", [1, 4])
def test_other_operations(run, devices):
    run("""
ranks = nccl.init_all()
n = len(ranks)
for dtype, size in (("f", 5), ("d", 40000), ("h", 7), ("?", 100), ("i4,f8", 33), ("c16", 9000)):
    x = np.frombuffer(random.bytes(n * size * np.dtype(dtype).itemsize), dtype).reshape(n, size).copy()
    if dtype == "?":
        x = x.view("u1") % 2 == 0
    for root in range(n):
        y = put(ranks, x)
        with nccl.group():
            for rank, a in zip(ranks, y):
                assert rank.broadcast(a, root) is a
        assert all(got.tobytes() == x[root].tobytes() for got in get(ranks, y))
    y, z = put(ranks, x), put(ranks, np.zeros((n, n, size), dtype))
    with nccl.group():
        for rank, a, b in zip(ranks, y, z):
            rank.all_gather(a, b)
    assert all(got.tobytes() == x.tobytes() for got in get(ranks, z))
    z = put(ranks, np.stack([np.where((np.arange(n) == k)[:, None], x, x[::-1]) if n > 1 else x for k in range(n)]))
    with nccl.group():
        for rank, b in zip(ranks, z):
            rank.all_gather(b[rank.rank], b)  # in place
    assert all(got.tobytes() == x.tobytes() for got in get(ranks, z))
    with nccl.group():  # each to the next one, a ring
        y, z = put(ranks, x), put(ranks, np.zeros_like(x))
        for rank, a, b in zip(ranks, y, z):
            rank.send(a, (rank.rank + 1) % n)
            rank.recv(b, (rank.rank - 1) % n)
    assert all(got.tobytes() == x[k - 1].tobytes() for k, got in enumerate(get(ranks, z)))

x = random.integers(-9, 9, (n, n, 50000)).astype("i4")
y, z = put(ranks, x), put(ranks, np.zeros((n, 50000), "i4"))
with nccl.group():
    for rank, a, b in zip(ranks, y, z):
        rank.reduce_scatter(a, b, op="max")
assert all((got == x[:, k].max(0)).all() for k, got in enumerate(get(ranks, z)))
with nccl.group():
    for rank, a in zip(ranks, y):
        rank.reduce_scatter(a, a[rank.rank])
assert all((got[k] == x[:, k].sum(0)).all() for k, got in enumerate(get(ranks, y)))

for root in range(n):
    y = put(ranks, x[:, 0])
    z = put(ranks, np.zeros((n, 50000), "i4"))
    with nccl.group():
        for rank, a, b in zip(ranks, y, z):
            rank.reduce(a, b if rank.rank == root else None, root)
    assert all((got == (x[:, 0].sum(0) if k == root else 0)).all() for k, got in enumerate(get(ranks, z)))
y = put(ranks, x[:, 0])
with nccl.group():
    for rank, a in zip(ranks, y):
        rank.reduce(a)
assert (get(ranks, y)[0] == x[:, 0].sum(0)).all()

# Messages of one pair stay in order; a group of several kinds, of several streams, and one in another; nothing at all.
y, z = put(ranks, x[:, 0]), put(ranks, np.zeros((n, 2, 50000), "i4"))
streams = []
for rank in ranks:
    with rank.context:
        rank.context.synchronize()
        streams.append(cuda.Stream())
with nccl.group():
    nccl.group_start()
    for rank, a, b, stream in zip(ranks, y, z, streams):
        rank.send(a[:30000], 0, stream)
        rank.send(a[30000:], 0, stream)
        if rank.rank == 0:
            for k in range(n):
                rank.recv(b.reshape(-1)[k * 20:k * 20 + 30000] if k else b[0, :30000], k, stream)
                rank.recv(b[1, :20000], k, stream)
        rank.all_reduce(a[:0], stream=stream)
    nccl.group_end()
    for rank, a, stream in zip(ranks, y, streams):
        rank.all_reduce(a, stream=stream)
for stream in streams:
    stream.synchronize()
assert (get(ranks, z)[0][1, :20000] == x[n - 1, 0, 30000:]).all() or n > 1
assert all((got == x[:, 0].sum(0)).all() for got in get(ranks, y))
for rank, stream in zip(ranks, streams):
    with rank.context:
        stream.synchronize()
""", devices)


@pytest.mark.devices(2)
def test_order_of_streams(run):
    """A call comes behind what its stream had before, and in front of what it gets then; also of results that are pending."""
    run("""
ranks = nccl.init_all()
n = len(ranks)
x = put(ranks, np.ones((n, 100000), "f"))
for k in range(30):
    y = []
    with gpuarray.lazy():
        for rank, a in zip(ranks, x):
            with rank.context:
                y.append(a * (rank.rank + 1) + k)
        with nccl.group():
            for rank, b in zip(ranks, y):
                rank.all_reduce(b)
        for i, rank in enumerate(ranks):
            with rank.context:
                y[i] = y[i] * 2
    for got in get(ranks, y):
        assert (got == 2 * (n * (n + 1) / 2 + n * k)).all()
""")


@pytest.mark.devices(2)
def test_threads(run):
    """A thread for each rank, by an id; groups are of one thread."""
    run("""
n = min(cuda.Device.count(), 3)
unique_id, results = nccl.get_unique_id(), {}
assert len(unique_id) == 128 and unique_id != nccl.get_unique_id()
def work(number):
    context = cuda.Device(number).retain_primary_context()
    with context, nccl.Communicator(n, unique_id, number) as rank:
        assert (rank.rank, rank.size, rank.device) == (number, n, cuda.Device(number)) and str(number) in repr(rank)
        x = gpuarray.full(5000, number + 1.0, np.float64)
        for _ in range(20):
            rank.all_reduce(x, op="avg")
        with nccl.group():
            rank.all_reduce(x)
        results[number] = x.get()
threads = [threading.Thread(target=work, args=(number,)) for number in range(n)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(results) == n and all(np.allclose(x, n * (n + 1) / 2) for x in results.values())
""")


MPI = START + """
import pycuda.autoprimaryctx
from mpi4py import MPI
world = MPI.COMM_WORLD
unique_id = world.bcast(nccl.get_unique_id() if world.rank == 0 else None)
rank = nccl.Communicator(world.size, unique_id, world.rank)
x = gpuarray.arange(300000, dtype=np.float64) * (world.rank + 1)
rank.all_reduce(x)
assert (x.get() == np.arange(300000) * sum(range(1, world.size + 1))).all()
y = gpuarray.zeros((world.size, 70000), np.int16)
rank.all_gather(gpuarray.full(70000, world.rank, np.int16), y)
assert (y.get() == np.arange(world.size)[:, None]).all()
with nccl.group():
    rank.send(x, (world.rank + 1) % world.size)
    z = rank.recv(gpuarray.zeros_like(x), (world.rank - 1) % world.size)
assert (z.get() == x.get()).all()
rank.close()
print("right")
"""


@pytest.mark.host
@pytest.mark.parametrize("size", [1, 4])
def test_processes(size):
    assert shutil.which("mpirun"), "no mpirun on PATH: install openmpi-bin"
    done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(size), sys.executable, "-c", MPI],
                          capture_output=True, text=True, cwd="/", env=os.environ | {"HOSTCUDA_THREADS": "1"}, check=False)
    assert (done.returncode, done.stdout.split("right")[-1].strip(), done.stdout.count("right")) == (0, "", size), done.stdout + done.stderr


@pytest.mark.devices(2)
def test_what_is_refused(run):
    """With a sentence that says what was given, before any call of a group is made."""
    run("""
ranks = nccl.init_all([0, cuda.Device(1)])
first, second = ranks
x, y = put(ranks, np.arange(24.0).reshape(2, 3, 4))
def group(*calls):
    with nccl.group():
        for call in calls:
            call()
with first.context:
    whole = gpuarray.zeros((2, 3, 4), np.float64)
    stream = cuda.Stream()
    shorts, half = gpuarray.zeros(4, np.int16), gpuarray.zeros((3, 4), np.float16)
    for kind, text, call in (
        (ValueError, "gaps", lambda: first.all_reduce(x[:, 1:3])),
        (ValueError, "gaps", lambda: first.all_gather(x.T.copy(order="C").T, whole)),
        (ValueError, "Fortran", lambda: first.all_reduce(x, gpuarray.zeros((4, 3), np.float64).T)),
        (ValueError, "device 1", lambda: first.all_reduce(y)),
        (ValueError, "device 1", lambda: first.all_reduce(x, y)),
        (ValueError, "device 1", lambda: second.all_reduce(y, stream=stream)),
        (ValueError, "from 12 elements to 24", lambda: first.all_reduce(x, whole)),
        (ValueError, "from 12 elements to 12 of 2 ranks", lambda: first.all_gather(x, x.copy())),
        (ValueError, "out_array, for each rank", lambda: first.reduce_scatter(x, whole)),
        (ValueError, "from 24 elements to 0", lambda: first.reduce_scatter(whole, x[:0])),
        (ValueError, "overlap", lambda: first.all_reduce(whole.reshape(-1)[:12], whole.reshape(-1)[1:13])),
        (ValueError, "overlap", lambda: first.all_gather(whole[1], whole)),
        (ValueError, "'sam'", lambda: first.all_reduce(x, op="sam")),
        (ValueError, "rank 2 of 2", lambda: first.broadcast(x, 2)),
        (ValueError, "rank -1 of 2", lambda: first.send(x, -1)),
        (ValueError, "needs an out_array", lambda: nccl._native._nccl_run([(first._handle, 2, x, None, 0, 0, None)])),
        (TypeError, "int16", lambda: first.all_reduce(shorts)),
        (TypeError, "complex64", lambda: first.all_reduce(x.astype(np.complex64), op="max")),
        (TypeError, "float16", lambda: first.all_reduce(x, half)),
        (TypeError, "bool", lambda: first.all_reduce(x > 0)),
        (TypeError, "ndarray", lambda: first.all_reduce(x.get())),
        (TypeError, "None", lambda: first.recv(None, 0)),
        (TypeError, "", lambda: first.broadcast(x, "0")),
        (TypeError, "", lambda: first.all_reduce(x, stream=7)),
        (ValueError, "[]", lambda: first.all_reduce(x, op=[])),
    ):
        refused(kind, text, call)
        refused(kind, text, group, lambda: first.all_reduce(x), call)
    x.gpudata.free()
    refused(cuda.LogicError, "freed", first.all_reduce, x)
refused(RuntimeError, "group_start", nccl.group_end)
refused(ValueError, "named once", nccl.init_all, [0, 0])
refused(ValueError, "named once", nccl.init_all, [])
refused(ValueError, "no context", nccl.Communicator, 1, nccl.get_unique_id(), 0)
with first.context:
    refused(ValueError, "ranks 0 to size - 1", nccl.Communicator, 1, nccl.get_unique_id(), 1)
    refused(ValueError, "ranks 0 to size - 1", nccl.Communicator, 1, nccl.get_unique_id(), -1)
    refused(ValueError, "128 bytes", nccl.Communicator, 1, b"short", 0)
    refused(TypeError, "", nccl.Communicator, 1, "text", 0)
    refused(TypeError, "", nccl.Communicator, 1.5, nccl.get_unique_id(), 0)
with cuda.Device(0).make_context():
    refused(ValueError, "autoprimaryctx", nccl.Communicator, 1, nccl.get_unique_id(), 0)
    cuda.Context.pop()
put(ranks, np.zeros((2, 3)))
y, z = put(ranks, np.ones((2, 3)))
with nccl.group():  # nothing was made of the groups above
    first.all_reduce(y), second.all_reduce(z)
assert [a.tolist() for a in get(ranks, [y, z])] == [[2, 2, 2]] * 2
for rank in ranks:
    rank.close()
    for call in (rank.close, rank.abort, lambda: rank.all_reduce(y)):
        refused(ValueError, "closed", call)
""", 2)


@pytest.mark.host
def test_what_the_host_device_refuses(run):
    run("""
refused(cuda.LogicError, "no id of the host device's", nccl.init_all.__globals__["_native"]._nccl_join,
        [cuda.Device(0).retain_primary_context()], 0, 1, bytes(128))
used = nccl.get_unique_id()
with cuda.Device(0).retain_primary_context() as context:
    one = nccl.Communicator(1, used, 0)
    refused(cuda.LogicError, "used up", nccl.Communicator, 1, used, 0)
    refused(cuda.LogicError, "1 to 64", nccl.Communicator, 65, nccl.get_unique_id(), 0)
    refused(cuda.LogicError, "ranks 1 and 0 are both on device 0", nccl._native._nccl_join, [context, context], 0, 2, nccl.get_unique_id())
    with gpuarray.capture() as graph:
        x = gpuarray.zeros(3, np.float32) + 1
        # the default stream may not be used beside a capture; and nothing can be recorded
        stream = cuda.Stream()
    a = gpuarray.zeros(3, np.float32)
    stream.begin_capture()
    refused(cuda.LogicError, "captur", one.all_reduce, a, stream=stream)
""")


@pytest.mark.host
def test_ranks_that_ask_for_different_things(run):
    for ask in ("second.all_reduce(y[:2])", "second.all_reduce(y, op='max')", "second.all_reduce(y.view(np.float32))", "second.broadcast(y)"):
        run(f"""
ranks = nccl.init_all([0, 1])
first, second = ranks
x, y = put(ranks, np.arange(6.0).reshape(2, 3))
with nccl.group():
    first.all_reduce(x)
    {ask}
for rank in ranks:
    with rank.context:
        refused(cuda.LaunchError, "rank 0 for ncclAllReduce of 3 float64, operation sum, root 0; rank 1 for ", rank.context.synchronize)
""", 2)


@pytest.mark.host
def test_messages_of_different_sizes(run):
    run("""
ranks = nccl.init_all([0, 1])
x, y = put(ranks, np.arange(6.0).reshape(2, 3))
with nccl.group():
    ranks[0].send(x, 1)
    ranks[1].recv(y[:2], 0)
with ranks[1].context as context:
    refused(cuda.LaunchError, "rank 0 sends 24 bytes to rank 1, which receives 16", context.synchronize)
""", 2)


@pytest.mark.host
def test_ranks_that_leave(run):
    """abort() ends what waits; others fail and do not hang. close() does what was asked for first."""
    run("""
first, second = ranks = nccl.init_all([0, 1])
x, y = put(ranks, np.arange(6.0).reshape(2, 3))
first.all_reduce(x)
first.abort()
with first.context as context:
    context.synchronize()
second.all_reduce(y)
with second.context as context:
    refused(cuda.LaunchError, "rank 0 takes part no longer", context.synchronize)

first, second = ranks = nccl.init_all([0, 2])
x, y = put(ranks, np.arange(6.0).reshape(2, 3))
first.all_reduce(x)
first.close()
second.all_reduce(y)
del second, ranks
import gc
gc.collect()
with cuda.Device(0).retain_primary_context():
    assert x.get().tolist() == [3, 5, 7]
with cuda.Device(2).retain_primary_context():
    assert y.get().tolist() == [3, 5, 7]
""")


DYING = START + """
import pycuda.autoprimaryctx
rank = nccl.Communicator(2, bytes.fromhex(sys.argv[1]), 1)
x = gpuarray.ones(3, np.float32)
rank.all_reduce(x)
x.get()
os._exit(0)
"""


@pytest.mark.host
def test_process_that_dies(run, tmp_path):
    program = tmp_path / "dying.py"
    program.write_text(DYING)
    run(f"""
import subprocess
import pycuda.autoprimaryctx
unique_id = nccl.get_unique_id()
other = subprocess.Popen([sys.executable, {str(program)!r}, unique_id.hex()])
rank = nccl.Communicator(2, unique_id, 0)
x = gpuarray.ones(3, np.float32)
assert rank.all_reduce(x).get().tolist() == [2, 2, 2]
assert other.wait() == 0
rank.all_reduce(x)
refused(cuda.LaunchError, "rank 1 takes part no longer", x.get)
refused(cuda.Error, "rank 1 takes part no longer", rank.all_reduce, x)
""", 1)


@pytest.mark.host
def test_interrupted(run):
    """Ctrl-C ends the wait for other ranks, in joining and in synchronizing."""
    run("""
import _thread, pathlib, time
import pycuda.autoprimaryctx
main = pathlib.Path(f"/proc/self/task/{os.getpid()}/stat")
def when_it_waits(begun):
    begun.wait()
    asleep = False
    while not asleep:
        time.sleep(0.01)  # nobody keeps it from running
        asleep = main.read_text().rpartition(")")[2].split()[0] == "S"
    _thread.interrupt_main()
def interrupted(function, *arguments):
    begun = threading.Event()
    def call():
        begun.set()
        function(*arguments)
    threading.Thread(target=when_it_waits, args=[begun]).start()
    refused(KeyboardInterrupt, "", call)
interrupted(nccl.Communicator, 2, nccl.get_unique_id(), 0)
ranks = nccl.init_all([0, 1])
x = gpuarray.ones(3, np.float32)
ranks[0].all_reduce(x)
interrupted(x.get)
ranks[0].abort()
""", 2)


@pytest.mark.devices(2)
def test_hostile_objects(run):
    """Objects that close the communicator, or raise, while they are asked for a number."""
    run("""
first, second = ranks = nccl.init_all([0, 1])
x, y = put(ranks, np.ones((2, 3)))
class Closing:
    def __index__(self):
        first.close()
        return 0
class Raising:
    def __index__(self):
        raise ZeroDivisionError("asked")
refused(ZeroDivisionError, "asked", first.broadcast, x, Raising())
refused(ValueError, "closed", first.broadcast, x, Closing())
class Freeing:
    def __cuda_stream__(self):
        y.gpudata.free()
        return 0, 0
refused(cuda.LogicError, "freed", second.broadcast, y, stream=Freeing())
refused((TypeError, ValueError), "", nccl._native._nccl_run, [()])
refused(TypeError, "", nccl._native._nccl_run, 3)
refused(ValueError, "closed", nccl._native._nccl_run, [(object(), 0, x, x, 0, 0, None)])
refused(ValueError, "no operation", nccl._native._nccl_run, [(second._handle, 9, y, y, 0, 0, None)])
nccl._native._nccl_run([])
""", 2)


HERE = pathlib.Path(__file__).parent
DRIVER = str(pathlib.Path(pycuda.__file__).parent / "libhostcuda.so")


@pytest.fixture(scope="module")
def fake_nccl(tmp_path_factory):
    """fake_nccl(*definitions): the folder of an NCCL whose calls can be made to fail."""
    def build(*definitions):
        folder = tmp_path_factory.mktemp("nccl")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", HERE.parents[1] / "src", *definitions, "-o", folder / "libnccl.so.2",
                        HERE / "libraries_fake_nccl.c"], check=True)
        return str(folder)
    return build


START_NCCL = """
import ctypes, os
import pycuda.driver as cuda
from pycuda import gpuarray, libraries, nccl
cuda.init()
path = os.environ["PYCUDA_LIBRARIES"] + "/libnccl.so.2"
fake = ctypes.CDLL(path)
number = lambda name: ctypes.c_int.in_dll(fake, name)

def fail(name, status, times=1):
    (ctypes.c_char * 64).in_dll(fake, "failing").value = name.encode()
    number("failure").value, number("failures").value = status, times
"""


@pytest.mark.host
def test_failures_of_collective_operations(run, fake_nccl):
    run(START_NCCL + """
assert libraries.found()["nccl"] == path and nccl.get_version() == 22703
def fails(entry, function, *arguments, routine=None):
    for status, kind, code, name in ((1, cuda.Error, 999, "ncclUnhandledCudaError"), (2, cuda.LogicError, 304, "ncclSystemError"),
                                     (4, cuda.LogicError, 1, "ncclInvalidArgument"), (5, cuda.LogicError, 401, "ncclInvalidUsage"),
                                     (6, cuda.Error, 999, "ncclRemoteError"), (99, cuda.Error, 999, "99")):
        fail(entry, status)
        try:
            function(*arguments)
        except kind as problem:
            assert problem.code == code and name in str(problem) and (routine or entry) + " failed" in str(problem), problem
            assert status == 99 or "said by NCCL" in str(problem), problem
        else:
            raise SystemExit(f"{entry} did not fail")
for entry in ("ncclGetUniqueId", "ncclCommInitRank"):
    fails(entry, nccl.init_all)
fails("ncclGroupStart", nccl.init_all)
fails("ncclGroupEnd", nccl.init_all, routine="ncclCommInitRank")
first, second = nccl.init_all()
with first.context:
    x = gpuarray.zeros(4, "f")
    fails("ncclAllReduce", first.all_reduce, x), fails("ncclBroadcast", first.broadcast, x), fails("ncclReduce", first.reduce, x)
    fails("ncclAllGather", first.all_gather, x[:2], x), fails("ncclReduceScatter", first.reduce_scatter, x, x[:2])
    fails("ncclSend", first.send, x, 1), fails("ncclRecv", first.recv, x, 1)
def group():
    with nccl.group():
        first.recv(x, 0), first.send(x, 0)
fails("ncclGroupStart", group), fails("ncclGroupEnd", group)
fail("ncclCommAbort", 3)
try:
    first.abort()
    raise SystemExit("it did not fail")
except cuda.Error as problem:
    assert "ncclInternalError" in str(problem)
del second, first
""", 2, PYCUDA_LIBRARIES=fake_nccl(), DRIVER=DRIVER)


@pytest.mark.host
@pytest.mark.parametrize("definitions, why", [(("-DVERSION=11903",), "libnccl.so.2 says that it is version 1"),
                                              (("-DLACKS",), "libnccl.so.2 lacks ncclGroupEnd")])
def test_another_nccl(run, fake_nccl, definitions, why):
    run(START_NCCL + f"""
assert {why!r} in libraries.found()["nccl"]
for one in (nccl.get_version, nccl.get_unique_id, nccl.init_all):
    try:
        one()
        raise SystemExit("it was taken")
    except cuda.Error as problem:
        assert {why!r} in str(problem), problem
""", PYCUDA_LIBRARIES=fake_nccl(*definitions), DRIVER=DRIVER)


@pytest.mark.host
def test_without_nccl(run_python, like_gpu):
    done = run_python("""
import pycuda.autoprimaryctx
from pycuda import nccl
try:
    nccl.get_unique_id()
except pycuda.driver.Error as problem:
    print(problem)
""", **like_gpu, LIKE_GPU="")
    assert "libnccl.so.2 was looked for in $PYCUDA_LIBRARIES; `pip install nvidia-nccl-cu1" in done.stdout, done.stdout + done.stderr
