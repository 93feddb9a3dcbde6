"""Kernels with one planted fault each, and what a check must report of it; README.md describes the headers.

The syntax is that of tests/kernels, whose reader this builds on. Here arrays are as large as they say, without guard
zones, `out` leaves them unset, and marks in the source name the lines that a report must have.
"""

import re
import sys
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent / "kernels"))

import corpus

KINDS = ("memory", "race", "init", "sync")


def headers_of_cub():
    import nvidia
    return nvidia.__path__[0] + "/cu13/include/cccl"


class Case(corpus.Case):
    """One .cu file: as it stands with its fault, or its right twin (compiled with -DRIGHT)."""

    folder, words = FOLDER, corpus.WORDS | {"do", "report", "twin"}

    def __init__(self, path, right=False):
        super().__init__(path)
        self.kind = self.path.parent.name
        self.right = right or self.kind == "right"
        lines = self.source.split("\n")
        self.faults, self.others = ({number for number, line in enumerate(lines, 1) if line.endswith(f"// {mark}")}
                                    for mark in ("FAULT", "OTHER"))

    @property
    def has_twin(self):
        """A twin without a fault, made by the source or by the geometry, unless `twin none` says that there is none."""
        return self.kind != "right" and "none" not in self.all("twin")

    @property
    def options(self):
        options = [option.replace("{cub}", headers_of_cub()) if "{cub}" in option else option
                   for option in super().options]
        return options + ["-DRIGHT"] * (self.right and self.kind != "right")

    def run(self, variables):
        return Run(self, variables | {"right": self.right})

    def check(self, reports):
        """AssertionError unless the reports are those that the header names."""
        if self.right:
            assert not reports, "reported of a right kernel:\n" + told(reports)
            return
        wanted = [text.partition(":") for text in self.all("report")]
        for head, _, condition in wanted:
            assert any(self.matches(report, head, condition) for report in reports), \
                f"not found: {head} {condition}\nreported:\n{told(reports)}"
        for report in reports:
            assert any(self.matches(report, head, condition, False) for head, _, condition in wanted), \
                f"reported, but not planted:\n{told([report])}"

    def matches(self, report, head, condition, full=True):
        """Whether a report is the one that a directive names; not `full`: it may be another sign of the same fault."""
        kind, *access = head.split()
        if report.kind != kind:
            return False
        if kind != "race":
            views = [fields_of(report)]
            lines = report.line in self.faults
        else:
            views = [fields_of(report), fields_of(report, swapped=True)]
            marked = self.faults | self.others
            lines = report.line in marked and report.other_line in marked
            if full and self.others:
                lines &= any(view["line"] in self.faults and view["other_line"] in self.others for view in views)
        if not lines or not full:
            return lines
        if "severity" not in condition:
            lines &= report.severity == "error"
        if access and kind != "race":
            lines &= report.access == access[0]
        variables = corpus.vocabulary(0) | self.variables
        return lines and (not condition or any(eval(condition.strip(), variables | view) for view in views))


FIELDS = ("kind", "access", "bytes", "severity", "count", "kernel", "line", "block", "thread", "other_line",
          "other_block", "other_thread", "address", "variable", "offset", "size", "space", "state")


def fields_of(report, swapped=False):
    fields = {name: getattr(report, name) for name in FIELDS}
    if swapped:
        for name in ("line", "block", "thread"):
            fields[name], fields["other_" + name] = fields["other_" + name], fields[name]
    return fields


def told(reports):
    return "\n".join(f"  {report.text}\n    {fields_of(report)}" for report in reports) or "  nothing"


class Run(corpus.Run):
    """A case at its geometry. `out` arrays are unset; `do` takes a statement between launches."""

    def find(self, load, kinds):
        """Compiles and launches under these checks; AssertionError unless what they report is what the header says."""
        from pycuda import debug

        debug.clear_reports()
        try:
            with debug.check(kinds):
                self._launch(load())
        except debug.CheckError:
            pass
        self.case.check(debug.reports())

    def _launch(self, module):
        import pycuda.driver as cuda

        self.case.variables = self.variables
        memory, names = {}, corpus.vocabulary(0) | self.variables | {"cuda": cuda, "module": module}
        names["free"] = lambda address: memory.pop(int(address)).free()
        names["texture"] = lambda address, size: np.uint64(texture(memory[int(address)], size))
        names["surface"], names["plane"], names["ended"] = surface, plane, ended
        for name, (kind, initial) in self.arrays.items():
            if kind == "global":
                cuda.memcpy_htod(module.get_global(name)[0], initial)
                continue
            allocation = cuda.mem_alloc(initial.nbytes)
            memory[int(allocation)] = allocation
            names[name] = np.uintp(int(allocation))
            if kind != "out":
                cuda.memcpy_htod(allocation, initial)
        for word, text in self.case.directives:
            if word == "do":
                exec(text, names)  # noqa: S102 (headers are ours)
            elif word == "call":
                kernel = re.match(r"\w+", text).group()
                names[kernel] = corpus.Kernel(module.get_function(kernel), self)
                self.value(text, names)
        cuda.Context.synchronize()
        results = {}
        for name, (kind, initial) in self.arrays.items():
            results[name] = np.empty_like(initial)
            if kind == "global":
                cuda.memcpy_dtoh(results[name], module.get_global(name)[0])
            elif int(names[name]) in memory:
                cuda.memcpy_dtoh(results[name], memory[int(names[name])])
        return results


def texture(allocation, size):
    """A texture object of linear memory that holds float32."""
    import pycuda.driver as cuda

    resource = cuda.ResourceDescriptor()
    resource.set_address(allocation, 4 * size, cuda.array_format.FLOAT, 1)
    made = cuda.TextureObject(resource)
    textures.append(made)
    return made.handle


def surface(columns, rows=1):
    """A surface object of an array of int32, all 0."""
    import pycuda.driver as cuda

    made = cuda.SurfaceObject(cuda.np_to_array(np.zeros((rows, columns), "i4"), "C", allowSurfaceBind=True))
    textures.append(made)
    return np.uint64(made.handle)


def plane(values):
    """A texture object of an array that holds these."""
    import pycuda.driver as cuda

    made = cuda.TextureObject(cuda.np_to_array(values, "C"))
    textures.append(made)
    return np.uint64(made.handle)


def ended(handle):
    """The same handle, of an object that is gone."""
    made = next(one for one in textures if one.handle == handle)
    textures.remove(made)
    made.free()
    return handle


textures = []


def cases(kind):
    return [Case(path) for path in sorted((FOLDER / kind).glob("*.cu"))]
