/* An include file that does not exist.

   error  5 no_such_file.h
*/
#include "no_such_file.h"

extern "C" __global__ void f(int *y)
{
    *y = 0;
}
