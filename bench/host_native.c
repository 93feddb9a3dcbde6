/* The work of host_kernels.cu as a C programmer writes it: loops, OpenMP, gcc -O3
 * -march=native. */
#include <math.h>
#include <stdint.h>
#include <string.h>

void combine(float *z, const float *x, const float *y, float a, float b, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = a * x[i] + b * y[i];
}

void double_array(float *x, unsigned n, float factor)
{
#pragma omp parallel for
    for (unsigned i = 0; i < n; i++)
        x[i] *= factor;
}

void sum(float *out, const float *x, int n)
{
    float all = 0;
#pragma omp parallel for simd reduction(+ : all)
    for (int i = 0; i < n; i++)
        all += x[i];
    *out = all;
}

void dot(float *out, const float *x, const float *y, int n)
{
    float all = 0;
#pragma omp parallel for simd reduction(+ : all)
    for (int i = 0; i < n; i++)
        all += x[i] * y[i];
    *out = all;
}

void largest(float *out, const float *x, int n)
{
    float all = x[0];
#pragma omp parallel for simd reduction(max : all)
    for (int i = 0; i < n; i++)
        all = x[i] > all ? x[i] : all;
    *out = all;
}

void multiply(float *c, const float *a, const float *b, int n)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i += 16)
        for (int j = 0; j < n; j += 16) {
            float as[16][16], bs[16][16], cs[16][16] = {{0}};
            for (int t = 0; t < n; t += 16) {
                for (int r = 0; r < 16; r++)
                    for (int k = 0; k < 16; k++) {
                        as[r][k] = a[(i + r) * n + t + k];
                        bs[r][k] = b[(t + r) * n + j + k];
                    }
                for (int r = 0; r < 16; r++)
                    for (int k = 0; k < 16; k++)
                        for (int q = 0; q < 16; q++)
                            cs[r][q] += as[r][k] * bs[k][q];
            }
            for (int r = 0; r < 16; r++)
                memcpy(c + (i + r) * n + j, cs[r], sizeof cs[r]);
        }
}

void forces(float *f, const float *body, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
        for (int k = 0; k < n; k++) {
            float dx = body[4 * k] - body[4 * i],
                  dy = body[4 * k + 1] - body[4 * i + 1],
                  dz = body[4 * k + 2] - body[4 * i + 2];
            float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float s = body[4 * k + 3] * r * r * r;
            x += s * dx;
            y += s * dy;
            z += s * dz;
        }
        f[3 * i] = x;
        f[3 * i + 1] = y;
        f[3 * i + 2] = z;
    }
}

void block_scan(int *out, const int *in, int n)
{
#pragma omp parallel for
    for (int b = 0; b < n; b += 256) {
        int all = 0;
        for (int i = b; i < b + 256; i++)
            out[i] = all += in[i];
    }
}

void wave(float *y, const float *x, int n)
{
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
        y[i] = sinf(x[i]) * expf(-x[i] * x[i]);
}

void histogram(unsigned *bins, const unsigned char *x, int n)
{
#pragma omp parallel
    {
        unsigned s[4][256] = {{0}};
#pragma omp for
        for (int i = 0; i < n / 4; i++)
            for (int k = 0; k < 4; k++)
                s[k][x[4 * i + k]]++;
        for (int k = 0; k < 256; k++)
#pragma omp atomic
            bins[k] += s[0][k] + s[1][k] + s[2][k] + s[3][k];
    }
}

void mandelbrot(int *out, int width, int most)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int y = 0; y < width; y++)
        for (int x = 0; x < width; x++) {
            float cr = -2 + 3.0f * x / width, ci = -1.5f + 3.0f * y / width, zr = 0,
                  zi = 0;
            int k = 0;
            while (zr * zr + zi * zi < 4 && k < most) {
                float t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                k++;
            }
            out[y * width + x] = k;
        }
}
