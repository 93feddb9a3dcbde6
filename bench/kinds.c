/* The work of kinds.cu as a C programmer writes it: loops, OpenMP, gcc -O3
   -march=native. A function does what all launches of a kind do. */
#include <math.h>
#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}
static int most(int a, int b)
{
    return a > b ? a : b;
}

static void heat_step(float *out, const float *in, const float *power, int width,
                      int height, float k)
{
#pragma omp parallel for
    for (int y = 0; y < height; y++) {
        const float *row = in + y * width, *north = in + most(y - 1, 0) * width,
                    *south = in + least(y + 1, height - 1) * width,
                    *p = power + y * width;
        float *to = out + y * width;
        to[0] =
            row[0] + k * (north[0] + south[0] + row[0] + row[1] - 4 * row[0] + p[0]);
        for (int x = 1; x < width - 1; x++)
            to[x] = row[x] + k * (north[x] + south[x] + row[x - 1] + row[x + 1] -
                                  4 * row[x] + p[x]);
        int x = width - 1;
        to[x] = row[x] +
                k * (north[x] + south[x] + row[x - 1] + row[x] - 4 * row[x] + p[x]);
    }
}

/* `a` holds the plate before and after; `b` is as large. */
void heat(float *a, float *b, const float *power, int width, int height, float k,
          int launches)
{
    for (int i = 0; i < launches; i++) {
        heat_step(b, a, power, width, height, k);
        heat_step(a, b, power, width, height, k);
    }
}

void cheapest(int *a, int *b, const int *cost, int columns, int rows)
{
    for (int row = 0; row < rows; row++) {
        const int *in = row % 2 ? b : a, *price = cost + row * columns;
        int *out = row % 2 ? a : b;
        out[0] = least(in[0], in[1]) + price[0];
#pragma omp parallel for
        for (int x = 1; x < columns - 1; x++)
            out[x] = least(least(in[x - 1], in[x + 1]), in[x]) + price[x];
        out[columns - 1] = least(in[columns - 2], in[columns - 1]) + price[columns - 1];
    }
    if (rows % 2)
        memcpy(a, b, columns * sizeof *a);
}

void search(const int *start, const int *edge, unsigned char *frontier,
            unsigned char *next, unsigned char *seen, int *level, int n)
{
    for (int more = 1; more;) {
        more = 0;
#pragma omp parallel for
        for (int v = 0; v < n; v++) {
            if (!frontier[v])
                continue;
            frontier[v] = 0;
            for (int k = start[v]; k < start[v + 1]; k++) {
                int w = edge[k];
                if (!seen[w]) {
                    level[w] = level[v] + 1;
                    next[w] = 1;
                }
            }
        }
#pragma omp parallel for reduction(| : more)
        for (int v = 0; v < n; v++) {
            if (!next[v])
                continue;
            frontier[v] = 1;
            seen[v] = 1;
            next[v] = 0;
            more = 1;
        }
    }
}

void align(int *score, const int *match, int width, int penalty)
{
    int tiles = (width - 1) / 16;
    for (int d = 0; d < 2 * tiles - 1; d++) {
#pragma omp parallel for
        for (int bx = most(0, d - tiles + 1); bx <= least(d, tiles - 1); bx++) {
            int corner = (d - bx) * 16 * width + bx * 16;
            for (int y = 0; y < 16; y++) {
                int *row = score + corner + (y + 1) * width + 1;
                const int *m = match + corner + (y + 1) * width + 1;
                for (int x = 0; x < 16; x++)
                    row[x] = most(most(row[x - width], row[x - 1]) - penalty,
                                  row[x - width - 1] + m[x]);
            }
        }
    }
}

void nearest(int *member, const float *feature, const float *centre, int n, int centres,
             int features)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float smallest = 3e38f;
        int best = 0;
        for (int c = 0; c < centres; c++) {
            float sum = 0;
            for (int f = 0; f < features; f++) {
                float d = feature[i * features + f] - centre[c * features + f];
                sum += d * d;
            }
            if (sum < smallest) {
                smallest = sum;
                best = c;
            }
        }
        member[i] = best;
    }
}

