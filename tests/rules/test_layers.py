"""Calls go down only, between folders and between files: docs/architecture.md has the order of the folders."""

import re

import layers
import pytest

ROWS = layers.table()
MAY_CALL = layers.may_call(ROWS)

FOREIGN = {"Python.h": "Python", "structmember.h": "Python", "numpy/": "NumPy", "llvm": "LLVM", "clang/": "LLVM",
           "lld/": "LLVM"}
DOORS = {"LLVM": {"hostcc/ir/ir.h", "hostcc/front/clang.cpp", "hostcc/front/leading_source.cpp",
                  "hostcc/front/passed_over.cpp", "hostcc/front/source_files.cpp", "hostcc/back/lld.cpp"}, "NumPy": {"binding/numpy_api.h"},
         "Python": {"python/class.h", "python/convert.h", "python/exceptions.h", "python/log.h", "python/site.h",
                    "python/signature.h", "compile/compile.h"}}  # where a folder sees them

SOURCES = sorted(path for path in layers.SRC.rglob("*") if path.suffix in (".c", ".cpp", ".h", ".def"))


@pytest.fixture(scope="module")
def targets():
    assert layers.BUILD.is_dir(), "`make build` makes the objects that this reads"
    return {name: layers.calls(built) for name, built in layers.objects().items()}


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": set(), "f": {"g"}, "g": {"f", "a"}}
    assert sorted(layers.circles(graph)) == [["a", "b", "c"], ["f", "g"]]


def test_everything_is_linked_somewhere(targets):
    """Nothing escapes the rules."""
    assert set(targets) == {"_native", "libhostcuda", "hostcc"}
    seen = {name for files in targets.values() for name in files}
    assert seen == {str(path.relative_to(layers.SRC)) for path in SOURCES if path.suffix in (".c", ".cpp")}


def test_the_table_goes_from_the_bottom_up():
    """Each folder of src stands in it once, below those that call it."""
    folders = {layers.folder_of(path.relative_to(layers.SRC)) for path in SOURCES}
    assert set(ROWS) == folders
    for number, (folder, calls) in enumerate(ROWS.items()):
        known = {*list(ROWS)[:number], *DOORS}
        assert set(calls) <= known, f"{folder} calls {set(calls) - known}, which stand above it"


def test_no_circle_among_files(targets):
    for files in targets.values():
        graph = {name: {other for other, _ in needs} for name, needs in files.items()}
        for ring in layers.circles(graph):
            lines = [f"{name} -> {other}: {symbol}" for name in ring for other, symbol in sorted(files[name])
                     if other in ring]
            assert not ring, "\n".join(lines)


def test_calls_go_down(targets):
    wrong = [f"{name} -> {other}: {symbol}" for files in targets.values() for name, needs in files.items()
             for other, symbol in sorted(needs)
             if layers.folder_of(other) not in MAY_CALL[layers.folder_of(name)]]
    assert not wrong, "\n".join(wrong)


def included(path):
    """(the line's name, the folder or what else it leads to) of each #include."""
    for name in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE):
        foreign = next((what for start, what in FOREIGN.items() if name.startswith(start)), None)
        inside = [at for at in (path.parent / name, layers.SRC / name, layers.SRC / "hostcuda" / name,
                                layers.SRC / "hostcc" / name) if at.is_file()]
        if foreign or inside:
            yield name, foreign or layers.folder_of(inside[0].resolve().relative_to(layers.SRC))


@pytest.mark.parametrize("folder", ROWS)
def test_includes_go_down(folder):
    wrong = []
    for path in SOURCES:
        here = str(path.relative_to(layers.SRC))
        if layers.folder_of(here) != folder:
            continue
        for name, leads_to in included(path):
            if leads_to not in MAY_CALL[folder]:
                wrong.append(f"{here}: {name}, and {folder} may not call {leads_to}")
            if leads_to in DOORS and here not in DOORS[leads_to]:
                wrong.append(f"{here}: {name}, which is for {sorted(DOORS[leads_to])}")
    assert not wrong, "\n".join(wrong)
