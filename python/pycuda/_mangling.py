"""Kernels that are instances of templates, by the names that sources give them: "f<float, 3>" for _Z1fIfLi3EEvPT_.

Itanium C++ ABI, section 5.1: a name is its length and its letters, template arguments stand between I and E.
"""

import re

_TYPES = {"void": "v", "bool": "b", "char": "c", "signed char": "a", "unsigned char": "h", "short": "s",
          "unsigned short": "t", "int": "i", "unsigned int": "j", "unsigned": "j", "long": "l", "unsigned long": "m",
          "long long": "x", "unsigned long long": "y", "float": "f", "double": "d", "half": "6__half",
          "int8_t": "a", "uint8_t": "h", "int16_t": "s", "uint16_t": "t", "int32_t": "i", "uint32_t": "j",
          "int64_t": "l", "uint64_t": "m", "size_t": "m"}


def _argument(text):
    """A regular expression for a template argument: a number of any type, or a type."""
    text = " ".join(text.split())
    if text in ("true", "false"):
        return f"Lb{int(text == 'true')}E"
    if re.fullmatch(r"-?\d+", text):
        return f"L[a-z]{text.replace('-', 'n')}E"
    if text.endswith("*"):
        return f"P{_argument(text[:-1])}"
    if text.startswith("const "):
        return f"K{_argument(text[6:])}"
    return _TYPES.get(text) or _nested(text, "")


def _nested(path, arguments):
    names = [f"{len(name)}{re.escape(name)}" for name in path.split("::")]
    return f"N{''.join(names)}{arguments}E" if len(names) > 1 else names[0] + arguments


def find(name, names):
    """The one of the linkage names that is that instance of a template; None: none is, or several."""
    parts = re.fullmatch(r"\s*(\w+(?:::\w+)*)\s*<([^<>]*)>\s*", name)
    if not parts:
        return None
    arguments = "".join(map(_argument, parts[2].split(",")))
    pattern = re.compile(f"_Z{_nested(parts[1], f'I{arguments}E')}")
    found = [one for one in names if pattern.match(one)]
    return found[0] if len(found) == 1 else None
