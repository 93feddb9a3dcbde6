"""pycuda.compiler: back ends, messages, the cache. A shell script passes for hostcc and a tiny
library for NVRTC, so that all of it is tried on any machine; the real ones are tried where they
are."""

import os
import pathlib
import random
import re
import signal
import stat
import subprocess
import sys
import warnings

import numpy as np
import pytest

import pycuda
import pycuda.driver as drv
from pycuda import compiler

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(pycuda.__file__).parent
KERNEL = "__global__ void f(float *a)\n{\n  a[threadIdx.x] *= 2;\n}\n"


def works(name):
    try:
        return bool(compiler.compile("", nvcc=name, cache_dir=False))
    except drv.CompileError:
        return False


REAL = [name for name in ["hostcc", "nvrtc"] if works(name)]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("PYCUDA_DISABLE_CACHE", raising=False)
    monkeypatch.setenv("PYCUDA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    yield tmp_path / "cache"


@pytest.fixture
def standin(tmp_path, monkeypatch):
    """Called, gives the command lines of the runs so far."""
    log = tmp_path / "log"
    log.touch()
    monkeypatch.setenv("PYCUDA_HOSTCC", str(HERE / "compiler_standin.sh"))
    monkeypatch.setenv("STANDIN_LOG", str(log))
    return lambda: log.read_text().splitlines()


def run_python(code, *args, **env):
    return subprocess.run([sys.executable, "-c", code, *map(str, args)], capture_output=True,
                          text=True, cwd="/", env=os.environ | env, check=True)


# -- The cache -------------------------------------------------------------------------------


def test_hit_runs_no_compiler(standin):
    image = compiler.compile(KERNEL, nvcc="hostcc")
    assert image == b'#line 1 "pycuda.compiler"\nextern "C" {\n#line 1 "kernel.cu"\n' + KERNEL.encode() + b"\n}\n"
    assert compiler.compile(KERNEL, nvcc="hostcc") == image
    assert len(standin()) == 1


@pytest.mark.parametrize("change", [
    {"source": KERNEL + " "}, {"options": ["-DX=1"]}, {"arch": "sm_90"}, {"code": "sm_90"},
    {"no_extern_c": True}, {"include_dirs": ["/"]}, {"cache_dir": "other"}, {"keep": True},
], ids=str)
def test_everything_that_counts_is_a_miss(standin, change, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compiler.compile(KERNEL, nvcc="hostcc")
    compiler.compile(**{"source": KERNEL, "nvcc": "hostcc"} | change)
    assert len(standin()) == 2


def test_environment_of_the_compiler_is_a_miss(standin, monkeypatch):
    compiler.compile(KERNEL, nvcc="hostcc")
    monkeypatch.setenv("HOSTCC_INCLUDE", "something")
    compiler.compile(KERNEL, nvcc="hostcc")
    assert len(standin()) == 2


def test_another_compiler_is_a_miss(standin, tmp_path, monkeypatch):
    copy = tmp_path / "copy.sh"
    for content in ["", "# changed\n"]:
        copy.write_text((HERE / "compiler_standin.sh").read_text() + content)
        copy.chmod(0o755)
        monkeypatch.setenv("PYCUDA_HOSTCC", str(copy))
        compiler.compile(KERNEL, nvcc="hostcc")
        compiler.compile(KERNEL, nvcc="hostcc")
    assert len(standin()) == 2


def test_relative_folder_counts_where_we_are(standin, tmp_path, monkeypatch):
    for name in ["one", "two"]:
        (tmp_path / name / "inc").mkdir(parents=True)
        (tmp_path / name / "inc" / "a.h").write_text(f"// {name}")
        monkeypatch.chdir(tmp_path / name)
        for arguments in [{"include_dirs": ["inc"]}, {"options": ["-Iinc"]}]:
            assert name.encode() in compiler.compile(KERNEL, nvcc="hostcc", **arguments)
    assert len(standin()) == 2


def test_changed_header_is_a_miss(standin, tmp_path):
    folder = tmp_path / "headers"
    folder.mkdir()
    for text in ["// one", "// two", "// six"]:
        (folder / "a$b.h").write_text(text)
        for _ in range(2):
            image = compiler.compile(KERNEL, nvcc="hostcc", include_dirs=[folder])
            assert text.encode() in image
    assert len(standin()) == 3


@pytest.mark.parametrize("name", set(REAL) & {"hostcc"})
def test_a_damaged_device_library_is_made_anew(cache, name):
    cache.mkdir()
    compiler.compile(KERNEL, nvcc=name)
    [precompiled] = cache.glob("*.pch")
    good = precompiled.read_bytes()
    for bad in [b"", good[:5000], good[:500000] + bytes(100) + good[500100:]]:
        precompiled.write_bytes(bad)
        compiler.compile(f"{KERNEL}// {len(bad)}", nvcc=name)
        assert precompiled.read_bytes() == good and len(list(cache.glob("device-*"))) == 2  # a link beside it
    compiler.compile(KERNEL, nvcc=name, options=[  # words about other compilers
        "-res-usage", "--resource-usage", "-Xcudafe", "--diag_suppress=1", "-diag-suppress", "177",
        "-allow-unsupported-compiler", "-Xptxas", "-v", "-ccbin", "gcc", "-m64", "-e", "f",
        "--entries=f"])


@pytest.mark.parametrize("name", set(REAL) & {"hostcc"})
def test_a_link_to_the_device_library_is_a_hint(cache, name):
    """It saves a look at all names of the folder; where it leads elsewhere, those are looked at."""
    cache.mkdir()
    compiler.compile(KERNEL, nvcc=name)
    [precompiled] = cache.glob("*.pch")
    [link] = [path for path in cache.glob("device-*") if path.is_symlink()]
    assert link.readlink() == pathlib.Path(precompiled.name)
    date = precompiled.stat().st_mtime_ns
    (cache / "other").write_bytes(precompiled.read_bytes())
    for k, target in enumerate(["none", "other", ".", "..", "/dev/zero", link.name, str(precompiled), None]):
        link.unlink()
        if target:
            link.symlink_to(target)
        else:
            link.mkdir()
        compiler.compile(f"{KERNEL}// link {k}", nvcc=name)
        assert precompiled.stat().st_mtime_ns == date and len(list(cache.glob("*.pch"))) == 1
        if target:
            assert link.readlink() == pathlib.Path(precompiled.name)


@pytest.mark.parametrize("name", REAL)
def test_changed_header_with_the_real_compiler(name, tmp_path):
    folder = tmp_path / "head ers #1"
    (folder / "below").mkdir(parents=True)
    (folder / "a.h").write_text('#include "below/b.h"\n')
    source = '#include <a.h>\n__global__ void f(int *a) { *a = NUMBER; }'
    images = []
    for number in [1, 2, 1]:
        (folder / "below" / "b.h").write_text(f"#define NUMBER {number}\n")
        images.append(compiler.compile(source, nvcc=name, include_dirs=[folder]))
    assert images[0] == images[2] != images[1]
    entries = list((tmp_path / "cache").iterdir())
    assert compiler.compile(source, nvcc=name, include_dirs=[folder]) == images[0]
    assert list((tmp_path / "cache").iterdir()) == entries


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:20], lambda data: data[:-1], lambda data: data + b"x",
    lambda data: bytes(len(data)), lambda data: data[:100] + b"?" + data[101:],
], ids=["empty", "short", "cut", "longer", "zeros", "flipped"])
def test_damaged_entry_is_replaced(standin, cache, damage):
    image = compiler.compile(KERNEL, nvcc="hostcc")
    (entry,) = cache.iterdir()
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    assert compiler.compile(KERNEL, nvcc="hostcc") == image
    assert entry.read_bytes() == good
    assert len(standin()) == 2


