"""The list of environment variables has what the sources ask for, and nothing else."""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
LIST = ROOT / "python/pycuda/_commands/environment.py"
ASKED = re.compile(r"""(?:getenv|environment_number|cmp_put_flags|environ\.get)\((?:\w+, )?["'](\w+)["']""")
NOT_OURS = {"HOME", "PATH", "LD_LIBRARY_PATH"}  # read, and no place to set something for this package


def listed():
    tree = ast.parse(LIST.read_text())
    return next(set(ast.literal_eval(node.value)) for node in tree.body
                if isinstance(node, ast.Assign) and node.targets[0].id == "VARIABLES")


def sources():
    for folder, suffixes in (("src", (".c", ".cpp")), ("python/pycuda", (".py",))):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in suffixes and path != LIST:
                yield path.read_text()


def test_questions_are_found():
    assert ASKED.findall("""getenv("A") environment_number("B", 1, &b) cmp_put_flags(words, "C") environ.get("D", "")""") == [
        "A", "B", "C", "D"]


def test_what_is_asked_for_is_listed():
    asked = {name for text in sources() for name in ASKED.findall(text)}
    assert len(asked) > 15
    assert asked - NOT_OURS <= listed()


def test_what_is_listed_is_asked_for():
    texts = "\n".join(sources())
    assert not [name for name in listed() if f'"{name}"' not in texts]
