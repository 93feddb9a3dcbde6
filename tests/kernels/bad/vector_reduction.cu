/* What the compiler can do with its own vector types and the host device cannot: the message quotes the instruction.

   error  * instruction '.*<4 x i32>.*' in 'f' is not supported|identifier "__builtin
*/
typedef int int_4 __attribute__((ext_vector_type(4)));

extern "C" __global__ void f(const int_4 *x, int *y)
{
    y[threadIdx.x] = __builtin_reduce_add(x[threadIdx.x]);
}
