"""
Ray tracing
===========

Five balls over a chequered floor, with shadows and up to four reflections of each ray. C++ in a kernel: a class
for vectors, operators, functions. The scene is a NumPy array of structs that becomes an array of structs for the kernel.
"""

import matplotlib.pyplot as plt
import numpy as np

import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule

module = SourceModule("""
struct Vector {
    float x, y, z;
    __device__ Vector(float x = 0, float y = 0, float z = 0) : x(x), y(y), z(z) {}
    __device__ Vector operator+(Vector o) const { return Vector(x + o.x, y + o.y, z + o.z); }
    __device__ Vector operator-(Vector o) const { return Vector(x - o.x, y - o.y, z - o.z); }
    __device__ Vector operator*(float s) const { return Vector(x * s, y * s, z * s); }
    __device__ float dot(Vector o) const { return x * o.x + y * o.y + z * o.z; }
    __device__ Vector unit() const { return *this * rsqrtf(dot(*this)); }
};

struct Ball {
    Vector centre;
    float radius;
    Vector colour;
    float mirror;
};

/* The distance to the nearest ball on the ray, and which one it is; -1 for none. */
__device__ int nearest(const Ball *ball, int balls, Vector from, Vector towards, float &distance)
{
    int found = -1;
    for (int k = 0; k < balls; k++) {
        Vector c = from - ball[k].centre;
        float b = c.dot(towards), d = b * b - c.dot(c) + ball[k].radius * ball[k].radius;
        float t = d > 0 ? -b - sqrtf(d) : -1;
        if (t > 1e-3f && t < distance) {
            distance = t;
            found = k;
        }
    }
    return found;
}

extern "C" __global__ void trace(float *picture, int width, int height, const Ball *ball, int balls)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    Vector from(0, 1.2f, -5), sun = Vector(-0.6f, 1, -0.7f).unit(), colour;
    Vector towards = Vector((column - width / 2) / (float)height, (height / 2 - row) / (float)height - 0.12f, 1).unit();
    float share = 1;
    for (int bounce = 0; bounce < 5 && share > 0.01f; bounce++) {
        float distance = 1e9f, floor_at = towards.y < 0 ? -from.y / towards.y : 1e9f;
        int k = nearest(ball, balls, from, towards, distance);
        if (k < 0 && floor_at > 60) { /* the sky */
            float t = 0.5f * (towards.y + 1);
            colour = colour + (Vector(1, 1, 1) * (1 - t) + Vector(0.3f, 0.55f, 1) * t) * share;
            break;
        }
        Vector normal, own;
        float mirror = 0.15f;
        if (floor_at < distance) {
            from = from + towards * floor_at;
            normal = Vector(0, 1, 0);
            own = ((int)floorf(from.x) + (int)floorf(from.z)) & 1 ? Vector(0.8f, 0.8f, 0.75f) : Vector(0.25f, 0.2f, 0.2f);
        } else {
            from = from + towards * distance;
            normal = (from - ball[k].centre).unit();
            own = ball[k].colour;
            mirror = ball[k].mirror;
        }
        float far = 1e9f, light = fmaxf(normal.dot(sun), 0.0f);
        if (nearest(ball, balls, from, sun, far) >= 0)
            light = 0;
        colour = colour + own * (share * (1 - mirror) * (0.25f + 0.75f * light));
        share *= mirror;
        towards = towards - normal * (2 * normal.dot(towards));
    }
    float *pixel = picture + 3 * (row * width + column);
    pixel[0] = colour.x;
    pixel[1] = colour.y;
    pixel[2] = colour.z;
}
""", no_extern_c=True)
trace = module.get_function("trace")

# %%
# ``no_extern_c=True`` leaves C++ as it is, and ``extern "C"`` then names the kernel. The fields of the dtype stand in the order of
# the struct's members.

ball = np.dtype([("centre", "3f4"), ("radius", "f4"), ("colour", "3f4"), ("mirror", "f4")])
scene = np.array([((-1.1, 1, 0.4), 1.0, (0.9, 0.3, 0.2), 0.3), ((1.2, 0.9, 0), 0.9, (0.9, 0.9, 0.9), 0.8),
                  ((0.1, 0.35, -1.4), 0.35, (0.2, 0.5, 0.9), 0.2), ((-0.75, 0.25, -1.9), 0.25, (0.3, 0.8, 0.3), 0.1),
                  ((1.0, 0.3, -2.0), 0.3, (0.95, 0.75, 0.2), 0.4)], ball)
height, width = 360, 640
picture = gpuarray.empty((height, width, 3), np.float32)
trace(picture, np.int32(width), np.int32(height), gpuarray.to_gpu(scene), np.int32(len(scene)),
      block=(16, 8, 1), grid=(width // 16, height // 8))
shown = picture.get()

# %%
# Nothing in the scene shines brighter than the sky does.

assert np.isfinite(shown).all() and 0 <= shown.min() and shown.max() <= 1

plt.figure(figsize=(9, 5.1), layout="constrained")
plt.imshow(np.sqrt(shown))  # screens show about the square of a number
plt.axis("off")
plt.show()
