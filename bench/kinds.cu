/* The kernels of bench/hostcc.py: kinds of work that CUDA programs are made of. They are plain enough to be OpenCL C,
   too, under other names (opencl.py). */

/* Heat in a plate, two steps a launch: a tile of 16 x 16 with a halo of two, whose inner 12 x 12 are written. */
extern "C" __global__ void heat(float *out, const float *in, const float *power, int width, int height, float k)
{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 12 + tx - 2, y = blockIdx.y * 12 + ty - 2;
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    int at = min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1);
    int north = y > 0 ? ty - 1 : ty, south = y < height - 1 ? ty + 1 : ty;
    int west = x > 0 ? tx - 1 : tx, east = x < width - 1 ? tx + 1 : tx;
    float p = power[at], value = 0;
    s[ty][tx] = in[at];
    __syncthreads();
    for (int step = 1; step <= 2; step++) {
        bool active = inside && tx >= step && tx < 16 - step && ty >= step && ty < 16 - step;
        if (active)
            value = s[ty][tx] +
                    k * (s[north][tx] + s[south][tx] + s[ty][west] + s[ty][east] - 4 * s[ty][tx] + p);
        __syncthreads();
        if (active)
            s[ty][tx] = value;
        __syncthreads();
    }
    if (inside && tx >= 2 && tx < 14 && ty >= 2 && ty < 14)
        out[at] = s[ty][tx];
}

/* The cheapest way down a grid, eight rows a launch, with a halo of eight on both sides. */
extern "C" __global__ void cheapest(int *out, const int *in, const int *cost, int columns, int rows, int row)
{
    __shared__ int s[256];
    int tx = threadIdx.x, x = blockIdx.x * 240 + tx - 8, best = 0;
    bool inside = x >= 0 && x < columns;
    int west = x > 0 ? tx - 1 : tx, east = x < columns - 1 ? tx + 1 : tx;
    if (inside)
        s[tx] = in[x];
    __syncthreads();
    for (int i = 0; i < 8; i++) {
        bool active = inside && tx > i && tx < 255 - i && row + i < rows;
        if (active)
            best = min(min(s[west], s[east]), s[tx]) + cost[(row + i) * columns + x];
        __syncthreads();
        if (active)
            s[tx] = best;
        __syncthreads();
    }
    if (inside && tx >= 8 && tx < 248)
        out[x] = s[tx];
}

/* Breadth-first search, a level in two launches: the frontier's neighbours, then the next frontier. */
extern "C" __global__ void expand(const int *start, const int *edge, unsigned char *frontier, unsigned char *next,
                                  const unsigned char *seen, int *level, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && frontier[v]) {
        frontier[v] = 0;
        for (int k = start[v]; k < start[v + 1]; k++) {
            int w = edge[k];
            if (!seen[w]) {
                level[w] = level[v] + 1;
                next[w] = 1;
            }
        }
    }
}

extern "C" __global__ void advance(unsigned char *frontier, unsigned char *next, unsigned char *seen, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && next[v]) {
        frontier[v] = 1;
        seen[v] = 1;
        next[v] = 0;
    }
}

/* Alignment of two sequences: tiles of 16 x 16 along a diagonal of tiles, a barrier for each diagonal of a tile. */
extern "C" __global__ void align(int *score, const int *match, int width, int diagonal, int first, int penalty)
{
    __shared__ int s[17][17];
    __shared__ int m[16][16];
    int t = threadIdx.x, bx = first + blockIdx.x, corner = (diagonal - bx) * 16 * width + bx * 16;
    for (int r = 0; r < 16; r++)
        m[r][t] = match[corner + (r + 1) * width + t + 1];
    if (t == 0)
        s[0][0] = score[corner];
    s[t + 1][0] = score[corner + (t + 1) * width];
    s[0][t + 1] = score[corner + t + 1];
    __syncthreads();
    for (int d = 0; d < 31; d++) {
        int y = d - t;
        if (y >= 0 && y < 16)
            s[y + 1][t + 1] = max(max(s[y][t + 1], s[y + 1][t]) - penalty, s[y][t] + m[y][t]);
        __syncthreads();
    }
    for (int r = 0; r < 16; r++)
        score[corner + (r + 1) * width + t + 1] = s[r + 1][t + 1];
}

