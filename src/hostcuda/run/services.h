/* The functions that running kernels may call: printf, malloc, traps, time. */
#ifndef HOSTCUDA_SERVICES_H
#define HOSTCUDA_SERVICES_H

#include "abi/image.h"

extern const hc_services hd_services;

#endif
