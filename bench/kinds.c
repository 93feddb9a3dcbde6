/* The work of kinds.cu as a C programmer writes it: loops, OpenMP, gcc -O3
   -march=native. A function does what all launches of a kind do. Where that is another
   algorithm than the kernel's, the kernel's follows under its name and "_tiles". */
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

/* One step of the cells y0 to y1, x0 to x1 of a tile. */
static inline void heat_tile_step(float s[16][16], const float p[16][16], int y0,
                                  int y1, int x0, int x1, float k)
{
    float next[16][16];
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            next[y][x] = s[y][x] + k * (s[y - 1][x] + s[y + 1][x] + s[y][x - 1] +
                                        s[y][x + 1] - 4 * s[y][x] + p[y][x]);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            s[y][x] = next[y][x];
}

/* The same at the edges of the plate, beyond which a cell is its own neighbour. */
static void heat_edge_step(float s[16][16], const float p[16][16], int y0, int y1,
                           int x0, int x1, int top, int left, int width, int height,
                           float k)
{
    float next[16][16];
    for (int y = y0; y < y1; y++) {
        int north = top + y > 0 ? y - 1 : y, south = top + y < height - 1 ? y + 1 : y;
        for (int x = x0; x < x1; x++) {
            int west = left + x > 0 ? x - 1 : x,
                east = left + x < width - 1 ? x + 1 : x;
            next[y][x] = s[y][x] + k * (s[north][x] + s[south][x] + s[y][west] +
                                        s[y][east] - 4 * s[y][x] + p[y][x]);
        }
    }
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            s[y][x] = next[y][x];
}

static void heat_tile(float *out, const float *in, const float *power, int width,
                      int height, float k, int top, int left)
{
    float s[16][16], p[16][16];
    if (top >= 0 && top + 16 <= height && left >= 0 && left + 16 <= width) {
        for (int y = 0; y < 16; y++) {
            memcpy(s[y], in + (top + y) * width + left, sizeof s[y]);
            memcpy(p[y], power + (top + y) * width + left, sizeof p[y]);
        }
        heat_tile_step(s, p, 1, 15, 1, 15, k);
        heat_tile_step(s, p, 2, 14, 2, 14, k);
        for (int y = 2; y < 14; y++)
            memcpy(out + (top + y) * width + left + 2, s[y] + 2, 12 * sizeof(float));
        return;
    }
    int y0 = most(0, -top), y1 = least(16, height - top), x0 = most(0, -left),
        x1 = least(16, width - left);
    for (int y = y0; y < y1; y++) {
        memcpy(s[y] + x0, in + (top + y) * width + left + x0,
               (x1 - x0) * sizeof(float));
        memcpy(p[y] + x0, power + (top + y) * width + left + x0,
               (x1 - x0) * sizeof(float));
    }
    for (int i = 1; i <= 2; i++)
        heat_edge_step(s, p, most(y0, i), least(y1, 16 - i), most(x0, i),
                       least(x1, 16 - i), top, left, width, height, k);
    for (int y = most(y0, 2); y < least(y1, 14); y++)
        for (int x = most(x0, 2); x < least(x1, 14); x++)
            out[(top + y) * width + left + x] = s[y][x];
}

void heat_tiles(float *a, float *b, const float *power, int width, int height, float k,
                int launches)
{
    for (int i = 0; i < launches; i++) {
        const float *in = i % 2 ? b : a;
        float *out = i % 2 ? a : b;
#pragma omp parallel for
        for (int y = 0; y < height; y += 12)
            for (int x = 0; x < width; x += 12)
                heat_tile(out, in, power, width, height, k, y - 2, x - 2);
    }
    if (launches % 2)
        memcpy(a, b, (size_t)width * height * sizeof *a);
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

/* Eight rows of columns `left` to `left` + 256, of which each row leaves out one more
   at both ends. */
static void cheapest_tile(int *out, const int *in, const int *cost, int columns,
                          int rows, int row, int left)
{
    int s[256], t[256], first = most(0, -left), last = least(256, columns - left);
    memcpy(s + first, in + left + first, (last - first) * sizeof *s);
    for (int i = 0; i < 8 && row + i < rows; i++) {
        int from = most(first, i + 1), to = least(last, 255 - i);
        const int *price = cost + (row + i) * columns + left;
        if (left + from == 0) {
            t[from] = least(s[from], s[from + 1]) + price[from];
            from++;
        }
        if (left + to == columns) {
            to--;
            t[to] = least(s[to - 1], s[to]) + price[to];
        }
        for (int x = from; x < to; x++)
            t[x] = least(least(s[x - 1], s[x + 1]), s[x]) + price[x];
        from = most(first, i + 1), to = least(last, 255 - i);
        memcpy(s + from, t + from, (to - from) * sizeof *s);
    }
    int from = most(first, 8), to = least(last, 248);
    if (from < to)
        memcpy(out + left + from, s + from, (to - from) * sizeof *s);
}

void cheapest_tiles(int *a, int *b, const int *cost, int columns, int rows)
{
    for (int row = 0; row < rows; row += 8) {
        const int *in = row % 16 ? b : a;
        int *out = row % 16 ? a : b;
#pragma omp parallel for
        for (int x = 0; x < columns; x += 240)
            cheapest_tile(out, in, cost, columns, rows, row, x - 8);
    }
    if ((rows + 7) / 8 % 2)
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

static void align_tile(int *score, const int *match, int width, int penalty)
{
    int s[17][17], m[16][16];
    for (int y = 0; y < 16; y++)
        memcpy(m[y], match + (y + 1) * width + 1, sizeof m[y]);
    memcpy(s[0], score, sizeof s[0]);
    for (int y = 1; y < 17; y++)
        s[y][0] = score[y * width];
    for (int d = 0; d < 31; d++)
        for (int x = most(0, d - 15); x <= least(d, 15); x++) {
            int y = d - x;
            s[y + 1][x + 1] =
                most(most(s[y][x + 1], s[y + 1][x]) - penalty, s[y][x] + m[y][x]);
        }
    for (int y = 1; y < 17; y++)
        memcpy(score + y * width + 1, s[y] + 1, sizeof m[0]);
}

void align_tiles(int *score, const int *match, int width, int penalty)
{
    int tiles = (width - 1) / 16;
    for (int d = 0; d < 2 * tiles - 1; d++) {
#pragma omp parallel for
        for (int bx = most(0, d - tiles + 1); bx <= least(d, tiles - 1); bx++) {
            int corner = (d - bx) * 16 * width + bx * 16;
            align_tile(score + corner, match + corner, width, penalty);
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
