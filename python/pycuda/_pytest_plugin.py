"""What pytest loads wherever this package is installed; see :mod:`pycuda.testing`.

It imports nothing of the package, and loads no driver, before a test asks for it.
"""

import pytest


def pytest_addoption(parser):
    parser.addoption("--cuda-check", metavar="KINDS", help=(
        "check kernels on the host device of pycuda-c: any of memory,race,init,sync,order:SEED, or all; a test whose "
        "kernels do something wrong fails with the report"))


def pytest_configure(config):
    config.addinivalue_line("markers", "cuda: runs in a CUDA context of its own (pycuda.tools.mark_cuda_test)")
    config.addinivalue_line("markers", "gpu_only: skipped on the host device of pycuda-c")
    kinds = config.getoption("--cuda-check")
    if kinds is not None:
        config.pluginmanager.register(Checks(kinds), "pycuda-checks")


def pytest_report_header(config):
    """Nothing, unless PyCUDA's files have replaced those that would warn at import."""
    from pycuda import _mixture
    return _mixture.problem() or []


def pytest_runtest_setup(item):
    if item.get_closest_marker("gpu_only"):
        from pycuda import _native
        if _native._is_host_device():
            pytest.skip("for a GPU, and the host device is in use")


class Checks:
    """Of --cuda-check: what kernels did wrong during a test is a failure of it."""

    def __init__(self, kinds):
        self.kinds = kinds

    def pytest_sessionstart(self):
        from pycuda import debug, driver
        try:
            debug.check(self.kinds)
        except (driver.Error, ValueError) as problem:
            raise pytest.UsageError(f"--cuda-check: {problem}") from None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        from pycuda import _checks, debug, driver
        debug.clear_reports()
        outcome = yield
        try:
            _checks.synchronize()
        except driver.Error:
            pass  # among the reports, or of a context that the test has lost
        reports = debug.reports()
        text = "\n".join(f"{report} ({report.count} times)" if report.count > 1 else str(report) for report in reports)
        kind = outcome.excinfo and outcome.excinfo[0]
        if any(report.severity == "error" for report in reports) and (kind is None or issubclass(kind, debug.CheckError)):
            outcome.force_exception(pytest.fail.Exception(text, pytrace=False))
        elif reports:
            item.add_report_section("call", "--cuda-check", text)


@pytest.fixture
def cuda_context():
    """A context of its own around the test, current, on the default device."""
    from pycuda.tools import init_cuda_context_fixture
    yield from init_cuda_context_fixture()


@pytest.fixture
def cuda_device(cuda_context):
    """The device of the test's context."""
    return cuda_context.get_device()
