/* What launches of all forms go through. */
#ifndef HOSTCUDA_LAUNCHES_H
#define HOSTCUDA_LAUNCHES_H

#include "hostcuda/run/kernel_launch.h"

/* The function behind a handle, which must be of that context: the current one. May
   drop the lock, as hd_function_find does. */
CUresult hd_function_find_in(hd_context *context, const void *handle,
                             hd_function **function);
/* Has the code compiled that blocks of that shape need, if it is not there. May drop
   the lock, too. */
CUresult hd_function_load_for(const unsigned *block, const void *handle,
                              hd_function **function);
/* Launches it in a stream of its context. */
CUresult hd_function_launch(hd_function *function, const hd_geometry *geometry,
                            CUstream stream);

#endif
