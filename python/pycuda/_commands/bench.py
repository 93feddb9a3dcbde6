"""Times common operations on every driver that is here, beside NumPy, CuPy and torch.

Run as a module it times one library, named by its argument, and writes what it measured as JSON.
"""

import importlib.util
import json
import statistics
import sys
import time

import numpy as np

from pycuda._commands import drivers, info

ELEMENTS, SIDE, ROUNDS = 1 << 24, 1024, 7
MOVED = {  # operations on float32 arrays of ELEMENTS: how many of them are read or written
    "x + y": 3, "exp(x)": 2, "2*x + y/3 - x*y": 3, "sum(x)": 1, "sum(x, axis=0)": 1, "cumsum(x)": 2,
    "copy to the device": 1, "copy from the device": 1}
FLOPS = {"a @ b": 2 * SIDE**3}
COLUMNS = {"numpy": "NumPy", "host": "host device", "cuda": "GPU", "cupy": "CuPy", "torch": "torch"}


def _host_data():
    random = np.random.default_rng(1)
    return random.random(ELEMENTS, np.float32), random.random((SIDE, SIDE), np.float32)


def _operations(exp, total, cumsum, x, y, a):
    """What the libraries spell the same way, and the three functions that they do not."""
    table = x.reshape(-1, 4096)
    return {"x + y": lambda: x + y, "exp(x)": lambda: exp(x), "2*x + y/3 - x*y": lambda: 2 * x + y / 3 - x * y,
            "sum(x)": lambda: total(x), "sum(x, axis=0)": lambda: table.sum(0), "cumsum(x)": lambda: cumsum(x),
            "a @ b": lambda: a @ a}


def _numpy():
    x, a = _host_data()
    return _operations(np.exp, np.sum, np.cumsum, x, x[::-1].copy(), a), lambda: None


def _pycuda():
    import pycuda.autoinit  # noqa: F401
    import pycuda.driver as cuda
    from pycuda import cumath, gpuarray
    on_host, a = _host_data()
    x = gpuarray.to_gpu(on_host)
    # Into memory that has been written before: else its first use is what is timed.
    found = _operations(cumath.exp, gpuarray.sum, np.cumsum, x, x[::-1].copy(), gpuarray.to_gpu(a))

    def fused():
        with gpuarray.lazy():
            return found["2*x + y/3 - x*y"]() + 0

    return found | {"2*x + y/3 - x*y": fused, "copy to the device": lambda: x.set(on_host),
                    "copy from the device": lambda: x.get(on_host)}, cuda.Context.synchronize


def _cupy():
    import cupy
    on_host, a = _host_data()
    x = cupy.asarray(on_host)
    found = _operations(cupy.exp, cupy.sum, cupy.cumsum, x, x[::-1].copy(), cupy.asarray(a))
    return found | {"copy to the device": lambda: x.set(on_host),
                    "copy from the device": lambda: x.get(out=on_host)}, cupy.cuda.Device().synchronize


def _torch():
    import torch
    on_host, a = (torch.from_numpy(array) for array in _host_data())
    x = on_host.cuda()
    found = _operations(torch.exp, torch.sum, lambda x: torch.cumsum(x, 0), x, x.flip(0), a.cuda())
    return found | {"copy to the device": lambda: x.copy_(on_host),
                    "copy from the device": lambda: on_host.copy_(x)}, torch.cuda.synchronize


def _measure(library):
    """Seconds of each operation: the median of some rounds, after one that does not count."""
    make = {"numpy": _numpy, "cupy": _cupy, "torch": _torch}.get(library, _pycuda)
    found, synchronize = make()
    seconds = {}
    for name, operation in found.items():
        times = []
        for _ in range(ROUNDS + 1):
            synchronize()
            start = time.perf_counter()
            operation()
            synchronize()
            times.append(time.perf_counter() - start)
        seconds[name] = statistics.median(times[1:])
    return seconds


def add_arguments(parser):
    parser.add_argument("--json", action="store_true", help="seconds, for programs")


def run(options):
    on_gpu = "problem" not in info.ask("cuda")
    wanted = {"numpy": True, "host": "problem" not in info.ask("host"), "cuda": on_gpu,
              "cupy": on_gpu and importlib.util.find_spec("cupy"),
              "torch": on_gpu and importlib.util.find_spec("torch")}
    measured = {}
    for library in (name for name, there in wanted.items() if there):
        driver = library if library in drivers.NAMES else "auto"
        done = drivers.run_on(driver, __name__, library, stdout=-1, text=True)
        if done.returncode:
            print(f"{COLUMNS[library]}: ended with status {done.returncode}", file=sys.stderr)
        else:
            measured[library] = json.loads(done.stdout)
    if options.json:
        print(json.dumps(measured, indent=2))
        return 0
    print(f"{'':32}" + "".join(f"{COLUMNS[library]:>14}" for library in measured))
    for name, factor in MOVED.items():
        _print_row(f"{name}, GB/s", name, factor * ELEMENTS * 4e-9, measured)
    for name, flops in FLOPS.items():
        _print_row(f"{name}, {SIDE} x {SIDE}, GFLOP/s", name, flops * 1e-9, measured)
    return 0


def _print_row(title, name, amount, measured):
    cells = (f"{amount / seconds[name]:14.4g}" if name in seconds else f"{'-':>14}"
             for seconds in measured.values())
    print(f"{title:32}" + "".join(cells))


if __name__ == "__main__":
    json.dump(_measure(sys.argv[1]), sys.stdout)
