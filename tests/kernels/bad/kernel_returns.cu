/* A kernel must return void.

   error  5 kernel function|__global__ function
*/
extern "C" __global__ int f(int *y)
{
    return *y;
}