/* The nearest of a few centres, for points of many features. */
extern "C" __global__ void nearest(int *member, const float *feature, const float *centre, int n, int centres,
                                   int features)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float least = 3e38f;
    if (i >= n)
        return;
    for (int c = 0; c < centres; c++) {
        float sum = 0;
        for (int f = 0; f < features; f++) {
            float d = feature[f * n + i] - centre[c * features + f];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    member[i] = best;
}

/* LU decomposition without pivots in tiles of 16 x 16: the tile on the diagonal, those right of and below it, the rest. */
extern "C" __global__ void lu_diagonal(float *m, int n, int k)
{
    __shared__ float s[16][16];
    int t = threadIdx.x;
    for (int r = 0; r < 16; r++)
        s[r][t] = m[(k + r) * n + k + t];
    __syncthreads();
    for (int i = 0; i < 15; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                s[t][i] -= s[t][j] * s[j][i];
            s[t][i] /= s[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j <= i; j++)
                s[i + 1][t] -= s[i + 1][j] * s[j][t];
        __syncthreads();
    }
    for (int r = 0; r < 16; r++)
        m[(k + r) * n + k + t] = s[r][t];
}

extern "C" __global__ void lu_border(float *m, int n, int k)
{
    __shared__ float d[16][16];
    __shared__ float row[16][16];
    __shared__ float column[16][16];
    int t = threadIdx.x % 16, far = k + 16 * (blockIdx.x + 1);
    for (int r = threadIdx.x / 16; r < 16; r += 2) {
        d[r][t] = m[(k + r) * n + k + t];
        row[r][t] = m[(k + r) * n + far + t];
        column[r][t] = m[(far + r) * n + k + t];
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        for (int i = 1; i < 16; i++)
            for (int j = 0; j < i; j++)
                row[i][t] -= d[i][j] * row[j][t];
    } else {
        for (int i = 0; i < 16; i++) {
            for (int j = 0; j < i; j++)
                column[t][i] -= column[t][j] * d[j][i];
            column[t][i] /= d[i][i];
        }
    }
    __syncthreads();
    for (int r = threadIdx.x / 16; r < 16; r += 2) {
        m[(k + r) * n + far + t] = row[r][t];
        m[(far + r) * n + k + t] = column[r][t];
    }
}

extern "C" __global__ void lu_inner(float *m, int n, int k)
{
    __shared__ float row[16][16];
    __shared__ float column[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, x = k + 16 * (blockIdx.x + 1) + tx, y = k + 16 * (blockIdx.y + 1) + ty;
    float sum = 0;
    row[ty][tx] = m[(k + ty) * n + x];
    column[ty][tx] = m[y * n + k + tx];
    __syncthreads();
    for (int j = 0; j < 16; j++)
        sum += column[ty][j] * row[j][tx];
    m[y * n + x] -= sum;
}

/* A layer of 16 neurons: products in a tile, a tree down its columns; then the weights learn. */
extern "C" __global__ void forward(float *partial, const float *input, const float *weight)
{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 16 + ty;
    s[ty][tx] = weight[i * 16 + tx] * input[i];
    __syncthreads();
    for (int step = 8; step > 0; step /= 2) {
        if (ty < step)
            s[ty][tx] += s[ty + step][tx];
        __syncthreads();
    }
    if (ty == 0)
        partial[blockIdx.x * 16 + tx] = s[0][tx];
}

extern "C" __global__ void learn(float *weight, float *momentum, const float *input, const float *delta)
{
    int i = blockIdx.x * 16 + threadIdx.y, at = i * 16 + threadIdx.x;
    float change = 0.3f * delta[threadIdx.x] * input[i] + 0.3f * momentum[at];
    weight[at] += change;
    momentum[at] = change;
}

/* Speckle-reducing diffusion of a picture: gradients and their coefficient, then a step. */
extern "C" __global__ void gradients(float *c, float *dn, float *ds, float *dw, float *de, const float *image,
                                     int width, int height, float q0)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * width + x;
    if (x >= width || y >= height)
        return;
    float v = image[at];
    float n = image[max(y - 1, 0) * width + x] - v, s = image[min(y + 1, height - 1) * width + x] - v;
    float w = image[y * width + max(x - 1, 0)] - v, e = image[y * width + min(x + 1, width - 1)] - v;
    float g = (n * n + s * s + w * w + e * e) / (v * v), l = (n + s + w + e) / v;
    float half_way = 1 + 0.25f * l, q = (0.5f * g - l * l / 16) / (half_way * half_way);
    float value = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    dn[at] = n;
    ds[at] = s;
    dw[at] = w;
    de[at] = e;
    c[at] = value < 0 ? 0 : value > 1 ? 1 : value;
}

extern "C" __global__ void diffuse(float *image, const float *c, const float *dn, const float *ds, const float *dw,
                                   const float *de, int width, int height, float rate)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * width + x;
    if (x >= width || y >= height)
        return;
    float south = c[min(y + 1, height - 1) * width + x], east = c[y * width + min(x + 1, width - 1)];
    image[at] += rate / 4 * (c[at] * dn[at] + south * ds[at] + c[at] * dw[at] + east * de[at]);
}

