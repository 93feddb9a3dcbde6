/* #error with the text it gives, behind a macro set by an option.

   options -DWRONG=3
   error  8 this option is wrong
*/
extern "C" __global__ void f(int *y)
#if WRONG > 2
#error this option is wrong
#endif
{
    *y = 0;
}
