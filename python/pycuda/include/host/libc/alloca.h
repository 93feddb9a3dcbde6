/* Memory of a function's own, which device.h has for kernels, too. */
#ifndef HOSTCC_ALLOCA_H
#define HOSTCC_ALLOCA_H
#include <stdlib.h>
#endif
