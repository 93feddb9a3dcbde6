/* Devices by their ordinals: all are alike, and made by cuInit. */
#ifndef HOSTCUDA_DEVICES_H
#define HOSTCUDA_DEVICES_H

#include "hostcuda/core/process.h"

CUresult hd_device_find(CUdevice ordinal, hd_device **device);

#endif
