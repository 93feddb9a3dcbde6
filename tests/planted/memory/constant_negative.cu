/* Coefficients of a filter in constant memory, indexed from -radius.

   block  8
   global weight = ones(5, f4)
   in     x = ones(12, f4)
   out    y = empty(8, f4)
   call   f(x, y)
   expect y = 5
   report memory read: variable == "weight" and space == "constant" and offset == -8
*/
__constant__ float weight[5];

extern "C" __global__ void f(const float *x, float *y)
{
    float sum = 0;
    for (int k = -2; k <= 2; k++)
#ifdef RIGHT
        sum += weight[k + 2] * x[threadIdx.x + k + 2];
#else
        sum += ((volatile float *)weight)[k] * x[threadIdx.x + k + 2]; // FAULT
#endif
    y[threadIdx.x] = sum;
}
