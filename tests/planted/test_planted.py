"""Each kernel with a planted fault is found, and its right twin is silent and gives what it should."""

import planted
import pytest
import session

FAULTY = {case.name: case for kind in planted.KINDS for case in planted.cases(kind)}
RIGHT = {case.name: case for case in planted.cases("right")} | \
        {name: case for name, case in FAULTY.items() if case.has_twin}


class Session(session.Session):
    def source(self, name, right):
        case = planted.Case(planted.FOLDER / name, right)
        return case.source, case.options

    def compiles(self, name):
        self.load(*self.source(name, False))

    def twin(self, name):
        module = self.load(*self.source(name, True))
        for run in planted.Case(planted.FOLDER / name, True).runs():
            run.execute(module)


@pytest.fixture(scope="module")
def worker():
    worker = session.Worker(kind=Session)
    yield worker
    worker.stop()


@pytest.mark.parametrize("name", FAULTY)
def test_it_compiles(worker, name):
    error = worker.ask("compiles", name)[1]
    assert error is None, error


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_twin(worker, name):
    error = worker.ask("twin", name)[1]
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
