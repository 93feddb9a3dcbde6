"""Each kernel with a planted fault is found, and its right twin is silent and gives what it should."""

import os

import find
import planted
import pytest
import session

FAULTY = {case.name: case for kind in planted.KINDS for case in planted.cases(kind)}
RIGHT = {case.name: case for case in planted.cases("right")} | \
        {name: case for name, case in FAULTY.items() if case.has_twin}
# kinds whose faults are found, and what their reports say
CHECKED = {"memory": "memory", "race": "race", "init": "init", "sync": "sync"}
# `make check` takes all, `make test` every seventh.
STEP = 1 if "PYCUDA_TESTS_WIDE" in os.environ else 7
SILENT = ("memory", "race", "init", "sync")  # kinds that report nothing of right kernels


@pytest.fixture(scope="module")
def worker():
    worker = session.Worker(kind=find.Session)
    yield worker
    worker.stop()


@pytest.mark.parametrize("name", list(FAULTY)[::STEP])
def test_it_compiles(worker, name):
    error = worker.ask("compiles", name)[1]
    assert error is None, error


@pytest.mark.parametrize("name", list(RIGHT)[::STEP])
def test_the_right_twin(worker, name):
    error = worker.ask("twin", name)[1]
    assert error is None, error


@pytest.mark.host
@pytest.mark.parametrize("name", [name for name, case in FAULTY.items()
                                  if CHECKED.get(case.kind, "no") in str(case.all("report"))])
def test_the_fault_is_found(worker, name):
    error = worker.ask("find", name, FAULTY[name].kind)[1]
    assert error is None, error


@pytest.mark.host
def test_faults_between_blocks_are_found_however_threads_begin(monkeypatch):
    monkeypatch.setenv("HOSTCUDA_THREADS", "8")
    worker = session.Worker(kind=find.Session)
    errors = [worker.ask("find", "race/last_block_without_fence.cu", "race")[1] for _ in range(100)]
    worker.stop()
    assert errors == [None] * 100


@pytest.mark.host
@pytest.mark.parametrize("name", list(RIGHT)[STEP // 2::STEP])
def test_nothing_is_found_in_the_right_twin(worker, name):
    error = worker.ask("find", name, ",".join(SILENT), True)[1]
    assert error is None, error


def test_corpus_is_found():
    assert len(FAULTY) >= 120
    assert len(RIGHT) >= 120
    for case in FAULTY.values():
        assert case.has("call"), case.name
        assert case.has("report"), case.name
        assert case.faults, case.name
    for case in RIGHT.values():
        assert case.has("expect"), case.name
