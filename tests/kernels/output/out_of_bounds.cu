/* A store far outside any allocation: an error, not a crash of the process.

   block  32
   let    grid = 1
   out    y = empty(32, i4)
   call   stray(y)
   fails  (?i)illegal.*(address|memory access)
   fails  encountered( \(700\))? - the context and all memory in it are lost|, kernel\.cu:14: invalid access
*/
extern "C" __global__ void stray(int *y)
{
    y[threadIdx.x] = 1;
    if (threadIdx.x == 5)
        y[1LL << 44] = 2;
}
