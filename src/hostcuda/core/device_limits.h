/* The limits of a device: attributes report them, launches are checked against them,
   and occupancy is computed from them. Those of compute capability 7.5, with more
   shared memory to opt in. */
#ifndef HOSTCUDA_DEVICE_LIMITS_H
#define HOSTCUDA_DEVICE_LIMITS_H

#define HD_CAPABILITY 75
#define HD_THREADS_MAX 1024 /* of a block, and of a multiprocessor */
#define HD_BLOCK_Z_MAX 64
#define HD_GRID_X_MAX 0x7fffffff
#define HD_GRID_YZ_MAX 65535
#define HD_BLOCKS_MULTIPROCESSOR 16
#define HD_RESIDENT_MAX 512 /* blocks of a cooperative launch, a thread each */
#define HD_PARAMS_MAX 32764 /* bytes of a kernel's parameters */
#define HD_SHARED_DEFAULT (48 << 10)
#define HD_SHARED_MAX (227 << 10) /* of a function that opts in */
#define HD_SHARED_MULTIPROCESSOR (228 << 10)
#define HD_SHARED_RESERVED 1024  /* more that each block takes */
#define HD_TEXTURE_ALIGNMENT 256 /* the alignment of every allocation */
#define HD_TEXTURE_PITCH_ALIGNMENT 32
#define HD_TEXTURE_LINEAR_MAX (1 << 28) /* texels */
#define HD_TEXTURE_PITCHED_MAX 131072

#endif
