"""Every public name of PyCUDA is there, and takes the arguments that PyCUDA's takes.

surface_names.txt lists them. What exists only to say that it is not available says so in its
docstring; the last test prints those names.
"""

import importlib
import inspect
import pathlib
import re
import sys

import pytest

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


def test_what_is_not_available(capsys):
    missing, host_alone = [], []
    for row in rows():
        module, name, _ = row.values
        text = inspect.getdoc(find(module, name)) or ""
        if "not available yet" in text:
            missing.append(f"{module}.{name}")
        elif "n the host device alone" in text:
            host_alone.append(f"{module}.{name}")
    with capsys.disabled():
        print("\nnot available yet:", ", ".join(missing) or "nothing")
        print("on the host device alone:", ", ".join(host_alone) or "nothing")
