"""
Monte Carlo option prices
=========================

What an option is worth is the mean of what it pays, over many random paths of a share's price. The call on the last price has a
formula (Black and Scholes), so the error is known; the call on the mean price along the path has none. Pseudorandom numbers are
compared with Sobol's, which fill the space of all paths more evenly.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import curandom, gpuarray
from pycuda.elementwise import ElementwiseKernel

price, strike, rate, volatility, years, days = 100.0, 105.0, 0.03, 0.25, 1.0, 16

# %%
# One thread follows one path: row *i* of the normal numbers. Results are what the two options pay today.

pay = ElementwiseKernel(
    "float *call, float *asian, const float *normal, float price, float strike, float rate, float volatility, float dt, int days",
    """
    float s = price, sum = 0;
    for (int day = 0; day < days; day++) {
        s *= expf((rate - 0.5f * volatility * volatility) * dt + volatility * sqrtf(dt) * normal[i * days + day]);
        sum += s;
    }
    float discount = expf(-rate * dt * days);
    call[i] = discount * fmaxf(s - strike, 0.0f);
    asian[i] = discount * fmaxf(sum / days - strike, 0.0f);
    """, "pay")


def prices(normal):
    """(mean and standard error) of both options."""
    paths = len(normal)
    call, asian = gpuarray.empty(paths, np.float32), gpuarray.empty(paths, np.float32)
    pay(call, asian, normal, price, strike, rate, volatility, years / days, days)
    return [(float(x.mean().get()), float(x.std().get()) / math.sqrt(paths)) for x in (call, asian)]


def normal_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


d = (math.log(price / strike) + (rate + volatility**2 / 2) * years) / (volatility * math.sqrt(years))
formula = price * normal_cdf(d) - strike * math.exp(-rate * years) * normal_cdf(d - volatility * math.sqrt(years))

# %%
# Pseudorandom: XORWOW. Sobol: points of as many dimensions as the path has days, scrambled.

pseudo = curandom.XORWOWRandomNumberGenerator(lambda n: gpuarray.arange(n, dtype=np.int32))
sobol = curandom.ScrambledSobol32RandomNumberGenerator(
    curandom.generate_direction_vectors(days, curandom.direction_vector_set.SCRAMBLED_VECTOR_32),
    curandom.generate_scramble_constants32(days))
counts = [1 << k for k in range(8, 19, 2)]
errors = {"XORWOW": [], "Sobol": []}
for count in counts:
    for name, generator in (("XORWOW", pseudo), ("Sobol", sobol)):
        call, asian = prices(generator.gen_normal((count, days), np.float32))
        errors[name].append(abs(call[0] - formula))
        if name == "XORWOW":
            spread = call[1]

print(f"call: {call[0]:.3f}, by the formula {formula:.3f}; on the mean price: {asian[0]:.3f}")
assert abs(call[0] - formula) < 4 * spread  # Sobol's with the pseudorandom error: an upper bound

plt.figure(figsize=(6.5, 4), layout="constrained")
for name, values in errors.items():
    plt.loglog(counts, values, "o-", label=name)
plt.loglog(counts, 15 / np.sqrt(counts), "k:", label=r"$1/\sqrt{n}$")
plt.xlabel("paths")
plt.ylabel("error of the call's price")
plt.legend()
plt.show()