def test_entry_that_is_a_folder(standin, cache):
    image = compiler.compile(KERNEL, nvcc="hostcc")
    (entry,) = cache.iterdir()
    entry.unlink()
    entry.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert compiler.compile(KERNEL, nvcc="hostcc") == image


@pytest.mark.parametrize("folder", ["file/cache", "read-only"])
def test_cache_that_cannot_be_written(standin, folder, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "read-only").symlink_to("/proc/self")
    code = """if True:
        import sys, warnings
        from pycuda.compiler import compile
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for i in range(3):
                assert compile(f"// {i}", nvcc="hostcc", cache_dir=sys.argv[1])
        print(*[w.message for w in caught], sep="\\n")
    """
    done = run_python(code, tmp_path / folder)
    assert done.stderr.replace("\n", "") == "" or "no usable GPU" in done.stderr
    (line,) = done.stdout.splitlines()
    assert re.fullmatch(rf"the compiler cache {tmp_path}/{folder} cannot be written \(.+\): "
                        "kernels are compiled anew in each process", line)
    assert len(standin()) == 3


def test_cache_off(standin, cache, monkeypatch):
    for _ in range(2):
        compiler.compile(KERNEL, nvcc="hostcc", cache_dir=False)
    monkeypatch.setenv("PYCUDA_DISABLE_CACHE", "")
    for _ in range(2):
        compiler.compile(KERNEL, nvcc="hostcc")
    assert len(standin()) == 4
    assert not cache.exists()


