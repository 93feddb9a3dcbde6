"""python/pycuda/_enums.pyi, the stub of a module whose classes are made when it is imported.

Arguments: src/cuda/enums.def and attributes.def, which have the members; python/pycuda/_enums.py, which has
the classes; the file to write. Devices and kernels have their attributes under the members' names in lower
case, too: _DeviceAttributes and _FunctionAttributes, which are there for type checkers alone.
"""

import ast
import pathlib
import re
import sys

HEAD = """from typing import Any, ClassVar

class enum(int):
    names: ClassVar[dict[str, Any]]
    values: ClassVar[dict[int, Any]]
    @property
    def name(self) -> str: ...
"""
CLASS = """
class {name}(enum):
    names: ClassVar[dict[str, {name}]]
    values: ClassVar[dict[int, {name}]]
"""
PROPERTY = """    @property
    def {name}(self) -> int: ...
"""
HOLDERS = ("device_attribute", "_DeviceAttributes"), ("function_attribute", "_FunctionAttributes")


def members(enums, attributes):
    """{type in C: names of its members in C}"""
    found = {begin: re.findall(r"^V\((\w+),", body, re.MULTILINE)
             for begin, body in re.findall(r"^ENUM_BEGIN\((\w+)\)$(.*?)^ENUM_END", enums, re.MULTILINE | re.DOTALL)}
    found["CUdevice_attribute"] = ["CU_DEVICE_ATTRIBUTE_" + name
                                   for name in re.findall(r"^A\((\w+),", attributes, re.MULTILINE)]
    return found


def classes(source):
    """The table of _enums.py."""
    return next(ast.literal_eval(node.value) for node in ast.parse(source).body
                if isinstance(node, ast.Assign) and node.targets[0].id == "_CLASSES")


def main(enums, attributes, source, target):
    texts = [pathlib.Path(path).read_text() for path in (enums, attributes, source)]
    values = members(*texts[:2])
    named = {name: [long_name.removeprefix(prefix) for long_name in values[c_name]]
             for name, c_name, prefix in classes(texts[2])}
    parts = [HEAD]
    for name, labels in named.items():
        parts += [CLASS.format(name=name), *(f"    {label}: ClassVar[{name}]\n" for label in labels)]
    for name, holder in HOLDERS:
        parts += [f"\nclass {holder}:\n", *(PROPERTY.format(name=label.lower()) for label in named[name])]
    parts.append(f"\n__all__ = {['enum', *named]!r}\n")
    pathlib.Path(target).write_text("".join(parts))


if __name__ == "__main__":
    main(*sys.argv[1:])
