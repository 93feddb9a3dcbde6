/* What an attribute is, for nvrtc_attributes.c: by its word, or by a macro's
 * definition. */
#ifndef PYCUDA_NVRTC_ATTRIBUTES_H
#define PYCUDA_NVRTC_ATTRIBUTES_H

#include "source_tokens.h"

typedef enum {
    ATTRIBUTE_NONE,
    ATTRIBUTE_OTHER,
    ATTRIBUTE_ALIGNAS, /* in both compilers' sense: counted, not touched */
    ATTRIBUTE_ALIGNMENT
} attribute_kind;

/* A word with the brackets that belong to it. */
typedef struct {
    size_t begin, end;
    attribute_kind kind;
    int alignments; /* how many are said */
    int is_packed, has_alignas;
    int is_bare; /* __attribute__((aligned)): the largest there is */
} attribute;

/* Reads what begins at a token; of kind NONE: that is no attribute. */
attribute cmp_attribute_read(const cmp_attributes *, const cmp_tokens *, size_t at);
int cmp_is_class_key(const cmp_attributes *, const cmp_tokens *, size_t begin,
                     size_t end);
/* The body of a definition, `#define NAME(...) BODY`; end if it is none. */
size_t cmp_definition_body(const cmp_tokens *, size_t at, size_t end);
/* Why an attribute in this text is not for NVRTC; NULL: none is such. */
const char *cmp_attributes_foreign(const cmp_tokens *);

#endif
