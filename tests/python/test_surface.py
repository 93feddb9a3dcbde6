"""Every public name of PyCUDA is there, and takes the arguments that PyCUDA's takes.

surface_names.txt lists them. The docstring of what a GPU does not have says so.
"""

import importlib.metadata
import importlib.util
import inspect
import pathlib
import pickle
import pkgutil
import re
import sys
import types

import pytest

import pycuda
from pycuda import compiler, driver, gpuarray, reduction, scan

ROW = re.compile(r"(?P<module>[\w.]+) (?P<name>[\w.]+)(\((?P<parameters>.*)\))?$")


@pytest.fixture(scope="module", autouse=True)
def let_go_of_the_primary_context():
    """Other tests count how often it is retained; importing autoprimaryctx does that once."""
    yield
    if module := sys.modules.get("pycuda.autoprimaryctx"):
        module.context.detach()


def rows():
    text = pathlib.Path(__file__).with_name("surface_names.txt").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [pytest.param(*ROW.match(line).group("module", "name", "parameters"), id=line)
            for line in lines]


def find(module, name):
    found = importlib.import_module("pycuda" if module == "pycuda" else f"pycuda.{module}")
    for part in name.split("."):
        found = getattr(found, part)
    return found


def parameters_of(found, is_method):
    signature = inspect.signature(found)
    parameters = list(signature.parameters.values())
    if is_method and parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p for p in parameters if p.kind not in variadic]


@pytest.mark.parametrize("module, name, parameters", rows())
def test_name(module, name, parameters):
    found = find(module, name)
    if parameters is None or parameters == "...":
        return
    assert callable(found) and found.__doc__
    wanted = [word.strip() for word in parameters.split(",") if word.strip()]
    actual = parameters_of(found, "." in name)
    for i, word in enumerate(wanted):
        assert actual[i].name == word.rstrip("="), f"{name}: {[p.name for p in actual]}"
        assert not word.endswith("=") or actual[i].default is not inspect.Parameter.empty
    assert all(p.default is not inspect.Parameter.empty for p in actual[len(wanted):])


def test_what_is_for_the_host_device_alone():
    """Compilers for GPUs have no texture references. All else works on both devices."""
    marked = set()
    for row in rows():
        module, name, _ = row.values
        text = inspect.getdoc(find(module, name)) or ""
        assert "not available" not in text, f"{module}.{name} exists only to say so"
        if "n the host device alone" in text:
            marked.add(f"{module}.{name}")
    assert marked == {
        "driver.TextureReference", "driver.SurfaceReference", "driver.bind_array_to_texref",
        "driver.matrix_to_texref", "driver.Module.get_texref", "driver.Module.get_surfref",
        "driver.Function.param_set_texref"}


def modules():
    """Those of the package, but for what cannot be imported everywhere."""
    found = [module.name for module in pkgutil.walk_packages(pycuda.__path__, "pycuda.")]
    elsewhere = {"pycuda.gl.autoinit", "pycuda._mymako", "pycuda.libhostcuda", "pycuda.autoinit",
                 "pycuda.autoprimaryctx"}
    if not importlib.util.find_spec("IPython"):
        elsewhere.add("pycuda._jupyter")
    return [name for name in found if name not in elsewhere]


@pytest.mark.usefixtures("context")
def test_what_is_missing_is_an_attribute_error():
    """So that hasattr() and `except ImportError` work, whatever the name, on modules, classes and objects."""
    names = {part for row in rows() for part in row.values[1].split(".")} | {
        f"get_{kind}_kernel" for kind in ("axpbyz", "axpbz", "sum", "dot", "minmax", "subset_dot", "fill", "copy",
                                          "linear_combination", "unary_func", "where", "pow_array", "take_put")} | {
        "inner", "pkt_build", "CGStateContainer", "max", "shared_size_bytes", "no_such_name"}
    stream, module = driver.Stream(), compiler.SourceModule("__global__ void f(int *x) {}")
    objects = [stream, module, module.get_function("f"), driver.Context.get_current(), driver.Context.get_device(),
               driver.Event(), driver.mem_alloc(4), gpuarray.zeros(3, "f"), gpuarray.zeros(0, [("a", "i4")]),
               reduction.ReductionKernel("i4", "0", "a + b", arguments="int *x"),
               scan.InclusiveScanKernel("i4", "a + b")]
    for name in modules():
        module = importlib.import_module(name)
        objects += [module, *(x for x in vars(module).values() if isinstance(x, type)
                              and x.__module__.startswith("pycuda"))]
    for found in objects:
        there = {name for name in names if hasattr(found, name)}  # anything but an AttributeError comes through
        assert not there & {"get_take_put_kernel", "get_subset_dot_kernel", "pkt_build", "no_such_name"}, found