def test_default_folder(standin, tmp_path, monkeypatch):
    monkeypatch.delenv("PYCUDA_CACHE_DIR")
    for name, below in [("XDG_CACHE_HOME", "pycuda"), ("HOME", ".cache/pycuda")]:
        monkeypatch.setenv(name, str(tmp_path / name))
        compiler.compile(KERNEL, nvcc="hostcc")
        assert len(list((tmp_path / name / below / "compiler-cache-v3").iterdir())) == 1
        monkeypatch.delenv(name)


def test_entry_in_use_does_not_look_old(standin, cache):
    compiler.compile(KERNEL, nvcc="hostcc")
    (entry,) = cache.iterdir()
    os.utime(entry, (0, 0))
    compiler.compile(KERNEL, nvcc="hostcc")
    assert len(standin()) == 1 and entry.stat().st_mtime > 1e9


def test_processes_share_a_folder(standin, cache):
    code = """if True:
        from pycuda.compiler import compile
        for i in range(20):
            assert b"number %d\\n" % (i % 5) in compile(f"// number {i % 5}\\n", nvcc="hostcc")
    """
    running = [subprocess.Popen([sys.executable, "-c", code], cwd="/") for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert len(list(cache.iterdir())) == 5
    assert 5 <= len(standin()) <= 20


def test_oldest_entries_go(standin, cache, monkeypatch):
    monkeypatch.setenv("PYCUDA_CACHE_SIZE", "20000")
    for i in range(150):
        compiler.compile(f"// {i:01000}", nvcc="hostcc")
        count = len(standin())
    entries = list(cache.iterdir())
    assert sum(entry.stat().st_size for entry in entries) < 20000 + 100 * 1100
    assert len(entries) < 150
    for i in range(149, 149 - len(entries), -1):
        compiler.compile(f"// {i:01000}", nvcc="hostcc")
    assert len(standin()) == count, "the newest are those that stayed"


# -- Programs that fail ----------------------------------------------------------------------


@pytest.mark.parametrize("word, message, stdout, stderr", [
    ("FAIL", "hostcc compilation of kernel.cu failed", "out\n", "kernel.cu:1:1: error: FAIL\n"),
    ("CRASH", "hostcc ended by signal 9 (Killed) while compiling kernel.cu", "", ""),
    ("NOTHING", "hostcc wrote no image of kernel.cu", "", ""),
])
def test_failure_is_told(standin, tmp_path, word, message, stdout, stderr):
    with pytest.raises(drv.CompileError) as caught:
        compiler.compile(f"// {word}", nvcc="hostcc", options=["-DX=1"])
    error = caught.value
    assert (error.msg, error.stdout, error.stderr) == (message, stdout, stderr)
    assert error.command_line[:3] == [str(HERE / "compiler_standin.sh"), "--lazy-loading=large", "-DX=1"]
    said = f"\n[stderr:\n{stderr}]\n[stdout:\n{stdout}]" if stderr else ""
    assert str(error).startswith(f"{message}{said}\n[command: {error.command_line[0]} --lazy-loading=large -DX=1 ")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_warnings_of_the_compiler(standin):
    with pytest.warns(UserWarning, match="succeeded, but said the following:\n.*warning: WARN"):
        compiler.compile("// WARN", nvcc="hostcc")


ABSENT = ("hostcc, the compiler of the host device, is not at {}: this package was built without "
          "it; `apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev` and another `pip install` bring it")


@pytest.mark.parametrize("make, message", [
    (lambda path: None, ABSENT),
    (lambda path: path.write_text("not a program"), ABSENT),
    (lambda path: (path.write_text("not a program"), path.chmod(0o755)),
     "cannot run {}: Exec format error"),
], ids=["absent", "not executable", "not a program"])
def test_no_compiler(tmp_path, monkeypatch, make, message):
    path = tmp_path / "hostcc"
    make(path)
    monkeypatch.setenv("PYCUDA_HOSTCC", str(path))
    with pytest.raises(drv.CompileError) as caught:
        compiler.compile(KERNEL, nvcc="hostcc")
    assert caught.value.msg == message.format(path)


def test_no_temporary_folder(standin, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nonexistent")
    with pytest.raises(drv.CompileError, match="cannot make a temporary folder in /nonexistent: "
                                               "No such file or directory"):
        compiler.compile(KERNEL, nvcc=HERE / "compiler_standin.sh", target="fatbin")
    assert compiler.compile(KERNEL, nvcc="hostcc"), "hostcc needs none"


@pytest.mark.parametrize("word", ["HANG", "STOP", "DEAF"])
@pytest.mark.parametrize("request_", ['nvcc="hostcc"', 'nvcc=os.environ["PYCUDA_HOSTCC"], target="fatbin"'])
def test_interrupt_ends_the_compiler(standin, tmp_path, word, request_):
    """Also one that is stopped, or will not hear of it, with its children."""
    for name in ["log.fifo", "log.never"]:
        os.mkfifo(tmp_path / name)
    code = f'import os; from pycuda.compiler import compile; compile("// {word}", {request_})'
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True,
                               start_new_session=True, cwd="/")
    assert (tmp_path / "log.fifo").read_text() == "started\n"
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=600)[1]
    assert list((tmp_path / "tmp").iterdir()) == []
    with pytest.raises(OSError):  # nobody waits at the other end any more
        os.open(tmp_path / "log.never", os.O_WRONLY | os.O_NONBLOCK)


