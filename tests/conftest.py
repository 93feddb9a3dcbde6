"""Tests run on the host device unless PYCUDA_DRIVER says otherwise; those of what this machine lacks do not run."""

import gc
import os
import pathlib

os.environ.setdefault("PYCUDA_DRIVER", "host")
# 150 MB of kernels, which would drive the user's own out of his cache.
os.environ.setdefault("PYCUDA_CACHE_DIR", str(pathlib.Path(__file__).parents[1] / "build" / "kernels"))
# A full folder loses half of itself: the wide tests would compile again what the others did.
os.environ.setdefault("PYCUDA_CACHE_SIZE", "2e9")

import pycuda.driver as cuda
from pycuda import _native


def pytest_configure(config):
    config.addinivalue_line("markers", "host: about the host device alone")
    config.addinivalue_line("markers", "devices(n): needs that many devices")


def is_possible(item):
    """Whether this machine has what a test is about; the host device is as many as one likes."""
    if _native._is_host_device():
        return True
    cuda.init()
    devices = item.get_closest_marker("devices")
    return not item.get_closest_marker("host") and (
        devices is None or cuda.Device.count() >= devices.args[0])


def pytest_collection_modifyitems(config, items):
    """What cannot be tested here is no test."""
    others = [item for item in items if not is_possible(item)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if is_possible(item)]


def pytest_collection_finish(session):
    """gc.collect(), of which each test with a context needs one, looks at what tests make, and not at all of pytest:
    a tenth of a second."""
    gc.collect()
    gc.freeze()
