/* addresses.c: the components of an address. */
#ifndef HOSTCC_ADDRESSES_H
#define HOSTCC_ADDRESSES_H

#include "hostcc/ir/unit.h"

bool cc_is_shared(cc_value pointer); /* surely */
bool cc_is_own(cc_value pointer); /* surely: of the thread's context or local arrays */

/* Calls f(index, scale) for each index of an address; false as soon as it says so.
   Constant parts come as scale with a NULL index. */
typedef bool cc_each_part(void *data, cc_value index, uint64_t scale);
bool cc_address_parts(cc_unit *, cc_value gep, cc_each_part *, void *data);

#endif
