/* A host function called from a kernel.

   error  (?:5|13) no matching function for call to 'twice'|calling a __host__ function\("twice|not allowed in JIT
*/
__host__ int twice(int v)
{
    return 2 * v;
}

extern "C" __global__ void f(int *y)
{
    int i = threadIdx.x;
    y[i] = twice(i);
}
