/* Two regions in one pass. Behind a barrier no vector of the block starts before all
   have arrived at it. Where threads access memory in order, the barrier can be dropped
   without any thread noticing: thread t reads s[t - 4], then all wait, then it writes
   s[t]. If the block's last vector does both, then the one before it, and so on
   down to the first, none finds what another wrote too early. So two regions may be
   fused, downwards or upwards through the block, and values that live across their
   barrier stay in registers (hc.fused) instead of being saved and read back (hc.slot).

   This holds for whole blocks of one row. Others run masked code, which is not fused.
   Regions are fused as vector code, one vector function after the other: as scalar code
   LLVM would see a single thread in them, and reorder what only other threads can tell
   apart. */
#include "hostcc/split/split.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/intrinsic_table.h"

#include <stdlib.h>

#define THREADS 1024 /* of a block, at most */
#define FAR (1ll << 31)
#define MOST_ACCESSES 32

/* start + step * threadIdx.x, in any thread of a block. */
typedef struct {
    int64_t start, step;
} line;

typedef enum {
    OWN,      /* the thread's: slots */
    SHARED,   /* a variable of the block, at a line */
    GLOBAL,   /* surely not shared memory */
    ANYWHERE, /* not known */
} place;

typedef struct {
    place place;
    bool writes;
    cc_value variable; /* its offset in shared memory */
    line at;
    unsigned size;
} access;

typedef struct {
    cc_unit *unit;
    unsigned n;
    access access[MOST_ACCESSES];
} accesses;

/* -- The addresses of a thread's accesses -- */

static line line_plus(line a, line b, int64_t times)
{
    return (line){a.start + times * b.start, a.step + times * b.step};
}

/* Whether the line keeps away from where 32 bits wrap around. */
static bool is_near(line l)
{
    int64_t end = l.start + l.step * (THREADS - 1);
    return l.start >= -FAR && l.start < FAR && end >= -FAR && end < FAR;
}

static bool find_line(cc_value v, line *l, unsigned depth);

static bool binary_line(cc_value v, line *l, unsigned depth)
{
    line a, b;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (!find_line(LLVMGetOperand(v, 0), &a, depth + 1) ||
        !find_line(LLVMGetOperand(v, 1), &b, depth + 1))
        return false;
    if (op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(v)))
        *l = line_plus(a, b, 1);
    else if (op == LLVMSub)
        *l = line_plus(a, b, -1);
    else if (op == LLVMMul && !b.step)
        *l = (line){a.start * b.start, a.step * b.start};
    else if (op == LLVMShl && !b.step && b.start >= 0 && b.start < 31)
        *l = (line){a.start << b.start, a.step << b.start};
    else
        return false;
    return true;
}

/* An integer of 32 or 64 bits. Below 2^31 nothing wraps around, so all that is left to
   fear is a negative number that is widened as unsigned: as an index of shared memory
   it is out of bounds. */
static bool find_line(cc_value v, line *l, unsigned depth)
{
    cc_type t = LLVMTypeOf(v);
    bool found = false;
    if ((!cc_is_int(t, 32) && !cc_is_int(t, 64)) || depth > 8)
        return false;
    if (LLVMIsAConstantInt(v)) {
        *l = (line){LLVMConstIntGetSExtValue(v), 0};
        found = true;
    } else if (!strcmp(cc_register(v), "tid.x")) {
        *l = (line){0, 1};
        found = true;
    } else if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) {
        found = find_line(LLVMGetOperand(v, 0), l, depth + 1);
    } else if (LLVMIsABinaryOperator(v)) {
        found = binary_line(v, l, depth + 1);
    }
    return found && is_near(*l);
}

static bool add_index(void *data, cc_value index, uint64_t scale)
{
    line *sum = data, l = {1, 0};
    if (index && !find_line(index, &l, 0))
        return false;
    *sum = line_plus(*sum, l, (int64_t)scale);
    return is_near(*sum);
}

static place find_place(cc_unit *u, cc_value pointer, access *a)
{
    cc_function_id f = cc_function_of(pointer);
    if (LLVMIsAArgument(pointer) || LLVMIsAGlobalVariable(pointer))
        return GLOBAL;
    if (f == CC_FN_SLOT || f == CC_FN_STACK)
        return OWN;
    if (f == CC_FN_SHARED_AT) {
        a->variable = LLVMGetOperand(pointer, 0);
        return SHARED;
    }
    if (!LLVMIsAGetElementPtrInst(pointer))
        return ANYWHERE;
    place from = find_place(u, LLVMGetOperand(pointer, 0), a);
    if (from == SHARED && !cc_address_parts(u, pointer, add_index, &a->at))
        return ANYWHERE;
    return from;
}

bool cc_is_at_line(cc_unit *u, cc_value pointer)
{
    access a = {.place = ANYWHERE};
    return find_place(u, pointer, &a) == SHARED;
}

/* -- The accesses of a region -- */

