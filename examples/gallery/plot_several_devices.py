"""
Several devices and MPI
=======================

A wave in a box that four devices share. Each has a strip of rows, and after each step its outermost rows go to the devices beside
it: by a copy from device to device within a process, by MPI between processes. They travel while the other rows are computed.
``HOSTCUDA_DEVICES=4`` makes four devices out of one CPU, so that such a program can be tried where there is no GPU, or one.

The program is a file of its own, ``wave_strips.py``; here it is started on one device, on four, and as two processes with two each.

.. literalinclude:: ../../examples/gallery/wave_strips.py
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

PROGRAM = pathlib.Path(sys.argv[0]).with_name("wave_strips.py")


def run(processes, devices):
    """The wave as so many processes on so many devices leave it, and what they say."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder, "wave.npy")
        command = [sys.executable, str(PROGRAM), str(result)]
        if processes > 1:
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), *command]
        done = subprocess.run(command, check=False, capture_output=True, text=True,
                              env=os.environ | {"HOSTCUDA_DEVICES": str(devices), "HOSTCUDA_THREADS": "1"})
        if done.returncode:
            raise RuntimeError(done.stderr)
        print(done.stdout, end="")
        return np.load(result)


# %%
# However many devices and processes there are, they compute the same numbers, bit by bit.

alone = run(1, 1)
np.testing.assert_array_equal(run(1, 4), alone)
if shutil.which("mpirun"):
    np.testing.assert_array_equal(run(2, 4), alone)

plt.figure(figsize=(5, 4.6), layout="constrained")
plt.imshow(alone, cmap="RdBu", vmin=-0.12, vmax=0.12)
for strip in (1, 2, 3):
    plt.axhline(64 * strip - 0.5, color="black", linewidth=0.6)
plt.axis("off")
plt.show()