void lu(float *m, int n)
{
    for (int k = 0; k < n; k += 16) {
        int end = k + 16;
        for (int i = k; i < end; i++) {
            for (int r = i + 1; r < end; r++) {
                float f = m[r * n + i] /= m[i * n + i];
                for (int c = i + 1; c < end; c++)
                    m[r * n + c] -= f * m[i * n + c];
            }
        }
#pragma omp parallel for
        for (int tile = end; tile < n; tile += 16) {
            for (int i = k + 1; i < end; i++)
                for (int j = k; j < i; j++)
                    for (int c = tile; c < tile + 16; c++)
                        m[i * n + c] -= m[i * n + j] * m[j * n + c];
            for (int r = tile; r < tile + 16; r++)
                for (int i = k; i < end; i++) {
                    float f = m[r * n + i] /= m[i * n + i];
                    for (int c = i + 1; c < end; c++)
                        m[r * n + c] -= f * m[i * n + c];
                }
        }
#pragma omp parallel for
        for (int r = end; r < n; r++)
            for (int tile = end; tile < n; tile += 16) {
                float sum[16] = {0};
                for (int j = k; j < end; j++)
                    for (int c = 0; c < 16; c++)
                        sum[c] += m[r * n + j] * m[j * n + tile + c];
                for (int c = 0; c < 16; c++)
                    m[r * n + tile + c] -= sum[c];
            }
    }
}

void network(float *partial, const float *input, float *weight, float *momentum,
             const float *delta, int n)
{
#pragma omp parallel for
    for (int b = 0; b < n / 16; b++) {
        float sum[16] = {0};
        for (int i = 16 * b; i < 16 * b + 16; i++)
            for (int j = 0; j < 16; j++)
                sum[j] += weight[16 * i + j] * input[i];
        memcpy(partial + 16 * b, sum, sizeof sum);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 16; j++) {
            float change = 0.3f * delta[j] * input[i] + 0.3f * momentum[16 * i + j];
            weight[16 * i + j] += change;
            momentum[16 * i + j] = change;
        }
}

void speckle(float *image, float *c, float *dn, float *ds, float *dw, float *de,
             int width, int height, float q0, float rate)
{
#pragma omp parallel for
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int at = y * width + x;
            float v = image[at];
            float n = image[most(y - 1, 0) * width + x] - v,
                  s = image[least(y + 1, height - 1) * width + x] - v;
            float w = image[y * width + most(x - 1, 0)] - v,
                  e = image[y * width + least(x + 1, width - 1)] - v;
            float g = (n * n + s * s + w * w + e * e) / (v * v),
                  l = (n + s + w + e) / v;
            float half = 1 + 0.25f * l, q = (0.5f * g - l * l / 16) / (half * half);
            float value = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
            dn[at] = n;
            ds[at] = s;
            dw[at] = w;
            de[at] = e;
            c[at] = value < 0 ? 0 : value > 1 ? 1 : value;
        }
#pragma omp parallel for
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int at = y * width + x;
            float south = c[least(y + 1, height - 1) * width + x],
                  east = c[y * width + least(x + 1, width - 1)];
            image[at] +=
                rate / 4 *
                (c[at] * dn[at] + south * ds[at] + c[at] * dw[at] + east * de[at]);
        }
}

void layers(float *out, const float *in, int nx, int ny, int nz, float k)
{
    int plane = nx * ny;
#pragma omp parallel for
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                int at = z * plane + y * nx + x;
                float here = in[at];
                float sum = in[x == 0 ? at : at - 1] + in[x == nx - 1 ? at : at + 1] +
                            in[y == 0 ? at : at - nx] + in[y == ny - 1 ? at : at + nx] +
                            in[z == 0 ? at : at - plane] +
                            in[z == nz - 1 ? at : at + plane];
                out[at] = here + k * (sum - 6 * here);
            }
}

void boxes(double *force, const double *place, const int *around, int nboxes,
           int per_box, double alpha)
{
#pragma omp parallel for
    for (int box = 0; box < nboxes; box++)
        for (int i = 0; i < per_box; i++) {
            const double *p = place + 4 * (box * per_box + i);
            double *to = force + 4 * (box * per_box + i), fx = 0, fy = 0, fz = 0,
                   fv = 0;
            for (int k = 0; k < 27; k++) {
                int neighbour = around[27 * box + k];
                if (neighbour < 0)
                    continue;
                const double *q = place + 4 * neighbour * per_box;
                for (int j = 0; j < per_box; j++) {
                    double dx = p[0] - q[4 * j], dy = p[1] - q[4 * j + 1],
                           dz = p[2] - q[4 * j + 2];
                    double u = exp(-alpha * (dx * dx + dy * dy + dz * dz)),
                           f = 2 * u * q[4 * j + 3];
                    fv += u * p[3];
                    fx += f * dx;
                    fy += f * dy;
                    fz += f * dz;
                }
            }
            to[0] = fx;
            to[1] = fy;
            to[2] = fz;
            to[3] = fv;
        }
}
