"""The stubs agree with the package, and type checkers find what is wrong in programs and complain about nothing else."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import pycuda

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(pycuda.__file__).parent


def run(folder, program, *words, **environment):
    """Runs a program of the virtual environment; what it prints."""
    return subprocess.run([f"{sys.prefix}/bin/{program}", *map(str, words)], cwd=folder, capture_output=True, text=True,
                          check=False, env=os.environ | environment)


def copy_stubs(folder):
    """Stubs alone, so that private modules, which have none, are not looked at."""
    for stub in [*PACKAGE.rglob("*.pyi"), PACKAGE / "py.typed"]:
        copy = folder / "pycuda" / stub.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(stub, copy)


def test_stubs_agree_with_the_package(tmp_path):
    """Every public name of each is in the other, and takes the same arguments."""
    copy_stubs(tmp_path)
    done = run(tmp_path, "stubtest", "pycuda", "--concise", "--ignore-disjoint-bases", "--allowlist",
               HERE / "allowlist.txt", MYPYPATH=str(tmp_path), PYCUDA_DRIVER="host")
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_well_formed(tmp_path):
    """By pyright; mypy looks at them in the test above."""
    copy_stubs(tmp_path)
    done = run(tmp_path, "pyright", "--pythonpath", sys.executable, ".")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_type_is_known(tmp_path):
    """Of what users can reach, attributes and results included."""
    done = run(tmp_path, "pyright", "--verifytypes", "pycuda", "--ignoreexternal",
               PATH=f"{sys.prefix}/bin:{os.environ['PATH']}")
    assert done.returncode == 0 and "completeness score: 100%" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("checker", [
    ("mypy", "--check-untyped-defs", "--warn-unused-ignores"), ("pyright", "--pythonpath", sys.executable)],
    ids=lambda words: words[0])
def test_programs(checker, tmp_path):
    """Each line of mistakes.py that says so has a mistake. Other lines, README's first ones and the demo have none."""
    mistakes = (HERE / "mistakes.py").read_text()
    readme = (HERE.parents[1] / "README.md").read_text()
    programs = {"mistakes.py": mistakes, "demo.py": (HERE.parents[1] / "examples" / "demo.py").read_text(),
                "readme.py": re.search(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[1]}
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
    done = run(tmp_path, *checker, *programs)
    found = {(name, int(line)) for name, line in re.findall(r"(\w+\.py):(\d+):.* error: ", done.stdout)}
    planted = {("mistakes.py", i) for i, line in enumerate(mistakes.splitlines(), 1) if "# mistake: " in line}
    assert found == planted and len(planted) >= 5, done.stdout + done.stderr
