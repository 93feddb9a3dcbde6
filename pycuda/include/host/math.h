/* The C library's header, of which everything is built in: reading it costs 100 ms. */
#include "device.h"