def test_keep(standin, tmp_path, capsys):
    for _ in range(2):
        compiler.compile(KERNEL, nvcc="hostcc", keep=True)
        (folder,) = re.findall(r"\*\*\* compiler output in (.*)\n", capsys.readouterr().out)
        assert (pathlib.Path(folder) / "kernel.cu").read_text() == KERNEL
        assert (pathlib.Path(folder) / "kernel.cubin").read_bytes()
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    with pytest.raises(drv.CompileError):
        compiler.compile("// FAIL", nvcc="hostcc", keep=True)
    assert "*** compiler output in " in capsys.readouterr().out


# -- NVRTC -----------------------------------------------------------------------------------


@pytest.mark.parametrize("options, expected", [
    ([], ["--gpu-architecture=sm_75"]),
    (["-arch=sm_90"], ["--gpu-architecture=sm_90"]),
    (["-arch", "sm_90"], ["--gpu-architecture=sm_90"]),
    (["--gpu-architecture", "compute_90"], ["--gpu-architecture=sm_90"]),
    (["-arch=compute_80", "-code=sm_86"], ["--gpu-architecture=sm_86"]),
    (["-DX=1", "-D", "Y", "-UZ", "--define-macro=W"], ["-DX=1", "-DY", "-UZ", "-DW"]),
    (["-I/a", "-I", "/b", "--include-path=/c"], ["-I/a", "-I/b", "-I/c"]),
    (["-I/" + 60 * "long/"], ["-I/" + 60 * "long/"]),
    (["-std=c++17", "--std", "c++20"], ["--std=c++17", "--std=c++20"]),
    (["-use_fast_math", "--use_fast_math"], ["--use_fast_math"] * 2),
    (["-maxrregcount=32", "--maxrregcount", "16"], ["--maxrregcount=32", "--maxrregcount=16"]),
    (["-lineinfo", "-G", "-rdc=true", "-w"], ["--generate-line-info", "--device-debug",
                                             "--relocatable-device-code=true",
                                             "--disable-warnings"]),
    (["-Xptxas=-v,-O2", "-Xptxas", "-dlcm=ca"], ["--ptxas-options=-v", "--ptxas-options=-O2",
                                                "--ptxas-options=-dlcm=ca"]),
    (["-O3", "-O", "2", "-g", "-Xcompiler", "-Wall", "-lcudart", "-L/x", "-m64", "-ccbin=gcc"], []),
    (["-fmad=false", "--ftz=true"], ["--fmad=false", "--ftz=true"]),
    (["--unheard-of", "-"], ["--unheard-of", "-"]),
], ids=lambda value: " ".join(value)[:40])
def test_options_in_the_words_of_nvrtc(fake_nvrtc, monkeypatch, options, expected):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    image = compiler.compile(KERNEL, nvcc="nvrtc", options=options, include_dirs=["/d"],
                             arch=None if any("arch" in o for o in options) else "sm_75")
    words = image.decode().splitlines()
    own = words[words.index("-I/d"):]
    assert own[1:7] == [f"-I{PACKAGE}/include", f"-I{PACKAGE}/include/pycuda",
                        "-default-device", "-device-int128", f"-I{PACKAGE}/include/nvrtc",
                        f"--pre-include={PACKAGE}/include/nvrtc/preamble.h"]
    if not any("--gpu-arch" in word for word in expected):
        expected = [*expected, "--gpu-architecture=sm_75"]
    assert words[:words.index("-I/d")] == expected


