/* Local arrays that are the same in all lanes: one array does for all, so that what is
   read of it is as uniform as what was stored. That is so if nothing but loads, stores,
   fills and copies sees its address, each place is the same in all lanes, and so is
   what is stored there, by all lanes that run: where they have not parted. It holds as
   long as no lane waits: of a kernel of one region. The states of random numbers of one
   thread are such arrays. */
#include "hostcc/back/back.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/ir/pseudo.h"

#define STRIDE 1 /* the operand of hc.slot and hc.stack */
#define ROUNDS 4

/* By s, or, if that is NULL, for all that is seen of the instruction. */
static bool is_same(const cc_uniformity_info *s, cc_value v)
{
    return !s || cc_uniform(cc_uniformity_of(s, v));
}

/* What is written here all lanes that run write. */
static bool is_together(const cc_uniformity_info *s, cc_value i)
{
    return !s ||
           !s->cfg->node[cc_cfg_node(s->cfg, LLVMGetInstructionParent(i))].divergent;
}

static bool is_alike_access(const cc_uniformity_info *s, cc_value i, cc_value p)
{
    if (LLVMIsALoadInst(i))
        return !cc_is_ordered(i) && is_same(s, p);
    if (LLVMIsAStoreInst(i))
        return !cc_is_ordered(i) && LLVMGetOperand(i, 0) != p && is_same(s, p) &&
               is_same(s, LLVMGetOperand(i, 0)) && is_together(s, i);
    if (!cc_is_fill_or_copy(i) || !is_together(s, i))
        return false;
    for (unsigned k = 0; k < cc_nargs(i); k++)
        if (!is_same(s, LLVMGetOperand(i, k)))
            return false;
    return true;
}

/* Whether that is so of all accesses through p. */
static bool is_alike(const cc_uniformity_info *s, cc_value p)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        cc_value i = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(i) ? !is_alike(s, i) : !is_alike_access(s, i, p))
            return false;
    }
    return true;
}

static bool is_array(cc_value i)
{
    cc_function_id f = cc_function_of(i);
    return f == CC_FN_STACK || f == CC_FN_SLOT;
}

static cc_value set_stride(cc_value array, cc_value stride)
{
    cc_value old = LLVMGetOperand(array, STRIDE);
    LLVMSetOperand(array, STRIDE, stride);
    return old;
}

/* All that may be are taken to be, until one is found not to be: what is stored in one
   may have been read of another. */
void cc_share_alike_arrays(cc_unit *u, cc_value region, cc_uniformity_rules rules)
{
    unsigned n = 0, left, before = 0;
    CC_EACH_INST_OF(i, region)
        n += is_array(i) && is_alike(NULL, i);
    cc_value *array = cc_alloc((n + 1) * sizeof *array),
             *stride = cc_alloc((n + 1) * sizeof *stride);
    n = 0;
    CC_EACH_INST_OF(i, region)
        if (is_array(i) && is_alike(NULL, i)) {
            array[n] = i;
            stride[n++] = set_stride(i, cc_int(u->i32, 0));
        }
    left = n;
    for (unsigned round = 0; left && left != before; round++) {
        const cc_uniformity_info *s = cc_uniformity_infer(cc_cfg_build(region), rules);
        before = left;
        for (unsigned k = 0; k < n; k++)
            if (array[k] && (round == ROUNDS || !is_alike(s, array[k]))) {
                set_stride(array[k], stride[k]);
                array[k] = NULL;
                left--;
            }
    }
}
