"""What comments and documents say of other files holds: a file that they name is there."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
FILES = [pathlib.PurePosixPath(name) for name in subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
    capture_output=True, text=True).stdout.split() if (ROOT / name).is_file()]
NAMES = {path.name for path in FILES}

FOREIGN = {"Python.h", "cuda.h", "cuda_runtime.h",
           "DebugInfoMetadata.h"}
EXAMPLES = {"kernel.cu", "FILE.cu", "program.py", "clip-2339e1fc.cu", "decay-927cfb8a.cu", "a.h", "c.h", "no_such_file.h"}

IN_C = re.compile(r'"(?:\\.|[^"\\\n])*"|(/\*.*?\*/|//[^\n]*)', re.DOTALL)  # strings hide slashes
IN_PYTHON = re.compile(r'("""[\s\S]*?"""|#[^\n]*)')
COMMENTS = {".c": IN_C, ".h": IN_C, ".cpp": IN_C, ".hpp": IN_C, ".cu": IN_C, ".cuh": IN_C,
            ".def": IN_C, ".py": IN_PYTHON, ".sh": IN_PYTHON, ".build": IN_PYTHON,
            ".md": re.compile(r"([\s\S]+)")}
CITED = re.compile(r'(?<![\w./<"%-])((?:[\w-]+/)*[\w-]+\.'
                   r'(?:c|h|cpp|hpp|cu|cuh|def|py|sh|md))\b(?![\w(/.])')


def cited(text, suffix):
    """The names of files in the comments of a text."""
    return [name for found in COMMENTS[suffix].finditer(text) if found[1]
            for name in CITED.findall(found[1])]


def is_there(name):
    return (name in FOREIGN | EXAMPLES or
            ("/" not in name and name in NAMES) or
            any(path.match(name) for path in FILES))


def test_citations_are_found():
    text = 'x = "/* no.c */"; /* see gone.c */ y(); // and src/hostcc/vector/gather.c, gather.c\'s\n#include "a.h"\n'
    assert cited(text, ".c") == ["gone.c", "src/hostcc/vector/gather.c", "gather.c"]
    assert [is_there(name) for name in cited(text, ".c")] == [False, True, True]


@pytest.mark.parametrize("suffix", sorted(COMMENTS))
def test_no_comment_cites_a_file_that_is_gone(suffix):
    gone = {(str(path), name) for path in FILES if path.suffix == suffix
            and path.name != "CHANGELOG.md" and ROOT / path != pathlib.Path(__file__)
            for name in cited((ROOT / path).read_text(), suffix) if not is_there(name)}
    assert not gone


def test_ir_tests_say_what_they_are_about():
    """The first words are the files of hostcc that make the test pass."""
    tests = [path for path in FILES if path.match("tests/ir/*.cu")]
    assert len(tests) > 30
    for path in tests:
        named = re.match(r"/\* ((?:[\w]+\.c(?:pp)?, )*[\w]+\.c(?:pp)?): [^/]{20}",
                         (ROOT / path).read_text())
        assert named, f"{path}: say which files of src/hostcc it is about, and what they do"
        for name in named[1].split(", "):
            assert list((ROOT / "src/hostcc").rglob(name)), f"{path}: {name} is gone"
