"""Every test asserts something: itself, through a helper or fixture of its file, or in a child."""

import ast
import pathlib

import pytest

TESTS = pathlib.Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("test_*.py"))
ASSERTING = {"raises", "warns", "fail", "check_call"}  # of pytest and subprocess


def names_used(function):
    """What a function calls, and its parameters: fixtures among them."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else getattr(
                node.func, "id", "")
    yield from (argument.arg for argument in function.args.args)


def asserts(function, functions, seen=()):
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (
                node is not getattr(function.body[0], "value", None) and "assert " in node.value):
            return True  # source of a program that runs in a child
    for name in names_used(function):
        if name in ASSERTING or name.startswith("assert_") or (
                name in functions and name not in seen
                and asserts(functions[name], functions, (*seen, name))):
            return True
    return False


def silent(text):
    functions = {node.name: node for node in ast.walk(ast.parse(text))
                 if isinstance(node, ast.FunctionDef)}
    return [name for name, function in functions.items()
            if name.startswith("test_") and not asserts(function, functions)]


def test_silent_tests_are_found():
    assert silent('''
def helper(x): assert x
def fixture(): yield; helper(1)
def test_by_itself(): assert 1
def test_by_helper(): helper(1)
def test_by_fixture(fixture): pass
def test_by_raising():
    with pytest.raises(ValueError): f()
def test_in_a_child(): run("assert 1")
def test_nothing():
    """It would assert things."""
    print(f())
''') == ["test_nothing"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_test_asserts(path):
    assert not silent(path.read_text())
