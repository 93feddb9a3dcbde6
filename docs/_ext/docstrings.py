"""How the reference reads docstrings: plain prose with little mark-up, and which members it shows.

The package's docstrings are written for help(). Here they become reST: code in backticks becomes literal, roles and *names*
of parameters stay, indented lines become a code block, all else is escaped. Enumerations list their members on one
line each, and the examples of examples.txt (which a test runs) stand below what they are about.
"""

import pathlib
import re
import types

EXAMPLES = pathlib.Path(__file__).parents[1] / "reference/examples.txt"


def examples():
    """{public name: lines of its example} of examples.txt: a heading `== name ==` and what a shell would show."""
    found, lines = {}, None
    for line in EXAMPLES.read_text().splitlines():
        heading = re.fullmatch(r"== ([\w.]+) ==", line)
        if heading:
            found[heading[1]] = lines = []
        elif lines is not None:
            lines.append(line)
    return {name: "\n".join(lines).strip("\n").splitlines() for name, lines in found.items()}


MARKED = re.compile(r"(:\w+:`[^`]+`|``.+?``|`[^`]+`|(?<![\w*])\*\w+\*(?![\w*]))")


def escape(text):
    """Prose as reST: `code` and ``code`` are literal, :class:`roles` and *names* stay, nothing else means anything."""
    parts = MARKED.split(text)
    for k, part in enumerate(parts):
        if k % 2 == 0:
            parts[k] = re.sub(r"([*|_\\`])", r"\\\1", part)
        elif part.startswith("`"):
            parts[k] = "``" + part.strip("`") + "``"
        if k % 2 and parts[k + 1][:1].isalnum():
            parts[k] += "\\ "  # mark-up ends before a letter only so
    return "".join(parts)


def as_rst(lines):
    """Paragraphs of prose, indented blocks as code, lines that begin with - as lists."""
    result = []
    for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")):
        rows = block.splitlines()
        head = [row for row in rows if not row.startswith((" ", ">>>"))]
        if rows and len(head) < len(rows):
            first = next(i for i, row in enumerate(rows) if row.startswith((" ", ">>>")))
            prose, code = rows[:first], rows[first:]
        else:
            prose, code = rows, []
        if prose:
            result += [*escape("\n".join(prose)).removesuffix("::").splitlines(), ""]
        if code:
            result += ["::", "", *("    " + row for row in code), ""]
    return result


def is_enumeration(thing):
    return isinstance(thing, type) and isinstance(getattr(thing, "names", None), dict)


def process(app, what, name, thing, options, lines):
    lines[:] = as_rst(lines)
    if is_enumeration(thing):
        lines += ["", *(f"- ``{member}`` = {int(value)}" for member, value in thing.names.items()), ""]
    if name in app.config.pycuda_examples:
        lines += ["", *app.config.pycuda_examples[name], ""]


def skip(app, what, name, thing, skipped, options):
    """Not shown: modules, what others wrote, private names, members of enumerations (they are listed)."""
    if name.startswith("_") and name != "__call__":
        return True
    if isinstance(thing, types.ModuleType):
        return True
    owner = getattr(thing, "__module__", None)
    if isinstance(owner, str) and not owner.startswith("pycuda"):
        return True
    if is_enumeration(type(thing)) or (what == "class" and name in ("names", "values")):
        return True
    return None


def setup(app):
    app.add_config_value("pycuda_examples", {}, "env")
    app.connect("config-inited", lambda app, config: setattr(config, "pycuda_examples", examples()))
    app.connect("autodoc-process-docstring", process)
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True}
