/* Memory of host code; that of kernels is in device.h. */
#ifndef HOSTCC_MALLOC_H
#define HOSTCC_MALLOC_H
#include <stdlib.h>
extern "C" {
void *memalign(size_t, size_t) noexcept;
void *valloc(size_t) noexcept;
size_t malloc_usable_size(void *) noexcept;
int malloc_trim(size_t) noexcept;
int mallopt(int, int) noexcept;
}
#endif
