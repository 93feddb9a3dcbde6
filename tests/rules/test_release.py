"""The version stands in one place, and the change log speaks of it."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parents[2]
VERSION = re.search(r"version: '(\d+\.\d+\.\d+)'", (ROOT / "meson.build").read_text())[1]


def test_the_version_stands_in_one_place():
    found = subprocess.run(["git", "grep", "-lIwF", VERSION], cwd=ROOT, capture_output=True,
                           text=True, check=True).stdout.split()
    assert set(found) == {"meson.build", "CHANGELOG.md"}


def test_the_change_log_begins_with_it():
    headings = re.findall(r"^## (\S+), (not yet released|\d{4}-\d\d-\d\d)$",
                          (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings and headings[0][0] == VERSION
    assert "not yet released" not in {state for _, state in headings[1:]}
