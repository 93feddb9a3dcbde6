/* Part of <immintrin.h>, under a name of its own. */
#include <immintrin.h>
