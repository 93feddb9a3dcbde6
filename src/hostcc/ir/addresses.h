/* addresses.c, address_sums.c: what an address is made of. */
#ifndef HOSTCC_ADDRESSES_H
#define HOSTCC_ADDRESSES_H

#include "hostcc/ir/unit.h"

bool cc_is_shared(cc_value pointer); /* surely */
bool cc_is_own(cc_value pointer); /* surely: of the thread's context or local arrays */

/* Calls f(index, scale) for each index of an address; false as soon as it says so.
   Constant parts come as scale with a NULL index. */
typedef bool cc_each_part(void *data, cc_value index, uint64_t scale);
bool cc_address_parts(cc_unit *, cc_value gep, cc_each_part *, void *data);
/* One that adds constant parts up, as a uint64_t. */
bool cc_add_constant(void *sum, cc_value index, uint64_t scale);

/* Lanes that are more than one and at most so many elements apart are loaded with all
   that lies between; others so many bytes of each at once, which shuffles transpose. */
#define CC_INTERLEAVED 4
#define CC_ROW_BYTES 16

#define CC_TERMS 4

typedef struct {
    cc_value number;
    LLVMOpcode extended; /* to 64 bits: sext, zext; 0: it has them */
    uint64_t scale;
} cc_address_term;

/* root + number * scale + ... + offset */
typedef struct {
    cc_value root;
    unsigned n;
    cc_address_term term[CC_TERMS];
    int64_t offset;
} cc_address_sum;

cc_address_sum cc_address_sum_of(cc_unit *, cc_value pointer);
/* False: it is not known. */
bool cc_address_distance(const cc_address_sum *from, const cc_address_sum *to,
                         int64_t *bytes);

/* What the call promises of a pointer, its operand k. */
unsigned cc_promised_alignment(cc_value call, unsigned k);

#endif
