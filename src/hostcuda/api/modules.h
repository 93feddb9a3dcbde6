/* Modules, and the functions behind handles of functions and of libraries' kernels. */
#ifndef HOSTCUDA_MODULES_API_H
#define HOSTCUDA_MODULES_API_H

#include "hostcuda/run/modules.h"

/* Loads a module from an image; size 0: it is computed from the image. Drops the lock;
   on success the context is still current. */
CUresult hd_module_create(hd_context *context, const void *data, size_t size,
                          CUmodule *handle);
/* Gives a function its kernel, and the image that has the code. */
void hd_function_take(hd_function *function, const hd_code *code,
                      const hc_kernel *kernel);
/* The function behind the handle of one, or of a library's kernel in the current
   context. The latter may drop the lock. Fails if it is not loaded. */
CUresult hd_function_find(const void *handle, hd_function **function);
/* The same, loaded or not: there is its name, and what it takes. */
CUresult hd_function_find_any(const void *handle, hd_function **function);

/* Writes why something failed where the user asked for a log; sizes come back. */
void hd_module_log(unsigned count, const CUjit_option *options, void **values,
                   const char *text);
/* The same at the end of a load, with the reason if it failed; returns the status. */
CUresult hd_module_logged(CUresult status, unsigned count, const CUjit_option *options,
                          void **values);

#endif
