"""The recipes for other people's CI: they parse, ask for the packages that the build asks for, and what they run works."""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

import jinja2
import pytest
import yaml

ROOT = pathlib.Path(__file__).parents[2]
CI = ROOT / "examples/ci"
PROJECT = """
import numpy as np
import pytest
from pycuda import gpuarray
from pycuda.testing import assert_allclose


def test_sum(cuda_context):
    assert_allclose(gpuarray.sum(gpuarray.arange(1000, dtype=np.float64)), 499500)


@pytest.mark.gpu_only
def test_for_gpus():
    assert False
"""


def github():
    job = yaml.safe_load((CI / "github.yml").read_text())["jobs"]["tests-without-gpu"]
    return [step["run"] for step in job["steps"] if "run" in step], job["env"]


def gitlab():
    job = yaml.safe_load((CI / "gitlab.yml").read_text())["tests-without-gpu"]
    return job["script"], job["variables"]


def test_ten_lines():
    assert github() == gitlab()
    for name in ("github.yml", "gitlab.yml"):
        assert len((CI / name).read_text().splitlines()) <= 10


@pytest.mark.parametrize("path", ["examples/ci/github.yml", "examples/ci/gitlab.yml", "examples/ci/Dockerfile",
                                  "docs/install.md", "README.md"])
def test_packages(path):
    """What meson.build says to install, and nothing that apt does not know."""
    wanted = set(re.search(r"apt install ([^']+)'", (ROOT / "meson.build").read_text())[1].split())
    asked = re.search(r"apt(?:-get)? install ((?:[\w.+-]+\s+)+[\w.+-]+)", (ROOT / path).read_text())[1].split()
    asked = {word for word in asked if not word.startswith("-")}
    assert wanted <= asked
    known = subprocess.run(["apt-cache", "show", "--no-all-versions", *wanted], capture_output=True, text=True, check=True).stdout
    assert {f"Package: {name}" for name in wanted} <= set(known.splitlines())


def test_conda():
    """As conda-build reads it: functions of its own in Jinja, then YAML."""
    def load_file_regex(load_file, regex_pattern, from_recipe_dir):
        assert from_recipe_dir
        return re.search(regex_pattern, (CI / load_file).read_text())

    text = jinja2.Template((CI / "meta.yaml").read_text()).render(
        load_file_regex=load_file_regex, PYTHON="python", compiler=lambda language: f"{language} compiler")
    recipe = yaml.safe_load(text)
    assert recipe["package"] == {"name": "pycuda-c", "version": importlib.metadata.version("pycuda-c")}
    assert (CI / recipe["source"]["path"]).resolve() == ROOT
    assert recipe["build"]["script"].startswith("python -m pip install . ") and "-Dhost=disabled" in recipe["build"]["script"]


def test_what_it_runs(tmp_path):
    """The last line of the recipe, in a fresh environment, for a project with a test."""
    (tmp_path / "test_project.py").write_text(PROJECT)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    commands, variables = github()
    path = f"{tmp_path / 'venv/bin'}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-ec", commands[-1]], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env=os.environ | variables | {"PYCUDA_C": str(ROOT), "PATH": path})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed, 1 skipped" in done.stdout
