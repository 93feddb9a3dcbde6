"""Devices, and what the standard calls inspection: __array_namespace_info__()."""

from pycuda import driver
from pycuda.array_api._data_types import DTYPES, isdtype

_MOST_AXES = 32  # AR_MOST_AXES of src/array/array.h


def here(device):
    """Whether new arrays are made on that device, which None means, too: the device of the current context. Else
    ValueError, or TypeError for what is no Device."""
    if device is None:
        return
    if not isinstance(device, driver.Device):
        raise TypeError(f"device: expected a pycuda.driver.Device, as x.device is, or None, got {device!r:.60}")
    current = driver.Context.get_device()
    if device != current:
        raise ValueError(f"device: {device} is not that of the current context, {current}; push a context of it first")


class Info:
    """What the namespace says of itself: its devices, its dtypes, and what it can do."""

    def capabilities(self):
        """{"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 32}"""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _MOST_AXES}

    def default_device(self):
        """The Device of the current context. LogicError if there is none."""
        return driver.Context.get_device()

    def default_dtypes(self, *, device=None):
        """The dtypes of results for which none is given, by kind, on any device."""
        _device(device)
        return {"real floating": DTYPES["float64"], "complex floating": DTYPES["complex128"],
                "integral": DTYPES["int64"], "indexing": DTYPES["int64"]}

    def devices(self):
        """All devices, as a list of pycuda.driver.Device; arrays are made on that of the current context."""
        return [driver.Device(number) for number in range(driver.Device.count())]

    def dtypes(self, *, device=None, kind=None):
        """{name: dtype} of the standard's dtypes, all of which every device has; `kind`: of those of a kind, as
        isdtype() knows them."""
        _device(device)
        return {name: dtype for name, dtype in DTYPES.items() if kind is None or isdtype(dtype, kind)}


def _device(device):
    if device is not None and not isinstance(device, driver.Device):
        raise TypeError(f"device: expected a pycuda.driver.Device or None, got {device!r:.60}")


def __array_namespace_info__():
    """What this namespace has: an object with capabilities(), default_device(), default_dtypes(), devices() and
    dtypes()."""
    return Info()




__array_namespace_info__.__module__ = "pycuda.array_api"  # where users find it
