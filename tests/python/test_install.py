"""The package as it is installed, and what lies beside it in a clone."""

import pathlib
import subprocess
import sys

CLONE = pathlib.Path(__file__).parents[2]


def test_clone_does_not_hide_the_installed_package():
    """Python started in a clone of the repository imports what is installed."""
    done = subprocess.run([sys.executable, "-c", "import pycuda.driver; print(pycuda.__file__)"],
                          cwd=CLONE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert CLONE / "python" not in pathlib.Path(done.stdout.strip()).parents
