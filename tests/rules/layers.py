"""Which file calls which, told from the symbols of the built objects, and which folder may call which,
told by the table in docs/architecture.md."""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parents[2]
SRC = ROOT / "src"
BUILD = ROOT / "build/main"
TARGETS = {"_native.": "_native", "libhostcuda.": "libhostcuda", "hostcc.": "hostcc", "libhostcc_": "hostcc"}


def folder_of(path):
    """hostcuda/run of hostcuda/run/queues.c."""
    return str(pathlib.PurePath(path).parent)


def table():
    """Folder -> (the folders, and what else, that it may call directly), in the order of the table."""
    text = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| `src/([\w/]+)` \| [^|]+ \| ?([^|]*)\|$", text, re.MULTILINE)
    return {folder: tuple(re.findall(r"[\w/]+", calls)) for folder, calls in rows}


def may_call(rows):
    """Folder -> all that it may call: itself, what its row names, and what that may call of ours."""
    allowed = {}
    for folder, calls in rows.items():
        allowed[folder] = {folder, *calls}
        for name in calls:
            allowed[folder] |= {below for below in allowed.get(name, ()) if below in rows}
    return allowed


def objects():
    """What is linked together: name of the target -> {source below src: object}."""
    found = {}
    for command in json.loads((BUILD / "compile_commands.json").read_text()):
        source = (pathlib.Path(command["directory"]) / command["file"]).resolve()
        folder = pathlib.Path(command["output"]).parent.name
        target = next((name for start, name in TARGETS.items() if folder.startswith(start)), None)
        if target and source.is_relative_to(SRC):
            found.setdefault(target, {})[str(source.relative_to(SRC))] = BUILD / command["output"]
    return found


def calls(built):
    """Source -> {(source that defines it, symbol)} of each symbol that it takes from another."""
    of = {str(path): source for source, path in built.items()}
    listed = subprocess.run(["nm", "-A", "-P", *of], check=True, capture_output=True, text=True).stdout
    defined, needed = {}, {}
    for line in listed.splitlines():
        path, name, kind = re.match(r"(.*?):\s+(\S+) (\S)", line).groups()
        if kind in "TDBRCGS":
            defined[name] = of[path]
        elif kind in "Uw":
            needed.setdefault(of[path], set()).add(name)
    assert "__gnu_lto_slim" not in defined, "nm needs GCC's plugin among those of binutils to read these objects"
    return {source: {(defined[name], name) for name in needed.get(source, ())
                     if defined.get(name, source) != source} for source in built}


def circles(graph):
    """The sets of nodes of which each reaches each other, by Tarjan."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            ring = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(ring) > 1:
                found.append(sorted(ring))

    for node in graph:
        if node not in number:
            visit(node)
    return found
