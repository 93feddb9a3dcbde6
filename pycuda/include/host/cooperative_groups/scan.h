/* Built into the header above. */
#include <cooperative_groups.h>
