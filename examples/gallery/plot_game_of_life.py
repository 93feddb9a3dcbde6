"""
Game of life
============

Conway's automaton with 32 cells to a word. A thread counts the neighbours of all 32 at once: a full adder for bits, written with ``&``,
``|`` and ``^``, adds eight words as if each bit were a column of its own.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule("""
struct Row { unsigned left, middle, right; };

/* A word of a row, and its neighbours to the left and right bit by bit; the plane is a torus. */
__device__ Row row(const unsigned *cells, int x, int y, int words, int height)
{
    const unsigned *line = cells + (y + height) % height * words;
    unsigned before = line[(x + words - 1) % words], here = line[x], after = line[(x + 1) % words];
    return {(here << 1) | (before >> 31), here, (here >> 1) | (after << 31)};
}

/* Adds a bit a column to the count in (ones, twos, fours); above seven nothing matters. */
__device__ void count(unsigned bit, unsigned &ones, unsigned &twos, unsigned &fours)
{
    unsigned carry = ones & bit;
    ones ^= bit;
    fours |= twos & carry;
    twos ^= carry;
}

__global__ void generation(unsigned *after, const unsigned *before, int words, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= words || y >= height)
        return;
    Row up = row(before, x, y - 1, words, height), here = row(before, x, y, words, height);
    Row down = row(before, x, y + 1, words, height);
    unsigned ones = 0, twos = 0, fours = 0;
    const unsigned neighbours[8] = {up.left, up.middle, up.right, here.left, here.right, down.left, down.middle, down.right};
    for (int k = 0; k < 8; k++)
        count(neighbours[k], ones, twos, fours);
    after[y * words + x] = twos & ~fours & (ones | here.middle); /* three, or two and alive */
}
""")
generation = module.get_function("generation")


def pack(cells):
    """Cells of a row, lowest bit first, as words of 32."""
    return np.packbits(cells, axis=1, bitorder="little").view(np.uint32)


def unpack(words):
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")


# %%
# Gosper's gun fires a glider every thirty generations, into a random crowd.

width, height = 128, 96
cells = np.zeros((height, width), np.uint8)
gun = """
........................O
......................O.O
............OO......OO............OO
...........O...O....OO............OO
OO........O.....O...OO
OO........O...O.OO....O.O
..........O.....O.......O
...........O...O
............OO
"""
for y, line in enumerate(gun.split()):
    cells[y + 4, 4:4 + len(line)] = [letter == "O" for letter in line]
cells[60:90, 60:120] = np.random.default_rng(2).random((30, 60)) < 0.35

now, next_one = gpuarray.to_gpu(pack(cells)), gpuarray.empty((height, width // 32), np.uint32)
frames = [cells]
for _ in range(150):
    generation(next_one, now, np.int32(width // 32), np.int32(height), block=(4, 32, 1), grid=(width // 128, height // 32))
    now, next_one = next_one, now
    frames.append(unpack(now.get()))

# %%
# Every generation follows from the one before by the rule as it is usually told.

for before, after in itertools.pairwise(frames[:60]):
    around = sum(np.roll(before, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - before
    np.testing.assert_array_equal(after, (around == 3) | ((around == 2) & (before == 1)))

figure, axis = plt.subplots(figsize=(5.2, 4), layout="constrained")
image = axis.imshow(cells, cmap="Greens", interpolation="nearest")
axis.set_axis_off()


def show(k):
    image.set_data(frames[k])
    return [image]


animation = FuncAnimation(figure, show, frames=range(0, 151, 3), interval=90, blit=True)
plt.show()
