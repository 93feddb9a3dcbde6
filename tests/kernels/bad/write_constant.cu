/* A store to a const parameter.

   error  7 read-only|must be a modifiable lvalue
*/
extern "C" __global__ void f(const int *y)
{
    y[threadIdx.x] = 1;
}
