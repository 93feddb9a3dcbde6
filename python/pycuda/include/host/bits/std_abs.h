/* libstdc++'s overloads of std::abs are ours, which are there for all of C++. The macro is libstdc++'s
   own way to reach the C library's header. */
#ifndef HOSTCC_STD_ABS_H
#define HOSTCC_STD_ABS_H
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include_next <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
namespace std {
using ::abs;
}
#endif