FLAGS = {"NVCC_PREPEND_FLAGS": "  -DA=1\t-DB=\"x y\"\n-arch=sm_80", "NVCC_APPEND_FLAGS": "-DA=3 -threads 4"}


def test_flags_of_the_environment_for_nvrtc(fake_nvrtc, monkeypatch):
    """As nvcc takes them: before and behind all others, apart at space, but for what stands in quotes."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    for name, value in FLAGS.items():
        monkeypatch.setenv(name, value)
    words = compiler.compile("", nvcc="nvrtc", options=["-DA=2", "-fmad=false"]).decode().splitlines()
    assert words[:6] == ["-DA=1", '-DB="x y"', "-DA=2", "--fmad=false", "-DA=3", "--gpu-architecture=sm_80"]
    words = compiler.compile("", nvcc="nvrtc", options=["-arch=sm_86"], arch="sm_90").decode().splitlines()
    assert "--gpu-architecture=sm_90" in words
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "-arch sm_89")
    words = compiler.compile("", nvcc="nvrtc", options=["-arch=sm_86"], arch="sm_90").decode().splitlines()
    assert "--gpu-architecture=sm_89" in words


def test_flags_of_the_environment_for_hostcc(standin, monkeypatch):
    for name, value in FLAGS.items():
        monkeypatch.setenv(name, value)
        compiler.compile("", nvcc="hostcc", options=["-DA=2"], include_dirs=["/d"])
    assert len(standin()) == 2
    assert re.match('--lazy-loading=large -DA=1 -DB="x y" -arch=sm_80 -DA=2 -I/d -I.* -DA=3 -threads 4 ', standin()[1])
    compiler.compile("", nvcc=HERE / "compiler_standin.sh", target="fatbin")
    assert standin()[2].startswith("--fatbin -I"), "nvcc reads them itself"


@pytest.mark.parametrize("name", REAL)
def test_flags_of_the_environment_decide(name, monkeypatch):
    for value in [7701, 7702, 7701]:
        monkeypatch.setenv("NVCC_APPEND_FLAGS", f"-DNUMBER={value}")
        image = compiler.compile("__device__ int number = NUMBER;", nvcc=name)
        assert value.to_bytes(4, "little") in image


def test_nvrtc_fails(fake_nvrtc, monkeypatch):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    with pytest.raises(drv.CompileError) as caught:
        compiler.compile("// FAIL", nvcc="nvrtc")
    assert caught.value.msg == "nvrtc compilation of kernel.cu failed"
    assert caught.value.stderr == "kernel.cu(1): error: FAIL"
    assert caught.value.command_line[0] == fake_nvrtc


@pytest.mark.parametrize("path, message", [
    ("/nonexistent/libnvrtc.so", "cannot use NVRTC: .*cannot open shared object file"),
    ("libm.so.6", "cannot use NVRTC: .*undefined symbol: nvrtcCreateProgram"),
])
def test_nvrtc_that_is_none(monkeypatch, path, message):
    monkeypatch.setenv("PYCUDA_NVRTC", path)
    with pytest.raises(drv.CompileError, match=message):
        compiler.compile(KERNEL, nvcc="nvrtc")


@pytest.mark.parametrize("place", ["nvidia/cu13/lib", "toolkit/lib64", "toolkit/targets/x86_64-linux/lib"])
def test_nvrtc_is_found(fake_nvrtc, monkeypatch, tmp_path, place):
    for name in ["libnvrtc.so.13", "libnvrtc.so.12"]:
        path = tmp_path / place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(fake_nvrtc)
    headers = tmp_path / place / "../include"
    headers.mkdir()
    (headers / "cuda_fp16.h").touch()
    monkeypatch.delenv("PYCUDA_NVRTC", raising=False)
    monkeypatch.setenv("CUDA_ROOT", str(tmp_path / "toolkit"))
    monkeypatch.setattr(sys, "path", [7, str(tmp_path)])
    with pytest.raises(drv.CompileError) as caught:
        compiler.compile("// FAIL", nvcc="nvrtc")
    found, *arguments = caught.value.command_line
    assert found.startswith(f"{tmp_path}/{place}/libnvrtc.so.")
    assert f"--include-path={tmp_path}/{place}/../include" in arguments


def test_nvrtc_keeps_and_caches(fake_nvrtc, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    image = compiler.compile(KERNEL, nvcc="nvrtc", target="ptx", keep=True)
    (folder,) = re.findall(r"\*\*\* compiler output in (.*)\n", capsys.readouterr().out)
    assert (pathlib.Path(folder) / "kernel.ptx").read_bytes() == image
    assert len(list((tmp_path / "cache").iterdir())) == 1
    # What a macro names is unknown, so nothing is kept for it.
    compiler.compile('#define A "a.h"\n#include A\n', nvcc="nvrtc")
    assert len(list((tmp_path / "cache").iterdir())) == 1


@pytest.mark.parametrize("minor, is_there", [(8, False), (9, True)])
def test_the_cache_of_nvrtc_is_not_used(fake_nvrtc, monkeypatch, minor, is_there):
    """Its machine code of -ftz=true has been that of -ftz=false; it came with 12.9."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    monkeypatch.setenv("FAKE_NVRTC_MINOR", str(minor))
    image = compiler.compile(KERNEL, nvcc="nvrtc", arch="sm_75", cache_dir=False)
    assert ("--no-cache" in image.decode().splitlines()) == is_there


