/* The old name of <string.h>, which has it all. */
#include <string.h>
