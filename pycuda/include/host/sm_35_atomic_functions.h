/* Built in. */
#include "device.h"
