/* Local arrays: memory of one thread that LLVM could not turn into registers. Each lane
   needs its own. If all accesses are of one size, elements are interleaved: element k
   of all lanes is contiguous, so an index that is the same in all lanes is one
   consecutive access. Else each lane has its array as it is. Arrays live on the stack
   of the vector function, or in the vector's context where the kernel suspends or they
   are large. */
#include "hostcc/split/split.h"
#include "hostcc/ir/addresses.h"

#include <stdlib.h>

#define STACK_BYTES 16384 /* of a vector's arrays; more goes to the context */

/* -- Whether elements can be interleaved -- */

static bool is_lifetime(cc_value i)
{
    return cc_prefixed(cc_callee(i), "llvm.lifetime.");
}

/* The size of all loads and stores through p; 0: not one, or p goes elsewhere. */
static unsigned access_size(cc_unit *u, cc_value p, unsigned size)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use && size; use = LLVMGetNextUse(use)) {
        cc_value i = LLVMGetUser(use);
        cc_type t = NULL;
        if (LLVMIsALoadInst(i))
            t = LLVMTypeOf(i);
        else if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) != p)
            t = LLVMTypeOf(LLVMGetOperand(i, 0));
        if (t) {
            unsigned bytes = cc_sizeof(u, t);
            bool plain = cc_kind(t) == LLVMIntegerTypeKind ||
                         cc_kind(t) == LLVMPointerTypeKind || cc_is_float(t);
            size = plain && (size == ~0u || size == bytes) ? bytes : 0;
        } else if (LLVMIsAGetElementPtrInst(i) && LLVMGetOperand(i, 0) == p) {
            size = access_size(u, i, size);
        } else if (!is_lifetime(i)) {
            size = 0;
        }
    }
    return size;
}

static bool is_multiple(void *size, cc_value index, uint64_t scale)
{
    (void)index;
    return scale % *(unsigned *)size == 0;
}

static bool all_multiples(cc_unit *u, cc_value p, unsigned size)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        cc_value i = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(i) &&
            (!cc_address_parts(u, i, is_multiple, &size) || !all_multiples(u, i, size)))
            return false;
    }
    return true;
}

/* -- Interleaving -- */

typedef struct {
    cc_unit *unit;
    cc_builder b;
    cc_value offset; /* in bytes, times the width */
    unsigned width;
} sum;

static bool add_part(void *data, cc_value index, uint64_t scale)
{
    sum *s = data;
    cc_type i64 = s->unit->i64;
    cc_value part = cc_int(i64, scale * s->width);
    if (index) {
        index = LLVMBuildIntCast2(s->b, index, i64, true, "");
        part = LLVMBuildMul(s->b, index, part, "");
    }
    s->offset = LLVMBuildAdd(s->b, s->offset, part, "");
    return true;
}

/* Every address made from `from` is made from `to` instead, width times as far. */
static void spread_addresses(cc_unit *u, cc_builder b, cc_value from, cc_value to,
                             unsigned width)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(from));) {
        cc_value i = LLVMGetUser(use);
        if (!LLVMIsAGetElementPtrInst(i)) {
            LLVMSetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0, to);
            continue;
        }
        LLVMPositionBuilderBefore(b, i);
        sum s = {u, b, cc_int(u->i64, 0), width};
        cc_address_parts(u, i, add_part, &s);
        cc_value moved = LLVMBuildGEP2(b, u->i8, to, &s.offset, 1, "");
        spread_addresses(u, b, i, moved, width);
        LLVMInstructionEraseFromParent(i);
    }
}

static void drop_lifetimes(cc_value p)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p), next; use; use = next) {
        next = LLVMGetNextUse(use);
        if (is_lifetime(LLVMGetUser(use)))
            LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
}

/* -- Places -- */

/* The variables, with NULL behind them: what uses one, and is erased with it, may be
   the next instruction. */
static cc_value *variables_of(cc_kernel *k, cc_value function)
{
    unsigned n = 0;
    CC_EACH_INST_OF(i, function) {
        if (!LLVMIsAAllocaInst(i))
            continue;
        if (LLVMGetInstructionParent(i) != LLVMGetEntryBasicBlock(function) ||
            !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
            LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) != 1)
            cc_refuse("internal: '%s' has stack memory that grows", k->name);
        n++;
    }
    cc_value *found = cc_alloc((n + 1) * sizeof *found), *end = found;
    CC_EACH_INST_OF(i, function)
        if (LLVMIsAAllocaInst(i))
            *end++ = i;
    return found;
}

unsigned cc_place_local_arrays(cc_unit *u, cc_kernel *k, cc_value function,
                               bool suspends)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_value *variables = variables_of(k, function);
    unsigned used = 0, all = 0;
    for (cc_value *v = variables; *v; v++)
        all += cc_sizeof(u, LLVMGetAllocatedType(*v));
    bool in_context = suspends || all * k->width > STACK_BYTES;
    k->local_bytes = all;
    for (cc_value *v = variables, i; (i = *v); v++) {
        unsigned size = (cc_sizeof(u, LLVMGetAllocatedType(i)) + 15) & ~15u;
        unsigned element = access_size(u, i, ~0u);
        bool interleaved = element && element <= 8 && all_multiples(u, i, element);
        cc_value args[] = {cc_int(u->i32, used),
                           cc_int(u->i32, interleaved ? element : size),
                           cc_int(u->i32, size * k->width), cc_int(u->i1, 0)};
        LLVMPositionBuilderBefore(b, i);
        cc_value place = in_context ? cc_call_function(u, b, CC_FN_SLOT, u->ptr, args)
                                    : cc_call_function(u, b, CC_FN_STACK, u->ptr, args);
        if (in_context)
            used += (size * k->width + 63) & ~63u;
        drop_lifetimes(i);
        if (interleaved)
            spread_addresses(u, b, i, place, k->width);
        else
            LLVMReplaceAllUsesWith(i, place);
        LLVMInstructionEraseFromParent(i);
    }
    return used;
}
