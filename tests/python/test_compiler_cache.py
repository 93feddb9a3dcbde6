"""The cache of images: an entry is taken only for its key, only from the user's own file, and only if
no byte of it changed. Another folder, environment or time than the one before never gives an old image."""

import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import warnings

import pytest

import pycuda
import pycuda.driver as cuda
from pycuda import compiler

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = pathlib.Path(pycuda.__file__).parent


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("PYCUDA_DISABLE_CACHE", raising=False)
    monkeypatch.setenv("PYCUDA_CACHE_DIR", str(tmp_path / "cache"))
    yield tmp_path / "cache"


@pytest.fixture
def standin(tmp_path, monkeypatch):
    """A script for hostcc. Called, gives the command lines of the runs so far."""
    log = tmp_path / "log"
    log.touch()
    monkeypatch.setenv("PYCUDA_HOSTCC", str(HERE / "compiler_standin.sh"))
    monkeypatch.setenv("STANDIN_LOG", str(log))
    return lambda: log.read_text().splitlines()


@pytest.fixture
def make(fake_nvrtc, monkeypatch):
    """make(n): an image that tells n, by an NVRTC that takes no time."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)

    def make(n, **more):
        image = compiler.compile("", nvcc="nvrtc", options=[f"-DNUMBER={n}"], arch="sm_90", **more)
        (found,) = re.findall(rb"-DNUMBER=(\d+)\n", image)
        return int(found)

    return make


def entries(cache):
    return sorted(cache.glob("*.image"))


# -- What is in the key ----------------------------------------------------------------------


def names_in_key(*tables):
    """The names in tables of cache_key.c, with those of the macros that they use."""
    text = (ROOT / "src/compile/cache_key.c").read_text()
    names = set()
    for table in tables:
        (body,) = (re.findall(rf"\*const {table}\[\] = {{(.*?)}};", text, re.DOTALL)
                   or re.findall(rf"#define {table} +((?:.*\\\n)*.*)\n", text))
        names |= set(re.findall(r'"(.+?)"', body))
        for macro in {"FRONT_END", "EDG"} - {table}:
            if macro in body:
                names |= names_in_key(macro)
    return names


@pytest.mark.parametrize("name", sorted(names_in_key("of_hostcc")))
def test_a_variable_of_the_environment_is_a_miss(standin, name, monkeypatch):
    for value in [None, "", "/a", "/b"]:
        if value is not None:
            monkeypatch.setenv(name, value)
        for _ in range(2):
            compiler.compile("", nvcc="hostcc")
    assert len(standin()) == 4


# Words about messages, speed, and where temporary files are: no image changes by them.
HARMLESS = {
    "AS_SECURE_LOG_FILE", "COLLECT_NO_DEMANGLE", "CUDA_CACHE_DISABLE", "DEPENDENCIES_OUTPUT",
    "DUMP_KNOBS_TO_FILE", "ELF_PACKAGE_METADATA", "GLIBCXX_TUNABLES",
    "GCC_EXTRA_DIAGNOSTIC_OUTPUT", "HOSTCC_DUMP", "HOSTCC_TIME", "HOSTCC_VERIFY",
    "LIBNVVM_DISABLE_CONCURRENT_API", "LLD_REPRODUCE", "LLD_VERSION", "MAKEFLAGS", "MALLOC_CONF", "NOCOLOR", "NO_COLOR",
    "NO_PKG_METADATA",
    "NVRTC_DISABLE_CONCURRENT_NVVM", "NVRTC_DISABLE_PCH", "NVRTC_INTERNAL_GLOBAL_LOCK",
    "NVRTC_PCH_HEAP_SIZE", "NVVM_IR_VER_CHK", "PWD", "SUNPRO_DEPENDENCIES", "TEMP", "TEMPDIR", "TERM",
    "TMP", "TMPDIR", "_HERE_", "_SPACE_", "_TARGET_DIR_", "_TARGET_SIZE_", "bar", "compiler-bindir"}
WATCH = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char *ask(const char *function, const char *name)
{
    char line[200];
    int length = snprintf(line, sizeof line, "ASKED %s\\n", name);
    write(2, line, length);
    return ((char *(*)(const char *))dlsym(RTLD_NEXT, function))(name);
}
char *getenv(const char *name) { return ask("getenv", name); }
char *secure_getenv(const char *name) { return ask("secure_getenv", name); }
"""
COMPILE = """
import ctypes, sys
nvrtc, program = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p()
nvrtc.nvrtcCreateProgram(ctypes.byref(program), b"__global__ void f() {}", b"a.cu", 0, None, None)
assert nvrtc.nvrtcCompileProgram(program, 0, None) == 0
"""
# Where there is a GPU, NVRTC loads its driver, which asks for a hundred variables of its own.
DRIVER = """
import ctypes
try: ctypes.CDLL("libcuda.so.1").cuInit(0)
except OSError: pass
"""


