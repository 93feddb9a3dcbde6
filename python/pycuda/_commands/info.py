"""Tells versions, drivers, devices, compilers, the cache, and what is missing with the command that brings it.

Run as a module it writes what it finds about the one driver that PYCUDA_DRIVER names, as JSON.
"""

import importlib.metadata
import json
import platform
import sys

from pycuda import VERSION_TEXT, _native
from pycuda._commands import cache, drivers, environment


def _version(distribution):
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _files(distribution):
    try:
        return importlib.metadata.files(distribution) or ()
    except importlib.metadata.PackageNotFoundError:
        return ()


def describe_driver():
    """What the driver of this process is and drives: a dict for JSON."""
    import pycuda.driver as cuda
    try:
        cuda.init()
        count = cuda.Device.count()
    except cuda.Error as problem:
        return {"problem": str(problem)}
    return {"library": _native._driver_path(), "cuda": cuda.get_driver_version(),
            "devices": [_describe_device(cuda.Device(i)) for i in range(count)], "libraries": _native._libraries_found()}


def _describe_device(device):
    return {"name": device.name(), "compute_capability": list(device.compute_capability()),
            "multiprocessors": device.multiprocessor_count, "memory": device.total_memory(),
            "pci_bus_id": device.pci_bus_id()}


def ask(driver):
    """`describe_driver` of a driver, in a process of its own."""
    done = drivers.run_on(driver, __name__, capture_output=True, text=True)
    if done.returncode:  # it may have been killed by a signal, as no code here would be
        return {"problem": f"asking it ended with status {done.returncode}: {done.stderr[-500:]}"}
    return json.loads(done.stdout)


def collect():
    """All that the command tells: a dict for JSON."""
    compilers = {}
    for name in ("hostcc", "nvrtc", "nvcc"):
        path, problem = _native._find_compiler(name)
        compilers[name] = {"path": path} if path else {"problem": problem}
    return {
        "versions": {"pycuda-c": _version("pycuda-c"), "interface of PyCUDA": VERSION_TEXT,
                     "Python": platform.python_version(), "NumPy": _version("numpy"),
                     "platform": platform.platform()},
        "drivers": {driver: ask(driver) for driver in drivers.NAMES},
        "compilers": compilers,
        "cache": cache.describe(),
        "environment": environment.show(),
        "missing": _missing(compilers),
    }


def _missing(compilers):
    """What is not here, and the command that brings it."""
    cures = {}
    if "problem" in compilers["hostcc"]:
        cures["hostcc, the compiler of the host device"] = (
            "apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev, then pip install pycuda-c again")
    if "problem" in compilers["nvrtc"] and "problem" in compilers["nvcc"]:
        cures["a compiler for GPUs"] = "pip install nvidia-cuda-nvrtc"
    if any(file.parts[0] == "pycuda" for file in _files("pycuda")):
        cures["the name `pycuda` for this package alone"] = (
            "pip uninstall -y pycuda pycuda-c, then pip install pycuda-c: both put files into one folder")
    return cures


def _show(found, out):
    def line(name, value):
        print(f"  {name:20} {value}", file=out)

    for title in ("versions", "environment"):
        print(title, file=out)
        for name, value in found[title].items():
            line(name, value)
    for driver, facts in found["drivers"].items():
        print(f"{drivers.NAMES[driver]} (PYCUDA_DRIVER={driver})", file=out)
        if "problem" in facts:
            line("not usable", facts["problem"])
            continue
        line("library", facts["library"])
        line("CUDA", "{}.{}".format(*divmod(facts["cuda"] // 10, 100)))
        for number, device in enumerate(facts["devices"]):
            line(f"device {number}", "{}, compute capability {}.{}, {} multiprocessors, {:.1f} GiB".format(
                device["name"], *device["compute_capability"], device["multiprocessors"],
                device["memory"] / 2**30))
        for name, text in facts["libraries"].items():
            line(name, text)
    print("compilers", file=out)
    for name, facts in found["compilers"].items():
        line(name, facts.get("path") or facts["problem"])
    print("cache", file=out)
    for name, value in cache.describe_in_words(found["cache"]).items():
        line(name, value)
    print("missing" if found["missing"] else "nothing is missing", file=out)
    for name, cure in found["missing"].items():
        print(f"  {name}: {cure}", file=out)


def add_arguments(parser):
    parser.add_argument("--json", action="store_true", help="the same for programs")


def run(options):
    found = collect()
    if options.json:
        json.dump(found, sys.stdout, indent=2)
        print()
    else:
        _show(found, sys.stdout)
    return 0


if __name__ == "__main__":
    json.dump(describe_driver(), sys.stdout)
