"""Programs that run once for each driver: a process loads one driver and keeps it."""

import os
import subprocess
import sys

NAMES = {"cuda": "GPU", "host": "host device"}


def run_on(driver, *words, **options):
    """Runs ``python -m WORDS`` with PYCUDA_DRIVER=*driver*; `subprocess.run`'s result."""
    return subprocess.run([sys.executable, "-m", *words], check=False,
                          env=os.environ | {"PYCUDA_DRIVER": driver}, **options)