def toolkit(pattern):
    return next((str(path) for path in pathlib.Path("/usr/local/cuda").glob(pattern)), None)


COMPILERS = {
    "hostcc": [str(PACKAGE / "hostcc"), "kernel.cu", "-o", "image", "-MF", "rule", "--pch-dir=."],
    "nvcc": [toolkit("bin/nvcc"), "--cubin", "kernel.cu", "-o", "image"],
    "nvrtc": [sys.executable, "-c", COMPILE, toolkit("lib64/libnvrtc.so")],
}


@pytest.mark.parametrize("name", [name for name, command in COMPILERS.items()
                                  if command[-1] and command[0] and os.path.exists(command[0])])
def test_all_variables_that_a_compiler_asks_for_are_known(name, tmp_path):
    (tmp_path / "watch.c").write_text(WATCH)
    (tmp_path / "kernel.cu").write_text("__global__ void f(float *a) { *a = 1; }")
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", "watch.so", "watch.c"], check=True, cwd=tmp_path)

    def asked(command):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True,
                              errors="replace", env=os.environ | {"LD_PRELOAD": str(tmp_path / "watch.so")})
        return set(re.findall("ASKED (.+)", done.stderr))

    others = asked([sys.executable, "-c", DRIVER]) if name == "nvrtc" else set()
    names = asked(COMPILERS[name]) - others
    assert len(names) > 5
    assert names - HARMLESS - names_in_key(f"of_{name}") == set()


@pytest.mark.host  # whose compiler it is
@pytest.mark.parametrize("name", ["CPATH", "CPLUS_INCLUDE_PATH"])
@pytest.mark.parametrize("relative", [False, True])
def test_headers_found_by_the_environment(name, relative, tmp_path, monkeypatch):
    """The folder of a list, or the one where we are, decides what is included."""
    source = '#include <number_of_the_folder.h>\n__device__ int number = NUMBER;'
    for n in (1, 2, 1):
        folder = tmp_path / f"place{n}"
        folder.mkdir(exist_ok=True)
        header = folder / "number_of_the_folder.h"
        if not header.exists():
            header.write_text(f"#define NUMBER {7700 + n}\n")
        monkeypatch.chdir(folder)
        monkeypatch.setenv(name, "." if relative else str(folder))
        image = compiler.compile(source, nvcc="hostcc", no_extern_c=True)
        assert (7700 + n).to_bytes(4, "little") in image


@pytest.mark.host
def test_a_header_that_appears_earlier_on_the_way(tmp_path):
    """What the compiler looked for in vain decides, too."""
    early, late = tmp_path / "early", tmp_path / "late folder"
    late.mkdir()
    (late / "a.h").write_text('#include "number.h"\n')
    (tmp_path / "last").mkdir()
    (tmp_path / "last" / "number.h").write_text("#define NUMBER 7710\n")
    source = '#include <a.h>\n#if __has_include("extra.h")\n#define MORE 4\n#else\n#define MORE 0\n#endif\n' \
             "__device__ int number = NUMBER + MORE;"

    def number():
        image = compiler.compile(source, nvcc="hostcc", no_extern_c=True,
                                 include_dirs=[early, late, tmp_path / "last"])
        return [n for n in range(7700, 7720) if n.to_bytes(4, "little") in image]

    assert number() == number() == [7710]
    (late / "number.h").write_text("#define NUMBER 7711\n")
    assert number() == [7711]
    early.mkdir()
    assert number() == [7711]
    (early / "number.h").write_text("#define NUMBER 7712\n")
    assert number() == [7711]  # the includer's folder comes first
    (late / "number.h").unlink()
    assert number() == [7712]
    (early / "extra.h").touch()
    assert number() == number() == [7716]


