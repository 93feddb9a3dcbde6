/* What is here in POSIX is all in <string.h>. */
#include <string.h>
