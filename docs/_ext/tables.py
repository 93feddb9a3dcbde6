"""Directives that make tables out of the lists which the code itself reads.

`commands-table`: the modules behind `python -m pycuda`. `environment-table`: the variables that `python -m pycuda info` knows. `requirements-table`: what the package's
metadata asks for. `driver-table`: rows of functions.def, and which of them the host device has. `options-table`: the
options of nvcc in options.c. A missing list or an empty table is an error.
"""

import argparse
import importlib
import importlib.metadata
import pathlib
import pkgutil
import re
import subprocess

from docstrings import escape
from sphinx.util.docutils import SphinxDirective

import pycuda._commands
from pycuda._commands.environment import VARIABLES

ROOT = pathlib.Path(__file__).parents[2]


def environment():
    yield "variable", "value", "what it does"
    for name, (values, meaning) in VARIABLES.items():
        yield f"`{name}`", values, meaning


def requirements():
    facts = importlib.metadata.metadata("pycuda-c")
    yield "needed", "version"
    yield "Python", facts["Requires-Python"]
    for needed in facts.get_all("Requires-Dist"):
        if "extra ==" not in needed:
            name, version = re.match(r"([\w.-]+)\s*(.*)", needed).groups()
            yield name, version or "any"


def driver():
    """Families of driver functions, by the comments that part them in the list. What the host device lacks is a weak
    symbol there, which answers NOT_SUPPORTED."""
    library = pathlib.Path(pycuda.__file__).with_name("libhostcuda.so")
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    there = set(re.findall(r" T (\w+)$", symbols, re.MULTILINE))
    families = {}
    for title, name, suffix in re.findall(r"/\* (.*?) \*/$|^F\((\w+), (\w*),", (ROOT / "src/cuda/functions.def").read_text(),
                                          re.MULTILINE):
        if title:
            rows = families[title.partition(":")[0]] = []
        else:
            rows.append((name, name + suffix in there))
    yield "family", "on the host device", "for GPUs alone"
    for family, rows in families.items():
        if rows and not rows[0][0].startswith("cux"):
            alone = [name for name, is_there in rows if not is_there]
            yield family, f"{len(rows) - len(alone)} of {len(rows)}", ", ".join(f"`{name}`" for name in alone) or "none"


def options():
    rows = re.findall(r'^    \{"([\w-]+)", (0|ONE), 0, (.*?)\},$', (ROOT / "src/hostcc/front/options.c").read_text(), re.MULTILINE)
    ours = {"DEPFILE", "PCH_FOLDER", "CPU"}  # of hostcc, not of nvcc

    def names(wanted):
        return ", ".join(f"`{'-' if len(name) == 1 else '--'}{name}`" for name, _, kind in rows if kind not in ours and wanted(kind))

    yield "options of nvcc", "on the host device"
    yield names(lambda kind: kind != "IGNORE"), "do what they do in nvcc"
    yield names(lambda kind: kind == "IGNORE"), "taken, and mean nothing on a CPU"


def commands():
    yield "command", "what it does", "arguments"
    for _, name, _ in pkgutil.iter_modules(pycuda._commands.__path__):
        command = importlib.import_module(f"pycuda._commands.{name}")
        if hasattr(command, "add_arguments"):
            parser = argparse.ArgumentParser(add_help=False)
            command.add_arguments(parser)
            arguments = [f"`{' '.join(action.option_strings) or action.metavar or '{' + ', '.join(action.choices or [action.dest]) + '}'}`:"
                         f" {action.help}" for action in parser._actions]
            yield f"`{name}`", command.__doc__.partition("\n")[0], "; ".join(arguments) or "none"


class Table(SphinxDirective):
    """A table of one of the functions above, as reST's list-table."""

    rows = None

    def run(self):
        head, *rows = self.rows()
        if not rows or not all(all(row) for row in rows):
            raise self.error("a table without contents: has the list that it is made of moved?")
        lines = [".. list-table::", "   :header-rows: 1", ""]
        for row in (head, *rows):
            lines += [f"   {'* -' if k == 0 else '  -'} {escape(cell)}" for k, cell in enumerate(row)]
        return self.parse_text_to_nodes("```{eval-rst}\n" + "\n".join(lines) + "\n```\n")


def setup(app):
    for make in (commands, environment, requirements, driver, options):
        kind = type(make.__name__, (Table,), {"rows": staticmethod(make)})
        app.add_directive(f"{make.__name__}-table", kind)
    return {"parallel_read_safe": True}
