/* -- uniformity.c: how a value differs from lane to lane --
   uniform   the same in every lane that runs                    (affine with stride 0)
   affine    base + stride * lane, base uniform
   varying   anything else
   Stride counts bytes for pointers. `align` is a power of two that divides the base. An
   affine value is inexact if a widening may have wrapped inside the vector: good as an
   address of lanes that are really accessed, not as data. */
#ifndef HOSTCC_SHAPE_H
#define HOSTCC_SHAPE_H

#include "hostcc/ir/cfg.h"

typedef enum { CC_UNKNOWN, CC_AFFINE, CC_VARYING } cc_uniformity_kind;

typedef struct {
    cc_uniformity_kind kind;
    bool inexact;
    unsigned align;
    int64_t stride;
} cc_uniformity;

typedef struct {
    unsigned width;   /* lanes */
    bool linear;      /* layout: threadIdx is varying */
    cc_value counter; /* its lanes do not wrap around as integers of this kind; or */
    bool counter_is_signed; /* NULL: that is not known of any value */
    bool of_block;          /* uniform is what is the same in all threads of a block */
} cc_uniformity_rules;

typedef struct {
    const cc_cfg *cfg;
    cc_uniformity_rules rules;
    unsigned count;
    cc_value *value;
    cc_uniformity *of;
    cc_map *numbers; /* value -> index */
} cc_uniformity_info;

/* Also fills varying_branch, join, divergent and loop.divergent of the graph. */
cc_uniformity_info *cc_uniformity_infer(cc_cfg *, cc_uniformity_rules);
cc_uniformity cc_uniformity_of(const cc_uniformity_info *, cc_value);
/* What v would be if its operand `from` were `as`. */
cc_uniformity cc_uniformity_if(cc_uniformity_info *, cc_value v, cc_value from,
                               cc_uniformity as);

static inline bool cc_uniform(cc_uniformity s)
{
    return s.kind == CC_AFFINE && s.stride == 0;
}

#endif
