"""
Several devices and MPI
=======================

A wave in a box that four processes share, each with a device of its own. A process owns a strip of rows, and before each step
trades the rows at its edges with its neighbours. ``HOSTCUDA_DEVICES=4`` makes four devices out of one CPU, so that such a
program can be tried where there is no GPU, or one. Without MPI the same program runs as one process.

The program is a file of its own, ``mpi_wave.py``; here it is started with one process and with four.

.. literalinclude:: ../../examples/gallery/mpi_wave.py
   :language: python
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import matplotlib.pyplot as plt
import numpy as np

PROGRAM = pathlib.Path(sys.argv[0]).with_name("mpi_wave.py")


def run(processes):
    """The wave as so many processes leave it, and what they say."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder, "wave.npy")
        command = [sys.executable, str(PROGRAM), str(result)]
        if processes > 1:
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), *command]
        done = subprocess.run(command, check=False, capture_output=True, text=True,
                              env=os.environ | {"HOSTCUDA_DEVICES": "4", "HOSTCUDA_THREADS": "1"})
        if done.returncode:
            raise RuntimeError(done.stderr)
        print(done.stdout, end="")
        return np.load(result)


# %%
# One process and four compute the same numbers, bit by bit.

alone = run(1)
if shutil.which("mpirun"):
    np.testing.assert_array_equal(run(4), alone)

plt.figure(figsize=(5, 4.6), layout="constrained")
plt.imshow(alone, cmap="RdBu", vmin=-0.12, vmax=0.12)
for strip in (1, 2, 3):
    plt.axhline(64 * strip - 0.5, color="black", linewidth=0.6)
plt.axis("off")
plt.show()