@pytest.mark.parametrize("options", [
    ["-Iinc"], ["-I", "inc"], ["-I."], ["-isystem", "inc"], ["--include-path=inc"], ["-include", "a.h"],
    ["--pre-include=a.h"], ["-unheard", "of"], ["file"]], ids=" ".join)
def test_where_we_are_counts_for_relative_paths(standin, options, tmp_path, monkeypatch):
    for name in ["one", "two"]:
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        compiler.compile("", nvcc="hostcc", options=options)
    assert len(standin()) == 2


@pytest.mark.parametrize("options", [
    ["-I/usr/include"], ["-DX=1", "-O3", "-std=c++17", "-arch=sm_90"], ["--fmad=false", "-lineinfo", "-w"],
    ["--include-path=/usr/include"], ["-use_fast_math", "-G", "-g", "-rdc=true", "-maxrregcount=32"],
], ids=" ".join)
def test_where_we_are_does_not_count_otherwise(standin, options, tmp_path, monkeypatch):
    for name in ["one", "two"]:
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        compiler.compile("", nvcc="hostcc", options=options)
    assert len(standin()) == 1


@pytest.mark.parametrize("options", [["-optf", "words"], ["--options-file=words"], ["@words"]], ids=" ".join)
def test_files_of_options_are_not_cached(standin, cache, options):
    for _ in range(2):
        compiler.compile("", nvcc="hostcc", options=options)
    assert len(standin()) == 2 and not entries(cache)


