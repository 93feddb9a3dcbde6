/* One function for each entry point of the driver, which takes its parameters in 64-bit
   slots and gives them their types back. */
#include <string.h>
#include "object.h"

/* The slot's first bytes as a value of that type; machines are little-endian. */
#define SLOT(type, i)                              \
    ({                                             \
        type value_;                               \
        memcpy(&value_, &slots[i], sizeof value_); \
        value_;                                    \
    })
#define SLOTS_0()
#define SLOTS_1(t1) SLOT(t1, 0)
#define SLOTS_2(t1, t2) SLOTS_1(t1), SLOT(t2, 1)
#define SLOTS_3(t1, t2, t3) SLOTS_2(t1, t2), SLOT(t3, 2)
#define SLOTS_4(t1, t2, t3, t4) SLOTS_3(t1, t2, t3), SLOT(t4, 3)
#define SLOTS_5(t1, t2, t3, t4, t5) SLOTS_4(t1, t2, t3, t4), SLOT(t5, 4)
#define SLOTS_6(t1, t2, t3, t4, t5, t6) SLOTS_5(t1, t2, t3, t4, t5), SLOT(t6, 5)
#define SLOTS_7(t1, t2, t3, t4, t5, t6, t7) SLOTS_6(t1, t2, t3, t4, t5, t6), SLOT(t7, 6)
#define SLOTS_8(t1, t2, t3, t4, t5, t6, t7, t8) \
    SLOTS_7(t1, t2, t3, t4, t5, t6, t7), SLOT(t8, 7)
#define SLOTS_9(t1, t2, t3, t4, t5, t6, t7, t8, t9) \
    SLOTS_8(t1, t2, t3, t4, t5, t6, t7, t8), SLOT(t9, 8)
#define SLOTS_10(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10) \
    SLOTS_9(t1, t2, t3, t4, t5, t6, t7, t8, t9), SLOT(t10, 9)
#define SLOTS_11(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11) \
    SLOTS_10(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10), SLOT(t11, 10)

#define F(name, suffix, version, ...)                                        \
    CUresult bd_invoke_##name(const uint64_t *slots)                         \
    {                                                                        \
        return cu.name(CU_JOIN(SLOTS_, CU_COUNT(__VA_ARGS__))(__VA_ARGS__)); \
    }
#include "cuda/functions.def"
#undef F
