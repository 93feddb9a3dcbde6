/* Limits of numbers, under their old names. */
#ifndef HOSTCC_VALUES_H
#define HOSTCC_VALUES_H
#include <float.h>
#include <limits.h>
#define MAXSHORT SHRT_MAX
#define MAXINT INT_MAX
#define MAXLONG LONG_MAX
#define MINSHORT SHRT_MIN
#define MININT INT_MIN
#define MINLONG LONG_MIN
#define MAXFLOAT FLT_MAX
#define MINFLOAT FLT_MIN
#define MAXDOUBLE DBL_MAX
#define MINDOUBLE DBL_MIN
#endif
