/* Masked loads and stores of neighbours, where no AVX-512 does them well. AVX2 has both
   for 4 and 8 bytes, but on AMD's processors a store of 32 bytes takes 12 cycles,
   whatever its mask; for 1 and 2 bytes LLVM branches a lane. So

   - memory that no other thread of the machine sees, the block's or the thread's own,
     is read, merged and written whole: a tile of 16 x 16 with a halo took 0.7 of the
     time. Of shared memory only inside the block's: behind its end is a page that
     cannot be written;
   - loads of 1 and 2 bytes that lie in one page read all lanes: one of them runs, so
     the page can be read;
   - stores of 1 and 2 bytes go lane by lane through the mask's bits, or whole if all
     lanes run. Those under the same mask, with nothing between them that reads memory,
     share the loop: its end is what a processor does not foresee.

   They stay masked accesses while LLVM optimizes, since the passes look for those. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/clone.h"

#include <stddef.h>
#include <string.h>

#define PAGE 4096 /* bytes, the smallest */
#define MOST 256  /* in a function */
#define MOST_TOGETHER 8

/* Of a store to memory that one thread of the machine sees: nothing, or the bytes of
   the kernel's static shared memory, if it is that. */
static const char note[] = "hostcc.merged";

void cc_store_own_lanes(cc_vec *e, cc_value value, cc_value pointer, unsigned align,
                        cc_value mask)
{
    cc_value i = cc_store_lanes(e, value, pointer, align, mask);
    if (mask)
        cc_note(e->unit, i, note, 0, NULL, NULL);
}

void cc_store_shared_lanes(cc_vec *e, cc_value value, cc_value pointer, unsigned align,
                           cc_value mask)
{
    cc_value i = cc_store_lanes(e, value, pointer, align, mask);
    uint64_t bytes = e->kernel->shared_bytes;
    if (mask)
        cc_note(e->unit, i, note, 1, e->unit->i32, &bytes);
}

/* -- After LLVM's passes -- */

typedef struct {
    cc_unit *unit;
    cc_builder b;
    unsigned note, invariant; /* kinds of metadata */
    cc_value function;
    cc_value shared, size; /* of the block's memory, in the function's first block;
                              NULL: not asked for yet */
} code;

static cc_value number_of(code *f, cc_value pointer)
{
    return LLVMBuildPtrToInt(f->b, pointer, f->unit->i64, "");
}

/* hostcuda rounds the size up. */
static void find_shared(code *f, uint64_t bytes)
{
    cc_unit *u = f->unit;
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_block entry = LLVMGetEntryBasicBlock(f->function);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    cc_value frame = LLVMGetParam(f->function, 1),
             launch = LLVMGetParam(f->function, 0),
             dynamic = cc_offset(u, b, launch, offsetof(hc_launch, dynamic_shared));
    f->shared = cc_fixed_load(u, b, u->i64,
                              cc_offset(u, b, frame, offsetof(hc_frame, shared)), 0);
    dynamic = LLVMBuildZExt(b, cc_fixed_load(u, b, u->i32, dynamic, 0), u->i64, "");
    f->size = LLVMBuildAdd(b, dynamic, cc_int(u->i64, bytes + HC_SHARED_ALIGN - 1), "");
    f->size = LLVMBuildAnd(b, f->size, cc_int(u->i64, -(uint64_t)HC_SHARED_ALIGN), "");
}

/* Whether so many bytes are all in the block's shared memory. */
static cc_value is_inside(code *f, cc_value pointer, unsigned bytes)
{
    cc_value from = LLVMBuildSub(f->b, number_of(f, pointer), f->shared, "");
    cc_value last = LLVMBuildSub(f->b, f->size, cc_int(f->unit->i64, bytes), "");
    return LLVMBuildICmp(f->b, LLVMIntULE, from, last, "");
}

static cc_value is_in_one_page(code *f, cc_value pointer, unsigned bytes)
{
    cc_type i64 = f->unit->i64;
    cc_value in_page =
        LLVMBuildAnd(f->b, number_of(f, pointer), cc_int(i64, PAGE - 1), "");
    return LLVMBuildICmp(f->b, LLVMIntULE, in_page, cc_int(i64, PAGE - bytes), "");
}

/* Behind this the access runs under its mask if not `plain`. Returns the block where it
   would be, where the builder is, for what does instead. */
static cc_block put_aside(code *f, cc_value access, cc_value plain)
{
    cc_unit *u = f->unit;
    cc_block rest = LLVMGetInstructionParent(access),
             before = cc_split_block(u, rest, LLVMGetPreviousInstruction(access)),
             whole = LLVMInsertBasicBlockInContext(u->context, rest, "whole"),
             masked = LLVMAppendBasicBlockInContext(u->context, f->function, "masked");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(f->b, before);
    LLVMBuildCondBr(f->b, plain, whole, masked);
    LLVMInstructionRemoveFromParent(access);
    LLVMPositionBuilderAtEnd(f->b, masked);
    LLVMInsertIntoBuilder(f->b, access);
    LLVMBuildBr(f->b, rest);
    LLVMPositionBuilderAtEnd(f->b, whole);
    LLVMPositionBuilderBefore(f->b, LLVMBuildBr(f->b, rest));
    return whole;
}

