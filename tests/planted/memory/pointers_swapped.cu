/* Two buffers that change places in each turn; the second is one element shorter.

   block  1
   inout  a = ones(8, i4)
   inout  b = zeros(8 if right else 7, i4)
   call   f(a, b, 8)
   expect a = 3
   report memory write: offset == 28 and size == 28
*/
extern "C" __global__ void f(int *a, int *b, int n)
{
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < n; k++)
            b[k] = a[k] + 1; // FAULT
        int *other = a;
        a = b;
        b = other;
    }
}
