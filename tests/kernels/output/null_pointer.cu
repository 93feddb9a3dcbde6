/* A load through a null pointer is an error.

   block  64
   let    grid = 1
   out    y = empty(64, i4)
   call   follow(u8(0), y)
   fails  (?i)illegal.*(address|memory access)
   fails  encountered( \(700\))? - the context and all memory in it are lost|, kernel\.cu:12: invalid access
*/
extern "C" __global__ void follow(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}