def test_a_header_behind_a_link(standin, tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.h").write_text(f"// {name}")
    folder = tmp_path / "folder"
    for name in "aba":
        folder.unlink(missing_ok=True)
        folder.symlink_to(name)
        assert f"// {name}".encode() in compiler.compile("", nvcc="hostcc", include_dirs=[folder])


def test_files_of_another_date_are_the_same_by_their_content(standin, cache, tmp_path):
    """As they are where a package was installed anew. The entry learns of it."""
    folder, number = tmp_path / "folder", []
    for headers in [PACKAGE / "include/nvrtc", ROOT / "python/pycuda/include/nvrtc"]:
        folder.unlink(missing_ok=True)
        folder.symlink_to(headers)
        for _ in range(2):
            compiler.compile("", nvcc="hostcc", include_dirs=[folder])
            number.append(entries(cache)[0].stat().st_ino)
    assert len(standin()) == 1 and number[0] == number[1] != number[2] == number[3]
    folder.unlink()
    shutil.copytree(headers, folder)
    assert next(folder.glob("*.h")).write_text("// another\n")
    compiler.compile("", nvcc="hostcc", include_dirs=[folder])
    assert len(standin()) == 2
    number = entries(cache)[0].stat().st_ino
    for same in folder.glob("*.h"):
        same.write_bytes(same.read_bytes())
    compiler.compile("", nvcc="hostcc", include_dirs=[folder])
    assert len(standin()) == 2 and entries(cache)[0].stat().st_ino == number  # too young to be sure of their date


def test_a_compiler_is_known_by_its_build(standin, tmp_path, monkeypatch):
    """By the number that its linker gave it; without one by its date."""
    program = tmp_path / "hostcc"
    monkeypatch.setenv("PYCUDA_HOSTCC", str(program))
    (tmp_path / "program.c").write_text(
        f'#include <unistd.h>\nint main(int n, char **words) {{ return execv("{HERE / "compiler_standin.sh"}", words); }}')
    for number, padding, runs in [("0xabcd", "", 1), ("0xabcd", "more", 1), ("0xabce", "more", 2), ("none", "", 3),
                                  ("none", "", 4), ("0xabcd", "", 4)]:
        subprocess.run(["cc", f"-Wl,--build-id={number}", "-o", program, tmp_path / "program.c"], check=True)
        with program.open("a") as file:
            file.write(padding)
        compiler.compile("", nvcc="hostcc")
        assert len(standin()) == runs


def spoil_notes(rng, program):
    """Some bytes in front of the code, where tables and notes are, are others."""
    for _ in range(rng.randrange(1, 9)):
        at = rng.choice([rng.randrange(64), rng.randrange(64, 1024)])
        program[at] = rng.choice([0, 1, 0x7f, 0xff, rng.randrange(256)])
    return program[:rng.choice([len(program)] * 4 + [rng.randrange(1100)])]


def test_a_compiler_whose_notes_are_damaged(tmp_path, monkeypatch):
    """No number is made of what is not there."""
    program, rng = tmp_path / "hostcc", random.Random(3)
    good = bytearray(pathlib.Path("/bin/true").read_bytes())
    monkeypatch.setenv("PYCUDA_HOSTCC", str(program))
    for _ in range(300):
        bad = spoil_notes(rng, bytearray(good))
        bad[18:20] = b"\xff\xff"  # for no machine: nobody runs it
        program.write_bytes(bad)
        program.chmod(0o755)
        with pytest.raises(cuda.CompileError):
            compiler.compile("", nvcc="hostcc")


def test_what_a_compiler_left_behind_goes(standin, cache, monkeypatch):
    """Drafts of the precompiled device library, when the folder is full."""
    cache.mkdir(mode=0o700)
    drafts = [cache / "device-0123.4567", cache / "device-0123-4567.89.tmp", cache / "device-0123-4.pch"]
    for draft in drafts:
        draft.touch()
        os.utime(draft, (1, 1))
    monkeypatch.setenv("PYCUDA_CACHE_SIZE", "2000")
    for k in range(150):
        compiler.compile(f"// {k}", nvcc="hostcc")
    assert not any(draft.exists() for draft in drafts)


SPELLINGS = ['#include "x.h"', "#include <x.h>", "  # \t include\t<x.h>", '#include"x.h"', '/* a */ #include "x.h"',
             '#/* a */include/* b */"x.h"', '%:include "x.h"', '??=include "x.h"', '#import "x.h"',
             '#include_next "x.h"', '#include \\\n "x.h"', '#\\\ninclude "x.h"', '#inc\\\nlude "x.h"',
             '/*\n*/#include "x.h"', "#define X <x.h>\n#include X", '\n\r\n\t#include "x.h"\r\n',
             '#if 0\n#else\n#include "x.h"\n#endif', '// "\n#include "x.h"', "'\"'; #\n#include \"x.h\""]


@pytest.mark.parametrize("text", SPELLINGS)
def test_every_spelling_of_an_include_is_followed(fake_nvrtc, monkeypatch, cache, tmp_path, text):
    """For NVRTC, which does not tell: a changed header is a miss, or nothing was stored."""
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    headers = tmp_path / "headers"
    (headers / "below").mkdir(parents=True)
    (headers / "x.h").write_text('/* y */ #include "below/y.h"')

    def compile():
        compiler.compile(text, nvcc="nvrtc", include_dirs=[headers], no_extern_c=True)
        return {entry: entry.stat().st_ino for entry in entries(cache)}

    for name in ["below/y.h", "x.h"]:
        (headers / name).write_text((headers / name).read_text() + "\n" if (headers / name).exists() else "")
        before = compile()
        assert not before or before == compile()
        (headers / name).write_text((headers / name).read_text() + "// changed\n")
        assert not before or before != compile()


@pytest.mark.parametrize("text", ['#include "x.h"', "#include <x.h>", "#if 0\n#include <x.h>\n#endif"])
def test_a_header_that_nvrtc_would_find_first(fake_nvrtc, monkeypatch, cache, tmp_path, text):
    monkeypatch.setenv("PYCUDA_NVRTC", fake_nvrtc)
    early, late = tmp_path / "early", tmp_path / "late"
    late.mkdir()
    (late / "x.h").touch()

    def compile():
        compiler.compile(text, nvcc="nvrtc", include_dirs=[early, late], no_extern_c=True)
        return {entry: entry.stat().st_ino for entry in entries(cache)}

    before = compile()
    assert before and before == compile()
    early.mkdir()
    (early / "x.h").touch()
    after = compile()
    assert after != before and after == compile()


# -- Whose file it is ------------------------------------------------------------------------


def swap(entry, good):
    entry.write_bytes((entry.parent / "other").read_bytes())


def link(entry, good):
    (entry.parent / "elsewhere").write_bytes(good)
    entry.unlink()
    entry.symlink_to("elsewhere")


def another(make):
    def change(entry, good):
        entry.unlink()
        make(entry)
    return change


HOSTILE = {
    "that of another key": swap,
    "a link to a good one": link,
    "a link to itself": another(lambda entry: entry.symlink_to(entry)),
    "a link to nothing": another(lambda entry: entry.symlink_to("/nonexistent/x")),
    "a link to a device": another(lambda entry: entry.symlink_to("/dev/zero")),
    "a pipe": another(os.mkfifo),
    "a folder": another(os.mkdir),
    "for all to write": lambda entry, good: entry.chmod(0o666),
    "for the group to write": lambda entry, good: entry.chmod(0o664),
    "somebody else's": lambda entry, good: os.chown(entry, 65534, 65534),
}
if os.geteuid() != 0:  # who cannot give files away meets the same test by a file's mode
    HOSTILE.pop("somebody else's")


@pytest.mark.parametrize("kind", HOSTILE)
def test_an_entry_that_may_be_somebody_elses(make, cache, kind):
    assert make(2) == 2
    entries(cache)[0].rename(cache / "other")
    assert make(1) == 1
    (entry,) = entries(cache)
    HOSTILE[kind](entry, entry.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a folder stays, and is warned of
        assert make(1) == 1
    if kind != "a folder":
        assert entry.is_file() and not entry.is_symlink() and entry.stat().st_mode & 0o777 == 0o644
    assert make(1) == 1


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_folder_that_others_may_write_to(standin, cache, mode):
    code = """if True:
        import sys, warnings
        from pycuda.compiler import compile
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for i in range(2):
                compile("", nvcc="hostcc")
        print(*[w.message for w in caught], sep="\\n")
    """
    compiler.compile("", nvcc="hostcc")
    assert cache.stat().st_mode & 0o022 == 0
    cache.chmod(mode)
    if mode == 0o775 and cache.stat().st_uid == cache.stat().st_gid != 0:
        return  # a group of the user's own, as many systems make: that one may
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == (f"the compiler cache {cache} cannot be written (others may write to it): "
                           "kernels are compiled anew in each process\n")
    lines = standin()
    assert len(lines) == 3 and "--pch-dir" in lines[0] and "--pch-dir" not in lines[1] + lines[2]


def test_a_link_to_a_folder_is_one(make, cache, tmp_path):
    (tmp_path / "real").mkdir(mode=0o700)
    cache.symlink_to("real")
    assert make(1) == 1 and len(entries(cache)) == 1


# -- What is in it ---------------------------------------------------------------------------


def damage(rng, data):
    """Some bytes of an entry are others."""
    data = bytearray(data)
    kind = rng.randrange(7)
    at = rng.randrange(len(data))
    if kind == 0:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 1:
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == 2:
        del data[at:]
    elif kind == 3:
        del data[at:at + rng.randrange(1, 50)]
    elif kind == 4:
        data[at:at] = rng.randbytes(rng.randrange(1, 50))
    elif kind == 5:
        data[at:at + 16] = bytes(16)
    else:
        data = rng.randbytes(rng.randrange(200))
    return bytes(data)


def test_a_thousand_damaged_entries(make, cache):
    rng = random.Random(11)
    assert make(1) == 1
    (entry,) = entries(cache)
    good = entry.read_bytes()
    assert good.count(b"-DNUMBER=1\n") == 1
    for _ in range(1000):
        bad = damage(rng, good)
        entry.write_bytes(bad)
        assert make(1) == 1
        assert entry.read_bytes() == good  # written anew, with a right digest


def test_anything_may_happen_to_the_folder(make, cache, tmp_path, monkeypatch):
    """Random changes between compilations: none gives another's image, an error or a wait."""
    rng = random.Random(5)

    def one(change):
        def changed():
            if entries(cache):
                change(rng.choice(entries(cache)))
        return changed

    def clear(entry):
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()

    def replace(make):
        def change(entry):
            clear(entry)
            make(entry)
        return change

    def exchange(entry):
        clear(entry)
        others = [other for other in entries(cache) if other.is_file()]
        if others:
            shutil.copy(rng.choice(others), entry)

    def spoil(entry):
        if entry.is_file() and entry.stat().st_size:
            entry.write_bytes(damage(rng, entry.read_bytes()))

    def away():
        shutil.rmtree(cache) if cache.is_dir() else cache.unlink(missing_ok=True)

    def put_file():
        away()
        cache.touch()

    changes = [one(clear), one(exchange), one(exchange), one(spoil), one(spoil), one(replace(os.mkfifo)),
               one(replace(os.mkdir)), one(replace(lambda entry: entry.symlink_to("/dev/zero"))),
               one(lambda entry: entry.chmod(rng.choice([0, 0o444, 0o666, 0o644])) if entry.exists() else 0),
               one(lambda entry: os.utime(entry, (0, 0)) if entry.exists() else 0),
               away, put_file, lambda: cache.is_dir() and cache.chmod(rng.choice([0o777, 0o500, 0o700])),
               lambda: cache.is_file() and cache.unlink()]
    monkeypatch.setenv("PYCUDA_CACHE_SIZE", "4000")
    hits = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(600):
            rng.choice(changes)()
            for n in rng.choices(range(8), k=3):
                before = {entry: entry.lstat().st_ino for entry in entries(cache)} if cache.is_dir() else {}
                assert make(n) == n
                after = {entry: entry.lstat().st_ino for entry in entries(cache)} if cache.is_dir() else {}
                hits += before == after != {}
    assert hits > 100


def test_a_disk_that_is_full(tmp_path, standin):
    """No file may grow beyond a page: nothing is stored, nothing stays behind, all compiles."""
    code = """if True:
        import warnings
        from pycuda.compiler import compile
        warnings.simplefilter("ignore")
        for _ in range(2):
            assert compile("// " + 3000 * "x", nvcc="hostcc").count(b"x") >= 3000
        print("right")
    """
    # Source and image fit; an entry, which names the headers, too, does not.
    folder = tmp_path / "headers"
    folder.mkdir()
    for k in range(20):
        (folder / f"{k:080}.h").touch()
    code = code.replace('nvcc="hostcc"', f'nvcc="hostcc", include_dirs=[{str(folder)!r}]')
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/", check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    assert done.stdout == "right\n", done.stderr
    assert len(standin()) == 2
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.host
@pytest.mark.parametrize("kind", ["a pipe", "full"])
def test_the_precompiled_device_library_cannot_be(cache, tmp_path, kind):
    """Kernels compile without it: what has its name is no file, or the disk has no place for it."""
    source = "__device__ int number = 1;"
    image = compiler.compile(source, nvcc="hostcc")
    for entry in cache.iterdir():
        entry.unlink()
        if kind == "a pipe" and entry.suffix == ".pch":
            os.mkfifo(entry)
    code = """if True:
        import sys
        from pycuda.compiler import compile
        sys.stdout.buffer.write(compile(sys.argv[1], nvcc="hostcc"))
    """
    most = 1 << 19 if kind == "full" else resource.RLIM_INFINITY
    done = subprocess.run([sys.executable, "-c", code, source], capture_output=True, cwd="/", check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    assert done.stdout == image, done.stderr
    assert not [entry for entry in cache.iterdir() if "image" not in entry.name and entry.is_file()
                ] or kind == "a pipe"
