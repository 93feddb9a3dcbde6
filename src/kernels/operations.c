/* operations.def as a table: every element-wise operation and every fold of an axis. */
#include "kernels.h"

const kn_operation kn_operations[KN_OPERATION_COUNT] = {
#define O(id, numpy, operands, code) {#id, numpy, operands, code, NULL, 0},
#define F(id, operands, first, code, then) \
    {#id, NULL, operands, code, first, KN_##then},
#include "operations.def"
#undef O
#undef F
};
