/* More kernels of bench/check.py: the ways to reach memory that host_kernels.cu lacks. */

extern "C" __global__ void gather(float *y, const float *x, const int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[at[i]];
}

extern "C" __global__ void scatter(float *y, const float *x, const int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[at[i]] = x[i];
}

extern "C" __global__ void stencil(float *y, const float *x, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && j > 0 && i < width - 1 && j < height - 1)
        y[j * width + i] = 0.25f * (x[j * width + i - 1] + x[j * width + i + 1] + x[(j - 1) * width + i] +
                                    x[(j + 1) * width + i]);
}

extern "C" __global__ void transpose(float *y, const float *x, int n)
{
    __shared__ float tile[16][17];
    int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x[j * n + i];
    __syncthreads();
    i = blockIdx.y * 16 + threadIdx.x;
    j = blockIdx.x * 16 + threadIdx.y;
    y[j * n + i] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void sparse(float *y, const int *start, const int *column, const float *value, const float *x,
                                  int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

struct particle {
    float x, y, z, mass;
    float vx, vy, vz, age;
};

extern "C" __global__ void drift(particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += dt * p[i].vx;
        p[i].y += dt * p[i].vy;
        p[i].z += dt * p[i].vz;
        p[i].age += dt;
    }
}

struct arrays {
    float *x, *y;
    int n;
};

extern "C" __global__ void by_struct(arrays a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < a.n)
        a.y[i] = 2 * a.x[i] + a.y[i];
}

extern "C" __global__ void rows_of(float *const *row, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width)
        row[blockIdx.y][i] = 2 * row[blockIdx.y][i];
}

extern "C" __global__ void polynomial(float *y, const float *x, int n)
{
    float power[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    power[0] = 1;
    for (int k = 1; k < 8; k++)
        power[k] = power[k - 1] * x[i];
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += k * power[k];
    y[i] = sum;
}

extern "C" __global__ void sorted_four(int *y, const int *x, int n)
{
    int mine[16], i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 16; k++)
        mine[k] = x[i] >> 2 * k & 3;
    int count[4] = {};
    for (int k = 0; k < 16; k++)
        count[mine[k]]++;
    y[i] = count[0] + 16 * count[1] + 256 * count[2];
}

extern "C" __global__ void warp_sum(float *out, const float *x, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

extern "C" __global__ void wide(float4 *y, const float4 *x, int n)
{
    extern __shared__ float4 s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = x[i];
    __syncthreads();
    float4 v = s[blockDim.x - 1 - threadIdx.x];
    y[i] = make_float4(v.w, v.z, v.y, v.x);
}
