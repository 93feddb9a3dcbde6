/* What it gives device code is built in. */
#include "device.h"
