/* Widths and precisions that arguments say: a negative width means that many to the left, a negative
   precision none (C17, 7.21.6.1, paragraph 5).

   host
   block  1
   let    grid = 1
   call   stars(5, 3)
   prints ["[    7][7    ][  007]", "[2.500000][2.500][2.50000000]", "[abc][ab]", "[   0x1.4p+1|1e+01|123]"]
*/
#include <stdio.h>

extern "C" __global__ void stars(int n, int k)
{
    printf("[%*d][%*d][%*.*d]\n", n, 7, -n, 7, n, k, 7);
    printf("[%.*f][%.*f][%.*f]\n", -k, 2.5, k, 2.5, n + k, 2.5);
    printf("[%.*s][%.*s]\n", -n, "abc", 2, "abc");
    printf("[%*.*a|%.*e|%-*.*d]\n", n + 6, -1, 2.5, 0, 10.0, 3, -k, 123);
}
