/* tables.c: rows of tables, which are structs of src/abi, as constants of the image. */
#ifndef HOSTCC_TABLES_H
#define HOSTCC_TABLES_H

#include "hostcc/ir/unit.h"

typedef struct {
    cc_unit *unit;
    unsigned n;
    cc_value *word;
} cc_row;

cc_row cc_row_new(cc_unit *, size_t bytes); /* of a struct: zeros */
void cc_row_put32(cc_row *, size_t offset, uint32_t);
void cc_row_put(cc_row *, size_t offset, cc_value);              /* of eight bytes */
void cc_row_put_site(cc_row *, size_t offset, const cc_place *); /* a hc_site */
cc_value cc_row_constant(const cc_row *);
cc_value cc_constant(cc_unit *, cc_value initializer, const char *name);
cc_value cc_text(cc_unit *, const char *);

#endif
