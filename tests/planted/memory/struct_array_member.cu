/* The array in the last struct of an array of structs, one past its end and so past the allocation.

   block  4
   let    n = 4
   inout  x = zeros((n, 6), i4)
   let    k = 3 if right else 4
   call   f(x, k)
   expect x[:, 5] = arange(4) + 1
   report memory write: thread == (3, 0, 0) and variable == "x" and offset == 96
*/
struct row {
    int head[2];
    int values[4];
};

extern "C" __global__ void f(row *x, int k)
{
    x[threadIdx.x].values[k] = threadIdx.x + 1; // FAULT
}
