/* Divergent loops, from those that hardly do more than to gather to those that only compute: what loop_cost.c of hostcc
   was fitted to. Rows of a sparse matrix have start[i + 1] - start[i] elements. Threads that DENSITY leaves out do nothing. */
#define LOOP(name, type, data) \
    extern "C" __global__ void name(type *y, const int *start, const int *column, const data *v, const data *x, int n)
#define THREAD \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n || (i * 2654435761u >> 20) % DENSITY) \
        return
#define ROW int k = start[i]; k < start[i + 1]; k++

LOOP(product, float, float)
{
    THREAD;
    float sum = 0;
    for (ROW)
        sum += v[k] * x[column[k]];
    y[i] = sum;
}

LOOP(product_double, double, double)
{
    THREAD;
    double sum = 0;
    for (ROW)
        sum += v[k] * x[column[k]];
    y[i] = sum;
}

LOOP(product_columns, float, float)
{
    THREAD;
    float sum = 0;
    int length = start[i + 1] - start[i];
    for (int k = 0; k < length; k++)
        sum += v[k * n + i] * x[column[k * n + i]];
    y[i] = sum;
}

LOOP(cheapest, int, float)
{
    THREAD;
    float best = 1e9f;
    int at = -1;
    for (ROW) {
        float d = v[k] + x[column[k]];
        if (d < best) {
            best = d;
            at = column[k];
        }
    }
    y[i] = at;
}

LOOP(flags, int, unsigned char)
{
    THREAD;
    int count = 0;
    for (ROW)
        if (x[column[k]] > 200)
            count++;
    y[i] = count;
}

LOOP(mark, unsigned char, unsigned char)
{
    THREAD;
    for (ROW)
        y[column[k]] = 1;
}

LOOP(scatter, int, int)
{
    THREAD;
    for (ROW)
        y[column[k]] = 1;
}

LOOP(copy_row, int, int)
{
    THREAD;
    for (ROW)
        y[k] = column[k] + i;
}

LOOP(sum_row, int, unsigned char)
{
    THREAD;
    int sum = 0;
    for (ROW)
        sum += x[k];
    y[i] = sum;
}

LOOP(histogram, int, int)
{
    THREAD;
    for (ROW)
        atomicAdd(&y[column[k]], 1);
}

LOOP(triangles, int, int)
{
    THREAD;
    int count = 0;
    for (ROW)
        for (int j = column[k], l = start[j]; l < start[j + 1]; l++)
            count += column[l] < i;
    y[i] = count;
}

LOOP(text, int, unsigned char)
{
    THREAD;
    int sum = 0;
    for (const unsigned char *p = x + column[i]; *p > 20; p++)
        sum += *p;
    y[i] = sum;
}

LOOP(walk, int, int)
{
    THREAD;
    int turns = 0;
    for (int at = i; (at & 15) && turns < 40; turns++)
        at = column[at];
    y[i] = turns;
}

LOOP(lower_bound, int, int)
{
    THREAD;
    int want = column[i] * 6, low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (start[middle] < want)
            low = middle + 1;
        else
            high = middle;
    }
    y[i] = low;
}

LOOP(polynomial, float, float)
{
    THREAD;
    float sum = 0, z = v[i];
    for (ROW)
        sum = sum * z + v[k];
    y[i] = sum;
}

LOOP(neighbours, float, float4)
{
    THREAD;
    float sum = 0;
    float4 p = x[i];
    for (ROW) {
        float4 q = x[column[k]];
        float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, r = dx * dx + dy * dy + dz * dz;
        if (r < 0.5f) {
            float w = 1 / (r + 0.1f);
            sum += q.w * w * w * w * (w - 0.5f) * (dx + dy + dz);
        }
    }
    y[i] = sum;
}

LOOP(mandelbrot, int, float)
{
    THREAD;
    float a = v[i] * 2 - 1.5f, b = v[i + n] * 2 - 1, p = 0, q = 0;
    int turns = 0;
    for (; turns < 100 && p * p + q * q < 4; turns++) {
        float next = p * p - q * q + a;
        q = 2 * p * q + b;
        p = next;
    }
    y[i] = turns;
}

LOOP(newton, float, float)
{
    THREAD;
    float a = v[i] + 0.1f, root = 1, d = 1;
    while (fabsf(d) > 1e-5f) {
        d = (root * root * root - a) / (3 * root * root);
        root -= d;
    }
    y[i] = root;
}