@pytest.mark.parametrize("nvcc, target, message", [
    ("hostcc", "ptx", 'hostcc cannot make target "ptx"'),
    ("nvrtc", "fatbin", 'nvrtc cannot make target "fatbin"'),
    ("/nonexistent/nvcc", "fatbin", "no program /nonexistent/nvcc "),
])
def test_what_a_compiler_cannot_do(nvcc, target, message):
    with pytest.raises(drv.CompileError, match=re.escape(message)):
        compiler.compile(KERNEL, nvcc=nvcc, target=target)


@pytest.mark.parametrize("variable, below", [("PATH", ""), ("CUDA_ROOT", "bin")])
def test_nvcc_by_name(standin, tmp_path, monkeypatch, variable, below):
    nvcc = tmp_path / below / "nvcc"
    nvcc.parent.mkdir(exist_ok=True)
    nvcc.symlink_to(HERE / "compiler_standin.sh")
    monkeypatch.setenv("PATH", "/bin")
    monkeypatch.setenv(variable, f"{tmp_path}:/bin" if variable == "PATH" else str(tmp_path))
    assert KERNEL.encode() in compiler.compile(KERNEL, nvcc="nvcc", target="fatbin")
    assert len(standin()) == 1


def test_children_that_nobody_waits_for(standin):
    """Where SIGCHLD is ignored, the system forgets how a compiler ended; its files tell."""
    run_python("""if True:
        import signal
        from pycuda.compiler import compile
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        assert b"abc" in compile("abc", nvcc="hostcc")
    """)


def test_nvcc_by_path(standin, tmp_path):
    nvcc = HERE / "compiler_standin.sh"
    assert KERNEL.encode() in compiler.compile(KERNEL, nvcc=nvcc, target="fatbin", keep=True)
    (line,) = standin()
    assert line.startswith("--fatbin -I")
    assert re.search(r"kernel.cu -MD -MF \S+/dependencies -o \S+/kernel.fatbin --keep --keep-dir=", line)


# -- The real compilers ----------------------------------------------------------------------


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("no_extern_c", [False, True])
def test_lines_are_the_users(name, no_extern_c):
    with pytest.raises(drv.CompileError) as caught:
        compiler.compile("__global__ void f(int *a)\n{\n  *a = b;\n}\n", nvcc=name,
                         no_extern_c=no_extern_c)
    assert re.search(r"^kernel\.cu[:(]3\b.*error: .*\bb\b", caught.value.stderr, re.MULTILINE)


