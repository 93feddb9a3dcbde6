/* Only for sources that include it by habit: device code needs nothing of the driver API. */
#include "device.h"
