"""
A filter by Fourier transform
=============================

A fast Fourier transform in forty lines of CUDA C (Stockham's form: no bit reversal, each of the ten stages reads one array and writes
another), and with it a picture is freed of the stripes that a bad cable put into it.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule("""
/* A stage of the transform of many lines of n complex numbers: pairs n/2 apart become pairs next to each other in groups of
   `span`. sign is -1 forwards, 1 backwards. Block y is the line. */
__global__ void stage(float2 *out, const float2 *in, int n, int span, float sign)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    in += (size_t)blockIdx.y * n;
    out += (size_t)blockIdx.y * n;
    if (i >= n / 2)
        return;
    int k = i % span;
    float sine, cosine;
    sincospif(sign * k / span, &sine, &cosine);
    float2 a = in[i], b = in[i + n / 2];
    float2 t = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    int to = 2 * i - k;
    out[to] = make_float2(a.x + t.x, a.y + t.y);
    out[to + span] = make_float2(a.x - t.x, a.y - t.y);
}
""")
stage = module.get_function("stage")


def transform_rows(x, sign):
    """The transforms of the rows of a matrix of complex64; the length is a power of two."""
    rows, n = x.shape
    y = gpuarray.empty_like(x)
    x = x.copy()
    span = 1
    while span < n:
        stage(y, x, np.int32(n), np.int32(span), np.float32(sign), block=(128, 1, 1), grid=(-(-n // 256), rows))
        x, y, span = y, x, 2 * span
    return x


# %%
# A view changes the order of axes; ``copy(order="C")`` moves the numbers, so that columns become rows.


def fft2(x):
    return transform_rows(transform_rows(x, -1).T.copy(order="C"), -1).T.copy(order="C")


def inverse_fft2(x):
    return transform_rows(transform_rows(x, 1).T.copy(order="C"), 1).T.copy(order="C") / np.float32(x.size)


# %%
# Rings and squares, and stripes over all of it. ``complex64`` is laid out like ``float2``, so that the kernel takes the array.

n = 512
y, x = np.mgrid[:n, :n].astype(np.float32)
clean = 0.5 + 0.25 * np.cos(np.hypot(x - 200, y - 230) / 9) + 0.3 * ((abs(x - 400) < 60) & (abs(y - 130) < 40))
striped = clean + 0.4 * np.sin(2 * np.pi * (61 * x + 37 * y) / n) + 0.3 * np.sin(2 * np.pi * 90 * y / n)

spectrum = fft2(gpuarray.to_gpu(striped.astype(np.complex64)))
np.testing.assert_allclose(spectrum.get(), np.fft.fft2(striped), atol=1e-5 * n * n)

# %%
# Stripes are points in the spectrum: of all frequencies beyond the rings', those that stand out by far are taken away.

strength = abs(spectrum.get())
frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(n, 1 / n), np.fft.fftfreq(n, 1 / n)))
keep = (frequency < 40) | (strength < 0.05 * n * n)
filtered = inverse_fft2(spectrum * gpuarray.to_gpu(keep.astype(np.float32))).real.get()
print(f"{np.count_nonzero(~keep)} of {n * n} frequencies taken away")
assert np.count_nonzero(~keep) == 4  # each stripe is a pair
assert np.sqrt(np.mean((filtered - clean) ** 2)) < 0.02

figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
axes[0].imshow(striped, cmap="gray")
axes[1].imshow(np.log(1 + np.fft.fftshift(strength)), cmap="magma")
axes[2].imshow(filtered, cmap="gray")
for axis, title in zip(axes, ("with stripes", "its spectrum", "without"), strict=True):
    axis.set_title(title)
    axis.set_axis_off()
plt.show()
