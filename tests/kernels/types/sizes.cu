/* Sizes and alignments of types are those of the host's compiler, as CUDA promises.

   out    y = empty(24, i4)
   let    grid = 1
   call   sizes(y)
   expect y = [1, 1, 2, 4, 8, 8, 4, 8, 8, 3, 4, 4, 8, 12, 16, 16, 16, 24, 32, 8, 16, 16, 12, 4]
*/
struct inner {
    char a;
    int b;
    char c;
};

struct __align__(16) aligned {
    int a;
};

extern "C" __global__ void sizes(int *y)
{
    if (threadIdx.x)
        return;
    int size[] = {sizeof(bool), sizeof(char), sizeof(short), sizeof(int), sizeof(long),
                  sizeof(long long), sizeof(float), sizeof(double), sizeof(void *), sizeof(char3),
                  sizeof(char4), sizeof(short2), sizeof(short4), sizeof(float3), sizeof(float4),
                  sizeof(double2), sizeof(longlong2), sizeof(double3), sizeof(ulonglong4),
                  alignof(float2), alignof(float4), sizeof(aligned), sizeof(inner), alignof(inner)};
    for (int k = 0; k < (int)(sizeof size / sizeof size[0]); k++)
        y[k] = size[k];
}