static bool reads_row(cc_value i)
{
    unsigned dim;
    return cc_register_of(i, &dim) == CC_TID && dim > 0;
}

static bool is_harmless(cc_value call)
{
    if (*cc_register(call))
        return !reads_row(call);
    return cc_functions[cc_function_of(call)].again || cc_is_check(call) ||
           cc_function_of(call) == CC_FN_COUNTER ||
           cc_intrinsic_is_pure(cc_callee(call));
}

static bool find_access(accesses *all, cc_value i)
{
    bool writes = LLVMIsAStoreInst(i) != NULL;
    if (cc_is_ordered(i) || all->n == MOST_ACCESSES)
        return false;
    cc_type t = LLVMTypeOf(writes ? LLVMGetOperand(i, 0) : i);
    access *a = &all->access[all->n++];
    a->writes = writes;
    a->size = cc_sizeof(all->unit, t);
    a->place = find_place(all->unit, cc_pointer_of(i), a);
    return true;
}

/* False if the region has effects that cannot be listed. */
static bool find_accesses(accesses *all, cc_value region)
{
    CC_EACH_INST_OF(i, region) {
        if (cc_is_access(i)) {
            if (!find_access(all, i))
                return false;
        } else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
                   LLVMIsAFenceInst(i) || (LLVMIsACallInst(i) && !is_harmless(i))) {
            return false;
        }
    }
    return true;
}

/* -- Whether two regions may be fused -- */

typedef struct {
    bool down, up;
} orders;

/* Takes away the orders in which a later vector's `before` meets an earlier one's
   `after`. */
static void keep_apart(const access *before, const access *after, orders *may)
{
    place p = before->place, q = after->place;
    if ((!before->writes && !after->writes) || p == OWN || q == OWN ||
        (p == SHARED && q == GLOBAL) || (p == GLOBAL && q == SHARED) ||
        (p == SHARED && q == SHARED && before->variable != after->variable))
        return;
    if (p != SHARED || q != SHARED || before->at.step != after->at.step) {
        *may = (orders){false, false};
        return;
    }
    /* Thread t + k before the barrier, thread t after it. */
    int64_t apart = before->at.start - after->at.start, step = before->at.step;
    for (int64_t k = 1 - THREADS; k < THREADS; k++) {
        int64_t d = apart + step * k;
        if (d < (int64_t)after->size && d > -(int64_t)before->size) {
            may->up &= k <= 0;
            may->down &= k >= 0;
        }
    }
}

static orders possible_orders(cc_unit *u, cc_value before, cc_value after)
{
    orders may = {true, true};
    accesses a = {.unit = u}, b = {.unit = u};
    if (!find_accesses(&a, before) || !find_accesses(&b, after))
        return (orders){false, false};
    for (unsigned i = 0; i < a.n; i++)
        for (unsigned k = 0; k < b.n; k++)
            keep_apart(&a.access[i], &b.access[k], &may);
    return may;
}

uint32_t cc_only_result(cc_value region)
{
    uint32_t only = HC_MIXED;
    CC_EACH_BLOCK(at, region) {
        cc_value end = LLVMGetBasicBlockTerminator(at);
        if (!LLVMIsAReturnInst(end))
            continue;
        cc_value v = LLVMGetOperand(end, 0);
        if (!LLVMIsAConstantInt(v))
            return HC_MIXED;
        uint32_t state = (uint32_t)LLVMConstIntGetZExtValue(v);
        if (only != HC_MIXED && only != state)
            return HC_MIXED;
        only = state;
    }
    return only;
}

bool cc_may_return(cc_value region, unsigned state)
{
    CC_EACH_BLOCK(at, region) {
        cc_value end = LLVMGetBasicBlockTerminator(at);
        if (!LLVMIsAReturnInst(end))
            continue;
        cc_value v = LLVMGetOperand(end, 0);
        bool found = !LLVMIsAConstantInt(v) && !LLVMIsAPHINode(v);
        unsigned n = LLVMIsAPHINode(v) ? LLVMCountIncoming(v) : 1;
        for (unsigned k = 0; !found && k < n; k++) {
            cc_value one = LLVMIsAPHINode(v) ? LLVMGetIncomingValue(v, k) : v;
            found = !LLVMIsAConstantInt(one) || LLVMConstIntGetZExtValue(one) == state;
        }
        if (found)
            return true;
    }
    return false;
}

/* -- Joining -- */

bool cc_reads_rows(cc_value region)
{
    CC_EACH_INST_OF(i, region) {
        if (reads_row(i))
            return true;
    }
    return false;
}

static bool is_slot_at(cc_value i, cc_value offset)
{
    return cc_function_of(i) == CC_FN_SLOT && LLVMGetOperand(i, 0) == offset;
}

static bool has_slot(cc_value region, cc_value offset)
{
    CC_EACH_INST_OF(i, region) {
        if (is_slot_at(i, offset))
            return true;
    }
    return false;
}