static cc_value load_all(code *f, cc_type t, cc_value p, cc_value align)
{
    cc_value v = LLVMBuildLoad2(f->b, t, p, "");
    LLVMSetAlignment(v, (unsigned)LLVMConstIntGetZExtValue(align));
    return v;
}

static void load(code *f, cc_value i)
{
    cc_value p = LLVMGetOperand(i, 0), align = LLVMGetOperand(i, 1),
             mask = LLVMGetOperand(i, 2), otherwise = LLVMGetOperand(i, 3);
    cc_type t = LLVMTypeOf(i);
    cc_block rest = LLVMGetInstructionParent(i), from[2];
    LLVMPositionBuilderBefore(f->b, i);
    from[0] = put_aside(f, i, is_in_one_page(f, p, cc_sizeof(f->unit, t)));
    from[1] = LLVMGetInstructionParent(i);
    cc_value all = load_all(f, t, p, align);
    cc_value v[] = {LLVMBuildSelect(f->b, mask, all, otherwise, ""), i};
    LLVMPositionBuilderBefore(f->b, LLVMGetFirstInstruction(rest));
    cc_value phi = LLVMBuildPhi(f->b, t, "");
    LLVMReplaceAllUsesWith(i, phi);
    LLVMAddIncoming(phi, v, from, 2);
}

static void merge(code *f, cc_value i)
{
    cc_value v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1),
             align = LLVMGetOperand(i, 2), mask = LLVMGetOperand(i, 3),
             old = load_all(f, LLVMTypeOf(v), p, align);
    v = LLVMBuildStore(f->b, LLVMBuildSelect(f->b, mask, v, old, ""), p);
    LLVMSetAlignment(v, (unsigned)LLVMConstIntGetZExtValue(align));
}

static void store(code *f, cc_value i)
{
    cc_value p = LLVMGetOperand(i, 1), at = LLVMGetMetadata(i, f->note), number = NULL;
    unsigned bytes = cc_sizeof(f->unit, LLVMTypeOf(LLVMGetOperand(i, 0)));
    if (LLVMGetMDNodeNumOperands(at))
        LLVMGetMDNodeOperands(at, &number);
    uint64_t fixed = number ? LLVMConstIntGetZExtValue(number) : 0;
    LLVMPositionBuilderBefore(f->b, i);
    if (!number) {
        merge(f, i);
        LLVMInstructionEraseFromParent(i);
    } else if (bytes <= HC_SHARED_ALIGN || bytes <= fixed) {
        if (!f->shared)
            find_shared(f, fixed);
        put_aside(f, i, is_inside(f, p, bytes));
        merge(f, i);
    }
}

/* -- Stores of 1 and 2 bytes -- */

static bool is_narrow(const code *f, cc_value i)
{
    return cc_prefixed(cc_callee(i), "llvm.masked.store.") &&
           !LLVMGetMetadata(i, f->note) && !LLVMIsAConstant(LLVMGetOperand(i, 3)) &&
           cc_sizeof(f->unit, LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(i, 0)))) < 4;
}

/* Whether a store may as well come after it. */
static bool lets_pass(const code *f, cc_value i)
{
    if (LLVMIsALoadInst(i))
        return !LLVMGetVolatile(i) && LLVMGetMetadata(i, f->invariant);
    return !cc_is_access(i) && !LLVMIsACallInst(i) && !LLVMIsAFenceInst(i) &&
           !LLVMIsATerminatorInst(i);
}

/* The stores from the first on that one loop does, in their order. */
static unsigned find_group(const code *f, cc_value first, cc_value *store)
{
    unsigned n = 0;
    for (cc_value i = first; n < MOST_TOGETHER; i = LLVMGetNextInstruction(i)) {
        if (is_narrow(f, i) && LLVMGetOperand(i, 3) == LLVMGetOperand(first, 3))
            store[n++] = i;
        else if (!lets_pass(f, i))
            break;
    }
    return n;
}

static void store_all(code *f, cc_value i)
{
    cc_value v = LLVMBuildStore(f->b, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
    LLVMSetAlignment(v, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)));
}

static void store_lane(code *f, cc_value i, cc_value lane)
{
    cc_value v = LLVMBuildExtractElement(f->b, LLVMGetOperand(i, 0), lane, "");
    cc_type t = LLVMTypeOf(v);
    cc_value p = LLVMBuildInBoundsGEP2(f->b, t, LLVMGetOperand(i, 1), &lane, 1, "");
    unsigned size = cc_sizeof(f->unit, t),
             align = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
    LLVMSetAlignment(LLVMBuildStore(f->b, v, p), align < size ? align : size);
}

