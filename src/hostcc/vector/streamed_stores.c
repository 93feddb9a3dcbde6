/* Stores past the caches. What a launch writes beyond what caches hold leaves them
   before anybody reads it, but a core reads each line before it writes there: a third
   of the traffic of z = x + y. Stores of whole, aligned vectors of consecutive threads
   can do without. Whether a launch writes so much is known when it begins
   (hc_launch.cached), so both stores are there.

   Such stores may be seen by other cores later than what follows them: hc_run ends with
   a fence, and kernels that order memory themselves, or wait, have none of them. */
#include "hostcc/vector/vector.h"
#include "hostcc/split/split.h"

#include <stddef.h>

#define LINE 64     /* bytes of a line of caches */
#define SMALLEST 32 /* bytes of a vector: two fill a line before it leaves */

static const char note[] = "nontemporal";

/* Whether the kernel does nothing in memory but to load and store. */
static bool only_loads_and_stores(const cc_vec *e)
{
    CC_EACH_INST_OF(i, e->cfg->function) {
        if (cc_is_access(i) ? cc_is_ordered(i) : cc_may_write(i))
            return false;
    }
    return true;
}

static bool may_stream(cc_vec *e)
{
    if (!e->streams)
        e->streams = !e->suspends && !e->linear && !e->unit->options->checks &&
                             only_loads_and_stores(e)
                         ? CC_STREAMS
                         : CC_STREAMS_NOTHING;
    return e->streams == CC_STREAMS;
}

cc_block cc_stream_begin(cc_vec *e, cc_value v, cc_value p)
{
    cc_unit *u = e->unit;
    cc_type i32 = u->i32;
    unsigned bytes = e->width * cc_sizeof(u, LLVMGetElementType(LLVMTypeOf(v)));
    if (bytes < SMALLEST || !may_stream(e))
        return NULL;
    unsigned align = bytes < LINE ? bytes : LINE;
    cc_block past = cc_new_block(e, "past.caches"), through = cc_new_block(e, "cached"),
             done = cc_new_block(e, "stored");
    cc_value cached = cc_fixed_load(
        u, e->entry, i32,
        cc_offset(u, e->entry, e->launch, offsetof(hc_launch, cached)), 0);
    cc_value bits = LLVMBuildOr(e->entry, cached, cc_int(i32, align - 1), ""),
             at = LLVMBuildTrunc(e->b, LLVMBuildPtrToInt(e->b, p, u->i64, ""), i32, "");
    cc_value wrong = LLVMBuildAnd(e->b, at, bits, "");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, wrong, cc_int(i32, 0), ""),
                    past, through);
    LLVMPositionBuilderAtEnd(e->b, past);
    cc_value store = LLVMBuildStore(e->b, v, p);
    LLVMSetAlignment(store, align);
    cc_note(u, store, note, 1, i32, (uint64_t[]){1});
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, through);
    return done;
}

void cc_stream_end(cc_vec *e, cc_block done)
{
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

unsigned cc_streamed_bytes(cc_unit *u, cc_value function)
{
    unsigned most = 0,
             kind = LLVMGetMDKindIDInContext(u->context, note, sizeof note - 1);
    CC_EACH_INST_OF(i, function) {
        if (!LLVMIsAStoreInst(i) || !LLVMGetMetadata(i, kind))
            continue;
        cc_type t = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(i, 0)));
        most = cc_sizeof(u, t) > most ? cc_sizeof(u, t) : most;
    }
    return most;
}

void cc_stream_fence(cc_unit *u, cc_builder b)
{
#ifdef __x86_64__
    static const char name[] = "llvm.x86.sse.sfence";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    cc_value f = LLVMGetIntrinsicDeclaration(u->module, id, NULL, 0);
    LLVMBuildCall2(b, LLVMIntrinsicGetType(u->context, id, NULL, 0), f, NULL, 0, "");
#else
    LLVMBuildFence(b, LLVMAtomicOrderingRelease, 0, "");
#endif
}
