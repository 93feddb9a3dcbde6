"""Packs Joe and Kuo's initial direction numbers: sobol_numbers.py new-joe-kuo-6.21201 OUTPUT

The input is the text file that they publish at https://web.maths.unsw.edu.au/~fkuo/sobol: a heading,
then lines "d s a m_1 ... m_s" for the dimensions d = 2, 3, ... The output has the dimensions up to
degree 13, one after the other, of each m_2 ... m_s: since m_i is odd and below 2**i, bits 1 to i - 1,
the least one first. python/pycuda/_sobol.py reads it and makes the polynomials (s, a) itself.
"""

import pathlib
import sys

import numpy as np

MOST_DEGREES = 13

bits = []
for line in pathlib.Path(sys.argv[1]).read_text().splitlines()[1:]:
    _, degree, _, *numbers = map(int, line.split())
    if degree <= MOST_DEGREES:
        bits += [m >> bit & 1 for i, m in enumerate(numbers) for bit in range(1, i + 1)]
np.packbits(bits, bitorder="little").tofile(sys.argv[2])
