/* Globals that nobody sets keep the values of their initialisers: arrays, strings, structures,
   pointers to other globals, static const tables in functions.

   block  1 32
   let    n = 32
   out    y = empty((n, 5), i4)
   call   show(y, n)
   let    i = arange(n)
   expect y = stack([array([3, 1, 4, 1, 5, 0, 0, 0])[i % 8], frombuffer(b"hello wo", u1)[i % 8], 7 + i, array([3, 1, 4, 1])[i % 4], array([10, 20, 40])[i % 3]], 1)
*/
__device__ int digits[8] = {3, 1, 4, 1, 5};
__device__ char text[] = "hello world";
struct point {
    int a;
    short b[2];
};
__device__ point origin = {5, {2, 9}};
__device__ int *where = digits;

__device__ int lookup(int k)
{
    static const int steps[3] = {10, 20, 40};
    return steps[k];
}

extern "C" __global__ void show(int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[5 * i] = digits[i % 8];
    y[5 * i + 1] = text[i % 8];
    y[5 * i + 2] = origin.a + origin.b[0] + i;
    y[5 * i + 3] = where[i % 4];
    y[5 * i + 4] = lookup(i % 3);
}