/* The mask's bits, a number of 64. */
static cc_value bits_of(code *f, cc_value mask, unsigned *width)
{
    *width = LLVMGetVectorSize(LLVMTypeOf(mask));
    cc_type bits = LLVMIntTypeInContext(f->unit->context, *width);
    mask = LLVMBuildBitCast(f->b, mask, bits, "");
    return *width < 64 ? LLVMBuildZExt(f->b, mask, f->unit->i64, "") : mask;
}

static cc_value lowest_bit(code *f, cc_value bits)
{
    cc_type i64 = f->unit->i64;
    cc_value args[] = {bits, cc_int(f->unit->i1, 1)};
    unsigned id = LLVMLookupIntrinsicID("llvm.cttz", strlen("llvm.cttz"));
    cc_type t = LLVMIntrinsicGetType(f->unit->context, id, &i64, 1);
    cc_value cttz = LLVMGetIntrinsicDeclaration(f->unit->module, id, &i64, 1);
    return LLVMBuildCall2(f->b, t, cttz, args, 2, "");
}

static void store_bits(code *f, const cc_value *store, unsigned n)
{
    cc_unit *u = f->unit;
    cc_value last = store[n - 1], mask = LLVMGetOperand(last, 3);
    cc_block rest = LLVMGetInstructionParent(last),
             before = cc_split_block(u, rest, last);
    cc_block head = LLVMInsertBasicBlockInContext(u->context, rest, "some"),
             whole = LLVMInsertBasicBlockInContext(u->context, rest, "whole"),
             loop = LLVMInsertBasicBlockInContext(u->context, rest, "each.lane");
    unsigned width;
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(f->b, before);
    cc_value bits = bits_of(f, mask, &width), zero = cc_int(u->i64, 0),
             all = cc_int(u->i64, width < 64 ? (1ull << width) - 1 : ~0ull);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, bits, all, ""), whole, head);
    LLVMPositionBuilderAtEnd(f->b, whole);
    for (unsigned k = 0; k < n; k++)
        store_all(f, store[k]);
    LLVMBuildBr(f->b, rest);
    LLVMPositionBuilderAtEnd(f->b, head);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, bits, zero, ""), rest, loop);
    LLVMPositionBuilderAtEnd(f->b, loop);
    cc_value todo = LLVMBuildPhi(f->b, u->i64, ""), lane = lowest_bit(f, todo);
    for (unsigned k = 0; k < n; k++)
        store_lane(f, store[k], lane);
    cc_value next = LLVMBuildSub(f->b, todo, cc_int(u->i64, 1), "");
    next = LLVMBuildAnd(f->b, todo, next, "");
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, next, zero, ""), rest, loop);
    cc_value from[] = {bits, next};
    cc_block blocks[] = {head, loop};
    LLVMAddIncoming(todo, from, blocks, 2);
    for (unsigned k = 0; k < n; k++)
        LLVMInstructionEraseFromParent(store[k]);
}

/* -- All of them -- */

/* Whether another way is there. Masks that are known LLVM makes the best of. */
static bool has_whole(const code *f, cc_value i)
{
    const char *name = cc_callee(i);
    if (cc_prefixed(name, "llvm.masked.load."))
        return cc_sizeof(f->unit, LLVMGetElementType(LLVMTypeOf(i))) < 4 &&
               !LLVMIsAConstant(LLVMGetOperand(i, 2));
    return cc_prefixed(name, "llvm.masked.store.") && LLVMGetMetadata(i, f->note);
}

static void store_narrow(code *f)
{
    cc_value first[MOST];
    unsigned n = 0;
    CC_EACH_INST_OF(i, f->function) {
        if (is_narrow(f, i) && n < MOST)
            first[n++] = i;
    }
    for (unsigned k = 0; k < n;) {
        cc_value group[MOST_TOGETHER];
        unsigned together = find_group(f, first[k], group);
        store_bits(f, group, together);
        k += together;
    }
}

void cc_whole_accesses(cc_unit *u)
{
    code f = {.unit = u, .b = LLVMCreateBuilderInContext(u->context)};
    f.note = LLVMGetMDKindIDInContext(u->context, note, sizeof note - 1);
    f.invariant =
        LLVMGetMDKindIDInContext(u->context, CC_INVARIANT, strlen(CC_INVARIANT));
    if (u->vector_bits >= 512)
        return;
    for (f.function = LLVMGetFirstFunction(u->module); f.function;
         f.function = LLVMGetNextFunction(f.function)) {
        cc_value access[MOST];
        unsigned n = 0;
        f.shared = NULL;
        CC_EACH_INST_OF(i, f.function) {
            if (has_whole(&f, i) && n < MOST)
                access[n++] = i;
        }
        for (unsigned k = 0; k < n; k++) {
            if (cc_prefixed(cc_callee(access[k]), "llvm.masked.load."))
                load(&f, access[k]);
            else
                store(&f, access[k]);
        }
        store_narrow(&f);
    }
}