static void read_own(cc_unit *u, cc_value slot)
{
    LLVMSetOperand(slot, 3, cc_int(u->i1, 0));
}

static void rename_slot(cc_unit *u, cc_value region, cc_value offset, cc_value helper)
{
    CC_EACH_INST_OF(i, region) {
        if (is_slot_at(i, offset)) {
            LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, helper);
            read_own(u, i);
        }
    }
}

/* Slots of these two regions alone are hc.fused from now on. Returns whether there are
   any. */
static bool rename_slots(cc_unit *u, const cc_layout *l, unsigned s, unsigned next)
{
    bool any = false;
    CC_EACH_INST_OF(i, l->region[s]) {
        if (cc_function_of(i) != CC_FN_SLOT)
            continue;
        cc_value offset = LLVMGetOperand(i, 0);
        bool own = has_slot(l->region[next], offset);
        for (unsigned other = 0; other < l->nstates && own; other++)
            own = other == s || other == next || !has_slot(l->region[other], offset);
        if (!own)
            continue;
        cc_value helper =
            cc_declare_function(u, CC_FN_FUSED, LLVMGetCalledFunctionType(i));
        rename_slot(u, l->region[s], offset, helper);
        rename_slot(u, l->region[next], offset, helper);
        any = true;
    }
    return any;
}

void cc_keep_slots_in_registers(cc_unit *u, cc_value region)
{
    CC_EACH_INST_OF(i, region) {
        if (cc_function_of(i) != CC_FN_SLOT)
            continue;
        cc_value helper =
            cc_declare_function(u, CC_FN_FUSED, LLVMGetCalledFunctionType(i));
        LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, helper);
    }
}

/* A region that the same pass runs behind another, which may have written there. */
static void read_own_slots(cc_unit *u, cc_value region)
{
    CC_EACH_INST_OF(i, region) {
        if (cc_function_of(i) == CC_FN_SLOT)
            read_own(u, i);
    }
}

/* Whether a region other than s may lead to state next. */
static bool is_reached_elsewhere(const cc_layout *l, unsigned s, unsigned next)
{
    for (unsigned other = 0; other < l->nstates; other++)
        CC_EACH_BLOCK(at, l->region[other]) {
            cc_value end = LLVMGetBasicBlockTerminator(at);
            if (other == s || !LLVMIsAReturnInst(end))
                continue;
            cc_value state = LLVMGetOperand(end, 0);
            if (!LLVMIsAConstantInt(state) || LLVMConstIntGetZExtValue(state) == next)
                return true;
        }
    return false;
}

void cc_fuse_barriers(cc_unit *u, cc_layout *l)
{
    bool rows = false;
    for (unsigned s = 0; s < l->nstates; s++)
        rows |= cc_reads_rows(l->region[s]);
    if (u->options->level == 0 || rows)
        return;
    for (unsigned s = 0; s < l->nstates; s++) {
        uint32_t next = cc_only_result(l->region[s]);
        if (next == HC_EXITED || next >= l->nstates || next == s ||
            l->states[s].fused || l->states[next].next ||
            l->states[next].kind != HC_BARRIER ||
            cc_only_result(l->region[next]) == HC_MIXED ||
            is_reached_elsewhere(l, s, next))
            continue;
        orders may = possible_orders(u, l->region[s], l->region[next]);
        if ((!may.up && !may.down) || !rename_slots(u, l, s, next))
            continue;
        l->states[s].next = next;
        l->states[s].down = !may.up;
        read_own_slots(u, l->region[next]);
        l->states[next].fused = true;
    }
}

/* -- Values live across the barrier, as memory of the pass: LLVM makes registers of it
      -- */

static bool is_same_slot(cc_value a, cc_value b)
{
    return LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0) &&
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(a)) ==
               LLVMGetBasicBlockParent(LLVMGetInstructionParent(b));
}

/* The call and all of its function that mean the same slot. */
static void place_slot(cc_unit *u, cc_builder b, cc_value helper, cc_value call)
{
    cc_value function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    cc_value first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMPositionBuilderBefore(b, first);
    uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    cc_value memory = LLVMBuildAlloca(b, LLVMArrayType2(u->i8, bytes), "fused");
    LLVMSetAlignment(memory, 64);
    for (LLVMUseRef use = LLVMGetFirstUse(helper), next; use; use = next) {
        cc_value other = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (other != call && is_same_slot(other, call)) {
            LLVMReplaceAllUsesWith(other, memory);
            LLVMInstructionEraseFromParent(other);
        }
    }
    LLVMReplaceAllUsesWith(call, memory);
    LLVMInstructionEraseFromParent(call);
}

void cc_place_fused(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_value helper = LLVMGetNamedFunction(u->module, cc_functions[CC_FN_FUSED].name);
    while (helper && LLVMGetFirstUse(helper))
        place_slot(u, b, helper, LLVMGetUser(LLVMGetFirstUse(helper)));
}
