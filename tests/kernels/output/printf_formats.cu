/* All the conversions: widths, flags, strings, characters, long long, floats promoted to double,
   percent signs, no arguments, a result.

   block  1
   let    grid = 1
   out    y = empty(2, i4)
   call   formats(-42, u4(3000000000), i8(-2**40), 2.5, f8(-1e-5), i1(-7), y)
   prints ["plain", "100%", "[  -42][-42  ][-0042][+5]", "3000000000 b2d05e00 26264057000 0xff", "-1099511627776 18446744073709551615", "2.500000 2.50 -1.000000e-05 -1e-05 [   2.5]", "-7 A text [ab] [   xyz]", "5 6 7 8 9 10 11 12 13"]
   expect y = [9, 1]
*/
#include <stdio.h>

extern "C" __global__ void formats(int i, unsigned u, long long l, float f, double d, signed char c, int *y)
{
    printf("plain\n");
    printf("100%%\n");
    printf("[%5d][%-5d][%05d][%+d]\n", i, i, i, 5);
    printf("%u %x %o %#x\n", u, u, u, 255);
    printf("%lld %llu\n", l, ~0ull);
    printf("%f %.2f %e %g [%6.1f]\n", f, f, d, d, f);
    const char *text = "text";
    printf("%d %c %s [%.2s] [%6s]\n", c, 'A', text, "abc", "xyz");
    y[0] = printf("%d %d %d %d %d %d %d %d %d\n", 5, 6, 7, 8, 9, 10, 11, 12, 13);
    y[1] = printf("%s", "") >= 0;
}