TEXTS = {
    "byte order mark": "\ufeff{}", "its bytes": b"\xef\xbb\xbf{}", "line ends of Windows": "// a\r\n{}\r\n",
    "no Unicode": b"// caf\xe9\n{}", "goes on": "{} // \\", "goes on, blanks": "{} // \\  ",
    "goes on, Windows": "{} // \\\r", "comment at the end": "{} // end", "a macro at the end": "{}\n#define X \\",
    "Unicode": "// \u00e9 \U0001f600\n{}", "blanks": "  \t\f\v\n{}", "empty lines": 5000 * "\n" + "{}",
    "continued words": "__device__ in\\\nt other;\n{}", "a condition": "#if 1\n{}\n#endif",
}


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("no_extern_c", [False, True])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_texts(name, no_extern_c, text):
    """However a source begins and ends, it means what it says."""
    kernel = b"__device__ int number = 7703;"
    source = text.replace(b"{}", kernel) if isinstance(text, bytes) else text.replace("{}", kernel.decode())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        image = compiler.compile(source, nvcc=name, no_extern_c=no_extern_c)
    assert (7703).to_bytes(4, "little") in image


@pytest.mark.parametrize("headers, body", [
    ("", "a[0] = M_PI + INFINITY + sinf(a[1]); int64_t i = INT_MAX; size_t n = i; assert(n);"),
    ("stdio.h stdlib.h string.h", 'printf("%d\\n", 1); memcpy(a, a + 4, 16);'),
    ("math.h assert.h", "a[0] = fabsf(a[1]) + NAN + HUGE_VALF; assert(a[0] > 0);"),
    ("stdint.h stddef.h", "uint8_t i = INT8_MAX; uintptr_t p = (uintptr_t)a; a[0] = i + p;"),
    ("limits.h float.h stdbool.h", "bool b = INT_MIN + FLT_MAX + DBL_EPSILON; a[0] = b + CHAR_BIT;"),
    ("cuda_runtime.h", "float4 v = make_float4(1, 2, 3, 4); a[0] = v.x + blockIdx.x;"),
    ("cstdint cmath cfloat climits cstdio", "std::uint32_t i = 3; a[0] = std::sqrt(a[1]) + i;"),
], ids=str)
def headers_of_the_c_library(headers, body):
    include = "".join(f"#include <{header}>\n" for header in headers.split())
    source = include + 'extern "C" __global__ void f(float *a) { ' + body + " }"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert compiler.compile(source, nvcc="nvrtc", no_extern_c=True)


if "nvrtc" in REAL:
    test_headers_of_the_c_library_under_nvrtc = headers_of_the_c_library


# -- The face --------------------------------------------------------------------------------


def test_source_module():
    drv.init()
    context = drv.Device(0).make_context()
    try:
        class Text:
            def __str__(self):
                return "__device__ int number = 7;\n" + KERNEL

        module = compiler.SourceModule(Text())
        a = np.arange(32, dtype=np.float32)
        module.get_function("f")(drv.InOut(a), block=(32, 1, 1))
        assert (a == 2 * np.arange(32)).all()
        assert module.get_global("number")[1] == 4
        assert isinstance(module.module, drv.Module)
    finally:
        context.pop()


def test_compile_plain_takes_the_source_as_it_is(standin):
    image = compiler.compile_plain(KERNEL, ["-DX"], False, "hostcc", None)
    assert image.startswith(b'#line 1 "kernel.cu"\n__global__')
    assert standin()[0].startswith("--lazy-loading=large -DX ")


def test_preprocess_source(standin):
    assert KERNEL in compiler.preprocess_source(KERNEL, ["-DX"], "hostcc")
    assert standin()[0].startswith("--preprocess -DX ")
    with pytest.raises(drv.CompileError, match="FAIL"):
        compiler.preprocess_source("FAIL", [], "hostcc")


def test_default_flags(standin, monkeypatch):
    monkeypatch.setattr(compiler, "DEFAULT_NVCC_FLAGS", ["-DDEFAULT"])
    compiler.compile(KERNEL, nvcc="hostcc")
    compiler.compile(KERNEL, nvcc="hostcc", options=["-DOTHER"])
    assert [line.split()[1] for line in standin()] == ["-DDEFAULT", "-DOTHER"]


