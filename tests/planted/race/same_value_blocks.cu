/* All blocks write the same value to one place.

   block  32
   let    grid = 4
   inout  found = zeros(1, i4)
   call   f(found)
   expect found = 1
   report race: severity == "warning" and space == "global" and variable == "found"
*/
extern "C" __global__ void f(int *found)
{
#ifdef RIGHT
    if (blockIdx.x == 2 && threadIdx.x == 0)
#else
    if (threadIdx.x == 0)
#endif
        *found = 1; // FAULT
}
