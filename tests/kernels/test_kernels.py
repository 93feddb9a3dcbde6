"""Every .cu file below this folder, compiled at two levels and run at all its geometries."""

import os
import re

import corpus
import pytest
import session

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
CASES = {case.name: case for case in corpus.cases() if WIDE or not case.has("slow")}
RUN = [name for name, case in CASES.items() if not case.has("fails") and not case.has("error")]
FAIL = [name for name, case in CASES.items() if case.has("fails")]
BAD = [name for name, case in CASES.items() if case.has("error")]


@pytest.fixture(scope="module")
def worker(request):
    chosen = [item.callspec.params for item in request.session.items
              if item.path == request.path and item.originalname == "test_results"]
    worker = session.Worker([(params["name"], params["level"]) for params in chosen])
    yield worker
    worker.stop()


# Without optimisation `make check` runs all, `make test` every twelfth; of threads one at a time, and of kernels that are
# compiled when they are loaded, every 16th.
LAZY = "--lazy-loading=all"
EVERY = {"-O3": 1, "-O0": 12, "-G": 16, LAZY: 16}
LEVELS = [pytest.param(name, level, marks=[pytest.mark.host] * (level == LAZY))
          for place, name in enumerate(RUN) for level in EVERY
          if place % EVERY[level] == EVERY[level] // 8 or WIDE]


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_results(worker, name, level):
    error = worker.ask("run", name, level)[1]
    on_host = worker.ask("on_host")[0]
    if CASES[name].has("host") and not on_host:
        assert error
    elif CASES[name].has("nvcc") and not on_host and not session.NVCC:
        assert error is None or error.startswith("CompileError"), error
    else:
        assert error is None, error


# Right kernels are right under all checks at once: `make check` runs all, `make test` every 16th.
CHECKED = [name for place, name in enumerate(RUN) if place % 16 == 0 or WIDE]


@pytest.mark.host  # compilers for GPUs have no checks
@pytest.mark.parametrize("name", CHECKED)
def test_nothing_is_reported_by_checks(worker, name):
    error = worker.ask("run", name, "-O3 --check=all")[1]
    assert error is None, error


# Few loops run lane by lane by themselves; here all do that may, or those of half of the lanes at each turn.
LOOPS = [(name, how) for place, name in enumerate(RUN) for every, how in ((36, "scalar"), (37, "counted"))
         if place % every == 0 or WIDE]


@pytest.mark.host  # the option is hostcc's
@pytest.mark.parametrize(("name", "how"), LOOPS)
def test_divergent_loops(worker, name, how):
    error = worker.ask("run", name, f"-O3 --divergent-loops={how}")[1]
    assert error is None, error


@pytest.mark.parametrize(("name", "level"), [
    (name, level) for place, name in enumerate(FAIL) for level in ("-O3", "-G")
    if level == "-O3" or place % 8 == 1 or WIDE])
def test_failure(worker, name, level):
    error = worker.ask("run", name, level)[1]
    for pattern in CASES[name].all("fails"):
        assert re.search(pattern, error or "no error"), error


@pytest.mark.parametrize("name", BAD)
def test_compile_error(worker, name):
    error = worker.ask("compiles", name, "-O3")[1]
    case = CASES[name]
    if (case.has("host") and not worker.ask("on_host")[0]) or (case.has("nvcc") and session.NVCC):
        assert error is None, error
        return
    for text in case.all("error"):
        line, pattern = text.split(" ", 1)
        place = "" if line == "*" else rf"[:(]{line}[:)].*"
        assert error and error.startswith("CompileError"), error
        assert re.search(f"{place}(?:{pattern})", error), error


def test_corpus_is_found():
    assert len(RUN) >= 120 and FAIL and BAD
    for case in (CASES[name] for name in RUN):
        assert case.has("call"), case.name
        assert case.has("expect") or case.has("near") or case.has("prints"), case.name