@pytest.mark.parametrize("arguments, error, message", [
    ({"options": "-O3"}, TypeError, "options and include_dirs are lists of str, not '-O3'"),
    ({"options": [3]}, TypeError, "expected str, bytes or os.PathLike object, not int"),
    ({"include_dirs": "/usr"}, TypeError, "options and include_dirs are lists of str, not '/usr'"),
    ({"options": ["a\0b"]}, ValueError, "embedded null byte"),
    ({"source": "a\0b"}, ValueError, "embedded null character"),
    ({"source": b"a\0b"}, ValueError, "embedded null character"),
    ({"source": "a\udcff"}, UnicodeEncodeError, "surrogates not allowed"),
    ({"target": "exe"}, AssertionError, "target 'exe': must be cubin, ptx or fatbin"),
    ({"arch": 90}, TypeError, "must be str or None, not int"),
    ({"cache_dir": 3}, TypeError, "expected str, bytes or os.PathLike object, not int"),
], ids=str)
@pytest.mark.parametrize("more", [{}, {"options": ["-O3"]}, {"include_dirs": ["/usr"]}], ids=str)
def test_wrong_arguments(standin, arguments, error, message, more):
    with pytest.raises(error, match=re.escape(message)):
        compiler.compile(**{"source": KERNEL, "nvcc": "hostcc"} | more | arguments)
    assert standin() == []


def test_get_nvcc_version():
    assert compiler.get_nvcc_version(sys.executable).startswith("Python 3")
    with pytest.warns(UserWarning, match="NVCC version could not be determined."):
        assert compiler.get_nvcc_version("/nonexistent/nvcc") == "nvcc unknown version"


def test_any_options(fake_nvrtc, monkeypatch):
    """Random lists, in random order, with duplicates and wrong types: an image, or an exception that
    says what is wrong; what is defined keeps its order."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    rng = random.Random(8)
    good = ["-DA=1", "-DA=2", "-D", "B", "-UA", "-O3", "-O", "2", "-arch=sm_90", "-arch", "sm_80", "-code=sm_90",
            "-std=c++17", "--std", "c++20", "-I/a", "-I", "/b", "-lineinfo", "-G", "-w", "-Xptxas", "-v,-O2",
            "-Xcompiler", "-Wall", "-use_fast_math", "-fmad=false", "--ftz=true", "", "-", "--", "=", "-I",
            "--unheard", "-maxrregcount=32", "-threads", "4", b"-DC=3", pathlib.Path("-DP=4"), "-DÜ=1", "-D\udcff=2",
            "-" + 5000 * "x", "-include", "a.h"]
    bad = [None, 3, 2.5, ["-DA"], "a\0b", object(), np.str_("-DN=1\0"), b"\0"]
    arguments = {"arch": ["sm_90", "compute_80", "", "nonsense", 90, b"sm_90"], "code": ["sm_90", "sm_80,sm_90", 1],
                 "include_dirs": [["/a"], [b"/b"], [pathlib.Path("/c")], [], ["/a\0"], "/usr", 7, [None]],
                 "no_extern_c": [True, 0, "", []], "cache_dir": [False, 3], "keep": [0], "options": [None, "-O3", 5, {}]}
    images = 0
    for _ in range(4000):
        options = rng.choices(good, k=rng.randrange(8)) + rng.choices(bad, k=rng.random() < 0.1)
        rng.shuffle(options)
        more = {name: rng.choice(values) for name, values in arguments.items() if rng.random() < 0.05}
        try:
            image = compiler.compile("", nvcc="nvrtc", **{"options": options} | more)
        except (TypeError, ValueError) as error:
            assert str(error)
            continue
        except drv.CompileError as error:
            assert error.msg
            continue
        images += 1
        if "options" not in more and "-D" not in options and len(image) < 3000:
            words = [word for word in os.fsdecode(image).splitlines() if word.startswith("-DA=")]
            assert words == [word for k, word in enumerate(options) if isinstance(word, str)
                             and word.startswith("-DA=") and not takes_value(options[:k])]
    assert images > 2000


def takes_value(before):
    """Whether the word behind these is the value of the last."""
    words = [os.fspath(word) if isinstance(word, (str, bytes, os.PathLike)) else word for word in before]
    value = False
    for word in words:
        word = os.fsdecode(word) if isinstance(word, bytes) else word
        value = not value and word in ("-D", "-O", "-arch", "--std", "-I", "-Xptxas", "-Xcompiler", "-threads",
                                       "-include")
    return value


def test_no_message_names_a_file_that_users_never_had(context):
    with pytest.raises(drv.CompileError) as error:
        compiler.SourceModule("template <class T> __global__ void f(T *x) {}")
    said = str(error.value).split("[command")[0]
    assert "linkage" in said and "/proc/" not in said
