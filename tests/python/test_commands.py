"""``python -m pycuda`` and its commands, as programs."""

import json
import os
import subprocess
import sys

import pytest

import pycuda.driver as cuda
from pycuda import _native
from pycuda._commands import bench, cache


def run(*words, **environment):
    done = subprocess.run([sys.executable, "-m", "pycuda", *words], capture_output=True, text=True,
                          check=False, env=os.environ | environment)
    return done.returncode, done.stdout, done.stderr


def driver_of_tests():
    return "host" if _native._is_host_device() else "cuda"


def test_info(context):
    device = context.get_device()
    status, text, _ = run("info", "--json")
    found = json.loads(text)
    here = found["drivers"][driver_of_tests()]
    assert status == 0 and here["cuda"] == cuda.get_driver_version()
    assert here["devices"][0]["name"] == device.name()
    assert here["devices"][0]["memory"] == device.total_memory()
    assert here["libraries"].keys() == {"cublas", "cufft", "cusolver", "cusparse", "nccl"} and here["libraries"]["cufft"]
    assert found["versions"]["interface of PyCUDA"] == "2026.1"
    status, text, _ = run("info")
    assert status == 0 and device.name() in text and found["versions"]["NumPy"] in text
    assert "cufft" in text and here["libraries"]["cublas"] in text


def test_info_says_what_is_missing(tmp_path):
    gone = {"PYCUDA_HOSTCC": str(tmp_path / "hostcc"), "PYCUDA_DRIVER": "host"}
    status, text, _ = run("info", **gone)
    assert status == 0 and "apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev" in text
    assert gone["PYCUDA_HOSTCC"] in text


@pytest.mark.host
def test_cache(tmp_path, run_python):
    environment = {"PYCUDA_CACHE_DIR": str(tmp_path), "PYCUDA_DRIVER": "host"}
    (tmp_path / "notes.txt").write_text("not the compiler's")
    assert run_python("""if True:
        import pycuda.autoinit
        from pycuda.compiler import SourceModule
        SourceModule("__global__ void f() {}")""", **environment).returncode == 0
    sizes = {file.name: file.lstat().st_size for file in tmp_path.iterdir()}
    total = sum(sizes.values()) - sizes["notes.txt"]
    assert total and run("cache", "size", **environment) == (0, f"{total}\n", "")
    shown = run("cache", **environment)[1]
    assert str(tmp_path) in shown and "entries" in shown
    assert run("cache", "clear", **environment) == (0, "", "")
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]
    assert run("cache", "size", **environment)[1] == "0\n"


def test_cache_from_which_others_remove(tmp_path, monkeypatch):
    for name in ("one.image", "other.image"):
        (tmp_path / name).write_bytes(b"12345")
    entries = cache._entries(tmp_path)
    (tmp_path / "one.image").unlink()
    monkeypatch.setenv("PYCUDA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_entries", lambda folder: entries)
    assert cache.describe()["bytes"] == 5


def test_cache_that_is_off():
    shown = run("cache", PYCUDA_DISABLE_CACHE="1")[1]
    assert "PYCUDA_DISABLE_CACHE" in shown
    assert run("cache", "clear", PYCUDA_DISABLE_CACHE="1")[0] == 0


def test_selftest():
    status, text, errors = run("selftest", "--driver", driver_of_tests())
    assert status == 0 and text.endswith("all is well\n"), text + errors
    assert "FAILED" not in text


def test_selftest_tells_what_failed(run_python):
    done = run_python("""if True:
        import sys
        from pycuda import _native, gpuarray
        from pycuda._commands import selftest
        @selftest.check
        def a_wrong_number():
            assert gpuarray.sum(gpuarray.zeros(3, int)).get() == 1
        sys.exit(selftest._run_here())
    """)
    assert done.returncode == 1
    failed, = (line for line in done.stdout.splitlines() if "FAILED" in line)
    assert "a wrong number" in failed and "AssertionError" in done.stdout


@pytest.mark.host
def test_selftest_of_a_driver_that_is_not_there():
    status, text, _ = run("selftest", "--driver", "cuda", CUDA_VISIBLE_DEVICES="")  # where there is a GPU
    assert status == 1 and "not usable" in text


@pytest.mark.parametrize("library", ["numpy", "pycuda"])
def test_bench(library, run_python):
    done = run_python("""if True:
        import os
        from pycuda._commands import bench, cache
        bench.ELEMENTS, bench.SIDE, bench.ROUNDS = 1 << 16, 32, 1
        found = bench._measure(os.environ["LIBRARY"])
        assert all(seconds > 0 for seconds in found.values())
        print(*found, sep="\\n")
    """, LIBRARY=library)
    assert done.returncode == 0, done.stderr
    wanted = {*bench.MOVED, *bench.FLOPS}
    assert set(done.stdout.splitlines()) == (wanted if library == "pycuda" else
                                             {name for name in wanted if "copy" not in name})


def test_output_that_nobody_reads():
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run([sys.executable, "-m", "pycuda", "info"], stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (1, b"")


def test_usage():
    status, _, errors = run("nonsense")
    assert status == 2 and "info" in errors and "selftest" in errors


def test_info_knows_the_environment():
    """What is set and read is told; so is a slip."""
    told = json.loads(run("info", "--json", HOSTCUDA_THREADS="1", HOSTCUDA_THREAD="2", CUDA_VISIBLE_DEVICES="0")[1])["environment"]
    assert told["HOSTCUDA_THREADS"] == "1"
    assert "nothing reads this" in told["HOSTCUDA_THREAD"] and "HOSTCUDA_THREADS?" in told["HOSTCUDA_THREAD"]
    assert told["CUDA_VISIBLE_DEVICES"] == "0"