def test_versions():
    """One is PyCUDA's, which programs compare, the other this package's."""
    assert pycuda.VERSION >= (2026, 1) and pycuda.VERSION_STATUS == ""
    assert pycuda.VERSION_TEXT == ".".join(map(str, pycuda.VERSION))
    assert pycuda.__version__ == importlib.metadata.version("pycuda-c")
    assert re.fullmatch(r"\d+\.\d+\.\d+", pycuda.__version__)
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        pycuda.version  # noqa: B018


def public_modules():
    """All but those that make a context or run a program when they are imported."""
    names = (info.name for info in pkgutil.walk_packages(pycuda.__path__, "pycuda.", onerror=print))
    return [importlib.import_module(name) for name in sorted(names)
            if not re.search(r"\._|\.auto(init|primaryctx)$|\.libhostcuda$", name)]


def public_things():
    """(module, name, class or function) of all that users find in public modules and is this package's."""
    kinds = type, types.FunctionType, types.BuiltinFunctionType
    return [(module.__name__, name, thing) for module in public_modules() for name, thing in vars(module).items()
            if not name.startswith("_") and isinstance(thing, kinds) and thing.__module__.startswith("pycuda")]


def test_names_say_where_users_find_them():
    things = public_things()
    assert {"driver.mem_alloc", "driver.LogicError", "gpuarray.sum", "gpuarray.GPUArray", "cumath.exp", "driver.limit",
            "elementwise.ElementwiseKernel", "sparse.CSRMatrix"} <= {f"{m[7:]}.{name}" for m, name, _ in things}
    for module, name, thing in things:
        assert "._" not in thing.__module__, f"{module}.{name} says that it is of {thing.__module__}"
        assert getattr(sys.modules[thing.__module__], thing.__name__) is thing, f"{module}.{name}"
        assert "._" not in repr(thing)
        assert pickle.loads(pickle.dumps(thing)) is thing
        for label, method in vars(thing).items() if isinstance(thing, type) else ():
            if isinstance(method, types.FunctionType) and label != "__annotate_func__":  # Python's own, of named tuples
                assert "._" not in method.__module__ and "<locals>" not in method.__qualname__, f"{name}.{label}"


@pytest.mark.usefixtures("context")
def test_errors_of_methods_name_them():
    for call, text in ((lambda x: x.sum(axes=1), "GPUArray.sum() got an unexpected"),
                       (lambda x: x.cumsum(0, 0, 0, 0), "GPUArray.cumsum() takes"),
                       (lambda x: x.matmul, "no attribute 'matmul'")):
        with pytest.raises((TypeError, AttributeError), match=re.escape(text)):
            call(gpuarray.GPUArray(0, float))


def test_importing_stays_light(run_python):
    """No module of the standard library is imported whose use few programs have: each takes part of what importing costs."""
    done = run_python("import numpy, sys; before = set(sys.modules)\n"
                      "import pycuda.gpuarray, pycuda.compiler, pycuda.autoinit\n"
                      "print(*sorted(name for name in set(sys.modules) - before if '.' not in name))")
    rare = {"logging", "html", "inspect", "dataclasses", "json", "subprocess", "tempfile", "argparse",
            "concurrent", "asyncio", "multiprocessing", "unittest", "threading"}
    assert not rare & set(done.stdout.split()), done.stderr