/* Heat in a chip of layers: a thread goes through a column of them. */
extern "C" __global__ void layers(float *out, const float *in, int nx, int ny, int nz, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int plane = nx * ny, at = y * nx + x;
    int w = x == 0 ? at : at - 1, e = x == nx - 1 ? at : at + 1;
    int n = y == 0 ? at : at - nx, s = y == ny - 1 ? at : at + nx;
    float below = in[at], here = in[at];
    for (int z = 0; z < nz; z++) {
        float above = z < nz - 1 ? in[at + plane] : here;
        out[at] = here + k * (in[w] + in[e] + in[n] + in[s] + below + above - 6 * here);
        below = here;
        here = above;
        at += plane;
        w += plane;
        e += plane;
        n += plane;
        s += plane;
    }
}

/* Particles in boxes: forces from those in the box and in the boxes around it, in double precision. */
extern "C" __global__ void boxes(double *force, const double *place, const int *around, int per_box, double alpha)
{
    __shared__ double other[4 * 128];
    int t = threadIdx.x, box = blockIdx.x;
    double x = 0, y = 0, z = 0, v = 0, fx = 0, fy = 0, fz = 0, fv = 0;
    if (t < per_box) {
        x = place[4 * (box * per_box + t)];
        y = place[4 * (box * per_box + t) + 1];
        z = place[4 * (box * per_box + t) + 2];
        v = place[4 * (box * per_box + t) + 3];
    }
    for (int k = 0; k < 27; k++) {
        int neighbour = around[box * 27 + k];
        if (neighbour >= 0) {
            for (int i = t; i < 4 * per_box; i += 128)
                other[i] = place[4 * neighbour * per_box + i];
        }
        __syncthreads();
        if (neighbour >= 0 && t < per_box) {
            for (int j = 0; j < per_box; j++) {
                double dx = x - other[4 * j], dy = y - other[4 * j + 1], dz = z - other[4 * j + 2];
                double u = exp(-alpha * (dx * dx + dy * dy + dz * dz)), f = 2 * u * other[4 * j + 3];
                fv += u * v;
                fx += f * dx;
                fy += f * dy;
                fz += f * dz;
            }
        }
        __syncthreads();
    }
    if (t < per_box) {
        force[4 * (box * per_box + t)] = fx;
        force[4 * (box * per_box + t) + 1] = fy;
        force[4 * (box * per_box + t) + 2] = fz;
        force[4 * (box * per_box + t) + 3] = fv;
    }
}
