/* threadIdx and its like are built in. */
#include "device.h"
