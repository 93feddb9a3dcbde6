/* Functions of the runtime in a kernel: memory of the device's heap, copies, errors; what an address is of.

   host
   block  1 33
   let    n = threads
   in     x = ints(-99, 99, (n, 4), i4)
   out    y = empty((n, 4), i4)
   out    kind = empty((n, 4), i4)
   call   through_heap(x, y, kind)
   expect y = x
   expect kind = [[0, 0, 1, 0]] * n
*/
extern "C" __global__ void through_heap(const int4 *x, int4 *y, int4 *kind)
{
    __shared__ int shared;
    int i = threadIdx.x, errors = 0;
    int4 *mine = nullptr;
    errors += cudaMalloc(&mine, sizeof(int4)) != cudaSuccess;
    errors += cudaMemsetAsync(mine, 255, sizeof(int4)) != cudaSuccess;
    errors += mine->w != -1;
    errors += cudaMemcpyAsync(mine, x + i, sizeof(int4), cudaMemcpyDeviceToDevice) != cudaSuccess;
    y[i] = *mine;
    errors += cudaFree(mine) != cudaSuccess;
    errors += cudaGetLastError() + cudaPeekAtLastError();
    errors += cudaGetErrorString(cudaGetLastError())[0] != 'n' || cudaGetErrorName(cudaErrorMemoryAllocation)[4] != 'E';
    kind[i] = make_int4(errors, __isGridConstant(x), __isClusterShared(&shared), __isClusterShared(x));
}
int main()
{
    int4 *x;
    if (cudaMalloc(&x, 64) != cudaSuccess || cudaGetErrorString(cudaGetLastError()) == nullptr)
        return 1;
    through_heap<<<1, 1>>>(x, x, x);
    return cudaFree(x);
}
