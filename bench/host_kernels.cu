/* The kernels of bench/host.py, written as CUDA programs write them. */

extern "C" __global__ void combine(float *z, const float *x, const float *y, float a, float b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = a * x[i] + b * y[i];
}

extern "C" __global__ void combine_stride(float *z, const float *x, const float *y, float a, float b,
                                          int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = a * x[i] + b * y[i];
}

extern "C" __global__ void double_array(float *x, unsigned n, float factor)
{
    unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        x[i] *= factor;
}

extern "C" __global__ void double_stride(float *x, unsigned n, float factor)
{
    for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        x[i] *= factor;
}

extern "C" __global__ void sum(float *out, const float *x, int n)
{
    __shared__ float s[256];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += x[i];
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void multiply(float *c, const float *a, const float *b, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float value = 0;
    for (int t = 0; t < n; t += 16) {
        as[ty][tx] = a[row * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            value += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + column] = value;
}

extern "C" __global__ void forces(float *f, const float4 *body, int n)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = body[i];
    float x = 0, y = 0, z = 0;
    for (int t = 0; t < n; t += 256) {
        tile[threadIdx.x] = body[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float s = tile[k].w * r * r * r;
            x += s * dx;
            y += s * dy;
            z += s * dz;
        }
        __syncthreads();
    }
    f[3 * i] = x;
    f[3 * i + 1] = y;
    f[3 * i + 2] = z;
}

extern "C" __global__ void block_scan(int *out, const int *in)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int other = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += other;
        __syncthreads();
    }
    out[i] = s[t];
}

extern "C" __global__ void wave(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(x[i]) * expf(-x[i] * x[i]);
}

extern "C" __global__ void histogram(unsigned *bins, const unsigned char *x, int n)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[x[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

extern "C" __global__ void mandelbrot(int *out, int width, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float cr = -2 + 3.0f * x / width, ci = -1.5f + 3.0f * y / width, zr = 0, zi = 0;
    int k = 0;
    while (zr * zr + zi * zi < 4 && k < most) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        k++;
    }
    out[y * width + x] = k;
}
